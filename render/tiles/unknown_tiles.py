"""Unknown tiles: faint contour lines, as on a map of unsurveyed land."""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from procgen.position_hash import hash_fraction
from render.tiles.glyphs import UNKNOWN, UNKNOWN_SIDE
from render.tiles.tile_canvas import Pixels

WAVES = 9
"""The number of waves whose sum is the height that the lines follow."""
LEVELS = 5.0
"""The number of lines between the lowest and the highest point, roughly."""


def unknown_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the unknown tiles with ``codes``, ``size`` pixels square: faint contour lines.

    They are white, the rest is transparent. The picture covers 4 by 4 tiles and continues at its
    opposite edges; each tile is a cut-out.
    """
    cover = _contours(size)
    for code in codes:
        row, column = divmod(code - UNKNOWN, UNKNOWN_SIDE)
        tile = np.full((size, size, 4), 255, np.uint8)
        tile[..., 3] = cover[row * size : (row + 1) * size, column * size : (column + 1) * size]
        yield code, tile


@cache
def _contours(size: int) -> NDArray[np.uint8]:
    """Return the whole picture as cover: uint8 [4 * size, 4 * size]."""
    side = UNKNOWN_SIDE * size
    y, x = np.indices((side, side)) * (2 * np.pi / side)
    height = np.zeros((side, side))
    for wave in range(WAVES):
        # Whole numbers of periods: the picture joins itself at its edges.
        across = round((hash_fraction(wave, 1) - 0.5) * 7)
        down = round((hash_fraction(wave, 2) - 0.5) * 7)
        strength = 1 / (1 + abs(across) + abs(down))
        height += strength * np.sin(across * x + down * y + 2 * np.pi * hash_fraction(wave, 3))
    height *= LEVELS / np.ptp(height)
    slope = np.hypot(*np.gradient(height)) + 1e-6
    away = np.abs(height - np.round(height)) / slope  # in pixels, from the nearest line
    lines = np.clip(max(1.0, size / 24) - away, 0, 1)
    return (lines * 255 + 0.5).astype(np.uint8)
