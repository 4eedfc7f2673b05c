"""Choose the code point of each tile: walls by neighbours, floors by position, water by time.

Walls are autotiled with an 8 bit mask of open neighbours. All of it is numpy over the view, since
it runs for every frame of a flickering light.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entities.terrain import TILES, Tile
from procgen.position_hash import hash_points
from render.map.viewport import Viewport, VisibleLevel
from render.tiles import glyphs
from render.ui.palette import WallKind, theme, tile_paints

Mask = NDArray[np.bool_]

FLOW_PHASES = 2
"""Phases of the view that one picture of flowing water lasts."""
_ESSENTIAL = np.array([glyphs.visible_mask(mask) for mask in range(256)], np.int32)
_SOLID = np.isin(np.arange(256), (Tile.WALL, Tile.SECRET_DOOR))
_CLUMP_GROUPS = np.array([glyphs.CLUMP_GROUPS.get(tile, 0) for tile in TILES], np.uint8)
_CLUMP_CODES = np.array(
    [glyphs.clump_code(tile, 0, 0) if tile in glyphs.CLUMP_TILES else 0 for tile in TILES], np.int32
)


def solid_tiles(tiles: NDArray[np.uint8]) -> Mask:
    """Return which of ``tiles`` are rock: bool, same shape."""
    solid: Mask = _SOLID[tiles]
    return solid


class KnownTiles(NamedTuple):
    """Known rock and known open ground in a box and a margin of 1: bool [y + 2, x + 2]."""

    solid: Mask
    open: Mask

    @property
    def here(self) -> Mask:
        """The known tiles of the box itself, bool [y, x]."""
        return (self.solid | self.open)[1:-1, 1:-1]


def known_tiles(ground: VisibleLevel, box: tuple[int, int, int, int], view: Viewport) -> KnownTiles:
    """Return the known rock and open ground in ``box`` (x0, y0, x1, y1)."""
    x0, y0, x1, y1 = box
    left, top = max(0, x0 - 1), max(0, y0 - 1)
    right, bottom = min(ground.width, x1 + 1), min(ground.height, y1 + 1)
    window = np.s_[top:bottom, left:right]
    inside = np.s_[top - y0 + 1 : bottom - y0 + 1, left - x0 + 1 : right - x0 + 1]
    here = np.zeros((2, y1 - y0 + 2, x1 - x0 + 2), bool)
    solid = _SOLID[ground.tiles[window]]
    here[0][inside] = solid if view.reveal else solid & ground.explored[window]
    here[1][inside] = ~solid if view.reveal else ~solid & ground.explored[window]
    return KnownTiles(here[0], here[1])


def tile_codes(
    ground: VisibleLevel, box: tuple[int, int, int, int], known: KnownTiles, view: Viewport
) -> NDArray[np.int32]:
    """Return the code point of every tile in the box (x0, y0, x1, y1), as int32 [y, x]."""
    x0, y0, x1, y1 = box
    made = theme(ground.theme).made
    tiles = ground.tiles[y0:y1, x0:x1]
    chance = position_hashes(box, ground.origin)
    starts, flows = _first_codes(made)
    codes: NDArray[np.int32] = starts[tiles]
    codes += (chance + flows[tiles] * (view.phase // FLOW_PHASES)) % glyphs.VARIANTS
    rock = _SOLID[tiles]
    start, count = glyphs.WALL_VARIANTS[made]
    faces = _ESSENTIAL[_open_masks(known.open)[rock]] + start
    if count > 1:
        faces += 256 * (chance[rock] // glyphs.VARIANTS % count)
    codes[rock] = faces
    # A door between walls above and below lies in a wall that is seen from the side.
    between = known.solid[:-2, 1:-1] & known.solid[2:, 1:-1]
    for tile, side in ((Tile.DOOR, glyphs.SIDE_DOOR), (Tile.LOCKED_DOOR, glyphs.SIDE_LOCKED_DOOR)):
        turned = between & (tiles == tile)
        codes[turned] = side + chance[turned] % glyphs.VARIANTS
    for x, y in ground.open_doors:
        if x0 <= x < x1 and y0 <= y < y1:
            codes[y - y0, x - x0] = (
                glyphs.OPEN_SIDE_DOOR if between[y - y0, x - x0] else glyphs.OPEN_DOOR
            )
    _join_clumps(codes, ground, box, known, chance)
    return codes


def _join_clumps(
    codes: NDArray[np.int32],
    ground: VisibleLevel,
    box: tuple[int, int, int, int],
    known: KnownTiles,
    chance: NDArray[np.int32],
) -> None:
    """Let trees and mountains join with known neighbours of their kind."""
    x0, y0, x1, y1 = box
    tiles = ground.tiles[max(0, y0 - 1) : y1 + 1, max(0, x0 - 1) : x1 + 1]
    rows, columns = known.open.shape
    top, left = int(y0 == 0), int(x0 == 0)
    margin = (top, rows - top - tiles.shape[0]), (left, columns - left - tiles.shape[1])
    groups = np.pad(_CLUMP_GROUPS[tiles], margin)
    groups[~known.open] = 0
    middle = groups[1:-1, 1:-1]
    here = middle > 0
    if here.any():
        masks = np.zeros(middle.shape, np.uint8)
        for bit, (dx, dy) in enumerate(glyphs.NEIGHBOURS):
            beside = groups[1 + dy : rows - 1 + dy, 1 + dx : columns - 1 + dx]
            masks |= (beside != middle).view(np.uint8) << np.uint8(bit)
        first = _CLUMP_CODES[ground.tiles[y0:y1, x0:x1][here]] + 256 * (
            chance[here] % glyphs.CLUMP_VARIANTS
        )
        codes[here] = first + _ESSENTIAL[masks[here]]


@cache
def _first_codes(made: WallKind) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the first code point of each tile, and whether it is animated."""
    starts = [
        glyphs.TERRAIN
        if made == "masonry" or tile not in glyphs.WILD_TILES
        else glyphs.WILD_TERRAIN
        for tile in TILES
    ]
    codes = np.array(starts) + glyphs.VARIANTS * np.arange(len(TILES))
    return codes.astype(np.int32), np.array([look.flows for look in tile_paints()], np.int32)


def position_hashes(box: tuple[int, int, int, int], origin: tuple[int, int]) -> NDArray[np.int32]:
    """Return a hash of each position in the box: int32 [y, x], from 0 to 4095.

    It goes by world coordinates, so a tile keeps its look while an infinite map recentres.
    """
    (x0, y0, x1, y1), (left, top) = box, origin
    xs, ys = np.arange(x0, x1) + left, np.arange(y0, y1) + top
    return (hash_points(0, xs[None, :], ys[:, None]) >> np.uint64(52)).astype(np.int32)


def _open_masks(free: Mask) -> NDArray[np.uint8]:
    """Return the mask of open neighbours of every tile but the outermost, one bit each."""
    height, width = free.shape[0] - 2, free.shape[1] - 2
    bits = free.view(np.uint8)
    masks = np.zeros((height, width), np.uint8)
    for bit, (dx, dy) in enumerate(glyphs.NEIGHBOURS):
        masks |= bits[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] << np.uint8(bit)
    return masks
