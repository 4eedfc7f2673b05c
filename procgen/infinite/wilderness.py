"""The wilds: seas and ranges, woods and heaths, rivers, roads, ruins and the mouths of dungeons."""

import numpy as np

from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint
from procgen.chunk import SIDE, Chunk, Draft, Growth, Tiles
from procgen.infinite.chunk_joining import HALO, INNER, beside, scraps
from procgen.infinite.chunk_monsters import danger, people, standing
from procgen.infinite.elevation import Lay, clothed, height_of, moisture_of
from procgen.infinite.rivers import REACH, water_depth
from procgen.infinite.roads import heart_of, join_all, lay_roads
from procgen.infinite.wilderness_sites import CROSSROADS, crossing, settle
from procgen.position_hash import Floats, position_random
from procgen.world_types import endless

WHOLE = SIDE + 2 * HALO
STRATA = (Tile.WATER, Tile.SHALLOWS, Tile.SAND, Tile.GRASS, Tile.HILL, Tile.MOUNTAIN)
ENTRANCES = (1, 1, 1, 2)
PLACES = {"ruin": 4, "camp": 4, "stones": 3, "village": 3}
"""How many ways down a chunk may have, and how often each other sort of place is found."""


@endless(acts="land water places roads trails life")
def wilds(
    seed: int,
    cx: int,
    cy: int,
    *,
    sea: float = -0.2,
    shore: float = -0.15,
    hills: float = 0.2,
    peaks: float = 0.34,
) -> Growth:
    """Make a chunk of the wilds; the parameters are heights at which the land changes."""
    lay = Lay(sea, shore, hills, peaks)
    rise = relief(seed, cx, cy)
    yield Draft("land", "How high the land lies", bare(rise, lay)[INNER])
    window = natural(seed, cx, cy, lay, rise)
    chunk = window[INNER]
    yield Draft("water", "Rivers run down, and all that grows takes its place", chunk)
    plan = Blueprint(chunk, danger(cx, cy))
    sites = []
    for site in settle(seed, cx, cy, plan, [CROSSROADS, *_wanted(seed, cx, cy)]):
        sites.append(site)
        yield Draft("places", site.kind.capitalize(), chunk)
    heart = crossing(sites) or heart_of(seed, cx, cy, chunk)
    for way in lay_roads(seed, cx, cy, window, heart):
        yield Draft("roads", way, chunk)
    for way in join_all(terrain().walkable[window], window, seed, (cx * SIDE, cy * SIDE)):
        yield Draft("trails", way, chunk)
    people(seed, cx, cy, plan)
    return Chunk(np.ascontiguousarray(chunk), standing(plan), tuple(sites))


def _wanted(seed: int, cx: int, cy: int) -> list[str]:
    """Return the sorts of places that one may find in a chunk."""
    rng = position_random(seed, "wanted", cx, cy)
    wanted = ["entrance"] * rng.pick(ENTRANCES)
    wanted += [rng.weighted(PLACES) for _ in range(rng.between(4, 7))]
    return wanted


def relief(seed: int, cx: int, cy: int) -> Floats:
    """Return how high a chunk and the halo around it lie, [y, x], before rivers have worn it."""
    return height_of(seed, (cx * SIDE - HALO, cy * SIDE - HALO), WHOLE, WHOLE)


def bare(rise: Floats, lay: Lay) -> Tiles:
    """Return land of which nothing shows but how high it lies."""
    heights = (lay.sea - 0.045, lay.sea, lay.shore, lay.hills, lay.peaks)
    return np.array(STRATA, np.uint8)[np.digitize(rise, heights)]


def natural(seed: int, cx: int, cy: int, lay: Lay, rise: Floats) -> Tiles:
    """Return the land of a `relief` before anyone came, with a halo around the chunk."""
    corner, side = (cx * SIDE - HALO, cy * SIDE - HALO), WHOLE
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
