"""Small pictures among the letters: hearts, stars, arrowheads."""

from collections.abc import Callable
from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray

from render.tiles.canvas import Canvas, Points


def symbol(char: str, size: int) -> NDArray[np.uint8]:
    """Return how much ``char`` of `SYMBOLS` covers each pixel: uint8[size, size]."""
    canvas = Canvas(size)
    SYMBOLS[char](canvas)
    return canvas.pixels()[:, :, 3]


def _heart(canvas: Canvas) -> None:
    for x in (0.29, 0.71):
        canvas.disc(x, 0.34, 0.23, 0.22, 1)
    canvas.shape([(0.08, 0.42), (0.5, 0.34), (0.92, 0.42), (0.5, 0.94)], 1)


def _spade(canvas: Canvas) -> None:
    for x in (0.29, 0.71):
        canvas.disc(x, 0.58, 0.22, 0.2, 1)
    canvas.shape([(0.5, 0.06), (0.9, 0.52), (0.5, 0.66), (0.1, 0.52)], 1)
    canvas.shape([(0.5, 0.6), (0.68, 0.96), (0.32, 0.96)], 1)


def _club(canvas: Canvas) -> None:
    for x, y in ((0.5, 0.26), (0.27, 0.58), (0.73, 0.58)):
        canvas.disc(x, y, 0.2, 0.2, 1)
    canvas.shape([(0.5, 0.4), (0.7, 0.96), (0.3, 0.96)], 1)


def _sun(canvas: Canvas) -> None:
    for i in range(8):
        canvas.line([_around(0.34, i / 8), _around(0.48, i / 8)], 0.09, 1)
    canvas.disc(0.5, 0.5, 0.24, 0.24, 1)


def _enter(canvas: Canvas) -> None:
    canvas.line([(0.86, 0.2), (0.86, 0.66), (0.3, 0.66)], 0.11, 1)
    canvas.shape([(0.04, 0.66), (0.4, 0.42), (0.4, 0.9)], 1)


def _note(canvas: Canvas) -> None:
    canvas.line([(0.5, 0.08), (0.5, 0.78)], 0.11, 1)
    canvas.line([(0.5, 0.1), (0.8, 0.34)], 0.14, 1)
    canvas.disc(0.34, 0.8, 0.2, 0.15, 1)


def _solid(points: Points, hole: float = 0) -> Callable[[Canvas], None]:
    """Return a painter of a polygon, hollow if ``hole`` (a share of its size) is given."""

    def paint(canvas: Canvas) -> None:
        canvas.shape(points, 1)
        if hole:
            canvas.shape(
                [(0.5 + (x - 0.5) * hole, 0.5 + (y - 0.5) * hole) for x, y in points], 0, 0
            )

    return paint


def _round(reach: float, hole: float = 0) -> Callable[[Canvas], None]:
    """Return a painter of a disc, or of a ring around a ``hole``."""

    def paint(canvas: Canvas) -> None:
        canvas.disc(0.5, 0.5, reach, reach, 1)
        if hole:
            canvas.disc(0.5, 0.5, hole, hole, 0, 0)

    return paint


def _around(reach: float, turn: float) -> tuple[float, float]:
    return 0.5 + reach * sin(turn * 2 * pi), 0.5 - reach * cos(turn * 2 * pi)


_STAR = [_around(0.5 if i % 2 == 0 else 0.21, i / 10) for i in range(10)]
_LOZENGE = [(0.5, 0.06), (0.94, 0.5), (0.5, 0.94), (0.06, 0.5)]
_SQUARE = [(0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88)]
_UP = [(0.5, 0.1), (0.96, 0.9), (0.04, 0.9)]
_DOWN = [(x, 1 - y) for x, y in _UP]
_LEFT, _RIGHT = [(y, x) for x, y in _UP], [(1 - y, x) for x, y in _UP]

SYMBOLS: dict[str, Callable[[Canvas], None]] = {
    "♥": _heart,
    "♠": _spade,
    "♣": _club,
    "♦": _solid([(0.5, 0.02), (0.88, 0.5), (0.5, 0.98), (0.12, 0.5)]),
    "☼": _sun,
    "♪": _note,
    "↵": _enter,
    "★": _solid(_STAR),
    "☆": _solid(_STAR, 0.55),
    "◆": _solid(_LOZENGE),
    "◇": _solid(_LOZENGE, 0.66),
    "■": _solid(_SQUARE),
    "□": _solid(_SQUARE, 0.72),
    "▲": _solid(_UP),
    "▼": _solid(_DOWN),
    "►": _solid(_RIGHT),
    "◄": _solid(_LEFT),
    "▶": _solid(_RIGHT),
    "◀": _solid(_LEFT),
    "●": _round(0.4),
    "○": _round(0.44, 0.31),
}
"""Characters that the font lacks, or that look better when they fill a square."""
