"""Talents from data/talents.toml."""

from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from entities.data_files import DataError, read_entries
from entities.entity import Entity

Gain = Annotated[int, Meta(ge=0, le=999)]


class Talent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One talent: what it adds each time it is chosen, and how many ``times`` it can be.

    ``hp``, ``power`` and ``defense`` are added to the hero's, ``faster_regeneration`` is how
    many turns sooner each hit point regenerates. Rules ask for other talents by name.
    ``level`` is the first at which it is offered. Talents of level 1 are backgrounds: the player
    chooses one at the start of a run, and it brings ``items``. ``knows`` is an item class; the
    talent identifies all of its kinds.
    """

    name: str
    text: str
    times: Annotated[int, Meta(ge=1, le=99)] = 1
    level: Annotated[int, Meta(ge=1, le=99)] = 2
    items: dict[str, Annotated[int, Meta(ge=1, le=99)]] = {}
    knows: str | None = None
    hp: Gain = 0
    power: Gain = 0
    defense: Gain = 0
    faster_regeneration: Gain = 0


@cache
def talents() -> dict[str, Talent]:
    """Return every talent by name, in file order; raise `DataError` for an invalid one."""
    table = read_entries("talents.toml", Talent)
    levels = [talent.level for talent in table.values()]  # Three different ones are offered.
    if min(levels.count(1), levels.count(2)) < 3:
        raise DataError("data/talents.toml: fewer than three talents of level 1, or of level 2")
    return table


def has_talent(creature: Entity, name: str) -> bool:
    """Return True if ``creature`` has the talent ``name``."""
    return creature.experience is not None and name in creature.experience.talents
