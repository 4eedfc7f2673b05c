"""What a level means for play, in a few letters: how it grew, and what lives and lies there."""

from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np

from engine.dwellers import dwellers
from engine.lines import Arrival
from entities.kinds import HERO, Creature, creatures
from entities.terrain import terrain
from procgen.build import Level

LOOKS = {"name", "glyph", "color", "appears", "text"}
"""What of a creature can change without changing a run; where it appears, the level says."""


def arrival(level: Level) -> Arrival:
    """Return what a run file says where ``level`` begins."""
    return Arrival(str(level.code), meaning(level))


def meaning(level: Level) -> str:
    """Return 16 hex digits of all that can change the course of a run on ``level``.

    That is the level as it grew, what its tiles let through and the numbers of those who live
    there; no names, no colours, no comment, and no other recipe or creature.
    """
    born = {HERO, *(dweller.kind for dweller in dwellers(level))}
    called = [creatures()[kind].habits.summons for kind in sorted(born)]
    kinds = sorted(born | {summons.kind for summons in called if summons})
    ground = [
        (tile, terrain().kinds[tile].walkable, terrain().kinds[tile].transparent)
        for tile in np.unique(level.tiles).tolist()
    ]
    facts = (level.steps[-1:], ground, [(kind, _numbers(creatures()[kind])) for kind in kinds])
    return blake2b(msgspec.msgpack.encode(facts), digest_size=8).hexdigest()


def _numbers(kind: Creature) -> dict[str, Any]:
    facts = msgspec.structs.asdict(kind)
    return {name: facts[name] for name in sorted(facts.keys() - LOOKS)}
