"""A world as plain data, and a world from it again."""

import zlib
from collections.abc import Iterable
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from engine.game_map import GameMap
from engine.setup import Setup, visited
from engine.world import World
from entities.entity import Entity
from entities.item import Item
from entities.kinds import HERO, creatures
from entities.terrain import Tile
from procgen.build import Level, build
from procgen.code import LevelCode
from procgen.rng import Rng

LARGEST = 8 << 20
"""Bytes of a state before it is compressed: no run comes near."""

FASTEST = 1000
"""The highest speed, and a tenth of the most energy, that a creature can have."""
MOST = 10**6
"""The highest of all other numbers about a creature."""
MOST_CREATURES = 20_000
"""As many creatures, or piles of things, as a state may hold."""

Natural = Annotated[int, Meta(ge=0, lt=1 << 53)]
Short = Annotated[str, Meta(max_length=200)]


class BadState(ValueError):
    """Data that no world can come from; the message says why."""


class State(msgspec.Struct, frozen=True):
    """Everything in a world that neither its setup nor its level's code decides.

    ``changes`` are tiles by place; ``seen`` and ``explored`` eight tiles to a byte.
    """

    turn: Natural
    kills: Natural
    gold: Natural
    killed_by: Short | None
    scored: bool
    next_id: Natural
    streams: dict[Short, bytes]
    code: Short
    changes: dict[int, Annotated[int, Meta(ge=0, lt=len(Tile))]]
    seen: bytes
    explored: bytes
    entities: Annotated[list[Entity], Meta(max_length=MOST_CREATURES)]
    items: Annotated[list[tuple[int, int, list[Item]]], Meta(max_length=MOST_CREATURES)]


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
    )


def pack(state: State) -> bytes:
    """Return ``state`` as few bytes."""
    return zlib.compress(_encode(state), 1)


def unpack(data: bytes) -> State:
    """Return the state that ``data`` holds; raise `BadState`, whatever they are."""
    try:
        machine = zlib.decompressobj()
        plain = machine.decompress(data, LARGEST)
        if not machine.eof:
            raise BadState("a state is cut short or too large")
        return _decode(plain)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadState(f"not a state: {fault}") from None


def level_code(state: State) -> LevelCode:
    """Return the code of the level that ``state`` is of; raise `BadState`."""
    try:
        code = visited(state.code)
    except ValueError as fault:
        raise BadState(str(fault)) from None
    if str(code) != state.code:
        raise BadState(f"{state.code!r} is not a level code in full")
    return code


def restore(setup: Setup, state: State, level: Level | None = None) -> World:
    """Return the world of ``state``, on its ``level`` if that is at hand.

    Raises `BadState` for what no world can be, `BuildFailed` if its level does not grow.
    """
    code = level_code(state)
    if level is None or level.code != code:
        level = build(code)
    world = World(setup, level)
    world.turn, world.kills, world.gold = state.turn, state.kills, state.gold
    world.killed_by, world.scored, world.next_id = state.killed_by, state.scored, state.next_id
    world.streams = {
        purpose: _stream(setup, purpose, mark) for purpose, mark in state.streams.items()
    }
    world.map = GameMap(level)
    _change(world.map, state.changes)
    _settle(world, state.entities)
    _strew(world.map, state.items)
    world.map.recall(_bits(world.map, state.seen), _bits(world.map, state.explored))
    return world


def _stream(setup: Setup, purpose: str, mark: bytes) -> Rng:
    stream = Rng(setup.seed, "play", purpose)
    try:
        stream.go_to(mark)
    except ValueError as fault:
        raise BadState(str(fault)) from None
    return stream


def _change(game_map: GameMap, changes: dict[int, int]) -> None:
    for place, tile in changes.items():
        if not 0 <= place < game_map.tiles.size:
            raise BadState("a tile has changed that is not on the map")
        y, x = divmod(place, game_map.width)
        game_map.set_tile(x, y, tile)


def _settle(world: World, entities: Iterable[Entity]) -> None:
    """Put everyone on the map, the hero among them."""
    hero = None
    for entity in entities:
        kind = creatures().get(entity.kind)
        brain = entity.mind.brain if entity.mind else None
        taken = entity.id in world.map.entities or world.map.entity_at(entity.x, entity.y)
        if kind is None or kind.brain != brain or not _bearable(entity):
            raise BadState(f"there is no such creature: {entity.kind[:60]!r}")
        if taken or not world.map.contains(entity.x, entity.y):
            raise BadState("a creature stands where none can")
        world.map.add_entity(entity)
        hero = entity if entity.kind == HERO else hero
    if hero is None or sum(one.kind == HERO for one in world.map.entities.values()) > 1:
        raise BadState("there must be one hero")
    world.hero = hero


def _strew(game_map: GameMap, piles: Iterable[tuple[int, int, list[Item]]]) -> None:
    """Lay everything on the ground where it lay."""
    for x, y, pile in piles:
        if not game_map.contains(x, y):
            raise BadState("a thing lies where none can")
        for item in pile:
            game_map.lay(item, x, y)


def _bearable(entity: Entity) -> bool:
    """Whether the numbers of ``entity`` are some that a turn can be played with."""
    fighter, energy, mind = entity.fighter, entity.energy, entity.mind
    numbers = [*msgspec.structs.astuple(fighter), entity.x, entity.y]
    numbers += [mind.sight, mind.patience, mind.attention] if mind else []
    if not (0 <= entity.id < 1 << 53 and 0 < energy.speed <= FASTEST):
        return False
    return abs(energy.stored) <= 10 * FASTEST and all(abs(number) <= MOST for number in numbers)


def _bits(game_map: GameMap, packed: bytes) -> NDArray[np.bool_]:
    if len(packed) != (game_map.tiles.size + 7) // 8:
        raise BadState("what was seen is of another map")
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), count=game_map.tiles.size)
    return bits.astype(bool).reshape(game_map.tiles.shape)
