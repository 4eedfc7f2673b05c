"""Autotile masks: fringes where one ground overlaps another, decals, lines of unknown tiles.

A fringe starts at one side and ends in a ragged line; at the border to the next tile it always has
the same depth, so that fringes of neighbours join.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from procgen.position_hash import hash_fraction
from render.tiles.glyphs import NEIGHBOURS, UNKNOWN, UNKNOWN_SIDE
from render.tiles.tile_canvas import Pixels, scattered_points, white

SMOOTH, BLADES, LINE = range(3)
"""Styles: a smooth shore, tufts of grass, and the line of foam or crust along a shore."""
FRINGE_VARIANTS = 4
FRINGE_COLUMNS = FRINGE_VARIANTS * len(NEIGHBOURS)
DECALS_FROM, DECAL_VARIANTS = 3 * FRINGE_COLUMNS, 8
"""The first number of the decals that fights and fires leave, and the number of variants."""
DEPTH, SWING = 0.17, 0.13
"""Depth of a fringe where tiles meet, and its variation between, as shares of a tile."""
CONTOUR_WAVES = 9
"""The number of waves whose sum is the height field of the contour lines."""
CONTOUR_LINES = 5.0
"""The approximate number of lines between the lowest and the highest point."""

Cover = NDArray[np.float32]


def fringe_number(
    styles: NDArray[np.int64], direction: int, variants: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Return the indices of fringes in `fringe_sheet`, counted row by row."""
    return styles * FRINGE_COLUMNS + direction * FRINGE_VARIANTS + variants


@cache
def fringe_sheet(size: int) -> NDArray[np.uint8]:
    """Return fringes, then decals, white with alpha: uint8 [4 * size, FRINGE_COLUMNS * size, 4]."""
    rows = [
        np.concatenate([_fringe(size, style, *divmod(number, FRINGE_VARIANTS))
                        for number in range(FRINGE_COLUMNS)], axis=1)
        for style in (SMOOTH, BLADES, LINE)
    ]  # fmt: skip
    decals = np.concatenate([_decal(size, number) for number in range(DECAL_VARIANTS)], axis=1)
    rows.append(np.pad(decals, ((0, 0), (0, rows[0].shape[1] - decals.shape[1]))))
    return white(np.clip(np.concatenate(rows) * 255 + 0.5, 0, 255))


def _fringe(size: int, style: int, direction: int, variant: int) -> Cover:
    """Return the mask of a fringe that comes from ``direction``, 0 to 1: [size, size]."""
    y, x = (np.indices((size, size), dtype=np.float32) + np.float32(0.5)) / np.float32(size)
    dx, dy = NEIGHBOURS[direction]
    from_side, from_end = x if dx < 0 else 1 - x, y if dy < 0 else 1 - y
    if dx and dy:
        across = np.hypot(from_side, from_end)
        edge = np.full_like(across, DEPTH)
    else:
        across = from_end if dy else from_side
        edge = _edge(x if dy else y, style, direction, variant)
    gap = (edge - across) * size
    if style == LINE:
        width = max(0.8, size / 26)
        return np.asarray(np.clip(width - np.abs(gap + width * 0.7), 0, 1) * np.float32(0.75))
    body = np.clip(gap + 0.5, 0, 1)
    shadow = np.clip(1 - np.abs(gap) / (0.06 * size), 0, 1) * np.float32(0.25)
    return np.asarray(np.maximum(body, shadow))


def _decal(size: int, variant: int) -> Cover:
    """Return the mask of a stain: a pool and splashes around it, 0 to 1: [size, size]."""
    y, x = (np.indices((size, size), dtype=np.float32) + np.float32(0.5)) / np.float32(size)
    field = np.zeros((size, size), np.float32)
    for drop, (cx, cy, chance) in enumerate(scattered_points(variant + 71, 9, 0.16)):
        pull = 0.5 if drop < 3 else 0.0  # The first drops merge in the middle.
        at_x, at_y = cx + (0.5 - cx) * pull, cy + (0.5 - cy) * pull
        reach = (0.13 if drop < 3 else 0.035) * (0.6 + chance)
        field += np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / (reach * reach))
    return np.asarray(np.clip((field - 0.45) * 3, 0, 1) * np.float32(0.72))


def _edge(along: Cover, style: int, direction: int, variant: int) -> Cover:
    """Return the depth of a fringe at the places ``along`` its side: same shape."""
    envelope = np.sin(np.pi * along) ** 0.7  # No variation where tiles meet.
    swing = np.zeros_like(along)
    waves = (2, 3, 5) if style != BLADES else (5, 8, 11)
    for wave in waves:
        turn = 2 * np.pi * hash_fraction(direction, variant, wave)
        swing += np.sin(2 * np.pi * wave * along + turn).astype(np.float32) / len(waves)
    return np.asarray(DEPTH + SWING * envelope * (0.45 + swing), np.float32)


def unknown_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the unknown tiles with ``codes``, ``size`` pixels square: faint contour lines.

    They are white, the rest is transparent. Each tile is a part of a picture that covers 4 by 4
    tiles and repeats seamlessly.
    """
    cover = contours(size)
    for code in codes:
        row, column = divmod(code - UNKNOWN, UNKNOWN_SIDE)
        part = np.s_[row * size : (row + 1) * size, column * size : (column + 1) * size]
        yield code, white(cover[part])


@cache
def contours(size: int) -> NDArray[np.uint8]:
    """Return the contour lines of unknown ground as cover: uint8 [4 * size, 4 * size]."""
    side = UNKNOWN_SIDE * size
    y, x = np.indices((side, side)) * (2 * np.pi / side)
    height = np.zeros((side, side))
    for wave in range(CONTOUR_WAVES):
        # Whole numbers of periods make the picture repeat seamlessly.
        across = round((hash_fraction(wave, 1) - 0.5) * 7)
        down = round((hash_fraction(wave, 2) - 0.5) * 7)
        strength = 1 / (1 + abs(across) + abs(down))
        height += strength * np.sin(across * x + down * y + 2 * np.pi * hash_fraction(wave, 3))
    height *= CONTOUR_LINES / np.ptp(height)
    slope = np.hypot(*np.gradient(height)) + 1e-6
    away = np.abs(height - np.round(height)) / slope  # in pixels, from the nearest line
    lines = np.clip(max(1.0, size / 24) - away, 0, 1)
    return (lines * 255 + 0.5).astype(np.uint8)
