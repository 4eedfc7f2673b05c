"""Events of any creature on a level, and of changing levels."""

from dataclasses import dataclass
from typing import NamedTuple

from procgen.blueprint import Point


class Event:
    """The base class of all events."""

    __slots__: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Shifted(Event):
    """The window on an infinite world moved: subtract (``right``, ``down``) from all places."""

    right: int
    down: int


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """``who`` stepped from ``origin`` to where it is now."""

    who: CreatureRef
    origin: Point


@dataclass(frozen=True, slots=True)
class Struck(Event):
    """``attacker`` hit ``target`` in melee for ``damage`` hit points; 0 is a hit without effect."""

    attacker: CreatureRef
    target: CreatureRef
    damage: int


@dataclass(frozen=True, slots=True)
class Died(Event):
    """``who`` was killed by a creature of the kind ``killer``, or by a cause such as ``trap``."""

    who: CreatureRef
    killer: str


@dataclass(frozen=True, slots=True)
class Noticed(Event):
    """``who`` noticed the hero and began to hunt it."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class LostTrack(Event):
    """``who`` lost track of the hero and stopped hunting."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Spotted(Event):
    """``who`` came into the hero's view."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Hurt(Event):
    """``who`` lost ``damage`` hit points to a cause such as ``trap``."""

    who: CreatureRef
    cause: str
    damage: int


@dataclass(frozen=True, slots=True)
class Healed(Event):
    """``who`` gained ``amount`` hit points from a cause such as ``shrine``."""

    who: CreatureRef
    cause: str
    amount: int


@dataclass(frozen=True, slots=True)
class TookGold(Event):
    """``who`` picked up ``amount`` pieces of gold."""

    who: CreatureRef
    amount: int


@dataclass(frozen=True, slots=True)
class FoundGoal(Event):
    """The First Seed came into view at ``place`` for the first time."""

    place: Point


@dataclass(frozen=True, slots=True)
class FoundDoor(Event):
    """A secret door was found at ``place``."""

    place: Point


@dataclass(frozen=True, slots=True)
class Arrived(Event):
    """The hero arrived on the level of ``code`` (in full), at ``depth``.

    ``again`` is set if the hero was there before, ``upward`` if it came from below, ``unscored``
    if the run stops being scored with this.
    """

    code: str
    depth: int
    unscored: bool = False
    again: bool = False
    upward: bool = False


@dataclass(frozen=True, slots=True)
class ShotFired(Event):
    """``attacker`` hit ``target`` from a distance with ``missile`` for ``damage`` hit points."""

    attacker: CreatureRef
    target: CreatureRef
    missile: str
    damage: int


@dataclass(frozen=True, slots=True)
class Called(Event):
    """``who`` called other monsters to the hero."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Fled(Event):
    """``who`` began to flee."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Stole(Event):
    """``who`` stole the item ``what`` from the hero, or ``gold`` pieces of gold."""

    who: CreatureRef
    what: ItemRef | None
    gold: int = 0


@dataclass(frozen=True, slots=True)
class Summoned(Event):
    """``who`` was summoned by ``summoner``."""

    who: CreatureRef
    summoner: CreatureRef


@dataclass(frozen=True, slots=True)
class Charged(Event):
    """``who`` charged at the hero from ``origin``."""

    who: CreatureRef
    origin: Point


@dataclass(frozen=True, slots=True)
class Blinked(Event):
    """``who`` teleported from ``origin`` to where it is now."""

    who: CreatureRef
    origin: Point


@dataclass(frozen=True, slots=True)
class Divided(Event):
    """``who`` split into two; ``other`` is the new one."""

    who: CreatureRef
    other: CreatureRef
