"""Chunks of an infinite world with their initial monsters and items."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import lru_cache

from components.inventory import PlacedItem
from engine.items.loot import initial_loot
from engine.monsters.initial_monsters import InitialMonster, initial_monsters
from entities.terrain import Tiles, terrain
from procgen.analysis.distances import closest_tile
from procgen.blueprint import Point, Spawn
from procgen.chunk import SIDE, ChunkSite
from procgen.infinite.chunk_monsters import chunk_danger
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.level_light import natural_light
from procgen.position_hash import position_word
from procgen.progress import Progress
from procgen.world_types import WorldType, world_types

CACHE_SIZE = 56
"""Populated chunks kept in memory."""
LEVELS_OF_LOOT = 7
"""A chunk holds the items of so many levels."""
NO_BOSS_DEPTH = 999_983
"""A depth without a boss."""

Key = tuple[str, int, int, int]
"""Identifies a chunk: the world's name, its seed, the chunk's column and row."""


@dataclass(frozen=True, eq=False)
class PopulatedChunk:
    """A chunk as generated; ``depth`` is its danger as a dungeon depth, ``seed`` its own seed.

    Monsters and items are computed on first access: a chunk that was visited before is restored
    from its saved state and needs only the tiles.
    """

    world_type: WorldType
    seed: int
    depth: int
    tiles: Tiles
    spawns: tuple[Spawn, ...]
    sites: tuple[ChunkSite, ...]

    # Not cached_property: before Python 3.12 it takes one lock for all instances, so the game would
    # wait for whichever chunk the loader thread is populating.
    @property
    @lru_cache(maxsize=CACHE_SIZE)  # noqa: B019
    def monsters(self) -> tuple[InitialMonster, ...]:
        """The initial monsters."""
        return initial_monsters(self.level(NO_BOSS_DEPTH))

    @property
    @lru_cache(maxsize=CACHE_SIZE)  # noqa: B019
    def items(self) -> tuple[PlacedItem, ...]:
        """The initial items."""
        return initial_loot(self.level(self.depth), LEVELS_OF_LOOT)

    def level(self, depth: int) -> Level:
        """Return the chunk as a separate `Level`, with start and exit near its middle."""
        ground, theme = terrain().walkable[self.tiles], self.world_type.theme
        middle = closest_tile(ground, SIDE // 2, SIDE // 2) or Point(0, 0)
        name, version = self.world_type.name, self.world_type.version
        code = LevelCode(name, version, self.seed, depth, SIDE, SIDE)
        light = natural_light(code, theme)
        return Level(code, theme, self.tiles, (), middle, middle, self.spawns, (), (), light=light)


def populate_in_parts(key: Key) -> Generator[PopulatedChunk | None, None, None]:
    """Build and populate the chunk of ``key`` in small parts; the result depends on ``key`` alone.

    Yields None while the tiles are built, then the chunk as soon as it has its tiles, and once
    more when its monsters and items are computed.
    """
    name, seed, cx, cy = key
    world_type = world_types()[name]
    growth = Progress(world_type.chunk_stages(seed, cx, cy))
    for _ in growth:
        yield None
    own_seed = position_word(seed, "plot", cx, cy)
    built, depth = growth.result, chunk_danger(cx, cy)
    chunk = PopulatedChunk(world_type, own_seed, depth, built.tiles, built.spawns, built.sites)
    yield chunk
    _ = chunk.monsters, chunk.items
    yield chunk
