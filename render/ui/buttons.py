"""Key hints on screen, which are also buttons: clicking a hint presses its key."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from render.ui.frame import Frame, Rect
from render.ui.input import Input, Key, Pointer
from render.ui.keymap import bindings, key_label
from render.ui.palette import colors
from render.ui.text import clipped, panel, write, write_parts
from render.ui.texts import texts

GAP = " · "


class Hint(NamedTuple):
    """A key in the notation of the key table, and its meaning in a word or two."""

    key: str
    text: str


def hint(section: str, name: str, text: str) -> Hint:
    """Return the hint of a command; in menus, where letters choose or are typed, with a word."""
    keys = bindings()[section][name].keys
    words = [key for key in keys if section == "menu" and len(Key.read(key).name) > 1]
    return Hint([*words, *keys][0], text)


Keys = list[tuple[list[str], str]]
"""Keys in the notation of the key table, and what they do."""


def keys_with_texts(name: str, without: Collection[str] = (), **words: str) -> Keys:
    """Return the hints ``name`` of data/texts.toml, but for ``without``, ``words`` filled in."""
    hints = []
    for commands, text in texts().hints[name].items():
        section, _, names = commands.partition(".")
        if commands not in without:
            keys = [bindings()[section][name].keys[0] for name in names.split()]
            hints.append((keys, text.format_map(words)))
    return hints


def hint_list(name: str, without: Collection[str] = ()) -> list[Hint]:
    """Return the hints ``name`` in data/texts.toml, each with the key of its first command."""
    return [Hint(keys[0], text) for keys, text in keys_with_texts(name, without)]


def write_hint(frame: Frame, x: int, y: int, hint: Hint, room: int, pad: int = 0) -> int:
    """Write a hint in at most ``room`` cells as a button; return the column after it.

    In a column, all keys take at least ``pad`` cells, and the whole row is the button.
    """
    if room <= 0:
        return x
    name = clipped(key_label(hint.key).ljust(max(0, pad - 1)), room)
    end = write(frame.text, x, y, name, "accent")
    left = room - (end - x) - 1
    if left > 0 and hint.text:
        end = write(frame.text, end + 1, y, clipped(hint.text, left), "dim")
    frame.buttons.append((Rect(x, y, room if pad else end - x, 1), Key.read(hint.key)))
    return end


def hints_width(hints: Sequence[Hint]) -> int:
    """Return the width in cells of ``hints`` side by side."""
    return sum(len(f"{key_label(key)} {text}{GAP}") for key, text in hints) - len(GAP)


def write_hints(frame: Frame, x: int, y: int, hints: Sequence[Hint], room: int) -> int:
    """Write the first hints, and the way back, as far as they fit; return the column after."""
    hints, back = [*hints], hint("menu", "back", "").key
    while hints and hints_width(hints) > room:
        hints.remove(([each for each in hints if each.key != back] or hints)[-1])
    for number, each in enumerate(hints):
        if number:
            x = write(frame.text, x, y, GAP, "faint")
        x = write_hint(frame, x, y, each, room)
    return x


def draw_keys(frame: Frame, y: int, keys: Keys) -> None:
    """Write as many hints as fit in a line; the first are the most important.

    Every key can be clicked; of several keys in one hint, each for itself.
    """
    hints = [(names, [key_label(name) for name in names], text) for names, text in keys]
    roomy = sum(len(" ".join(labels)) + len(text) + 4 for _, labels, text in hints) < frame.columns
    x, gap = (2, 3) if roomy else (1, 2)
    for names, labels, text in hints:
        between = " " if roomy or not set("".join(labels)) <= set("←→↑↓") else ""
        written = between.join(labels)
        if x + len(written) + len(text) + 1 < frame.columns:
            end = write_parts(frame.text, x, y, [(written, "accent"), (f" {text}", "dim")])
            at = x
            for name, label in zip(names, labels, strict=True):
                width = len(label) if len(labels) > 1 else end - x
                frame.buttons.append((Rect(at, y, width, 1), Key.read(name)))
                at += len(label) + len(between)
            x = end + gap


def hinted_panel(frame: Frame, rect: Rect, title: str, hints: Sequence[Hint]) -> Rect:
    """Draw a framed panel with ``hints`` in its last line; return the rectangle left above it."""
    inner = panel(frame, rect, title)
    if not frame.above:  # Below another screen the keys do nothing.
        write_hints(frame, inner.x, inner.y + inner.height, hints, inner.width)
    return inner._replace(height=max(0, inner.height - 1))


class Buttons:
    """The buttons of the last frame: a click on one becomes a key or a click on a map cell."""

    def __init__(self) -> None:
        self._places: list[tuple[Rect, Key | Pointer]] = []
        self._mouse: tuple[int, int] | None = None

    def take(self, frame: Frame) -> None:
        """Take the buttons of ``frame``, and highlight the first line of that under the mouse."""
        self._places = frame.buttons
        if self._mouse and (button := button_at(self._places, *self._mouse)):
            cells = frame.text.rgb[button[0]._replace(height=1).cells]
            cells["fg"], cells["bg"] = colors()["ground"], colors()["accent"]

    def meant(self, happening: Input) -> Input:
        """Return ``happening``, or the input a button makes of it: a key, or one on a map cell."""
        if not isinstance(happening, Pointer):
            return happening
        self._mouse = None if happening.kind == "wheel" else (happening.x, happening.y)
        button = button_at(self._places, *self._mouse) if self._mouse else None
        if button is None:
            return happening
        if isinstance(button[1], Pointer):
            return replace(happening, spot=button[1].spot)
        pressed = happening.kind == "press" and happening.button == "left"
        return button[1] if pressed else happening


def button_at(
    buttons: Sequence[tuple[Rect, Key | Pointer]], x: int, y: int
) -> tuple[Rect, Key | Pointer] | None:
    """Return the button at a text cell; later ones were drawn on top."""
    return next((button for button in reversed(buttons) if button[0].contains(x, y)), None)
