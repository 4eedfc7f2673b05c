"""Halls without end: each chunk a dungeon of some recipe, doors from each to all its neighbours."""

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint
from procgen.chunk import SIDE, Chunk, ChunkGenerator, ChunkStage, Tiles
from procgen.infinite.chunk_joining import (
    HALO,
    INNER,
    TilePath,
    chunk_exits,
    descend,
    dijkstra_costs,
    dilated,
    disconnected_parts,
)
from procgen.infinite.chunk_monsters import danger, spawn_monsters, spawns_on_floor
from procgen.level import Level
from procgen.position_hash import position_random, position_word
from procgen.progress import Progress
from procgen.recipe_builder import build_recipe
from procgen.recipes import find_recipe
from procgen.world_types import chunk_maker

DIGGING, PASSING, LOCKED = 1, 4, 400
"""What a tile of rock, of anything else, and of a locked vault costs whoever digs to a door."""


@chunk_maker(phases="rooms doors life")
def infinite_dungeon(
    seed: int,
    cx: int,
    cy: int,
    *,
    styles: dict[str, int],
    without: list[str],
    doors: int = 3,
    ways_down: int = 128,
) -> ChunkGenerator:
    """Make a chunk of rooms and corridors.

    ``styles`` are recipes with weights, whose steps ``without`` which they grow are left out;
    each border has up to ``doors`` doors, and of 256 chunks ``ways_down`` have one.
    """
    rng = position_random(seed, "halls", cx, cy)
    level = yield from _build_level(
        rng.weighted(styles), without, position_word(seed, "hall", cx, cy)
    )
    tiles = level.tiles.copy()
    _dig_to_exits(tiles, [door for n in range(doors) for door in _exits(seed, cx, cy, n)])
    if rng.below(256) < ways_down:
        tiles[level.exit.y, level.exit.x] = Tile.ENTRANCE
    yield ChunkStage("doors", "Doors to all sides", tiles)
    plan = Blueprint(tiles, danger(cx, cy))
    spawn_monsters(seed, cx, cy, plan)
    return Chunk(tiles, spawns_on_floor(plan))


def _build_level(name: str, without: list[str], seed: int) -> Generator[ChunkStage, None, Level]:
    """Grow a level of the recipe ``name``; who lives there, the world itself decides."""
    recipe = find_recipe(name)
    steps = tuple(use for use in recipe.steps if use.step.name not in without)
    code = recipe.code(seed, 1, (SIDE, SIDE))
    stages = Progress(build_recipe(code, replace(recipe, steps=steps), digests=False))
    for stage in stages:
        yield ChunkStage("rooms", f"{name}: {stage.caption}", stage.plan.tiles)
    return stages.made


def _exits(seed: int, cx: int, cy: int, number: int) -> TilePath:
    return chunk_exits(seed, cx, cy, np.zeros((SIDE + 2 * HALO,) * 2, np.int32), f"door {number}")


def _dig_to_exits(tiles: Tiles, doors: TilePath) -> None:
    """Dig from each of ``doors`` in the rim to the nearest open floor."""
    walkable = terrain().walkable[tiles] | (tiles == Tile.SECRET_DOOR)
    window = np.zeros((SIDE + 2 * HALO,) * 2, np.bool_)
    window[INNER] = walkable
    whole = disconnected_parts(window)[0]
    cost = np.where(tiles == Tile.WALL, DIGGING, PASSING).astype(np.int32)
    cost[dilated(walkable & ~whole)] = LOCKED
    field = dijkstra_costs(whole, cost)
    for x, y in doors:
        for column, row in descend(field, x, y):
            if not walkable[row, column]:
                tiles[row, column] = Tile.TUNNEL
        if x == SIDE - 1 or y == SIDE - 1:
            tiles[y, x] = Tile.DOOR
