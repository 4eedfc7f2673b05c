"""The box drawing and block characters of the interface, drawn so that cells join."""

import unicodedata

import numpy as np
from numpy.typing import NDArray

Cover = NDArray[np.uint8]

_FINE = 4
"""Points across a pixel at which a corner is computed."""


def arc(width: int, height: int, line: int, *, right: bool, down: bool) -> Cover:
    """Return a rounded corner that joins one side edge with the top or bottom edge."""
    y, x = (np.indices((height * _FINE, width * _FINE)) + 0.5) / _FINE
    # Measured from the centre lines that it joins, towards the corner that it opens to.
    x = x - ((width - line) // 2 + line / 2)
    y = y - ((height - line) // 2 + line / 2)
    x, y = (x if right else -x), (y if down else -y)
    radius = min(x.max(), y.max()) + 0.5 / _FINE
    bent = np.abs(np.hypot(x - radius, y - radius) - radius) <= line / 2
    bent &= (x <= radius) & (y <= radius)
    straight = (x > radius) & (np.abs(y) <= line / 2) | (y > radius) & (np.abs(x) <= line / 2)
    share = (bent | straight).reshape(height, _FINE, width, _FINE).mean(axis=(1, 3))
    return np.asarray((share * 255).round(), np.uint8)


BLOCKS = {
    "▀": (0, 0, 1, 1 / 2, 255),
    "▝": (1 / 2, 0, 1, 1 / 2, 255),
    "▏": (0, 0, 1 / 8, 1, 255),
    "█": (0, 0, 1, 1, 255),
    "▓": (0, 0, 1, 1, 192),
    "▒": (0, 0, 1, 1, 128),
    "░": (0, 0, 1, 1, 64),
}
"""The left, top, right and bottom of each block as shares of the cell, and its cover."""


def block(char: str, width: int, height: int) -> Cover:
    """Return the cell of one of `BLOCKS`: uint8[height, width]."""
    left, top, right, bottom, cover = BLOCKS[char]
    cell = np.zeros((height, width), np.uint8)
    rows = slice(round(top * height), round(bottom * height))
    cell[rows, round(left * width) : round(right * width)] = cover
    return cell


BOXES = "─━│┃╌╭╮╯╰"


def box(char: str, width: int, height: int) -> Cover:
    """Return the cell of one of `BOXES`: uint8[height, width]."""
    name = unicodedata.name(char)
    line = max(1, round(height / 18))  # The width of a light line in pixels.
    if "ARC" in name:
        return arc(width, height, line, right="RIGHT" in name, down="DOWN" in name)
    cell = np.zeros((height, width), np.uint8)
    strip = cell if "HORIZONTAL" in name else cell.T
    thick = line + 2 * max(1, line // 2) if "HEAVY" in name else line
    start, length = (len(strip) - thick) // 2, strip.shape[1]
    strip[start : start + thick] = 255
    gap = max(1, round(length / 6))
    for share in (1 / 4, 3 / 4) if "DASH" in name else ():  # Two dashes, and no gap at an edge.
        middle = round(share * length - gap / 2)
        strip[:, middle : middle + gap] = 0
    return cell
