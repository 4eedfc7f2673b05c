"""Stored levels: pack a level as the hero leaves it, restore it when the hero comes back."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.infinite.infinite_map import NOWHERE, RADIUS, SPAN, InfiniteMap
from engine.infinite.saved_chunks import InfiniteMemory, SavedChunk, unpack_chunk, unpack_mask
from engine.levels import saved_map
from engine.levels.drawn_level import check_item
from engine.state.compression import InvalidSave, compress, decompress, no_limit
from engine.state.game_map import GameMap
from entities.creature_kinds import HERO
from procgen.blueprint import Point
from procgen.chunk import SIDE
from procgen.level import Level
from procgen.level_code import LevelCode

MAX_STORED_BYTES = 2 << 20
"""The most bytes of one level before compression; real ones have far fewer."""
MOST_DEPTHS = 10_000
MOST_IN_ALL = 300_000
"""The most creatures, items and changed tiles in all stored levels and chunks together."""
MOST_BYTES = 128 << 20
"""The most bytes of all stored levels and chunks together, before compression."""


class SavedLevel(saved_map.SavedMap, frozen=True, array_like=True):
    """A level as the hero left it."""


def pack_level(game_map: GameMap) -> bytes:
    """Return everything about ``game_map`` that is saved, serialised and compressed."""
    return compress(SavedLevel(**saved_map_fields(game_map)))


def saved_map_fields(game_map: GameMap) -> dict[str, Any]:
    """Return the fields of `saved_map.SavedMap` for ``game_map``."""
    return {
        "code": str(game_map.code),
        "turns_here": game_map.turns_here,
        "changes": game_map.changes,
        "explored": np.packbits(game_map.explored).tobytes(),
        "entities": list(game_map.entities.values()),
        "items": game_map.piles(),
        "fires": game_map.burning(),
        "keys": game_map.keys,
        "atlas": infinite_memory_of(game_map) if isinstance(game_map, InfiniteMap) else None,
        "remembered": game_map.remembered,
    }


def unpack_level(packed: bytes, spend: Callable[[int], None] = no_limit) -> SavedLevel:
    """Return what `pack_level` packed; raise `InvalidSave` for any other bytes."""
    return decompress(packed, SavedLevel, MAX_STORED_BYTES, "a stored level", spend)


def restore_map(saved: saved_map.SavedMap, level: Level) -> GameMap:
    """Return the map that was ``saved`` and checked, on its generated ``level``."""
    game_map = bare_map(level, saved.atlas)
    saved_map.restore_contents(game_map, saved)
    explored = unpack_mask(game_map.width, game_map.height, saved.explored)
    game_map.restore_view(game_map.visible, explored)
    return game_map


def infinite_memory_of(game_map: InfiniteMap) -> InfiniteMemory:
    """Return the chunks, entrance and dungeons that ``game_map`` remembers."""
    return InfiniteMemory(
        game_map.corner,
        list(game_map.chunks),
        [(*chunk, packed) for chunk, packed in game_map.saved_chunks.items()],
        None if game_map.exit == NOWHERE else (game_map.exit.x, game_map.exit.y),
        [(*place, levels) for place, levels in game_map.levels_below.items()],
    )


def bare_map(level: Level, memory: InfiniteMemory | None) -> GameMap:
    """Return the map of ``level`` without contents; its window as in ``memory`` if infinite."""
    if memory is None:
        return GameMap(level)
    game_map = InfiniteMap(level)
    game_map.place_window(memory.corner)
    game_map.place_chunks(memory.loaded)
    game_map.saved_chunks = {(column, row): packed for column, row, packed in memory.saved_chunks}
    game_map.levels_below = {(x, y): levels for x, y, levels in memory.levels_below}
    game_map.start = NOWHERE
    if memory.exit:
        game_map.exit = Point(*memory.exit)
    return game_map


class SaveChecker:
    """Checks everything that is packed in a saved state before it is played.

    A state is unpacked level by level during play, so damage must be found at load and not when
    the hero takes the stairs an hour later. A file of 30 KB can hold hundreds of levels of 2 MB
    each, so the checker limits the bytes and the contents of all together, including items inside
    piles and inventories. Contents alone do not tell: a million equal keys are one entry.
    """

    def __init__(self, next_id: int) -> None:
        self._next_id = next_id
        self._ids = set[int]()
        self._contents = MOST_IN_ALL
        self._bytes = MOST_BYTES

    def check_levels(self, stored: dict[int, bytes], *, infinite: bool) -> None:
        """Raise `InvalidSave` unless every level in ``stored`` can be restored.

        ``infinite`` says whether one of them may be an infinite world.
        """
        if len(stored) > MOST_DEPTHS:
            raise InvalidSave("too many levels are stored")
        for depth, packed in stored.items():
            saved = unpack_level(packed, self._spend)
            code = saved_map.parse_full_code(saved.code)
            if code.depth != depth:
                raise InvalidSave(f"{saved.code} is stored at depth {depth}")
            if saved.atlas and not infinite:
                raise InvalidSave("more than one infinite world is stored")
            infinite = infinite and not saved.atlas
            self.check_map(saved, code)

    def check_map(self, saved: saved_map.SavedMap, code: LevelCode) -> None:
        """Raise `InvalidSave` unless ``saved`` can be restored on the level of ``code``."""
        self.count(saved)
        width, height = self._map_size(code, saved.atlas)
        unpack_mask(width, height, saved.explored)
        places = [(entity.x, entity.y) for entity in saved.entities]
        if len(set(places)) < len(places):
            raise InvalidSave("two creatures are on one tile")
        places += [(x, y) for x, y, _ in saved.items]
        places += [divmod(place, width)[::-1] for place in [*saved.changes, *saved.fires]]
        if not all(0 <= x < width and 0 <= y < height for x, y in places):
            raise InvalidSave("a creature, item, tile or fire is off its map")
        self._check_contents(saved)

    def _map_size(self, code: LevelCode, memory: InfiniteMemory | None) -> tuple[int, int]:
        """Check ``memory`` and return the (width, height) of the map; raise `InvalidSave`."""
        if (code.place is None) != (memory is None):
            raise InvalidSave(f"{code} is not saved as the right kind of map")
        if memory is None:
            return code.width, code.height
        self._check_chunks(memory)
        for _, _, levels in memory.levels_below:
            self.check_levels(levels, infinite=False)
        return SPAN, SPAN

    def _check_chunks(self, memory: InfiniteMemory) -> None:
        places = [*memory.loaded, *((x, y) for x, y, _ in memory.saved_chunks)]
        if len(set(places)) < len(places):
            raise InvalidSave("a chunk is saved twice")
        span = 2 * RADIUS + 1
        left, top = memory.corner
        if not all(0 <= x - left < span and 0 <= y - top < span for x, y in memory.loaded):
            raise InvalidSave("a chunk is loaded that is not on the map")
        if memory.exit and not all(0 <= at < SPAN for at in memory.exit):
            raise InvalidSave("the exit is off the map")
        for _, _, packed in memory.saved_chunks:
            chunk = unpack_chunk(packed, self._spend)
            self.count(chunk)
            if not all(0 <= entity.x < SIDE and 0 <= entity.y < SIDE for entity in chunk.entities):
                raise InvalidSave("a creature is off its chunk")
            self._check_contents(chunk)

    def _check_contents(self, saved: saved_map.SavedMap | SavedChunk) -> None:
        stored = isinstance(saved, SavedLevel | SavedChunk)  # Without the hero, whose id is 0.
        for entity in saved.entities:
            saved_map.check_creature(entity)
            if stored and (entity.kind == HERO or not 0 < entity.id < self._next_id):
                raise InvalidSave("a stored creature has an impossible kind or id")
        for item in [item for *_, pile in saved.items for item in pile]:
            check_item(item.kind, item.count)

    def _spend(self, size: int) -> None:
        """Count uncompressed bytes; raise `InvalidSave` above `MOST_BYTES`."""
        self._bytes -= size
        if self._bytes < 0:
            raise InvalidSave("too much is stored")

    def count(self, saved: saved_map.SavedMap | SavedChunk) -> None:
        """Add to the contents; raise `InvalidSave` for too many, too much energy or an id twice."""
        carried = sum(len(entity.inventory) for entity in saved.entities)
        self._contents -= len(saved.entities) + carried + len(saved.changes)
        self._contents -= len(saved.items) + sum(len(pile) for *_, pile in saved.items)
        if self._contents < 0:
            raise InvalidSave("too much is stored")
        if sum(max(0, one.energy.stored) for one in saved.entities) > saved_map.MOST_ENERGY:
            raise InvalidSave("the monsters have too much energy stored")
        ids = {entity.id for entity in saved.entities}
        if len(ids) < len(saved.entities) or not ids.isdisjoint(self._ids):
            raise InvalidSave("two creatures have one id")
        self._ids |= ids
