"""Box drawing and block characters, drawn from their Unicode names so that cells join."""

import unicodedata
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Cover = NDArray[np.uint8]

PixelField = NDArray[np.float64]

_FINE = 4


def arc(width: int, height: int, line: int, *, right: bool, down: bool) -> Cover:
    """Return a rounded corner that joins one side edge with the top or bottom edge."""
    x, y = _grid(width, height)
    # Measured from the centre lines that it joins, towards the corner that it opens to.
    x = x - ((width - line) // 2 + line / 2)
    y = y - ((height - line) // 2 + line / 2)
    x, y = (x if right else -x), (y if down else -y)
    radius = min(x.max(), y.max()) + 0.5 / _FINE
    bent = np.abs(np.hypot(x - radius, y - radius) - radius) <= line / 2
    bent &= (x <= radius) & (y <= radius)
    straight = (x > radius) & (np.abs(y) <= line / 2) | (y > radius) & (np.abs(x) <= line / 2)
    return _cover(bent | straight)


def diagonals(width: int, height: int, line: int, *, rising: bool, falling: bool) -> Cover:
    """Return lines from corner to corner."""
    x, y = _grid(width, height)
    reach = line / 2 * float(np.hypot(width, height))
    up = np.abs((x - width) * height + y * width) <= reach
    down = np.abs(x * height - y * width) <= reach
    return _cover(rising & up | falling & down)


def block(char: str, width: int, height: int) -> Cover:
    """Return the cell of a block element, U+2580 to U+259F: uint8[height, width]."""
    code = ord(char) - 0x2580
    cell = np.zeros((height, width), np.uint8)
    if code in {0x00, 0x14}:
        cell[: _share(height, 8) - _share(height, 4 if code == 0 else 7)] = 255
    elif code <= 0x08:
        cell[height - _share(height, code) :] = 255
    elif code <= 0x0F:
        cell[:, : _share(width, 0x10 - code)] = 255
    elif code in {0x10, 0x15}:
        cell[:, _share(width, 4 if code == 0x10 else 7) :] = 255
    elif code <= 0x13:
        cell[:] = 64 * (code - 0x10)
    else:
        middle, half = height - _share(height, 4), _share(width, 4)
        for bit in range(4):
            if _QUADRANTS[code - 0x16] >> bit & 1:
                rows = slice(middle, None) if bit & 2 else slice(None, middle)
                columns = slice(half, None) if bit & 1 else slice(None, half)
                cell[rows, columns] = 255
    return cell


def _share(length: int, eighths: int) -> int:
    """Return ``eighths`` of ``length``: at least a pixel, and less than ``length`` unless 8."""
    return min(max(round(length * eighths / 8), 1), length if eighths == 8 else length - 1)


_QUADRANTS = (4, 8, 1, 13, 9, 7, 11, 2, 6, 14)
"""The filled quadrants from U+2596 on: 1 upper left, 2 upper right, 4 and 8 below them."""


def _grid(width: int, height: int) -> tuple[PixelField, PixelField]:
    """Return the x and y of a fine grid of points over a cell."""
    y, x = np.indices((height * _FINE, width * _FINE))
    return (x + 0.5) / _FINE, (y + 0.5) / _FINE


def _cover(ink: NDArray[np.bool_]) -> Cover:
    height, width = ink.shape[0] // _FINE, ink.shape[1] // _FINE
    share = ink.reshape(height, _FINE, width, _FINE).mean(axis=(1, 3))
    return np.asarray((share * 255).round(), np.uint8)


BOXES = "".join(map(chr, range(0x2500, 0x2580)))

_WEIGHTS = {"LIGHT": 1, "SINGLE": 1, "HEAVY": 2, "DOUBLE": 3}
_LINES = {"HORIZONTAL": ("LEFT", "RIGHT"), "VERTICAL": ("UP", "DOWN")}
_SIDES = _LINES | {side: (side,) for line in _LINES.values() for side in line}
_DASHES = {"DOUBLE DASH": 2, "TRIPLE DASH": 3, "QUADRUPLE DASH": 4}


class Arm(NamedTuple):
    """A line from an edge of the cell to its middle, drawn as if it came from the left."""

    cell: Cover
    """The cell, turned so that the arm comes from the left."""
    flipped: bool
    thick: int


def box(char: str, width: int, height: int) -> Cover:
    """Return the cell of a box drawing character: uint8[height, width]."""
    name = unicodedata.name(char).removeprefix("BOX DRAWINGS ")
    line = max(1, round(height / 18))  # The width of a light line in pixels.
    if "DIAGONAL" in name:
        falling = name.endswith(("LOWER RIGHT", "CROSS"))
        rising = name.endswith(("LOWER LEFT", "CROSS"))
        return diagonals(width, height, line, rising=rising, falling=falling)
    if "ARC" in name:
        return arc(width, height, line, right="RIGHT" in name, down="DOWN" in name)
    dashes = 0
    for words, count in _DASHES.items():
        if words in name:
            name, dashes = name.replace(words + " ", ""), count
    cell = _straight(box_arms(name), width, height, line)
    strip = cell if "HORIZONTAL" in name else cell.T
    length = strip.shape[1]
    for i in range(dashes):  # As many gaps as dashes, none of them at an edge.
        gap = max(1, round(length / dashes / 3))
        middle = round((i + 0.5) * length / dashes - gap / 2)
        strip[:, middle : middle + gap] = 0
    return cell


def box_arms(name: str) -> dict[str, int]:
    """Return the weight of each side: {DOWN: 1, RIGHT: 2} for "DOWN LIGHT AND RIGHT HEAVY"."""
    arms: dict[str, int] = {}
    weight = 0
    for part in name.split(" AND "):
        words = part.split()
        # "LIGHT DOWN AND RIGHT": a part without a weight takes that of the part before it.
        weight = next((_WEIGHTS[word] for word in words if word in _WEIGHTS), weight)
        for word in words:
            arms |= dict.fromkeys(_SIDES.get(word, ()), weight)
    return arms


def _straight(arms: dict[str, int], width: int, height: int, line: int) -> Cover:
    """Draw double lines as solid strips, hollow them out, and draw single lines over them."""
    cell = np.zeros((height, width), np.uint8)
    thick = {0: 0, 1: line, 2: line + 2 * max(1, line // 2), 3: 3 * line}
    doubles = [side for side, weight in arms.items() if weight == 3]
    for side in doubles:
        _draw_arm(cell, arms, side, thick)
    for side in doubles:
        arm = _turned(cell, side, line)
        _lay(arm, _span(arm, line)[1], 0)
    for side in arms.keys() - doubles:
        _draw_arm(cell, arms, side, thick)
    return cell


def _draw_arm(cell: Cover, arms: dict[str, int], side: str, thick: dict[int, int]) -> None:
    """Draw the arm on ``side``; its length depends on the arms it meets in the middle."""
    arm = _turned(cell, side, thick[arms[side]])
    along, across = sorted(_LINES.values(), key=lambda line: side not in line)
    meets = [arms[other] for other in across if other in arms]
    goes_on = all(other in arms for other in along)
    end = _span(arm, thick[meets[0] if len(meets) == 1 and not goes_on else 1])[1]
    if len(meets) == 2 and max(meets) == 3 != arms[side] and not goes_on:
        end = _span(arm, thick[3])[0] + thick[1]
    _lay(arm, end, 255)


def _turned(cell: Cover, side: str, thick: int) -> Arm:
    turned = cell if side in {"LEFT", "RIGHT"} else cell.T
    flipped = side in {"RIGHT", "DOWN"}
    return Arm(turned[:, ::-1] if flipped else turned, flipped, thick)


def _lay(arm: Arm, end: int, cover: int) -> None:
    """Fill the arm from its edge to ``end`` along it."""
    start = (len(arm.cell) - arm.thick) // 2
    arm.cell[start : start + arm.thick, :end] = cover


def _span(arm: Arm, thick: int) -> tuple[int, int]:
    """Return where, along the arm, a line of ``thick`` pixels that crosses it begins and ends."""
    length = arm.cell.shape[1]
    start = (length - thick) // 2
    return (length - start - thick, length - start) if arm.flipped else (start, start + thick)
