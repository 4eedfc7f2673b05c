"""Events of any creature on a level, and of changing levels."""

from dataclasses import dataclass

import msgspec

from procgen.blueprint import Point


class Event(msgspec.Struct, frozen=True, gc=False):
    """The base class of all events.

    An event cannot be part of a reference cycle, so the garbage collector does not track it: a
    crowd of monsters makes hundreds of them a turn.
    """


class CreatureRef(msgspec.Struct, frozen=True, gc=False):
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


class CreatureEvent(Event, frozen=True):
    """The base class of events that the creature ``who`` causes or undergoes."""

    who: CreatureRef


class Shifted(Event, frozen=True):
    """The window on an infinite world moved: subtract (``right``, ``down``) from all places."""

    right: int
    down: int


class Moved(CreatureEvent, frozen=True):
    """``who`` stepped from ``origin`` to where it is now."""

    origin: Point


class Struck(Event, frozen=True):
    """``attacker`` hit ``target``, maybe ``asleep``, for ``damage`` hit points, 0 for no effect."""

    attacker: CreatureRef
    target: CreatureRef
    damage: int
    asleep: bool = False


class Died(CreatureEvent, frozen=True):
    """``who`` was killed by a creature of the kind ``killer``, or by a cause such as ``trap``."""

    killer: str


class Noticed(CreatureEvent, frozen=True):
    """``who`` noticed the hero and began to hunt it."""


class Woke(CreatureEvent, frozen=True):
    """A noise woke ``who``, which now searches for the source."""


class LostTrack(CreatureEvent, frozen=True):
    """``who`` lost track of the hero and stopped hunting."""


class Spotted(CreatureEvent, frozen=True):
    """``who`` came into the hero's view."""


class Hurt(CreatureEvent, frozen=True):
    """``who`` took ``damage``, even if it had fewer hit points, from a cause such as ``trap``."""

    cause: str
    damage: int


class Healed(CreatureEvent, frozen=True):
    """``who`` gained ``amount`` hit points from a cause such as ``shrine``."""

    cause: str
    amount: int


class TookGold(CreatureEvent, frozen=True):
    """``who`` picked up ``amount`` pieces of gold."""

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
    if the run is no longer scored from now on, ``grown`` if the level grew around the hero.
    """

    code: str
    depth: int
    unscored: bool = False
    again: bool = False
    upward: bool = False
    grown: bool = False


class ShotFired(Event, frozen=True):
    """``attacker`` hit ``target`` from a distance with ``missile`` for ``damage`` hit points."""

    attacker: CreatureRef
    target: CreatureRef
    missile: str
    damage: int


class CalledForHelp(CreatureEvent, frozen=True):
    """``who`` called other monsters to the hero."""


class Fled(CreatureEvent, frozen=True):
    """``who`` began to flee."""


class Stole(CreatureEvent, frozen=True):
    """``who`` stole the item ``what`` from the hero, or ``gold`` pieces of gold."""

    what: ItemRef | None
    gold: int = 0


class Summoned(CreatureEvent, frozen=True):
    """``who`` was summoned by ``summoner``."""

    summoner: CreatureRef


class Charged(CreatureEvent, frozen=True):
    """``who`` charged at the hero from ``origin``."""

    origin: Point


class Blinked(CreatureEvent, frozen=True):
    """``who`` teleported from ``origin`` to where it is now."""

    origin: Point


class Divided(CreatureEvent, frozen=True):
    """``who`` split into two; ``other`` is the new one."""

    other: CreatureRef
