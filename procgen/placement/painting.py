"""Painting tiles: tiles by name, masks, protected tiles, and checks that regions stay connected."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from entities.terrain import SHUT_DOORS, TILE_NAMES, Mask, Tile, terrain, tile_mask
from procgen.analysis.bitboard import Bitboard
from procgen.blueprint import STANDARD_AREA, WHOLE_MAP, Blueprint, RectangularRoom, Window, mask_at

Paint = Literal[
    "wall", "floor", "tunnel", "door", "water", "shallows", "bridge", "grass", "forest",
    "mountain", "sand", "rubble", "pillar", "statue", "road", "lava", "edge", "bones", "stain",
    "shrine", "shelf", "trap", "carpet", "moss", "ice", "treasure", "hill", "reeds", "heath",
    "embers",
]  # fmt: skip
"""The tiles that parameters of steps can name as paint."""

TileName = Literal[
    Paint, "secret_door", "locked_door", "key", "relic", "entrance", "portcullis", "lever",
    "drawbridge", "winch", "crystal", "brazier", "ledge", "brink", "grating", "gloom",
]  # fmt: skip
"""Every `Tile` as recipes write it."""


def tile_named(name: TileName) -> int:
    """Return the tile that recipes call ``name``."""
    return TILE_NAMES.index(name)


def mask_of(plan: Blueprint, names: Sequence[TileName]) -> Mask:
    """Return which tiles are among ``names``, as a new bool array [y, x]."""
    return tile_mask(tuple(map(tile_named, names))).take(plan.tiles)


def passable(tile: int) -> bool:
    """Return True if ``tile`` is walkable or can be opened: a secret door, a lock."""
    return bool(terrain().walkable[tile]) or tile in SHUT_DOORS


def walkable(plan: Blueprint) -> Mask:
    """Return the walkable tiles, closed doors excluded, as a new array [y, x]."""
    return terrain().walkable.take(plan.tiles)


def interior(plan: Blueprint) -> Mask:
    """Return all tiles but the map's border, as a new bool array [y, x]."""
    inside = np.zeros(plan.tiles.shape, np.bool_)
    inside[1:-1, 1:-1] = True
    return inside


def scaled_to_area(plan: Blueprint, number: int) -> int:
    """Return ``number`` scaled from an 80x45 map to this one, at least 1 unless it is 0."""
    share = number * plan.width * plan.height
    return max(min(number, 1), (share + STANDARD_AREA // 2) // STANDARD_AREA)


def rooms_in(plan: Blueprint, window: Window) -> list[RectangularRoom]:
    """Return the rooms that overlap ``window``."""
    top, bottom, _ = window[0].indices(plan.height)
    left, right, _ = window[1].indices(plan.width)
    # Most rooms of a large map lie elsewhere: the cheapest test comes first.
    in_columns = [room for room in plan.rooms if left - room.width < room.x < right]
    return [room for room in in_columns if top - room.height < room.y < bottom]


def reserved(plan: Blueprint, window: Window = WHOLE_MAP, *, centers: bool = True) -> Mask:
    """Return the tiles of ``window`` that are occupied or, with ``centers``, centres of rooms."""
    middles = [room.center for room in rooms_in(plan, window)] if centers else []
    return mask_at([*plan.marks, *middles], plan.tiles.shape)[window]


def protected(plan: Blueprint, window: Window = WHOLE_MAP, *, paint: int = Tile.WALL) -> Mask:
    """Return the tiles of ``window`` that must not change to ``paint``: fixtures, `reserved` ones.

    The centres of rooms are among them only if ``paint`` blocks.
    """
    taken = reserved(plan, window, centers=not passable(paint))
    return terrain().fixture[plan.tiles[window]] | taken


def boxes_inside(mask: Mask, height: int, width: int) -> Mask:
    """Return the upper left corners at which a box covers only ``mask`` (summed-area table)."""
    if mask.shape[0] < height or mask.shape[1] < width:
        return np.zeros((0, 0), np.bool_)
    sums = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int32)
    mask.cumsum(0, np.int32).cumsum(1, out=sums[1:, 1:])
    inside = sums[height:, width:] - sums[:-height, width:]
    inside -= sums[height:, :-width] - sums[:-height, :-width]
    full: Mask = inside == height * width
    return full


DETOUR_REACH = 12
"""A path around closed tiles counts only if it lies within this many tiles of them."""


def can_close_area(open_tiles: Mask, corner: tuple[int, int], closing: Mask) -> bool:
    """Return True if the neighbours of the tiles ``closing`` stay connected once those are closed.

    The upper left tile of ``closing[y, x]`` lies at ``corner``, an (x, y). Only paths within
    `DETOUR_REACH` tiles count: longer ones would be long detours, and slow to find.
    """
    (x, y), (height, width) = corner, closing.shape
    left, top = max(0, x - DETOUR_REACH), max(0, y - DETOUR_REACH)
    window = open_tiles[top : y + height + DETOUR_REACH, left : x + width + DETOUR_REACH]
    left_open = window.copy()
    left_open[y - top :, x - left :][:height, :width] &= ~closing
    board = Bitboard.of(left_open)
    closed = Bitboard.of(window).bits ^ board.bits
    rim = board.sides(closed) & board.bits
    return not closed or (bool(rim) and not rim & ~board.flood_fill(rim & -rim))


def highest_share(values: NDArray[np.float64], among: Mask, share: float) -> Mask:
    """Return the ``share`` of the tiles ``among`` with the highest ``values``, or more on a tie."""
    heights = values[among]
    number = int(share * heights.size + 0.5)
    if not number:
        return np.zeros_like(among)
    limit = np.partition(heights, heights.size - number)[heights.size - number]
    high: Mask = values >= limit
    return among & high
