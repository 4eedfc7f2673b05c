"""Hashes of a game state, one per subsystem, and of a level with its rules data.

Each turn of a run file stores the digest of the state after it. A replay that goes out of sync can
thus tell at which turn, and in which subsystem (map, actors, run, random streams).
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np

from engine.items.loot import boss_treasure, initial_loot
from engine.monsters.initial_monsters import initial_monsters
from engine.saves.run_file import Arrival
from engine.state.compression import CHECK
from engine.state.game_state import GameState
from entities.creature_kinds import HERO, creature_kinds, spawn_weights
from entities.data_files import positive_weights, weight_at
from entities.item_kinds import item_classes, item_kinds
from entities.light_levels import light_levels
from entities.statuses import status_kinds
from entities.talents import talents
from entities.terrain import terrain
from entities.trap_kinds import trap_kinds
from procgen.level import Level
from procgen.level_overlays import sides_of

SUBSYSTEMS = ("map", "actors", "run", "streams")
"""The subsystems of a state, in the order of their hex digits in a digest."""
LETTERS = 4
"""Hex digits for each subsystem."""


def fingerprint(*parts: Any) -> str:
    """Return the BLAKE2b hashes of ``parts``, `LETTERS` hex digits each, concatenated."""
    packed = map(msgspec.msgpack.encode, parts)
    return "".join(blake2b(part, digest_size=LETTERS // 2).hexdigest() for part in packed)


def state_digest(state: GameState) -> str:
    """Return the digest of ``state``: `LETTERS` hex digits for each of `SUBSYSTEMS`."""
    actors = list(state.map.entities.values())
    run = (
        (state.turn, state.kills, state.gold, state.killed_by, state.scored, state.next_id),
        (state.clock, state.deepest, state.won, state.identified_kinds),
        # Only the checksum of a packed level: zlib versions may compress it differently.
        [(depth, packed[:CHECK]) for depth, packed in state.stored_levels.items()],
        *([(state.hollow, state.home)] if state.hollow else []),
    )
    streams = [(purpose, stream.state_bytes) for purpose, stream in state.streams.items()]
    return fingerprint(state.map.facts(), actors, run, streams)


def differing_subsystems(recorded: str, replayed: str) -> tuple[str, ...]:
    """Return the subsystems in which two digests differ; all if they cannot be compared."""
    if len(recorded) != len(replayed):
        return SUBSYSTEMS
    cuts = [slice(at, at + LETTERS) for at in range(0, len(replayed), LETTERS)]
    parts = zip(SUBSYSTEMS, cuts, strict=False)
    return tuple(name for name, cut in parts if recorded[cut] != replayed[cut])


COSMETIC = {"name", "glyph", "color", "text", "looks", "verb", "spawn_weight", "grows", "barren"}
"""Fields that never change a run; spawn weights are hashed for the depths that use them."""


def arrival(level: Level) -> Arrival:
    """Return the entry of a run file for the hero's arrival on ``level``."""
    return Arrival(str(level.code), level_hash(level))


def level_hash(level: Level) -> str:
    """Return 16 hex digits: a hash of everything that can change the course of a run on ``level``.

    It covers the generated level; whether its tiles are walkable and transparent; its monsters and
    items; the statistics of those kinds and of all that can spawn at its depth or wander in; the
    statuses, talents and traps; the sight radius; the sides at war. Names, colours, comments and
    kinds that cannot occur there are left out, so editing those does not invalidate old runs.
    """
    depth = level.code.depth
    ground = [
        (tile, terrain().kinds[tile].walkable, terrain().kinds[tile].transparent)
        for tile in np.unique(level.tiles).tolist()
    ]
    monsters, items = initial_monsters(level), initial_loot(level)
    bosses = [foe.kind for foe in monsters if creature_kinds()[foe.kind].lair]
    carried = [item for boss in bosses if (item := boss_treasure(level, boss))]
    lying = {item.kind for item in (*items, *carried)}
    light, (spawns, *hunters) = level.light, [spawn_weights(depth + n) for n in (0, 1, 2)]
    spawning = list(positive_weights(depth, item_kinds()).items())
    facts = (
        level.steps[-1:],
        ground,
        [(foe.kind, foe.x, foe.y, foe.state) for foe in monsters],
        [*items, *carried],
        list(spawns.items()),
        spawning,
        _creatures({HERO, *(foe.kind for foe in monsters), *spawns, *hunters[0], *hunters[1]}),
        _items({*lying, *(name for name, _ in spawning)}),
        [(name, _numbers(kind)) for name, kind in status_kinds().items()],
        [(name, _numbers(kind)) for name, kind in talents().items()],
        [
            (name, _numbers(it), weight_at(depth, it.spawn_weight))
            for name, it in trap_kinds().items()
        ],
        (light, light_levels()[light].sight if light in light_levels() else None),
        [list(weights.items()) for weights in hunters],
        *([sides] if (sides := sides_of(level.code)) else []),
    )
    return blake2b(msgspec.msgpack.encode(facts), digest_size=8).hexdigest()


def _creatures(names: Iterable[str]) -> list[tuple[str, Any]]:
    """Return the statistics of these creature kinds, their escorts and summons, by name."""
    kinds: dict[str, Any] = {}
    pending = sorted(names)
    while pending:
        name = pending.pop()
        if name in kinds:
            continue
        kind = creature_kinds()[name]
        kinds[name] = _numbers(kind)
        pending += kind.traits.escort
        pending += [kind.traits.summons.kind] if kind.traits.summons else []
    return sorted(kinds.items())


def _items(names: Iterable[str]) -> list[tuple[str, Any, Any]]:
    """Return the statistics of these item kinds, of their missiles, and of their classes."""
    kinds = item_kinds()
    with_missiles = {*names, *(kinds[name].launches or name for name in names)}
    return [
        (name, _numbers(kinds[name]), _numbers(item_classes()[kinds[name].item_class]))
        for name in sorted(with_missiles)
    ]


def _numbers(value: Any) -> Any:
    """Return the field values of a kind, in order; renaming a field thus changes no hash."""
    if isinstance(value, msgspec.Struct):
        names = [name for name in value.__struct_fields__ if name not in COSMETIC]
        return [_numbers(getattr(value, name)) for name in names]
    if isinstance(value, tuple | list):
        return [_numbers(part) for part in value]
    return value
