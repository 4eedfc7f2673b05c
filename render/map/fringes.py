"""Which ground laps over which: fringes between water, sand, grass and rock, for the whole view.

Each ground has a rank; the higher one laps over the lower one, from all sides and corners. All of
it is numpy over the view: an island may have hundreds of them on screen.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entities.terrain import LOCK_TILES, TILES, Tile
from render.map.tile_variants import KnownTiles
from render.tiles.fringe_tiles import (
    BLADES,
    DIRECTIONS,
    FRINGE_VARIANTS,
    LINE,
    SMOOTH,
    fringe_number,
)
from render.ui.frame import NO_FRINGES, Fringes
from render.ui.palette import WallKind

LIQUID = {Tile.LAVA: 0, Tile.WATER: 1, Tile.SHALLOWS: 2, Tile.REEDS: 2}
PLANTS = (Tile.GRASS, Tile.FOREST, Tile.MOSS)
BUILT = (
    Tile.WALL,
    Tile.SECRET_DOOR,
    Tile.BRIDGE,
    Tile.CARPET,
    Tile.DOOR,
    *LOCK_TILES,
    Tile.ENTRANCE,
)
"""Tiles with straight edges: they lap over nothing, and nothing laps over them."""
OTHER_RANKS = {Tile.ICE: 3, Tile.SAND: 4, Tile.HEATH: 6, Tile.HILL: 6}
FLOOR_RANK, PATH_RANK, PLANT_RANK = 5, 4, 7
FLAT = np.isin(
    np.arange(len(TILES)),
    (*LIQUID, Tile.ICE, Tile.SAND, Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.RUBBLE, Tile.STAIN),
)
"""Tiles with nothing on them that a fringe would cover."""
UNMOVED = -1
"""The rank of tiles with straight edges."""


@cache
def _ranks(made: WallKind) -> NDArray[np.int8]:
    """Return the rank of each tile; where walls are built, paths end straight like floors."""
    ranks = np.full(len(TILES), FLOOR_RANK, np.int8)
    for tile, rank in (LIQUID | OTHER_RANKS).items():
        ranks[tile] = rank
    ranks[list(PLANTS)] = PLANT_RANK
    ranks[list(BUILT)] = UNMOVED
    if made == "rock":
        ranks[[Tile.TUNNEL, Tile.ROAD]] = PATH_RANK
    return ranks


def find_fringes(
    tiles: NDArray[np.uint8],
    known: KnownTiles,
    hashes: NDArray[np.int32],
    cells: NDArray[Any],
    made: WallKind,
) -> Fringes:
    """Return the fringes in a box of ``tiles`` [y, x], drawn as console ``cells`` in full light."""
    ranks = np.where(known.solid | known.open, np.pad(_ranks(made)[tiles], 1), UNMOVED)
    # Nothing laps in from beyond the box: its colour there is not known.
    ranks[[0, -1]] = ranks[:, [0, -1]] = UNMOVED
    here = ranks[1:-1, 1:-1]
    flat = FLAT[tiles] & (here >= 0)
    over = [(_shifted(ranks, *step) > here) & flat for step in DIRECTIONS]
    found: list[list[NDArray[Any]]] = []
    for direction, (dx, dy) in enumerate(DIRECTIONS):
        laps = over[direction]
        if dx and dy:  # A corner shows only where neither side beside it laps over.
            laps = laps & ~over[0 if dy < 0 else 2] & ~over[1 if dx > 0 else 3]
        rows, columns = np.nonzero(laps)
        if not len(rows):
            continue
        variants = (hashes[rows, columns] >> 3) % FRINGE_VARIANTS
        plants = ranks[rows + 1 + dy, columns + 1 + dx] == PLANT_RANK
        numbers = fringe_number(np.where(plants, BLADES, SMOOTH), direction, variants)
        found.append([columns, rows, numbers, cells["bg"][rows + dy, columns + dx]])
        shore = here[rows, columns] <= LIQUID[Tile.SHALLOWS]
        rows, columns = rows[shore], columns[shore]
        line = fringe_number(np.full_like(rows, LINE), direction, variants[shore])
        found.append([columns, rows, line, cells["fg"][rows, columns]])
    if not found:
        return NO_FRINGES
    columns, rows, numbers, colors = (np.concatenate(part) for part in zip(*found, strict=True))
    return Fringes(np.stack([columns, rows], axis=1), numbers, colors)


def _shifted(ranks: NDArray[np.int8], dx: int, dy: int) -> NDArray[np.int8]:
    """Return the ranks of the neighbours in one direction; ``ranks`` has a margin of 1."""
    height, width = ranks.shape
    shifted: NDArray[np.int8] = ranks[1 + dy : height - 1 + dy, 1 + dx : width - 1 + dx]
    return shifted
