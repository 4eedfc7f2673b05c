"""A window on an endless world, as a level among others."""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, terrain
from procgen.analysis.distances import furthest_tile
from procgen.blueprint import Blueprint, Point, Spawn
from procgen.chunk import SIDE, Chunk, ChunkStage, Tiles, chunk_of, chunks_over
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.world_types import WorldType, world_types

NEAR, FAR = 48, 512
"""How far around a place one looks for ground to stand on: first, and at most."""


def build_window(code: LevelCode) -> Level:
    """Return what lies around the place of ``code``: as wide and as high as it says."""
    tiles, spawns = window_tiles(
        world_types()[code.recipe], code.seed, *window_corner(code), code.width, code.height
    )
    return window_level(code, tiles, spawns)


def window_level(code: LevelCode, tiles: Tiles, spawns: tuple[Spawn, ...]) -> Level:
    """Return the window of ``code`` on ``tiles`` as a level.

    The start is the ground nearest to the place, the exit the nearest way down; where there is
    none, the furthest ground that can be reached.
    """
    assert code.place
    left, top = window_corner(code)
    start = _nearest(tiles, terrain().walkable[tiles], code.place[0] - left, code.place[1] - top)
    if start is None:
        start = Point(code.width // 2, code.height // 2)
    down = _nearest(tiles, tiles == Tile.ENTRANCE, *start)
    end = down or Point(*furthest_tile(terrain().walkable[tiles], *start))
    tiles.setflags(write=False)
    return Level(code, world_types()[code.recipe].theme, tiles, (), start, end, spawns, (), ())


def window_corner(code: LevelCode) -> tuple[int, int]:
    """Return the place of the window's upper left tile."""
    assert code.place
    return code.place[0] - code.width // 2, code.place[1] - code.height // 2


def window_tiles(
    world: WorldType, seed: int, left: int, top: int, width: int, height: int
) -> tuple[Tiles, tuple[Spawn, ...]]:
    """Return the tiles of a window and who lives in it, by its own places."""
    tiles = np.empty((height, width), np.uint8)
    spawns: list[Spawn] = []
    for cx, cy in chunks_over(left, top, width, height):
        chunk = world.chunk(seed, cx, cy)
        x, y = cx * SIDE - left, cy * SIDE - top
        paste_chunk(tiles, chunk.tiles, x, y)
        spawns += spawns_within(chunk, x, y, width, height)
    return tiles, tuple(spawns)


def paste_chunk(tiles: Tiles, chunk: Tiles, x: int, y: int) -> None:
    """Put what a window shows of a chunk into its ``tiles``, the chunk's corner at (x, y)."""
    part = tiles[max(0, y) : y + SIDE, max(0, x) : x + SIDE]
    from_y, from_x = max(0, -y), max(0, -x)
    rows, columns = part.shape
    part[:] = chunk[from_y : from_y + rows, from_x : from_x + columns]


def spawns_within(chunk: Chunk, x: int, y: int, width: int, height: int) -> list[Spawn]:
    """Return who of a ``chunk`` with its corner at (x, y) lives in a window, by its places."""
    return [
        Spawn(spawn.kind, spawn.x + x, spawn.y + y)
        for spawn in chunk.spawns
        if 0 <= spawn.x + x < width and 0 <= spawn.y + y < height
    ]


def nearest_ground(world: WorldType, seed: int, x: int, y: int) -> tuple[int, int]:
    """Return the place to stand on that is nearest to (x, y); all worlds have one within `FAR`."""
    reach = NEAR
    while True:
        side = 2 * reach + 1
        tiles, _ = window_tiles(world, seed, x - reach, y - reach, side, side)
        found = _nearest(tiles, terrain().walkable[tiles], reach, reach)
        if found or reach >= FAR:
            break
        reach *= 2
    return (x - reach + found.x, y - reach + found.y) if found else (x, y)


def _nearest(tiles: Tiles, among: NDArray[np.bool_], x: int, y: int) -> Point | None:
    """Return the place ``among`` the tiles that is nearest to (x, y), the first of several."""
    if not among.any():
        return None
    height, width = tiles.shape
    away = (np.arange(width)[None, :] - x) ** 2 + (np.arange(height)[:, None] - y) ** 2
    row, column = divmod(int(np.where(among, away, away.max() + 1).argmin()), width)
    return Point(column, row)


class WindowStage(NamedTuple):
    """A window after a change worth watching, in which of its world's acts, and what happened.

    The caption is that of the chunk in the window's middle, if that is what changed.
    """

    plan: Blueprint
    phase: int
    caption: str


class _GrowingChunk:
    """A chunk in the making, whose corner lies at (x, y) in the window."""

    def __init__(self, world: WorldType, seed: int, chunk: tuple[int, int], x: int, y: int) -> None:
        self.x, self.y = x, y
        self.draft: ChunkStage | None = None
        self.made = Chunk(Blueprint.solid(SIDE, SIDE).tiles)
        self._growth = world.maker.grow(seed, *chunk, world.values)
        self.advance()

    def advance(self) -> None:
        """Go on to the next draft; after the last one there is none, and the chunk is made."""
        try:
            self.draft = next(self._growth)
        except StopIteration as end:
            self.draft, self.made = None, end.value

    def show(self, plan: Blueprint) -> bool:
        """Put the draft into the window of ``plan``; return whether that changes anything."""
        assert self.draft
        before = plan.tiles.tobytes()
        paste_chunk(plan.tiles, self.draft.tiles, self.x, self.y)
        return plan.tiles.tobytes() != before


def grow_window(code: LevelCode) -> Generator[WindowStage, None, Level]:
    """Make the window that ``code`` names, yielding what it looks like on the way."""
    assert code.place
    world, (left, top) = world_types()[code.recipe], window_corner(code)
    plan, phases = Blueprint.solid(code.width, code.height, code.depth), world.maker.phases
    chunks = chunks_over(left, top, code.width, code.height)
    parts = [
        _GrowingChunk(world, code.seed, (cx, cy), cx * SIDE - left, cy * SIDE - top)
        for cx, cy in chunks
    ]
    middle = parts[chunks.index(chunk_of(*code.place))]
    for number, act in enumerate(phases):
        while busy := [part for part in parts if part.draft and part.draft.phase == act]:
            changed = [part for part in busy if part.show(plan)]
            if changed:
                near = middle if middle in changed else changed[0]
                yield WindowStage(plan, number, near.draft.caption if near.draft else "")
            for part in busy:
                part.advance()
    for part in parts:
        paste_chunk(plan.tiles, part.made.tiles, part.x, part.y)
        plan.spawns += spawns_within(part.made, part.x, part.y, code.width, code.height)
    level = window_level(code, plan.tiles.copy(), tuple(plan.spawns))
    plan.start, plan.exit = level.start, level.exit
    yield WindowStage(plan, len(phases) - 1, f"{len(plan.spawns)} creatures settle in this window")
    return level
