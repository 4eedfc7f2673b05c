"""Events of any creature on a level, and of changing levels."""

from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from procgen.blueprint import Point


class Event(msgspec.Struct, frozen=True):
    """The base class of all events."""


class CreatureRef(NamedTuple):
    """A creature as it was when something happened to it."""

    id: int
    kind: str
    place: Point


@dataclass(frozen=True, slots=True)
class ItemRef:
    """An item as it was, and as far as the hero knew it, when something happened to it.

    ``look`` names an unidentified kind, e.g. the colour of a potion, and is None otherwise;
    show ``bonus`` and ``charges`` only if ``identified``.
    """

    id: int
    kind: str
    count: int
    bonus: int
    charges: int
    identified: bool
    letter: str
    look: str | None


class Shifted(Event, frozen=True):
    """The window on an infinite world moved: subtract (``right``, ``down``) from all places."""

    right: int
    down: int


class Moved(Event, frozen=True):
    """``who`` stepped from ``origin`` to where it is now."""

    who: CreatureRef
    origin: Point


class Struck(Event, frozen=True):
    """``attacker`` hit ``target`` in melee for ``damage`` hit points; 0 is a hit without effect."""

    attacker: CreatureRef
    target: CreatureRef
    damage: int


class Died(Event, frozen=True):
    """``who`` was killed by a creature of the kind ``killer``, or by a cause such as ``trap``."""

    who: CreatureRef
    killer: str


class Noticed(Event, frozen=True):
    """``who`` noticed the hero and began to hunt it."""

    who: CreatureRef


class LostTrack(Event, frozen=True):
    """``who`` lost track of the hero and stopped hunting."""

    who: CreatureRef


class Spotted(Event, frozen=True):
    """``who`` came into the hero's view."""

    who: CreatureRef


class Hurt(Event, frozen=True):
    """``who`` lost ``damage`` hit points to a cause such as ``trap``."""

    who: CreatureRef
    cause: str
    damage: int


class Healed(Event, frozen=True):
    """``who`` gained ``amount`` hit points from a cause such as ``shrine``."""

    who: CreatureRef
    cause: str
    amount: int


class TookGold(Event, frozen=True):
    """``who`` picked up ``amount`` pieces of gold."""

    who: CreatureRef
    amount: int


class FoundGoal(Event, frozen=True):
    """The First Seed came into view at ``place`` for the first time."""

    place: Point


class FoundDoor(Event, frozen=True):
    """A secret door was found at ``place``."""

    place: Point


class Arrived(Event, frozen=True):
    """The hero arrived on the level of ``code`` (in full), at ``depth``.

    ``again`` is set if the hero was there before, ``upward`` if it came from below, ``unscored``
    if the run stops being scored with this.
    """

    code: str
    depth: int
    unscored: bool = False
    again: bool = False
    upward: bool = False


class ShotFired(Event, frozen=True):
    """``attacker`` hit ``target`` from a distance with ``missile`` for ``damage`` hit points."""

    attacker: CreatureRef
    target: CreatureRef
    missile: str
    damage: int


class Called(Event, frozen=True):
    """``who`` called other monsters to the hero."""

    who: CreatureRef


class Fled(Event, frozen=True):
    """``who`` began to flee."""

    who: CreatureRef


class Stole(Event, frozen=True):
    """``who`` stole the item ``what`` from the hero, or ``gold`` pieces of gold."""

    who: CreatureRef
    what: ItemRef | None
    gold: int = 0


class Summoned(Event, frozen=True):
    """``who`` was summoned by ``summoner``."""

    who: CreatureRef
    summoner: CreatureRef


class Charged(Event, frozen=True):
    """``who`` charged at the hero from ``origin``."""

    who: CreatureRef
    origin: Point


class Blinked(Event, frozen=True):
    """``who`` teleported from ``origin`` to where it is now."""

    who: CreatureRef
    origin: Point


class Divided(Event, frozen=True):
    """``who`` split into two; ``other`` is the new one."""

    who: CreatureRef
    other: CreatureRef
