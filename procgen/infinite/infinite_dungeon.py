"""Infinite dungeon: each chunk is a level of some recipe, joined to its neighbours.

A finished level ends in a solid wall. Two levels side by side would show a straight double wall
along every border, so rooms are placed across the borders, where both chunks agree about them, and
each chunk digs from its half of a room to its own level.
"""

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from entities.terrain import Mask, Tile, Tiles, terrain, tile_mask
from procgen.analysis.distances import regions, with_neighbours
from procgen.blueprint import Blueprint
from procgen.chunk import SIDE, Chunk, ChunkGenerator, ChunkStage
from procgen.infinite import chunk_joining, chunk_monsters
from procgen.level import Level
from procgen.position_hash import position_random, position_word
from procgen.progress import Progress
from procgen.recipe_builder import build_recipe
from procgen.recipes import find_recipe
from procgen.rng import Rng

PHASES = ("rooms", "doors", "life")
DIGGING, PASSING, LOCKED = 1, 4, 400
"""The costs of digging through rock, through anything else, and into a locked vault."""
BESIDE_ROOMS = (Tile.WALL, Tile.FLOOR, Tile.TUNNEL)
"""Tiles that a room on the border may be next to."""
BORDER_WIDTH, BORDER_HEIGHT, BORDER_GAP = (3, 9), (3, 8), (2, 5)
"""Sides of rooms on a border, across it and along it, and the rock between two of them."""


def infinite_dungeon(
    seed: int, cx: int, cy: int, *, styles: dict[str, int], without: tuple[str, ...], doors: int = 3
) -> ChunkGenerator:
    """Make a chunk of rooms and corridors.

    ``styles`` are recipes by weight, less steps ``without``; a border has up to ``doors`` doors.
    """
    rng = position_random(seed, "halls", cx, cy)
    style, word = rng.weighted(styles), position_word(seed, "hall", cx, cy)
    level = yield from _build_level(style, without, word)
    tiles = level.tiles.copy()
    halves = _border_rooms(seed, cx, cy)
    even = np.zeros((SIDE + 2 * chunk_joining.HALO,) * 2, np.int32)
    names = [f"door {number}" for number in range(doors)]
    exits = [at for name in names for at in chunk_joining.chunk_exits(seed, cx, cy, even, name)]
    _dig_to_exits(tiles, halves, exits)
    chunk_monsters.add_ways_down(seed, cx, cy, tiles)
    yield ChunkStage("doors", "Doors on all sides", tiles)
    plan = Blueprint(tiles, chunk_monsters.chunk_danger(cx, cy))
    return Chunk(tiles, chunk_monsters.spawn_monsters(seed, cx, cy, plan))


def _build_level(name: str, omit: tuple[str, ...], seed: int) -> Generator[ChunkStage, None, Level]:
    """Build a level of the recipe ``name``, yielding its stages; its monsters are not used."""
    recipe = find_recipe(name)
    steps = tuple(use for use in recipe.steps if use.step.name not in omit)
    code = recipe.code(seed, 1, (SIDE, SIDE))
    stages = Progress(build_recipe(code, replace(recipe, steps=steps)))
    for stage in stages:
        yield ChunkStage("rooms", f"{name}: {stage.caption}", stage.plan.tiles)
    return stages.result


def _border_rooms(seed: int, cx: int, cy: int) -> Mask:
    """Return the tiles of the rooms across the four borders of a chunk."""
    rooms = np.zeros((SIDE, SIDE), np.bool_)
    for border, shift in ((cx - 1, 0), (cx, SIDE)):
        _set_rooms(rooms.T, position_random(seed, "east rooms", border, cy), shift)
    for border, shift in ((cy - 1, 0), (cy, SIDE)):
        _set_rooms(rooms, position_random(seed, "south rooms", cx, border), shift)
    return rooms


def _set_rooms(rooms: Mask, rng: Rng, border: int) -> None:
    """Place a row of rooms on the border between the rows ``border - 1`` and ``border``.

    A room extends over the border by 0 to all of its width, all equally likely: its walls lie on
    the border as often as anywhere else, and the border does not show.
    """
    x, end = chunk_joining.CORNER, SIDE - chunk_joining.CORNER
    while x < end:
        width, length = rng.between(*BORDER_WIDTH), rng.between(*BORDER_HEIGHT)
        top = border - rng.between(0, width)
        rooms[max(0, top) : max(0, top + width), x : min(x + length, end)] = True
        x += length + rng.between(*BORDER_GAP)


def _dig_to_exits(tiles: Tiles, halves: Mask, exits: chunk_joining.TilePath) -> None:
    """Open the ``halves`` of border rooms; dig from them and from ``exits`` to the level."""
    walkable = terrain().walkable[tiles] | (tiles == Tile.SECRET_DOOR)
    window = np.zeros((SIDE + 2 * chunk_joining.HALO,) * 2, np.bool_)
    window[chunk_joining.INNER] = walkable
    main = chunk_joining.disconnected_parts(window)[0]
    cost = np.where(tiles == Tile.WALL, DIGGING, PASSING).astype(np.int32)
    cost[with_neighbours(walkable & ~main)] = LOCKED
    field = chunk_joining.dijkstra_costs(main, cost)
    # A border room may open into a room of the level, but not beside a door or into a locked vault.
    barred = (walkable & ~main) | ~tile_mask(BESIDE_ROOMS)[tiles]
    halves &= (tiles == Tile.WALL) & ~with_neighbours(barred)
    doorways = [(x, y) for x, y in exits if not halves[y, x]]
    tiles[halves] = Tile.FLOOR
    for x, y in [*_first_tiles(halves), *exits]:
        for column, row in chunk_joining.roll_downhill(field, x, y):
            if not (walkable[row, column] or halves[row, column]):
                tiles[row, column] = Tile.TUNNEL
    for x, y in doorways:
        if SIDE - 1 in {x, y}:
            tiles[y, x] = Tile.DOOR


def _first_tiles(mask: Mask) -> chunk_joining.TilePath:
    """Return one tile of each connected region of ``mask``."""
    labels, _ = regions(mask)
    numbers, places = np.unique(labels, return_index=True)
    return [(place % SIDE, place // SIDE) for place in places[numbers > 0].tolist()]
