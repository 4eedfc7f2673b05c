"""The state of a run as a few letters, some for each of its parts, so that blame has an address."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np

from engine.items.loot import initial_loot
from engine.monsters.initial_monsters import initial_monsters
from engine.saves.run_file import Arrival
from engine.state.compression import CHECK
from engine.state.field_of_view import light_of
from engine.state.game_state import GameState
from entities.creature_kinds import HERO, creature_kinds, spawn_weights
from entities.item_kinds import item_classes, item_kinds
from entities.light_levels import light_levels
from entities.statuses import status_kinds
from entities.talents import talents
from entities.terrain import terrain
from entities.trap_kinds import trap_kinds
from procgen.level import Level

SUBSYSTEMS = ("map", "actors", "run", "streams")
"""The parts of a state, in the order of their letters in a digest."""
LETTERS = 4

_encode = msgspec.msgpack.Encoder().encode


def fingerprint(*parts: Any) -> str:
    """Return `LETTERS` hex digits for each of ``parts``, one for each of `SUBSYSTEMS`."""
    return "".join(blake2b(_encode(part), digest_size=LETTERS // 2).hexdigest() for part in parts)


def state_digest(state: GameState) -> str:
    """Return the digest of ``state``: `LETTERS` hex digits for each of `SUBSYSTEMS`."""
    actors = list(state.map.entities.values())
    run = (
        (state.turn, state.kills, state.gold, state.killed_by, state.scored, state.next_id),
        (state.clock, state.deepest, state.won, state.known),
        # The check at the front of a packed level stands for its content, however compressed.
        [(depth, packed[:CHECK]) for depth, packed in state.remembered.items()],
    )
    streams = [(purpose, stream.mark) for purpose, stream in state.streams.items()]
    return fingerprint(state.map.facts(), actors, run, streams)


def differing_subsystems(recorded: str, found: str) -> tuple[str, ...]:
    """Return the subsystems in which two digests differ, all of them if nothing can be told."""
    if len(recorded) != len(found):
        return SUBSYSTEMS
    places = enumerate(SUBSYSTEMS)
    return tuple(
        name
        for number, name in places
        if recorded[number * LETTERS : (number + 1) * LETTERS]
        != found[number * LETTERS : (number + 1) * LETTERS]
    )


COSMETIC = {"name", "glyph", "color", "text", "looks", "verb", "spawn_weight"}
"""Fields that never change a run; spawn weights are hashed where a depth uses them."""


def arrival(level: Level) -> Arrival:
    """Return what a run file says where ``level`` begins."""
    return Arrival(str(level.code), level_hash(level))


def level_hash(level: Level) -> str:
    """Return 16 hex digits of all that can change the course of a run on ``level``.

    That is the level as it grew, what its tiles let through, who lives there and what lies there,
    the numbers of those kinds and of all that can turn up at its depth or come to hunt there, what
    statuses, talents and traps do, and how far one sees; no names, no colours, no comment, and no
    other recipe, creature or thing.
    """
    depth = level.code.depth
    ground = [
        (tile, terrain().kinds[tile].walkable, terrain().kinds[tile].transparent)
        for tile in np.unique(level.tiles).tolist()
    ]
    living, things = initial_monsters(level), initial_loot(level)
    light, hunters = light_of(level.code, level.theme), [spawn_weights(depth + n) for n in (1, 2)]
    weights = [(name, kind.weight(depth)) for name, kind in item_kinds().items()]
    lots = [(name, weight) for name, weight in weights if weight]
    facts = (
        level.steps[-1:],
        ground,
        [(one.kind, one.x, one.y, one.state) for one in living],
        things,
        list(spawn_weights(depth).items()),
        lots,
        _creatures(
            {HERO, *(one.kind for one in living), *spawn_weights(depth), *hunters[0], *hunters[1]}
        ),
        _things({*(thing.kind for thing in things), *(name for name, _ in lots)}),
        [(name, _numbers(kind)) for name, kind in status_kinds().items()],
        [(name, _numbers(kind)) for name, kind in talents().items()],
        [(name, _numbers(trap), trap.weight(depth)) for name, trap in trap_kinds().items()],
        (light, light_levels()[light].sight if light in light_levels() else None),
        [list(found.items()) for found in hunters],
    )
    return blake2b(msgspec.msgpack.encode(facts), digest_size=8).hexdigest()


def _creatures(names: Iterable[str]) -> list[tuple[str, Any]]:
    """Return the numbers of these creatures and of all they bring with them, by name."""
    found: dict[str, Any] = {}
    left = sorted(names)
    while left:
        name = left.pop()
        if name in found:
            continue
        kind = creature_kinds()[name]
        found[name] = _numbers(kind)
        left += kind.traits.escort
        left += [kind.traits.summons.kind] if kind.traits.summons else []
    return sorted(found.items())


def _things(names: Iterable[str]) -> list[tuple[str, Any, Any]]:
    """Return the numbers of these things and of what they shoot, and those of their sorts."""
    kinds = item_kinds()
    wanted = {*names, *(kinds[name].launches or name for name in names)}
    return [
        (name, _numbers(kinds[name]), _numbers(item_classes()[kinds[name].item_class]))
        for name in sorted(wanted)
    ]


def _numbers(value: Any) -> Any:
    """Return the fields of a kind, in order, without their names: renaming one changes no run."""
    if isinstance(value, msgspec.Struct):
        names = [name for name in value.__struct_fields__ if name not in COSMETIC]
        return [_numbers(getattr(value, name)) for name in names]
    if isinstance(value, tuple | list):
        return [_numbers(one) for one in value]
    return value
