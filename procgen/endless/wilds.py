"""The wilds: seas and ranges, woods and heaths, rivers, roads, ruins and the mouths of dungeons."""

import numpy as np

from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint
from procgen.endless.chunk import SIDE, Chunk, Tiles
from procgen.endless.joining import HALO, INNER, beside, scraps
from procgen.endless.land import Lay, clothed, height_of, moisture_of
from procgen.endless.life import danger, people, standing
from procgen.endless.lots import lot
from procgen.endless.registry import endless
from procgen.endless.rivers import REACH, water_depth
from procgen.endless.roads import heart_of, join_all, lay_roads
from procgen.endless.sites import settle

ENTRANCES = (1, 1, 1, 2)
PLACES = {"ruin": 4, "camp": 4, "stones": 3, "village": 2}
"""How many ways down a chunk may have, and how often each other sort of place is found."""


@endless
def wilds(
    seed: int,
    cx: int,
    cy: int,
    *,
    sea: float = -0.2,
    shore: float = -0.15,
    hills: float = 0.2,
    peaks: float = 0.34,
) -> Chunk:
    """Return a chunk of the wilds; the parameters are heights at which the land changes."""
    lay = Lay(sea, shore, hills, peaks)
    window = natural(seed, cx, cy, lay)
    chunk = window[INNER]
    heart = heart_of(seed, cx, cy, chunk)
    plan = Blueprint(chunk, danger(cx, cy))
    settle(seed, cx, cy, plan, _wanted(seed, cx, cy))
    lay_roads(seed, cx, cy, window, heart)
    join_all(terrain().walkable[window], window, seed, (cx * SIDE, cy * SIDE))
    people(seed, cx, cy, plan)
    return Chunk(np.ascontiguousarray(chunk), standing(plan))


def _wanted(seed: int, cx: int, cy: int) -> list[str]:
    """Return the sorts of places that one may find in a chunk."""
    rng = lot(seed, "wanted", cx, cy)
    wanted = ["entrance"] * rng.pick(ENTRANCES)
    wanted += [rng.weighted(PLACES) for _ in range(rng.between(3, 6))]
    return wanted


def natural(seed: int, cx: int, cy: int, lay: Lay) -> Tiles:
    """Return the land before anyone came, with a halo around the chunk."""
    corner, side = (cx * SIDE - HALO, cy * SIDE - HALO), SIDE + 2 * HALO
    rise = height_of(seed, corner, side, side)
    damp = moisture_of(seed, corner, side, side)
    water = water_depth(seed, corner, side, lay)
    bank = np.clip(water + 1.0, 0.0, 1.0)
    valley = lay.shore + 0.02
    rise = np.where(rise > valley, rise + (valley - rise) * bank * bank, rise)
    tiles = clothed(seed, corner, rise, damp + bank * 0.1, lay)
    shallow = water > 0.0
    tiles[shallow & (tiles != Tile.WATER)] = Tile.SHALLOWS
    tiles[water > 1.0 / REACH] = Tile.WATER
    lost = scraps(terrain().walkable[tiles])
    tiles[lost & beside(tiles == Tile.WATER)] = Tile.WATER
    tiles[lost & (tiles != Tile.WATER)] = Tile.MOUNTAIN
    return tiles
