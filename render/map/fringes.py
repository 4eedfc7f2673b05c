"""Which ground laps over which: fringes between water, sand, grass and rock, for the whole view.

Each ground has a rank; the higher one laps over the lower one, from all sides and corners. All of
it is numpy over the view: an island may have hundreds of them on screen.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile
from render.map.tile_variants import KnownTiles
from render.tiles.fringe_tiles import BLADES, FRINGE_VARIANTS, LINE, SMOOTH, fringe_number
from render.tiles.glyphs import NEIGHBOURS
from render.ui.frame import NO_FRINGES, Fringes
from render.ui.palette import WallKind, tile_paints

SHORE_RANK, PATH_RANK, PLANT_RANK = 2, 4, 7
"""Ranks: shores have this one at most, paths through rock and plants just these."""
UNMOVED = -1
"""The rank of tiles with straight edges."""


@cache
def _ranks(made: WallKind) -> NDArray[np.int8]:
    """Return the rank of each tile; where walls are built, paths end straight like floors."""
    looks = tile_paints()
    ranks = np.array([UNMOVED if look.straight else look.rank for look in looks], np.int8)
    if made == "rock":
        ranks[[Tile.TUNNEL, Tile.ROAD]] = PATH_RANK
    return ranks


@cache
def _flat() -> NDArray[np.bool_]:
    return np.array([look.flat for look in tile_paints()])


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
    flat = _flat()[tiles] & (here >= 0)
    over = [(_shifted(ranks, *step) > here) & flat for step in NEIGHBOURS]
    found: list[list[NDArray[Any]]] = []
    for direction, (dx, dy) in enumerate(NEIGHBOURS):
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
        shore = here[rows, columns] <= SHORE_RANK
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
