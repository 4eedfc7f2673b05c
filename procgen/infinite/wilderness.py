"""Wilderness chunks: terrain by elevation and moisture, rivers, roads, sites, entrances."""

import numpy as np

from entities.terrain import Tile, Tiles
from procgen.blueprint import Blueprint
from procgen.chunk import SIDE, Chunk, ChunkGenerator, ChunkStage
from procgen.infinite import chunk_monsters
from procgen.infinite.chunk_joining import HALO, INNER, drop_small_regions
from procgen.infinite.elevation import TerrainHeights, elevation, moisture, terrain_tiles
from procgen.infinite.rivers import BANK_WIDTH, water_depth
from procgen.infinite.roads import join_wild_parts, lay_roads, road_junction
from procgen.infinite.wilderness_sites import CROSSROADS, crossroads_center, place_sites
from procgen.level_overlays import dwellers
from procgen.position_hash import Floats, position_random

PHASES = ("land", "water", "places", "roads", "trails", "life")
PADDED_SIDE = SIDE + 2 * HALO
STRATA = (Tile.WATER, Tile.SHALLOWS, Tile.SAND, Tile.GRASS, Tile.HILL, Tile.MOUNTAIN)
PLACES = {"ruin": 4, "camp": 4, "stones": 3, "village": 3}
"""Weights of the sites other than dungeon entrances."""


def wilderness(
    seed: int,
    cx: int,
    cy: int,
    *,
    sea: float = -0.2,
    shore: float = -0.15,
    hills: float = 0.2,
    peaks: float = 0.34,
) -> ChunkGenerator:
    """Make a wilderness chunk.

    ``sea``, ``shore``, ``hills`` and ``peaks`` are the elevations at which the terrain changes.
    """
    heights = TerrainHeights(sea, shore, hills, peaks)
    rise = chunk_elevation(seed, cx, cy)
    yield ChunkStage("land", "Elevation", elevation_bands(rise, heights)[INNER])
    window = natural_terrain(seed, cx, cy, heights, rise)
    chunk = window[INNER]
    yield ChunkStage("water", "Rivers and vegetation", chunk)
    plan = Blueprint(chunk, chunk_monsters.chunk_danger(cx, cy))
    plan.spawn_percents = dwellers("meadow")
    sites = []
    for site in place_sites(seed, cx, cy, plan, [CROSSROADS, *_wanted_sites(seed, cx, cy)]):
        sites.append(site)
        yield ChunkStage("places", site.kind.capitalize(), chunk)
    junction = crossroads_center(sites) or road_junction(seed, cx, cy, chunk)
    for caption in lay_roads(seed, cx, cy, window, junction):
        yield ChunkStage("roads", caption, chunk)
    for caption in join_wild_parts(window, seed, (cx * SIDE, cy * SIDE)):
        yield ChunkStage("trails", caption, chunk)
    spawns = chunk_monsters.spawn_monsters(seed, cx, cy, plan)
    return Chunk(np.ascontiguousarray(chunk), spawns, tuple(sites))


def _wanted_sites(seed: int, cx: int, cy: int) -> list[str]:
    """Choose the tags of the sites of a chunk."""
    rng = position_random(seed, "wanted", cx, cy)
    tags = ["entrance"] * rng.between(*chunk_monsters.WAYS_DOWN)
    return tags + [rng.weighted(PLACES) for _ in range(rng.between(4, 7))]


def chunk_elevation(seed: int, cx: int, cy: int) -> Floats:
    """Return the elevation [y, x] of a chunk and its halo, before rivers lower it."""
    return elevation(seed, (cx * SIDE - HALO, cy * SIDE - HALO), PADDED_SIDE, PADDED_SIDE)


def elevation_bands(rise: Floats, heights: TerrainHeights) -> Tiles:
    """Return terrain by elevation alone, for the first stage shown."""
    levels = (heights.sea - 0.045, heights.sea, heights.shore, heights.hills, heights.peaks)
    return np.array(STRATA, np.uint8)[np.digitize(rise, levels)]


def natural_terrain(seed: int, cx: int, cy: int, heights: TerrainHeights, rise: Floats) -> Tiles:
    """Return the natural terrain of a chunk with its halo: rivers, lakes, plants."""
    corner, side = (cx * SIDE - HALO, cy * SIDE - HALO), PADDED_SIDE
    damp = moisture(seed, corner, side, side)
    water = water_depth(seed, corner, side, heights)
    bank = np.clip(water + 1.0, 0.0, 1.0)
    valley = heights.shore + 0.02
    rise = np.where(rise > valley, rise + (valley - rise) * bank * bank, rise)
    tiles = terrain_tiles(seed, corner, rise, damp + bank * 0.1, heights)
    shallow = water > 0.0
    tiles[shallow & (tiles != Tile.WATER)] = Tile.SHALLOWS
    tiles[water > 1.0 / BANK_WIDTH] = Tile.WATER
    drop_small_regions(tiles, Tile.MOUNTAIN)
    return tiles
