"""Creature kinds from data/creatures.toml, and making a creature of a kind."""

from enum import StrEnum
from functools import cache, lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

from components import Ai, Energy, Experience, Fighter
from entities.data_files import DataError, Weights, check_names, positive_weights, read_entries
from entities.entity import Entity
from entities.statuses import status_kinds

Few = Annotated[int, Meta(ge=0, le=99)]
Some = Annotated[int, Meta(ge=1, le=99)]
Part = Annotated[float, Meta(ge=0, le=1)]
Group = tuple[Few, Few]


class Hiding(StrEnum):
    """Places where a monster lies in ambush."""

    NOWHERE = "nowhere"
    PLACE = "place"
    DOOR = "door"
    TREASURE = "treasure"


class RangedAttack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ranged attack of up to ``reach`` tiles, once in ``every`` turns.

    ``missile`` names what flies, for the screen; ``through`` says whether it passes other monsters.
    """

    missile: str
    reach: Some
    power: Few
    every: Some = 1
    through: bool = False


class OnHit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A status of ``turns`` turns that hits and shots cause with this ``chance``."""

    status: str
    turns: Some
    chance: Part = 1.0


class Summons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``kind`` a monster summons, the ``number`` at a time, once in ``every`` turns."""

    kind: str
    number: Some = 1
    every: Some = 10


class MonsterTraits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The behaviour of a kind, apart from its numbers.

    ``asleep`` is the share that sleeps when the hero arrives, ``roams`` the share of the others
    that wander; ``hides`` is where it lies in ambush instead. ``hearing`` is a percentage of normal
    hearing, ``doors`` whether it can open doors. A hammer does not push a ``heavy`` monster, all
    else a step at most. Below the share ``flee_below`` of its hit points it flees. ``shout_radius``
    is the distance in tiles at which its shout is heard. It comes in a ``pack`` of least to most,
    with an ``escort`` of other kinds. ``immune`` names the statuses that it cannot have.
    """

    asleep: Part = 0.4
    roams: Part = 0.5
    hides: Hiding = Hiding.NOWHERE
    hearing: Annotated[int, Meta(ge=0, le=400)] = 100
    doors: bool = True
    heavy: bool = False
    flee_below: Part = 0.0
    shout_radius: Few = 0
    immune: tuple[str, ...] = ()
    pack: Group = (1, 1)
    escort: dict[str, Group] = {}
    ranged_attack: RangedAttack | None = None
    on_hit: OnHit | None = None
    summons: Summons | None = None


HERO = "hero"
IMMOBILE = ("rooted", "shrieker")
"""The behaviours of monsters that never move."""
KEY_CARRIER = "key_carrier"
"""The behaviour of monsters that carry a key of their level."""

Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]


class CreatureKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of creature.

    ``spawn_weight`` maps depths to weights, each of which holds from its depth down.
    ``color`` names a colour of the themes, ``behaviour`` one of engine.monsters.behaviours;
    ``experience`` is what killing it gives, 0 for a value computed from its numbers. A boss has a
    ``lair``: the depth at which the only one of its kind waits.
    """

    name: str
    glyph: Annotated[str, Meta(min_length=1, max_length=1)]
    color: str
    hp: Positive
    power: Natural
    defense: Natural
    sight: Positive = 8
    speed: Positive = 100
    regeneration_turns: Natural = 0
    behaviour: str | None = None
    memory_turns: Natural = 6
    experience: Natural = 0
    spawn_weight: Weights = {}
    lair: Natural = 0
    text: str = ""
    traits: MonsterTraits = MonsterTraits()


@cache
def creature_kinds() -> dict[str, CreatureKind]:
    """Return every kind of creature by name, the hero too; raise `DataError` for an invalid one."""
    kinds = read_entries("creatures.toml", CreatureKind)
    if HERO not in kinds:
        raise DataError(f"data/creatures.toml: [{HERO}]: is missing")
    others = {*kinds} - {HERO}
    for name, kind in kinds.items():
        where, traits = f"data/creatures.toml: [{name}]", kind.traits
        if (kind.behaviour is None) != (name == HERO):
            raise DataError(f"{where}: behaviour: every creature but the hero needs one")
        for other in traits.escort:
            check_names(f"{where}: traits.escort.{other}", [other], others)
        if traits.summons:
            check_names(f"{where}: traits.summons.kind", [traits.summons.kind], others)
        if traits.on_hit:
            check_names(f"{where}: traits.on_hit", [traits.on_hit.status], status_kinds())
        check_names(f"{where}: traits.immune", traits.immune, status_kinds())
        for low, high in (traits.pack, *traits.escort.values()):
            if low > high:
                raise DataError(f"{where}: traits: {low} is more than {high}")
    return kinds


@lru_cache(maxsize=64)
def spawn_weights(depth: int) -> dict[str, int]:
    """Return the spawn table of ``depth``: weights by kind, in file order."""
    return positive_weights(depth, creature_kinds())


def make_creature(kind: str, number: int, x: int, y: int) -> Entity:
    """Return a new creature of ``kind`` with the id ``number`` at (x, y)."""
    form = creature_kinds()[kind]
    ai = None if form.behaviour is None else Ai(form.behaviour, form.sight, form.memory_turns)
    if ai:
        ai.last_seen_hp = form.hp
    fighter = Fighter(form.hp, form.hp, form.power, form.defense, form.regeneration_turns)
    growth = Experience() if kind == HERO else None
    return Entity(number, kind, x, y, fighter, Energy(form.speed), ai, experience=growth)
