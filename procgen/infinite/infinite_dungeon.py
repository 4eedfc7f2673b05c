"""Halls without end: each chunk a dungeon of some recipe, doors from each to all its neighbours."""

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint
from procgen.chunk import SIDE, Chunk, Draft, Growth, Tiles
from procgen.infinite.chunk_joining import (
    HALO,
    INNER,
    Way,
    beside,
    costs_from,
    gates,
    parted,
    way_down,
)
from procgen.infinite.chunk_monsters import danger, people, standing
from procgen.level import Level
from procgen.position_hash import position_random, position_word
from procgen.progress import Progress
from procgen.recipe_builder import build_recipe
from procgen.recipes import find_recipe
from procgen.world_types import endless

DIGGING, PASSING, LOCKED = 1, 4, 400
"""What a tile of rock, of anything else, and of a locked vault costs whoever digs to a door."""


@endless(acts="rooms doors life")
def halls(
    seed: int,
    cx: int,
    cy: int,
    *,
    styles: dict[str, int],
    without: list[str],
    doors: int = 3,
    ways_down: int = 128,
) -> Growth:
    """Make a chunk of rooms and corridors.

    ``styles`` are recipes with weights, whose steps ``without`` which they grow are left out;
    each border has up to ``doors`` doors, and of 256 chunks ``ways_down`` have one.
    """
    rng = position_random(seed, "halls", cx, cy)
    level = yield from _built(rng.weighted(styles), without, position_word(seed, "hall", cx, cy))
    tiles = level.tiles.copy()
    _open_doors(tiles, [door for n in range(doors) for door in _gates(seed, cx, cy, n)])
    if rng.below(256) < ways_down:
        tiles[level.exit.y, level.exit.x] = Tile.ENTRANCE
    yield Draft("doors", "Doors to all sides", tiles)
    plan = Blueprint(tiles, danger(cx, cy))
    people(seed, cx, cy, plan)
    return Chunk(tiles, standing(plan))


def _built(name: str, without: list[str], seed: int) -> Generator[Draft, None, Level]:
    """Grow a level of the recipe ``name``; who lives there, the world itself decides."""
    recipe = find_recipe(name)
    steps = tuple(use for use in recipe.steps if use.step.name not in without)
    code = recipe.code(seed, 1, (SIDE, SIDE))
    stages = Progress(build_recipe(code, replace(recipe, steps=steps), digests=False))
    for stage in stages:
        yield Draft("rooms", f"{name}: {stage.caption}", stage.plan.tiles)
    return stages.made


def _gates(seed: int, cx: int, cy: int, number: int) -> Way:
    return gates(seed, cx, cy, np.zeros((SIDE + 2 * HALO,) * 2, np.int32), f"door {number}")


def _open_doors(tiles: Tiles, doors: Way) -> None:
    """Dig from each of ``doors`` in the rim to the nearest open floor."""
    walkable = terrain().walkable[tiles] | (tiles == Tile.SECRET_DOOR)
    window = np.zeros((SIDE + 2 * HALO,) * 2, np.bool_)
    window[INNER] = walkable
    whole = parted(window)[0]
    cost = np.where(tiles == Tile.WALL, DIGGING, PASSING).astype(np.int32)
    cost[beside(walkable & ~whole)] = LOCKED
    field = costs_from(whole, cost)
    for x, y in doors:
        for column, row in way_down(field, x, y):
            if not walkable[row, column]:
                tiles[row, column] = Tile.TUNNEL
        if x == SIDE - 1 or y == SIDE - 1:
            tiles[y, x] = Tile.DOOR
