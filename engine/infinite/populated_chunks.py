"""Chunks with all that lives and lies there, before anybody has come."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.items.loot import PlacedItem, initial_loot
from engine.monsters.initial_monsters import InitialMonster, initial_monsters
from entities.terrain import terrain
from procgen.blueprint import Point
from procgen.chunk import SIDE, Chunk, ChunkSite, Tiles
from procgen.infinite.chunk_monsters import danger
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.position_hash import position_word
from procgen.progress import Progress
from procgen.world_types import WorldType, world_types

KEPT = 56
"""As many plots are kept at hand."""
NOWHERE_SPECIAL = 999_983
"""A depth where no boss has its lair."""

Key = tuple[str, int, int, int]
"""Which plot: the world's name, its seed, the chunk's column and row."""


@dataclass(frozen=True, eq=False)
class PopulatedChunk:
    """A chunk as nobody has seen it yet; ``depth`` is how dangerous it is there.

    Who lives there and what lies there is worked out when first asked for: who only goes on
    with a run knows already what came of them.
    """

    realm: WorldType
    own: int
    chunk: Chunk
    depth: int

    @property
    def tiles(self) -> Tiles:
        """The ground, as tile numbers [y, x]."""
        return self.chunk.tiles

    @property
    def sites(self) -> tuple[ChunkSite, ...]:
        """The places that have a name."""
        return self.chunk.sites

    @property
    def dwellers(self) -> tuple[InitialMonster, ...]:
        """Who lives there."""
        return _dwellers(self)

    @property
    def things(self) -> tuple[PlacedItem, ...]:
        """What lies there."""
        return _things(self)

    def level(self, depth: int) -> Level:
        """Return the chunk as a level of its own, one stands in its middle."""
        tiles, realm = self.chunk.tiles, self.realm
        middle = _middle(tiles)
        code = LevelCode(realm.name, realm.version, self.own, depth, SIDE, SIDE)
        return Level(code, realm.theme, tiles, (), middle, middle, self.chunk.spawns, (), ())


# Not cached properties: before Python 3.12 all plots share one lock for each of those.
@lru_cache(maxsize=KEPT)
def _dwellers(plot: PopulatedChunk) -> tuple[InitialMonster, ...]:
    return tuple(initial_monsters(plot.level(NOWHERE_SPECIAL)))


@lru_cache(maxsize=KEPT)
def _things(plot: PopulatedChunk) -> tuple[PlacedItem, ...]:
    return tuple(initial_loot(plot.level(plot.depth)))


def growing(key: Key) -> Generator[PopulatedChunk | None, None, None]:
    """Make the plot of ``key``, always the same, in small parts.

    After each part it is yielded: None at first, then without and then with all that is there
    worked out.
    """
    name, seed, cx, cy = key
    realm = world_types()[name]
    growth = Progress(realm.chunk_stages(seed, cx, cy))
    for _ in growth:
        yield None
    plot = PopulatedChunk(realm, position_word(seed, "plot", cx, cy), growth.made, danger(cx, cy))
    yield plot
    _ = plot.dwellers, plot.things
    yield plot


def _middle(tiles: Tiles) -> Point:
    """Return the ground nearest to the middle of a chunk."""
    away = np.where(terrain().walkable[tiles], _away(), SIDE * SIDE)
    y, x = divmod(int(away.argmin()), SIDE)
    return Point(x, y)


@cache
def _away() -> NDArray[np.int64]:
    """Return how far each tile of a chunk is from its middle, squared."""
    line = (np.arange(SIDE, dtype=np.int64) - SIDE // 2) ** 2
    return line[:, None] + line
