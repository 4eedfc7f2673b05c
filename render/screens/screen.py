"""What a screen is: it draws, it listens, and it answers with a value."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Union

from engine.state.actions import Action
from engine.state.run_setup import RunSetup
from render.ui.frame import Frame
from render.ui.input import Closed, Input, Key, Paste, Pointer


class Screen:
    """One layer of what is shown. Subclasses override what they need.

    ``covers`` says that nothing below can be seen, ``on_top`` whether nothing lies above.
    ``interval`` is the time in seconds after which `tick` wants to be called, None for never.
    """

    covers = True
    on_top = True
    interval: float | None = None

    def draw(self, frame: Frame) -> None:
        """Draw on ``frame``."""

    def hear(self, happening: Input) -> "Reply":
        """Answer something the person did."""
        match happening:
            case Key():
                return self.key(happening)
            case Pointer():
                return self.pointer(happening)
            case Paste(text):
                return self.paste(text)
            case Closed():
                return Leave()
            case _:
                return None

    def key(self, key: Key) -> "Reply":  # noqa: ARG002
        """Answer a key."""
        return None

    def pointer(self, pointer: Pointer) -> "Reply":  # noqa: ARG002
        """Answer the mouse."""
        return None

    def paste(self, text: str) -> "Reply":  # noqa: ARG002
        """Answer pasted text."""
        return None

    def tick(self) -> "Reply":
        """Answer that `interval` has passed."""
        return None

    def closed(self) -> None:
        """Let go of what the screen holds; the program is leaving."""


@dataclass(frozen=True)
class Push:
    """Lay another screen on top; ``copy`` goes to the clipboard with it, if given."""

    screen: Screen
    copy: str = ""


@dataclass(frozen=True)
class Pop:
    """Leave this screen; ``then`` is answered by the one below, if given."""

    then: Callable[[Screen], "Reply"] | None = None


@dataclass(frozen=True)
class Swap:
    """Put another screen in this one's place."""

    screen: Screen


@dataclass(frozen=True)
class Home:
    """Drop every screen but the first."""


@dataclass(frozen=True)
class Begin:
    """Leave everything but the first screen and start a new run."""

    setup: RunSetup


@dataclass(frozen=True)
class Watch:
    """Lay the recorded run at ``path`` on top."""

    path: Path


@dataclass(frozen=True)
class Act:
    """Let the hero do something."""

    action: Action


@dataclass(frozen=True)
class Play:
    """Go back to play and let the hero do something there."""

    action: Action


@dataclass(frozen=True)
class Zoom:
    """Make the map larger or smaller."""

    change: int


@dataclass(frozen=True)
class Copy:
    """Put text on the clipboard."""

    text: str


@dataclass(frozen=True)
class Leave:
    """End the program."""


Reply = Union[Push, Pop, Swap, Home, Begin, Watch, Act, Play, Zoom, Copy, Leave, None]  # noqa: UP007 - forward use
