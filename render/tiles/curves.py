"""The few round and slanting lines among the straight ones."""

import numpy as np
from numpy.typing import NDArray

Cover = NDArray[np.uint8]
Field = NDArray[np.float64]

_FINE = 4


def arc(width: int, height: int, line: int, *, right: bool, down: bool) -> Cover:
    """Return a rounded corner that joins one side edge with the top or bottom edge."""
    x, y = _grid(width, height)
    # Measured from the middle of the lines it joins, towards the corner it opens to.
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
    length = float(np.hypot(width, height))
    ink = np.zeros(x.shape, np.bool_)
    if rising:
        ink |= np.abs((x - width) * height + y * width) <= line / 2 * length
    if falling:
        ink |= np.abs(x * height - y * width) <= line / 2 * length
    return _cover(ink)


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
        _fill_quadrants(cell, _QUADRANTS[code - 0x16])
    return cell


def _share(length: int, eighths: int) -> int:
    """Return so many eighths of ``length``: at least a pixel, never all but for the whole."""
    return min(max(round(length * eighths / 8), 1), length if eighths == 8 else length - 1)


_QUADRANTS = (4, 8, 1, 13, 9, 7, 11, 2, 6, 14)
"""From U+2596 on, the quadrants filled: 1 upper left, 2 upper right, 4 and 8 below them."""


def _fill_quadrants(cell: Cover, quadrants: int) -> None:
    height, width = cell.shape
    middle, half = height - _share(height, 4), _share(width, 4)
    for bit in range(4):
        if quadrants >> bit & 1:
            rows = slice(middle, None) if bit & 2 else slice(None, middle)
            columns = slice(half, None) if bit & 1 else slice(None, half)
            cell[rows, columns] = 255


def _grid(width: int, height: int) -> tuple[Field, Field]:
    """Return the x and y of points spread finely over a cell."""
    y, x = np.indices((height * _FINE, width * _FINE))
    return (x + 0.5) / _FINE, (y + 0.5) / _FINE


def _cover(ink: NDArray[np.bool_]) -> Cover:
    height, width = ink.shape[0] // _FINE, ink.shape[1] // _FINE
    share = ink.reshape(height, _FINE, width, _FINE).mean(axis=(1, 3))
    cover: Cover = (share * 255).round().astype(np.uint8)
    return cover
