"""Serialise a GameState to plain data, and restore it from untrusted data.

Successive keyframes of a run share most of their stored levels and chunks. `split_parts`
replaces each by its checksum (deduplication), so that a keyframe file holds each of them once.
"""

import zlib
from collections.abc import Callable, Mapping
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from msgspec.structs import replace

from engine.infinite.saved_chunks import unpack_mask
from engine.levels import recipe_by_depth, saved_map
from engine.levels.dungeon import Dungeon
from engine.levels.stored_levels import SaveChecker, restore_map, saved_map_fields
from engine.state.compression import CHECK, InvalidSave, inflate
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from engine.state.run_setup import CodeText, RunSetup, Short
from entities.creature_kinds import HERO, creature_kinds
from entities.entity import Entity
from procgen.level import Level
from procgen.rng import Rng

MAX_STATE_BYTES = 4 << 20
"""The most bytes of a state before compression; real ones have far fewer."""
MOST_STREAMS = 100


class SavedState(saved_map.SavedMap, frozen=True, kw_only=True):
    """Everything in a GameState that does not follow from its setup and its level's code.

    ``visible`` holds eight tiles to a byte; ``stored_levels`` are packed levels by depth. The field
    names are part of the format.
    """

    turn: saved_map.Natural
    kills: saved_map.Natural
    gold: saved_map.Natural
    killed_by: Short | None
    scored: bool
    next_id: saved_map.Natural
    streams: Annotated[dict[Short, bytes], Meta(max_length=MOST_STREAMS)]
    visible: bytes
    stored_levels: dict[int, bytes]
    deepest: saved_map.Natural
    won: saved_map.Natural | None
    clock: saved_map.Natural
    identified_kinds: saved_map.Kinds
    kills_by_kind: dict[Short, saved_map.Natural]
    growing: saved_map.Growths
    hollow: CodeText = ""
    home: saved_map.Natural | None = None


OF_ITS_OWN = {*saved_map.SavedMap.__struct_fields__, "streams", "visible", "growing"}
AS_THEY_ARE = [name for name in SavedState.__struct_fields__ if name not in OF_ITS_OWN]
"""The fields that a `GameState` has by the same name."""


def save_state(state: GameState) -> SavedState:
    """Return ``state`` as plain data; pack it before the next turn, because it shares lists."""
    game_map = state.map
    return SavedState(
        **saved_map_fields(game_map),
        **{name: getattr(state, name) for name in AS_THEY_ARE},
        streams={purpose: stream.state_bytes for purpose, stream in state.streams.items()},
        visible=np.packbits(game_map.visible).tobytes(),
        growing=game_map.growing,
    )


def pack_state(saved: SavedState) -> bytes:
    """Return ``saved`` serialised and compressed."""
    return zlib.compress(msgspec.msgpack.encode(saved), 1)


def unpack_state(data: bytes) -> SavedState:
    """Return what `pack_state` packed; raise `InvalidSave` for any other bytes."""
    return inflate(data, SavedState, MAX_STATE_BYTES, "a state")


def load_state(setup: RunSetup, saved: SavedState, level: Level | None = None) -> GameState:
    """Return the state that ``saved`` holds; ``level`` is used if it has the saved level code.

    Raises `InvalidSave` for impossible data, `BuildFailed` if the level cannot be built.
    """
    saved_map.check_ghost(setup)
    code = saved_map.parse_full_code(saved.code)
    if level is None or level.code != code:
        level = recipe_by_depth.level_of(setup, code)
    checker = SaveChecker(saved.next_id)
    checker.check_map(saved, code)
    checker.check_levels(saved.stored_levels, infinite=saved.atlas is None)
    game_map = restore_map(saved, level)
    saved_map.restore_growth(game_map, saved.growing)
    visible = unpack_mask(game_map.width, game_map.height, saved.visible)
    game_map.restore_view(visible, game_map.explored)
    state = GameState(setup, Dungeon(setup), game_map)
    state.hero = _only_hero(game_map, saved.next_id)
    for name in AS_THEY_ARE:
        setattr(state, name, getattr(saved, name))
    marks = saved.streams.items()
    state.streams = {purpose: _stream(setup, purpose, mark) for purpose, mark in marks}
    state.identified_kinds = saved_map.check_known_kinds(saved.identified_kinds)
    state.stored_levels = dict(saved.stored_levels)
    unknown = saved.kills_by_kind.keys() - creature_kinds().keys()
    if unknown or sum(saved.kills_by_kind.values()) > saved.kills:
        raise InvalidSave("the kills by kind have an unknown kind or exceed the total")
    state.kills_by_kind = dict(saved.kills_by_kind)
    if (saved.hollow and saved.won is None) or (saved.home is not None and not saved.hollow):
        raise InvalidSave("the First Seed is planted that was not taken, or brought home unplanted")
    return state


def _stream(setup: RunSetup, purpose: str, mark: bytes) -> Rng:
    stream = Rng(setup.seed, "play", purpose)
    try:
        stream.restore(mark)
    except ValueError as fault:
        raise InvalidSave(str(fault)) from None
    return stream


def _only_hero(game_map: GameMap, next_id: int) -> Entity:
    heroes = [entity for entity in game_map.entities.values() if entity.kind == HERO]
    if len(heroes) != 1 or heroes[0].id != 0:
        raise InvalidSave("there must be one hero")
    if max(game_map.entities) >= next_id:
        raise InvalidSave("a creature has an id that was not given out yet")
    return heroes[0]


PackedParts = Mapping[bytes, bytes]
"""Packed levels and chunks by their checksum, the first `CHECK` bytes of each."""


def split_parts(saved: SavedState) -> tuple[SavedState, dict[bytes, bytes]]:
    """Return ``saved`` with checksums in place of its packed parts, and the parts by checksum."""
    parts: dict[bytes, bytes] = {}
    return _with_parts(saved, lambda part: parts.setdefault(part[:CHECK], part)[:CHECK]), parts


def join_parts(saved: SavedState, parts: PackedParts) -> SavedState:
    """Return the state that `split_parts` split; raise `InvalidSave` if a part is missing."""
    try:
        return _with_parts(saved, parts.__getitem__)
    except KeyError:
        raise InvalidSave("a stored level is missing") from None


def _with_parts(saved: SavedState, changed: Callable[[bytes], bytes]) -> SavedState:
    """Return ``saved`` with every packed level and chunk in it ``changed``."""

    def levels_changed(levels: dict[int, bytes]) -> dict[int, bytes]:
        return {depth: changed(packed) for depth, packed in levels.items()}

    memory = saved.atlas
    if memory:
        chunks = [(x, y, changed(packed)) for x, y, packed in memory.saved_chunks]
        below = [(x, y, levels_changed(levels)) for x, y, levels in memory.levels_below]
        memory = replace(memory, saved_chunks=chunks, levels_below=below)
    return replace(saved, stored_levels=levels_changed(saved.stored_levels), atlas=memory)


def split_keys(needs: bytes) -> list[bytes]:
    """Return the checksums that are concatenated in ``needs``."""
    return [needs[place : place + CHECK] for place in range(0, len(needs), CHECK)]
