"""Chunks: the squares an infinite world is generated in, and their coordinates."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

from entities.terrain import Tiles
from procgen.blueprint import Spawn

SIDE = 256
"""Tiles along a chunk's side."""


class ChunkSite(NamedTuple):
    """A vault placed in the world: its ``kind``, and its centre (x, y)."""

    kind: str
    x: int
    y: int


@dataclass(frozen=True, eq=False)
class Chunk:
    """One chunk of a world: ``tiles[y, x]``, monsters and sites.

    ``spawns`` and ``sites`` are relative to the chunk's upper left tile.
    """

    tiles: Tiles
    spawns: tuple[Spawn, ...] = ()
    sites: tuple[ChunkSite, ...] = ()


class ChunkStage(NamedTuple):
    """A stage of making a chunk, yielded for display; ``phase`` names the part of the work.

    ``tiles`` are not copied; copy them to keep them.
    """

    phase: str
    caption: str
    tiles: Tiles


ChunkGenerator = Generator[ChunkStage, None, Chunk]
"""Yields the stages of a chunk and returns it."""


ChunkIndex = tuple[int, int]
"""The (column, row) of a chunk."""
Corner = tuple[int, int]
"""The (x, y) of the upper left tile of a window on the world."""


def chunk_of(x: int, y: int) -> ChunkIndex:
    """Return the index of the chunk that the tile (x, y) lies in."""
    return x // SIDE, y // SIDE


def chunks_over(left: int, top: int, width: int, height: int) -> list[ChunkIndex]:
    """Return the index of each chunk that a window of the world touches, row by row."""
    first, last = chunk_of(left, top), chunk_of(left + width - 1, top + height - 1)
    rows, columns = range(first[1], last[1] + 1), range(first[0], last[0] + 1)
    return [(cx, cy) for cy in rows for cx in columns]


def chunk_distance(chunk: ChunkIndex, x: int, y: int) -> tuple[int, int]:
    """Return the distance of ``chunk`` from the tile (x, y): Chebyshev, then Manhattan."""
    dx, dy = (
        max(number * SIDE - place, 0, place + 1 - (number + 1) * SIDE)
        for number, place in zip(chunk, (x, y), strict=True)
    )
    return max(dx, dy), dx + dy
