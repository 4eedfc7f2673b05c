"""A world as plain data, and a world from it again."""

import zlib
from collections.abc import Mapping
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from msgspec.structs import replace

from engine.infinite.chunk_memory import Atlas
from engine.infinite.infinite_map import EndlessMap
from engine.levels.level_memory import check_below, check_remembered, extent, laid_out, rolled
from engine.levels.map_data import (
    Changes,
    Entities,
    Fires,
    Kinds,
    Natural,
    Piles,
    Short,
    bits,
    code_in_full,
    furnish,
    known_kinds,
)
from engine.state.compression import CHECK, BadState, inflated
from engine.state.game_map import GameMap
from engine.state.game_state import World
from engine.state.run_setup import Setup
from entities.creature_kinds import HERO, creatures
from entities.entity import Entity
from procgen.build import build
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.rng import Rng

LARGEST = 4 << 20
"""Bytes of a state before it is compressed: no run comes near."""

MOST_STREAMS = 100


class State(msgspec.Struct, frozen=True):
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
    atlas: Atlas | None = None
    slain: dict[Short, Natural] = {}


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(State).decode


def capture(world: World) -> State:
    """Return the state of ``world``; it shares nothing with it once packed."""
    game_map = world.map
    return State(
        world.turn,
        world.kills,
        world.gold,
        world.killed_by,
        world.scored,
        world.next_id,
        {purpose: stream.mark for purpose, stream in world.streams.items()},
        str(world.code),
        game_map.changes,
        np.packbits(game_map.seen).tobytes(),
        np.packbits(game_map.explored).tobytes(),
        list(game_map.entities.values()),
        game_map.piles(),
        lingered=game_map.lingered,
        keys=game_map.keys,
        remembered=world.remembered,
        deepest=world.deepest,
        won=world.won,
        clock=world.clock,
        known=world.known,
        fires=game_map.burning(),
        atlas=rolled(game_map) if isinstance(game_map, EndlessMap) else None,
        slain=world.slain,
    )


def pack(state: State) -> bytes:
    """Return ``state`` as few bytes."""
    return zlib.compress(_encode(state), 1)


def unpack(data: bytes) -> State:
    """Return the state that ``data`` holds; raise `BadState`, whatever they are."""
    return inflated(data, _decode, LARGEST, "a state")


def level_code(state: State) -> LevelCode:
    """Return the code of the level that ``state`` is of; raise `BadState`."""
    return code_in_full(state.code)


def restore(setup: Setup, state: State, level: Level | None = None) -> World:
    """Return the world of ``state``, on its ``level`` if that is at hand.

    Raises `BadState` for what no world can be, `BuildFailed` if its level does not grow.
    """
    code = level_code(state)
    if level is None or level.code != code:
        level = build(code)
    extent(code, state.atlas, state.next_id)
    game_map = laid_out(level, state.atlas)
    furnish(game_map, state)
    size = game_map.width, game_map.height
    game_map.recall(bits(*size, state.seen), bits(*size, state.explored))
    world = World(setup, game_map=game_map)
    world.hero = _only_hero(game_map, state.next_id)
    world.turn, world.kills, world.gold = state.turn, state.kills, state.gold
    world.killed_by, world.scored, world.next_id = state.killed_by, state.scored, state.next_id
    world.streams = {
        purpose: _stream(setup, purpose, mark) for purpose, mark in state.streams.items()
    }
    world.known = known_kinds(state.known)
    amount = check_below(state.atlas, state.next_id) if state.atlas else 0
    check_remembered(state.remembered, state.next_id, amount, worlds=0 if state.atlas else 1)
    world.remembered = dict(state.remembered)
    world.deepest, world.won, world.clock = state.deepest, state.won, state.clock
    world.slain = _slain(state)
    return world


def _slain(state: State) -> dict[str, int]:
    if sum(state.slain.values()) > state.kills or not creatures().keys() >= state.slain.keys():
        raise BadState("more are slain than can be")
    return dict(state.slain)


def _stream(setup: Setup, purpose: str, mark: bytes) -> Rng:
    stream = Rng(setup.seed, "play", purpose)
    try:
        stream.go_to(mark)
    except ValueError as fault:
        raise BadState(str(fault)) from None
    return stream


def _only_hero(game_map: GameMap, next_id: int) -> Entity:
    heroes = [one for one in game_map.entities.values() if one.kind == HERO]
    if len(heroes) != 1 or heroes[0].id != 0:
        raise BadState("there must be one hero")
    if max(game_map.entities) >= next_id:
        raise BadState("somebody is there who is yet to come")
    return heroes[0]


KEY = CHECK

Folds = Mapping[bytes, bytes]
"""Folded levels and chunks by their first `KEY` bytes, which stand for what is in them."""


def named(state: State) -> tuple[State, dict[bytes, bytes]]:
    """Return ``state`` with names in the place of all that is folded in it, and that by name."""
    folds: dict[bytes, bytes] = {}

    def name(folded: bytes) -> bytes:
        return folds.setdefault(folded[:KEY], folded)[:KEY]

    atlas = state.atlas
    if atlas:
        left = [(x, y, name(folded)) for x, y, folded in atlas.left]
        below = [
            (x, y, {n: name(one) for n, one in levels.items()}) for x, y, levels in atlas.below
        ]
        atlas = replace(atlas, left=left, below=below)
    remembered = {depth: name(folded) for depth, folded in state.remembered.items()}
    return replace(state, remembered=remembered, atlas=atlas), folds


def filled(state: State, folds: Folds) -> State:
    """Return ``state`` with all that it names; raise `BadState` if some of that is missing."""
    atlas = state.atlas
    try:
        if atlas:
            left = [(x, y, folds[key]) for x, y, key in atlas.left]
            below = [
                (x, y, {n: folds[key] for n, key in levels.items()}) for x, y, levels in atlas.below
            ]
            atlas = replace(atlas, left=left, below=below)
        remembered = {depth: folds[key] for depth, key in state.remembered.items()}
    except KeyError:
        raise BadState("a level that was left is missing") from None
    return replace(state, remembered=remembered, atlas=atlas)


def keys_in(needs: bytes) -> list[bytes]:
    """Return the names that stand one behind another in ``needs``."""
    return [needs[place : place + KEY] for place in range(0, len(needs), KEY)]
