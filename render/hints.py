"""Keys written beside what they do: to be read, and to be pressed with the mouse."""

from collections.abc import Sequence
from typing import NamedTuple

from render.draw import clipped, write
from render.frame import Frame, Rect
from render.inputs import Key
from render.keys import bindings, shown

GAP = " · "


class Hint(NamedTuple):
    """A key as the key table writes it, and what it does in a word or two."""

    key: str
    text: str


def hint(section: str, name: str, text: str) -> Hint:
    """Return the hint of a command."""
    return Hint(bindings()[section][name].keys[0], text)


def write_hint(frame: Frame, x: int, y: int, hint: Hint, room: int, pad: int = 0) -> int:
    """Write a key and what it does in at most ``room`` cells, to press; return the cell after.

    The key takes at least ``pad`` cells, so that hints below each other make columns.
    """
    if room <= 0:
        return x
    name = clipped(shown(hint.key).ljust(max(0, pad - 1)), room)
    end = write(frame.text, x, y, name, "accent")
    left = room - (end - x) - 1
    if left > 0 and hint.text:
        end = write(frame.text, end + 1, y, clipped(hint.text, left), "dim")
    frame.buttons.append((Rect(x, y, end - x, 1), Key.read(hint.key)))
    return end


def hints_width(hints: Sequence[Hint]) -> int:
    """Return how many cells ``hints`` take in a row."""
    return sum(len(shown(key)) + 1 + len(text) for key, text in hints) + len(GAP) * (len(hints) - 1)


def write_hints(frame: Frame, x: int, y: int, hints: Sequence[Hint], room: int) -> int:
    """Write as many hints side by side as ``room`` holds; return the cell after the last."""
    right = x + room
    for number, each in enumerate(hints):
        gap = len(GAP) if number else 0
        if x + gap + hints_width([each]) > right:
            break
        if gap:
            x = write(frame.text, x, y, GAP, "faint")
        x = write_hint(frame, x, y, each, right - x)
    return x


def write_foot(frame: Frame, panel: Rect, hints: Sequence[Hint]) -> None:
    """Write ``hints`` into the lower edge of a panel."""
    y, room = panel.y + panel.height - 1, panel.width - 4
    while hints and hints_width(hints) + 2 > room:
        hints = hints[:-1]
    if not hints:
        return
    x = panel.x + 2
    write(frame.text, x, y, " " * (hints_width(hints) + 2))
    write_hints(frame, x + 1, y, hints, room - 2)
