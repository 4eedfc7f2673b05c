"""A window on an infinite world as a level: assembled from chunks, at once or in stages."""

from collections.abc import Generator, Sequence

import numpy as np

from entities.terrain import Tile, Tiles, terrain
from entities.wording import pluralise
from procgen.analysis.distances import closest_tile, reachable
from procgen.blueprint import Blueprint, Point, Spawn, paste_clipped
from procgen.chunk import SIDE, Chunk, chunk_of, chunks_over
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.level_light import natural_light
from procgen.progress import Progress
from procgen.recipe_builder import Stage
from procgen.step_chain import StepUse
from procgen.world_types import WorldType, world_types

FIRST_RADIUS, LAST_RADIUS = 48, 768
"""Search radius for walkable ground: at first, and at most; it is doubled from one to the other."""


def build_window(code: LevelCode) -> Level:
    """Return the window that ``code`` names."""
    world, corner = world_types()[code.recipe], window_corner(code)
    tiles, spawns = window_tiles(world, code.seed, *corner, code.width, code.height)
    return window_level(code, tiles, spawns)


def window_level(code: LevelCode, tiles: Tiles, spawns: tuple[Spawn, ...]) -> Level:
    """Return the window of ``code`` on ``tiles`` as a level.

    The start is the ground nearest to the place, the exit the nearest stairs that can be walked to
    without leaving the window, if any.
    """
    assert code.place
    left, top = window_corner(code)
    ground = terrain().walkable[tiles]
    start = closest_tile(ground, code.place[0] - left, code.place[1] - top)
    if start is None:
        start = Point(code.width // 2, code.height // 2)
    down = closest_tile((tiles == Tile.ENTRANCE) & reachable(ground, *start), *start)
    tiles.setflags(write=False)
    theme = world_types()[code.recipe].theme
    light, end = natural_light(code, theme), down or start
    return Level(code, theme, tiles, (), start, end, spawns, (), (), bool(down), light=light)


def window_corner(code: LevelCode) -> tuple[int, int]:
    """Return the world coordinates of the window's upper left tile."""
    assert code.place
    return code.place[0] - code.width // 2, code.place[1] - code.height // 2


def window_tiles(
    world: WorldType, seed: int, left: int, top: int, width: int, height: int
) -> tuple[Tiles, tuple[Spawn, ...]]:
    """Return the tiles and spawns of a window, in window coordinates."""
    tiles = np.empty((height, width), np.uint8)
    spawns: list[Spawn] = []
    for cx, cy in chunks_over(left, top, width, height):
        chunk = world.chunk(seed, cx, cy)
        x, y = cx * SIDE - left, cy * SIDE - top
        paste_clipped(tiles, chunk.tiles, x, y)
        spawns += spawns_within(chunk, x, y, width, height)
    return tiles, tuple(spawns)


def spawns_within(chunk: Chunk, x: int, y: int, width: int, height: int) -> list[Spawn]:
    """Return the spawns of a chunk with its corner at (x, y) that lie in a window."""
    return [
        Spawn(spawn.kind, spawn.x + x, spawn.y + y)
        for spawn in chunk.spawns
        if 0 <= spawn.x + x < width and 0 <= spawn.y + y < height
    ]


def nearest_ground(world: WorldType, seed: int, x: int, y: int) -> tuple[int, int]:
    """Return the nearest walkable tile of the first square that has one; (x, y) without any."""
    reach = FIRST_RADIUS
    while reach <= LAST_RADIUS:
        side = 2 * reach + 1
        tiles, _ = window_tiles(world, seed, x - reach, y - reach, side, side)
        if ground := closest_tile(terrain().walkable[tiles], reach, reach):
            return x - reach + ground.x, y - reach + ground.y
        reach *= 2
    return x, y


class _GrowingChunk:
    """A chunk being made, its corner at (x, y) in the window."""

    def __init__(self, world: WorldType, seed: int, chunk: tuple[int, int], x: int, y: int) -> None:
        self.x, self.y = x, y
        self.growth = Progress(world.grow(seed, *chunk))
        self._stages = iter(self.growth)
        self.advance()

    def advance(self) -> None:
        """Go on to the next stage; after the last one, ``stage`` is None and `growth` has ended."""
        self.stage = next(self._stages, None)

    def show(self, plan: Blueprint) -> bool:
        """Copy the current stage into ``plan``; return whether that changed a tile."""
        assert self.stage
        before = plan.tiles.tobytes()
        paste_clipped(plan.tiles, self.stage.tiles, self.x, self.y)
        return plan.tiles.tobytes() != before


def grow_window(code: LevelCode, phases: Sequence[StepUse]) -> Generator[Stage, None, Level]:
    """Make the window that ``code`` names, yielding its stages; ``phases`` are those of its world.

    A caption is that of the chunk in the window's middle, if that chunk has changed.
    """
    assert code.place
    world, (left, top) = world_types()[code.recipe], window_corner(code)
    plan = Blueprint.solid(code.width, code.height, code.depth)
    chunks = chunks_over(left, top, code.width, code.height)
    parts = [
        _GrowingChunk(world, code.seed, (cx, cy), cx * SIDE - left, cy * SIDE - top)
        for cx, cy in chunks
    ]
    middle = parts[chunks.index(chunk_of(*code.place))]
    for number, phase in enumerate(phases):
        while busy := [part for part in parts if part.stage and part.stage.phase == phase.label]:
            changed = [part for part in busy if part.show(plan)]
            if changed:
                nearest = middle if middle in changed else changed[0]
                yield Stage(plan, 0, number, phase, nearest.stage.caption if nearest.stage else "")
            for part in busy:
                part.advance()
    for part in parts:
        chunk = part.growth.result
        paste_clipped(plan.tiles, chunk.tiles, part.x, part.y)
        plan.spawns += spawns_within(chunk, part.x, part.y, code.width, code.height)
    level = window_level(code, plan.tiles.copy(), tuple(plan.spawns))
    plan.start, plan.exit = level.start, level.exit if level.has_exit else None
    settled = pluralise(len(plan.spawns), "monster")
    yield Stage(plan, 0, len(phases) - 1, phases[-1], f"{settled} in this window")
    return level
