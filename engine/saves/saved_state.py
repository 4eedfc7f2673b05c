"""A world as plain data, and a world from it again."""

import zlib
from collections.abc import Mapping
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from msgspec.structs import replace

from engine.infinite.chunk_memory import InfiniteMemory
from engine.infinite.infinite_map import InfiniteMap
from engine.levels.dungeon import Dungeon
from engine.levels.level_memory import (
    bare_map,
    check_below,
    check_remembered,
    infinite_memory_of,
    saved_map_size,
)
from engine.levels.map_data import (
    Changes,
    Entities,
    Fires,
    Kinds,
    Natural,
    Piles,
    Short,
    check_known_kinds,
    parse_full_code,
    restore_contents,
    unpack_mask,
)
from engine.state.compression import CHECK, InvalidSave, inflate
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from engine.state.run_setup import RunSetup
from entities.creature_kinds import HERO, creature_kinds
from entities.entity import Entity
from procgen.build import build
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.rng import Rng

LARGEST = 4 << 20
"""Bytes of a state before it is compressed: no run comes near."""

MOST_STREAMS = 100


class SavedState(msgspec.Struct, frozen=True):
    """Everything in a world that neither its setup nor its level's code decides.

    ``changes`` are tiles by place; ``seen`` and ``explored`` eight tiles to a byte;
    ``remembered`` are levels by depth, folded up by `engine.records.memory`.
    """

    turn: Natural
    kills: Natural
    gold: Natural
    killed_by: Short | None
    scored: bool
    next_id: Natural
    streams: Annotated[dict[Short, bytes], Meta(max_length=MOST_STREAMS)]
    code: Short
    changes: Changes
    seen: bytes
    explored: bytes
    entities: Entities
    items: Piles
    lingered: Natural
    keys: Natural
    remembered: dict[int, bytes]
    deepest: Natural
    won: Natural | None
    clock: Natural
    known: Kinds
    fires: Fires
    atlas: InfiniteMemory | None = None
    slain: dict[Short, Natural] = {}


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(SavedState).decode


def save_state(state: GameState) -> SavedState:
    """Return the state of ``state``; it shares nothing with it once packed."""
    game_map = state.map
    return SavedState(
        state.turn,
        state.kills,
        state.gold,
        state.killed_by,
        state.scored,
        state.next_id,
        {purpose: stream.mark for purpose, stream in state.streams.items()},
        str(state.code),
        game_map.changes,
        np.packbits(game_map.seen).tobytes(),
        np.packbits(game_map.explored).tobytes(),
        list(game_map.entities.values()),
        game_map.piles(),
        lingered=game_map.lingered,
        keys=game_map.keys,
        remembered=state.remembered,
        deepest=state.deepest,
        won=state.won,
        clock=state.clock,
        known=state.known,
        fires=game_map.burning(),
        atlas=infinite_memory_of(game_map) if isinstance(game_map, InfiniteMap) else None,
        slain=state.slain,
    )


def pack(saved: SavedState) -> bytes:
    """Return ``state`` as few bytes."""
    return zlib.compress(_encode(saved), 1)


def unpack(data: bytes) -> SavedState:
    """Return the state that ``data`` holds; raise `BadState`, whatever they are."""
    return inflate(data, _decode, LARGEST, "a state")


def level_code(saved: SavedState) -> LevelCode:
    """Return the code of the level that ``state`` is of; raise `BadState`."""
    return parse_full_code(saved.code)


def load_state(setup: RunSetup, saved: SavedState, level: Level | None = None) -> GameState:
    """Return the world of ``state``, on its ``level`` if that is at hand.

    Raises `BadState` for what no world can be, `BuildFailed` if its level does not grow.
    """
    code = level_code(saved)
    if level is None or level.code != code:
        level = build(code)
    saved_map_size(code, saved.atlas, saved.next_id)
    game_map = bare_map(level, saved.atlas)
    restore_contents(game_map, saved)
    size = game_map.width, game_map.height
    game_map.recall(unpack_mask(*size, saved.seen), unpack_mask(*size, saved.explored))
    state = GameState(setup, Dungeon(), game_map)
    state.hero = _only_hero(game_map, saved.next_id)
    state.turn, state.kills, state.gold = saved.turn, saved.kills, saved.gold
    state.killed_by, state.scored, state.next_id = saved.killed_by, saved.scored, saved.next_id
    state.streams = {
        purpose: _stream(setup, purpose, mark) for purpose, mark in saved.streams.items()
    }
    state.known = check_known_kinds(saved.known)
    amount = check_below(saved.atlas, saved.next_id) if saved.atlas else 0
    check_remembered(saved.remembered, saved.next_id, amount, worlds=0 if saved.atlas else 1)
    state.remembered = dict(saved.remembered)
    state.deepest, state.won, state.clock = saved.deepest, saved.won, saved.clock
    state.slain = _slain(saved)
    return state


def _slain(saved: SavedState) -> dict[str, int]:
    if sum(saved.slain.values()) > saved.kills or not creature_kinds().keys() >= saved.slain.keys():
        raise InvalidSave("more are slain than can be")
    return dict(saved.slain)


def _stream(setup: RunSetup, purpose: str, mark: bytes) -> Rng:
    stream = Rng(setup.seed, "play", purpose)
    try:
        stream.go_to(mark)
    except ValueError as fault:
        raise InvalidSave(str(fault)) from None
    return stream


def _only_hero(game_map: GameMap, next_id: int) -> Entity:
    heroes = [one for one in game_map.entities.values() if one.kind == HERO]
    if len(heroes) != 1 or heroes[0].id != 0:
        raise InvalidSave("there must be one hero")
    if max(game_map.entities) >= next_id:
        raise InvalidSave("somebody is there who is yet to come")
    return heroes[0]


KEY = CHECK

PackedParts = Mapping[bytes, bytes]
"""Folded levels and chunks by their first `KEY` bytes, which stand for what is in them."""


def split_parts(saved: SavedState) -> tuple[SavedState, dict[bytes, bytes]]:
    """Return ``state`` with names in the place of all that is folded in it, and that by name."""
    folds: dict[bytes, bytes] = {}

    def name(folded: bytes) -> bytes:
        return folds.setdefault(folded[:KEY], folded)[:KEY]

    atlas = saved.atlas
    if atlas:
        left = [(x, y, name(folded)) for x, y, folded in atlas.left]
        below = [
            (x, y, {n: name(one) for n, one in levels.items()}) for x, y, levels in atlas.below
        ]
        atlas = replace(atlas, left=left, below=below)
    remembered = {depth: name(folded) for depth, folded in saved.remembered.items()}
    return replace(saved, remembered=remembered, atlas=atlas), folds


def join_parts(saved: SavedState, folds: PackedParts) -> SavedState:
    """Return ``state`` with all that it names; raise `BadState` if some of that is missing."""
    atlas = saved.atlas
    try:
        if atlas:
            left = [(x, y, folds[key]) for x, y, key in atlas.left]
            below = [
                (x, y, {n: folds[key] for n, key in levels.items()}) for x, y, levels in atlas.below
            ]
            atlas = replace(atlas, left=left, below=below)
        remembered = {depth: folds[key] for depth, key in saved.remembered.items()}
    except KeyError:
        raise InvalidSave("a level that was left is missing") from None
    return replace(saved, remembered=remembered, atlas=atlas)


def split_keys(needs: bytes) -> list[bytes]:
    """Return the names that stand one behind another in ``needs``."""
    return [needs[place : place + KEY] for place in range(0, len(needs), KEY)]
