"""Levels one has left, folded up exactly as they were, to be unfolded when one comes back."""

import msgspec
import numpy as np

from engine.infinite.chunk_memory import InfiniteMemory, unpack_chunk
from engine.infinite.infinite_map import NOWHERE, RADIUS, SPAN, InfiniteMap
from engine.levels.map_data import (
    MOST_IN_ALL,
    Changes,
    Entities,
    Fires,
    Natural,
    Piles,
    Short,
    check_creature,
    check_item,
    parse_full_code,
    restore_contents,
    unpack_mask,
)
from engine.state.compression import InvalidSave, compress, decompress
from engine.state.game_map import GameMap
from entities.creature_kinds import HERO
from procgen.blueprint import Point
from procgen.chunk import SIDE
from procgen.level import Level
from procgen.level_code import LevelCode


def infinite_memory_of(game_map: InfiniteMap) -> InfiniteMemory:
    """Return what ``game_map`` is beside its tiles, what lies there, and who is there."""
    door = None if game_map.exit == (-1, -1) else (game_map.exit.x, game_map.exit.y)
    return InfiniteMemory(
        game_map.corner,
        list(game_map.loaded),
        [(*chunk, folded) for chunk, folded in game_map.saved_chunks.items()],
        door,
        [(*place, levels) for place, levels in game_map.levels_below.items()],
    )


def restore_window(game_map: InfiniteMap, atlas: InfiniteMemory) -> None:
    """Make ``game_map`` the one that ``atlas`` is of; raise `BadState` if it is of none."""
    game_map.place_window(atlas.corner)
    span = 2 * RADIUS + 1
    left, top = atlas.corner
    on_map = [0 <= x - left < span and 0 <= y - top < span for x, y in atlas.loaded]
    if not all(on_map) or len(set(atlas.loaded)) < len(atlas.loaded):
        raise InvalidSave("a chunk is open that is not on the map")
    game_map.place_chunks(atlas.loaded)
    game_map.saved_chunks = {(column, row): folded for column, row, folded in atlas.left}
    game_map.levels_below = {(x, y): levels for x, y, levels in atlas.below}
    game_map.start = NOWHERE
    if atlas.door:
        if not game_map.contains(*atlas.door):
            raise InvalidSave("a way down lies where none can")
        game_map.exit = Point(*atlas.door)


def bare_map(level: Level, atlas: InfiniteMemory | None) -> GameMap:
    """Return the map of ``level`` with nobody on it, an endless one as ``atlas`` says."""
    if atlas is None:
        return GameMap(level)
    game_map = InfiniteMap(level)
    restore_window(game_map, atlas)
    return game_map


def saved_map_size(code: LevelCode, atlas: InfiniteMemory | None, next_id: int) -> tuple[int, int]:
    """Return how wide and high the map of ``code`` is; raise `BadState` if ``atlas`` is wrong."""
    if (code.place is None) != (atlas is None):
        raise InvalidSave(f"{code} is another kind of map")
    if atlas is None:
        return code.width, code.height
    check_atlas(atlas, next_id)
    return SPAN, SPAN


def check_atlas(atlas: InfiniteMemory, next_id: int) -> None:
    """Raise `BadState` unless one could come back to every chunk that was left."""
    opened = set(atlas.loaded)
    if len({(x, y) for x, y, _ in atlas.left} | opened) < len(atlas.left) + len(opened):
        raise InvalidSave("a chunk is in two places")
    amount = 0
    for _, _, folded in atlas.left:
        chunk = unpack_chunk(folded)
        amount += len(chunk.entities) + len(chunk.items) + len(chunk.changes)
        if amount > MOST_IN_ALL:
            raise InvalidSave("nobody remembers so much of a world")
        for entity in chunk.entities:
            check_creature(entity)
            inside = 0 <= entity.x < SIDE and 0 <= entity.y < SIDE
            if not inside or entity.kind == HERO or not 0 < entity.id < next_id:
                raise InvalidSave("somebody is remembered who cannot be there")
        for _, _, pile in chunk.items:
            for item in pile:
                check_item(item)


LARGEST = 2 << 20
"""Bytes of one level before it is folded: none comes near."""
MOST_DEPTHS = 10_000


class SavedLevel(msgspec.Struct, frozen=True, array_like=True):
    """A level as it was left: what its code does not decide."""

    code: Short
    lingered: Natural
    changes: Changes
    explored: bytes
    entities: Entities
    items: Piles
    fires: Fires
    keys: Natural = 0
    atlas: InfiniteMemory | None = None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(SavedLevel).decode


def pack_level(game_map: GameMap) -> bytes:
    """Return all that there is to remember of ``game_map`` in few bytes."""
    memory = SavedLevel(
        str(game_map.code),
        game_map.lingered,
        game_map.changes,
        np.packbits(game_map.explored).tobytes(),
        list(game_map.entities.values()),
        game_map.piles(),
        game_map.burning(),
        game_map.keys,
        infinite_memory_of(game_map) if isinstance(game_map, InfiniteMap) else None,
    )
    return compress(_encode(memory))


def unpack_level(folded: bytes) -> SavedLevel:
    """Return what was folded; raise `BadState` if it is none of ours."""
    return decompress(folded, _decode, LARGEST, "a remembered level")


def restore_map(memory: SavedLevel, level: Level) -> GameMap:
    """Return the map that ``memory`` is of, on its ``level``."""
    game_map = bare_map(level, memory.atlas)
    restore_contents(game_map, memory)
    game_map.explored[:] = unpack_mask(game_map.width, game_map.height, memory.explored)
    return game_map


def check_remembered(
    remembered: dict[int, bytes], next_id: int, amount: int = 0, *, worlds: int = 1
) -> int:
    """Raise `BadState` unless one could come back to every level in ``remembered``.

    At most so many of them may be ``worlds`` without an edge. Returns ``amount`` with what is
    remembered here added.
    """
    if len(remembered) > MOST_DEPTHS:
        raise InvalidSave("nobody remembers so many levels")
    for depth, folded in remembered.items():
        memory = unpack_level(folded)
        amount += len(memory.entities) + len(memory.items) + len(memory.changes)
        if amount > MOST_IN_ALL:
            raise InvalidSave("nobody remembers so much")
        code = parse_full_code(memory.code)
        if code.depth != depth:
            raise InvalidSave(f"{memory.code} does not lie at depth {depth}")
        width, height = saved_map_size(code, memory.atlas, next_id)
        if memory.atlas:
            worlds -= 1
            if worlds < 0:
                raise InvalidSave("there is a world too many")
            amount = check_below(memory.atlas, next_id, amount)
        unpack_mask(width, height, memory.explored)
        places = [(entity.x, entity.y) for entity in memory.entities]
        if len(set(places)) < len(places):
            raise InvalidSave("two creatures stand on one tile")
        places += [(x, y) for x, y, _ in memory.items]
        places += [divmod(place, width)[::-1] for place in [*memory.changes, *memory.fires]]
        if not all(0 <= x < width and 0 <= y < height for x, y in places):
            raise InvalidSave("something is where nothing can be")
        for item in [item for _, _, pile in memory.items for item in pile]:
            check_item(item)
        if len({entity.id for entity in memory.entities}) < len(memory.entities):
            raise InvalidSave("two creatures are one")
        for entity in memory.entities:
            check_creature(entity)
            if entity.kind == HERO or not 0 < entity.id < next_id:
                raise InvalidSave("somebody is remembered who cannot be there")
    return amount


def check_below(atlas: InfiniteMemory, next_id: int, amount: int = 0) -> int:
    """Raise `BadState` unless one could come back to every level below a world without an edge.

    Returns ``amount`` with what is remembered there added.
    """
    for _, _, levels in atlas.below:
        amount = check_remembered(levels, next_id, amount, worlds=0)
    return amount
