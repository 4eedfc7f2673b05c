"""The base class of screens, and the replies with which a screen tells the app what to do.

A screen never changes the stack itself but returns a value such as `Push` or `Act`. So screens can
be tested without an app, and a nested screen cannot remove the one that opened it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, Union

from msgspec import Struct

from engine.state.actions import Action
from engine.state.run_setup import RunSetup
from render.ui.frame import Frame, Rect
from render.ui.input import Input, Key, Paste, Pointer


class Player(Protocol):
    """Plays something on a screen: a build or a recorded run."""

    @property
    def interval(self) -> float | None:
        """Seconds until the next tick, None while nothing moves."""

    def tick(self) -> None:
        """Advance the playback."""


class Screen:
    """One layer of the display. Subclasses override what they need.

    ``covers``: hides all screens below.
    ``opened_by``: the input that opened it (set by the app).
    ``rect``: where it was drawn, if a click outside closes it.
    ``player``: plays something on it, None if nothing moves.
    """

    covers = True
    opened_by: Input | None = None
    rect: Rect | None = None
    player: Player | None = None

    @property
    def interval(self) -> float | None:
        """Seconds after which `tick` is called, None for never; that of the player, if any."""
        return self.player.interval if self.player else None

    def draw(self, frame: Frame) -> None:
        """Draw on ``frame``."""

    def handle(self, event: Input) -> "Reply":
        """Handle one input; the app itself handles `Closed`."""
        match event:
            case Key():
                return self.key(event)
            case Pointer(kind="press", button="right"):
                return self.back()
            case Pointer():
                return self.pointer(event)
            case Paste(text):
                return self.paste(text)
        return None

    def key(self, key: Key) -> "Reply":  # noqa: ARG002
        """Handle a key."""
        return None

    def pointer(self, pointer: Pointer) -> "Reply":  # noqa: ARG002
        """Handle the mouse, except for the right button."""
        return None

    def paste(self, text: str) -> "Reply":  # noqa: ARG002
        """Handle pasted text."""
        return None

    def back(self) -> "Reply":
        """Close without choosing anything; the right mouse button does this."""
        return Pop()

    def is_double_click(self, pointer: Pointer) -> bool:
        """Return True if ``pointer`` is still where the click was that opened the screen.

        A second click there was not meant for this screen.
        """
        at = self.opened_by
        return isinstance(at, Pointer) and max(abs(pointer.x - at.x), abs(pointer.y - at.y)) <= 1

    def is_click_outside(self, pointer: Pointer) -> bool:
        """Return True if ``pointer`` is a left click outside `rect` and not beside its frame."""
        if self.rect is None or (pointer.kind, pointer.button) != ("press", "left"):
            return False
        x, y, width, height = self.rect
        return not Rect(x - 1, y - 1, width + 2, height + 2).contains(pointer.x, pointer.y)

    def tick(self) -> "Reply":
        """Advance whatever moves by itself; called every `interval` seconds."""
        if self.player:
            self.player.tick()
        return None

    def close(self) -> None:
        """Release files and other resources; called when the screen leaves the stack."""


class Push(Struct, frozen=True):
    """Put another screen on top; ``copy``, if given, is put on the clipboard."""

    screen: Screen
    copy: str = ""


class Pop(Struct, frozen=True):
    """Close this screen; ``then``, if given, is called with the one below for a further reply."""

    then: Callable[[Screen], "Reply"] | None = None


class Swap(Struct, frozen=True):
    """Replace this screen."""

    screen: Screen


class Home(Struct, frozen=True):
    """Close every screen but the first."""


class Begin(Struct, frozen=True):
    """Close every screen but the first and start a new run."""

    setup: RunSetup


class Stoppable(Struct, frozen=True):
    """Answer with the reply of ``make``, unless Esc stops the build of a level in it.

    Only for functions that change nothing before their levels are built.
    """

    make: "Callable[[], Reply]"


class Watch(Struct, frozen=True):
    """Open the recorded run at ``path``."""

    path: Path


class Act(Struct, frozen=True):
    """Perform an action of the hero."""

    action: Action


class Play(Struct, frozen=True):
    """Close all screens above the play screen and perform an action of the hero, if any."""

    action: Action | None = None


class Zoom(Struct, frozen=True):
    """Make the map larger or smaller; if that is impossible, a turn of the wheel gets no answer."""

    change: int
    by_wheel: bool


class Copy(Struct, frozen=True):
    """Put text on the clipboard."""

    text: str


class Leave(Struct, frozen=True):
    """End the program."""


Reply = Union[  # noqa: UP007 - forward use
    Push, Pop, Swap, Home, Begin, Stoppable, Watch, Act, Play, Zoom, Copy, Leave, None
]
