"""Input events, the same for every backend: keys, mouse, paste, resize, close."""

import re
from dataclasses import dataclass
from typing import Literal

PLUS = re.compile(r"\+(?!$)")  # Between the parts of a key's name; not the key + itself.


@dataclass(frozen=True, slots=True)
class Key:
    """A key pressed.

    ``name`` is the character typed (``a``, ``>``, ``~``; Shift is already applied), or for other
    keys a word: ``up down left right home end pageup pagedown insert delete escape enter tab
    backspace space f1``…``f12``, ``kp_0``…``kp_9 kp_enter``. ``repeat`` is set if it is held down.
    """

    name: str
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    repeat: bool = False

    def __str__(self) -> str:
        parts = [("ctrl+", self.ctrl), ("alt+", self.alt), ("shift+", self.shift)]
        return "".join(word for word, held in parts if held) + self.name

    @classmethod
    def read(cls, text: str) -> "Key":
        """Return the key that ``text`` names, e.g. ``ctrl+p``; the reverse of `str`."""
        *modifiers, name = PLUS.split(text)
        return cls(name, "shift" in modifiers, "ctrl" in modifiers, "alt" in modifiers)

    @property
    def typed(self) -> str:
        """The character that this key types into a line of text, "" if it types none."""
        char = " " if self.name == "space" else self.name.removeprefix("kp_")
        return char if len(char) == 1 and not (self.ctrl or self.alt) else ""


@dataclass(frozen=True, slots=True)
class Pointer:
    """The mouse moved, was clicked, or its wheel was turned.

    ``x, y`` are text cells; ``spot`` is the cell of the map console under the pointer, if any.
    ``button`` is the button pressed; for a move it is "left" while the left button is held.
    ``amount`` is how far the wheel was turned, positive upwards.
    """

    kind: Literal["move", "press", "wheel"]
    x: int
    y: int
    spot: tuple[int, int] | None = None
    button: Literal["left", "middle", "right", ""] = ""
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Paste:
    """Text was pasted from the clipboard; it has passed `cleaned_paste`."""

    text: str


def cleaned_paste(text: str) -> str:
    """Return pasted text with plain line ends and without unprintable characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char for char in text if char.isprintable() or char in "\n\t")


@dataclass(frozen=True, slots=True)
class Resized:
    """The window or terminal has another size and must be drawn again."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The window or terminal is being closed."""


Input = Key | Pointer | Paste | Resized | Closed


def append_input(inputs: list[Input], new: Input) -> None:
    """Append ``new`` to ``inputs``; only the last of several mouse moves in a row is kept."""
    if inputs and only_moves(inputs[-1]) and only_moves(new):
        inputs.pop()
    inputs.append(new)


def only_moves(happening: Input) -> bool:
    """Return whether this is only a mouse move, which must not interrupt a journey."""
    return isinstance(happening, Pointer) and happening.kind == "move"


def is_press(happening: Input) -> bool:
    """Return whether this is a key or a click, which is dropped once danger has come up."""
    return isinstance(happening, Key | Pointer) and not only_moves(happening)
