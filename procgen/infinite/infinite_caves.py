"""Infinite caves: a cellular automaton that is seamless across chunks.

After Johnson, Yannakakis and Togelius, "Cellular automata for real-time generation of infinite
cave levels" (2010), with a halo as wide as the rounds reach, so that neighbours agree exactly;
without it, each chunk would see different cells beyond its border.
"""

import numpy as np

from entities.terrain import TILES, Mask, Tile, Tiles, terrain
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Blueprint
from procgen.chunk import SIDE, Chunk, ChunkGenerator, ChunkStage, Corner
from procgen.gradient_noise import purpose_noise
from procgen.infinite import chunk_joining, chunk_monsters
from procgen.infinite.chunk_joining import HALO, INNER
from procgen.level_overlays import dwellers
from procgen.position_hash import position_noise
from procgen.step_registry import Count, Share

PHASES = ("stone", "water", "passages", "plants", "life")
WALL_COST, WATER_COST, FLOOR_COST = 7, 5, 1
OPENED: dict[int, int] = {Tile.WALL: Tile.FLOOR, Tile.WATER: Tile.SHALLOWS}
"""The tiles that a path puts in place of closed ones."""


def infinite_caves(
    seed: int,
    cx: int,
    cy: int,
    *,
    rock: Share = 0.475,
    swing: Share = 0.11,
    rounds: Count = 5,
    birth: Count = 5,
    survive: Count = 4,
    dry: Share = 0.5,
) -> ChunkGenerator:
    """Make a chunk of caves; at first a share ``rock`` of it is stone, varied by ``swing``.

    ``rounds``, ``birth`` and ``survive`` are those of the cellular automaton. The higher ``dry``
    is, the fewer lakes there are.
    """
    rim = HALO + rounds
    corner, side = (cx * SIDE - rim, cy * SIDE - rim), SIDE + 2 * rim
    stone = _initial_rock(seed, corner, side, rock, swing)
    core = np.s_[rim : rim + SIDE, rim : rim + SIDE]
    yield ChunkStage("stone", "Random rock", _rock_and_floor(stone[core]))
    board = Bitboard.of(stone)
    for number in range(rounds):
        board = board.generation(birth, survive, outside=True)
        stone = board.mask
        yield ChunkStage("stone", f"Round {number + 1} of {rounds}", _rock_and_floor(stone[core]))
    inside = np.s_[rounds : side - rounds, rounds : side - rounds]
    corner = (cx * SIDE - HALO, cy * SIDE - HALO)
    tiles = _with_lakes(seed, corner, stone[inside], dry)
    yield ChunkStage("water", "Lakes", tiles[INNER])
    _join_parts(seed, cx, cy, tiles)
    yield ChunkStage("passages", "Caves and neighbouring chunks connected", tiles[INNER])
    chunk = np.ascontiguousarray(tiles[INNER])
    _add_scenery(seed, (cx * SIDE, cy * SIDE), chunk)
    yield ChunkStage("plants", "Moss and pale woods", chunk)
    chunk_monsters.add_ways_down(seed, cx, cy, chunk)
    plan = Blueprint(chunk, chunk_monsters.chunk_danger(cx, cy))
    plan.spawn_percents = dwellers("moss")
    return Chunk(chunk, chunk_monsters.spawn_monsters(seed, cx, cy, plan))


def _initial_rock(seed: int, corner: Corner, side: int, rock: float, swing: float) -> Mask:
    """Return the initial rock: random, with a density that varies slowly."""
    share = purpose_noise(seed, "rock", corner, side, side, scale=1 / 128, octaves=3)
    share *= swing * 256
    share += rock * 256
    return position_noise(seed, "stone", corner, side, side) < share


def _rock_and_floor(stone: Mask) -> Tiles:
    return np.where(stone, np.uint8(Tile.WALL), np.uint8(Tile.FLOOR))


def _with_lakes(seed: int, corner: Corner, stone: Mask, dry: float) -> Tiles:
    """Return rock, floor and lakes; small regions of floor become rock, or water in a lake."""
    side = len(stone)
    damp = purpose_noise(seed, "water", corner, side, side, scale=1 / 64, octaves=3)
    tiles = _rock_and_floor(stone)
    tiles[~stone & (damp > dry - 0.1)] = Tile.SHALLOWS
    tiles[~stone & (damp > dry)] = Tile.WATER
    tiles[damp > dry + 0.1] = Tile.WATER
    chunk_joining.drop_small_regions(tiles, Tile.WALL)
    return tiles


def _join_parts(seed: int, cx: int, cy: int, tiles: Tiles) -> None:
    """Join all parts of the chunk and its four exits by tunnels and fords."""
    price = np.full(len(TILES), FLOOR_COST, np.int32)
    price[Tile.WALL], price[Tile.WATER] = WALL_COST, WATER_COST
    cost = price[tiles]
    walkable = terrain().walkable[tiles]
    doors = chunk_joining.chunk_exits(seed, cx, cy, np.where(walkable, 0, cost).astype(np.int32))
    rough = position_noise(seed, "dig", (cx * SIDE, cy * SIDE), SIDE, SIDE) >> 5
    inner = tiles[INNER]
    for way in chunk_joining.joining_paths(walkable, cost[INNER] * 4 + rough, doors):
        for x, y in way:
            inner[y, x] = OPENED.get(inner.item(y, x), inner[y, x])


def _add_scenery(seed: int, corner: Corner, tiles: Tiles) -> None:
    """Let moss, pale woods, rubble and stalagmites grow on bare floor."""
    noise = position_noise(seed, "plants", corner, SIDE, SIDE)
    life = purpose_noise(seed, "life", corner, SIDE, SIDE, scale=1 / 32, octaves=3)
    dry = purpose_noise(seed, "dry", corner, SIDE, SIDE, scale=1 / 32, octaves=3)
    floor = tiles == Tile.FLOOR
    tiles[floor & (life > 0.3) & (noise < 150)] = Tile.FOREST
    tiles[floor & (life > 0.16) & (life <= 0.34) & (noise > 150)] = Tile.MOSS
    tiles[floor & (dry > 0.25) & (noise > 130) & (life < 0.16)] = Tile.RUBBLE
    _raise_stalagmites(tiles, noise)


def _raise_stalagmites(tiles: Tiles, noise: Tiles) -> None:
    """Place a few pillars where all 8 neighbours are walkable, so that they block no path."""
    alone = np.zeros(tiles.shape, np.bool_)
    alone[1:-1:3, 1:-1:3] = True
    closed = ~terrain().walkable[tiles]
    alone &= ~with_neighbours(closed) & (tiles == Tile.FLOOR) & (noise < 24)
    tiles[alone] = Tile.PILLAR
