"""Marks on the map: stairs, cursor, path, target, and the contour lines of unknown tiles."""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from procgen.position_hash import hash_fraction
from render.tiles.glyphs import (
    CURSOR,
    PATH_DOT,
    STAIRS_DOWN,
    STAIRS_UP,
    TARGET,
    UNKNOWN,
    UNKNOWN_SIDE,
)
from render.tiles.tile_canvas import Pixels, TileCanvas, TilePainter

WAVES = 9
"""The number of waves whose sum is the height that the lines follow."""
LEVELS = 5.0
"""The number of lines between the lowest and the highest point, roughly."""


def stairs_down(canvas: TileCanvas, variant: int) -> None:
    """Paint a black well in a stone kerb; steps go down into it and out of the light."""
    hair = canvas.hair
    canvas.bar(0, 0, 1, 1, 0, 0.8)
    canvas.bar(hair, hair, 1 - hair, 1 - hair, 0.55)
    canvas.bar(hair, hair, 1 - hair, 2 * hair, 0.8)
    canvas.bar(2 * hair, 2 * hair, 1 - 2 * hair, 1 - 2 * hair, 0)
    for i, shade in enumerate((1.0, 0.8, 0.6, 0.42)):
        _step(canvas, i, 0.16 + i * 0.19, 1 - 2 * hair, shade)


def stairs_up(canvas: TileCanvas, variant: int) -> None:
    """Paint steps that stand free on the floor and climb into the light."""
    hair = canvas.hair
    tops = [0.74 - i * 0.2 for i in range(4)]
    for i, top in enumerate(tops):
        x, right = _tread(canvas, i)
        canvas.bar(x - hair, top - hair, right + hair, 1, 0, 0.8)
    for i, top in enumerate(tops):
        _step(canvas, i, top, 1 - hair, (0.58, 0.72, 0.86, 1.0)[i])


def _step(canvas: TileCanvas, i: int, top: float, foot: float, shade: float) -> None:
    """Build step ``i`` from the left: a bright tread on a darker riser, shaded at one side."""
    hair = canvas.hair
    x, right = _tread(canvas, i)
    canvas.bar(x, top, right, foot, shade * 0.5)
    canvas.bar(right - hair, top, right, foot, shade * 0.3)
    canvas.bar(x, top, right, top + max(0.1, hair), shade)


def _tread(canvas: TileCanvas, i: int) -> tuple[float, float]:
    hair = canvas.hair
    wide = (1 - 4 * hair) / 4
    return 2 * hair + i * wide, 2 * hair + (i + 1) * wide


def cursor(canvas: TileCanvas, variant: int) -> None:
    """Paint a hollow frame, open in the middle of each side."""
    hair = canvas.hair
    wide = max(0.08, hair)
    for inset, width, shade in ((0.0, wide + 2 * hair, 0.0), (hair, wide, 1.0)):
        arm = 0.32 + (hair if shade == 0 else 0)
        for x, right in ((inset, inset + width), (1 - inset - width, 1 - inset)):
            canvas.bar(x, inset, right, arm, shade, 1 if shade else 0.6)
            canvas.bar(x, 1 - arm, right, 1 - inset, shade, 1 if shade else 0.6)
            start = inset if x < 0.5 else 1 - arm
            for y in (inset, 1 - inset - width):
                stop = start + arm - inset
                canvas.bar(start, y, stop, y + width, shade, 1 if shade else 0.6)


def path_dot(canvas: TileCanvas, variant: int) -> None:
    """Paint one step of the way ahead."""
    canvas.disc(0.5, 0.5, 0.19, 0.19, 0, 0.5)
    canvas.disc(0.5, 0.5, 0.125, 0.125, 1)


def target(canvas: TileCanvas, variant: int) -> None:
    """Paint the target mark: a ring with four ticks."""
    for grow, shade, cover in ((0.05, 0.0, 0.6), (0.0, 1.0, 1.0)):
        canvas.disc(0.5, 0.5, 0.34 + grow, 0.34 + grow, shade, cover)
        canvas.disc(0.5, 0.5, 0.25 - grow, 0.25 - grow, 0, 0)
        half = 0.045 + grow
        for near, far in ((0.03, 0.3), (0.7, 0.97)):
            canvas.bar(near - grow / 2, 0.5 - half, far + grow / 2, 0.5 + half, shade, cover)
            canvas.bar(0.5 - half, near - grow / 2, 0.5 + half, far + grow / 2, shade, cover)
    canvas.disc(0.5, 0.5, 0.07, 0.07, 1)


MARK_PAINTERS: dict[int, TilePainter] = {
    STAIRS_DOWN: stairs_down,
    STAIRS_UP: stairs_up,
    CURSOR: cursor,
    PATH_DOT: path_dot,
    TARGET: target,
}


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
