"""Events of any creature on a level, and of changing levels."""

from dataclasses import dataclass

from procgen.blueprint import Point


@dataclass(frozen=True, slots=True)
class CreatureRef:
    """A creature as it was when something happened to it."""

    id: int
    kind: str
    place: Point


@dataclass(frozen=True, slots=True)
class ItemRef:
    """A thing as it was, and as far as the hero knew it, when something happened to it.

    ``look`` is the word that it is known by while its kind is not; ``bonus`` and ``charges``
    are only to be told if ``known``.
    """

    id: int
    kind: str
    count: int
    bonus: int
    charges: int
    known: bool
    letter: str
    look: str | None


@dataclass(frozen=True, slots=True)
class Shifted:
    """The map has moved over its world: all places on it are ``right`` and ``down`` less now."""

    right: int
    down: int


@dataclass(frozen=True, slots=True)
class Moved:
    """``who`` stepped from ``origin`` to where it is now."""

    who: CreatureRef
    origin: Point


@dataclass(frozen=True, slots=True)
class Struck:
    """``attacker`` hit ``target`` for ``damage`` hit points; 0 did nothing."""

    attacker: CreatureRef
    target: CreatureRef
    damage: int


@dataclass(frozen=True, slots=True)
class Died:
    """``who`` was slain by a creature of the kind ``killer``, or by something like ``trap``."""

    who: CreatureRef
    killer: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """``who`` saw the hero and began to hunt."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class LostTrack:
    """``who`` gave up the hunt."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Spotted:
    """``who`` came into the hero's view."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Hurt:
    """``who`` lost ``damage`` hit points to a thing such as ``trap``."""

    who: CreatureRef
    cause: str
    damage: int


@dataclass(frozen=True, slots=True)
class Healed:
    """``who`` gained ``amount`` hit points from a thing such as ``shrine``."""

    who: CreatureRef
    cause: str
    amount: int


@dataclass(frozen=True, slots=True)
class TookGold:
    """``who`` picked up ``amount`` pieces of gold."""

    who: CreatureRef
    amount: int


@dataclass(frozen=True, slots=True)
class FoundGoal:
    """The First Seed came into view at ``place`` for the first time."""

    place: Point


@dataclass(frozen=True, slots=True)
class FoundDoor:
    """A secret door was found at ``place``."""

    place: Point


@dataclass(frozen=True, slots=True)
class Arrived:
    """The hero stands on the level of ``code`` (in full), on ``depth``.

    ``again`` is whether it has been there before, ``upward`` whether it came from below.
    """

    code: str
    depth: int
    unscored: bool = False
    again: bool = False
    upward: bool = False


@dataclass(frozen=True, slots=True)
class ShotFired:
    """``attacker`` hit ``target`` from afar with a ``missile`` for ``damage`` hit points."""

    attacker: CreatureRef
    target: CreatureRef
    missile: str
    damage: int


@dataclass(frozen=True, slots=True)
class Called:
    """``who`` cried for help."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Fled:
    """``who`` lost heart and ran."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Stole:
    """``who`` took ``what`` from the hero, or ``gold`` pieces of gold."""

    who: CreatureRef
    what: ItemRef | None
    gold: int = 0


@dataclass(frozen=True, slots=True)
class Summoned:
    """``who`` came out of nothing, called by ``summoner``."""

    who: CreatureRef
    summoner: CreatureRef


@dataclass(frozen=True, slots=True)
class Charged:
    """``who`` came running from ``origin``."""

    who: CreatureRef
    origin: Point


@dataclass(frozen=True, slots=True)
class Blinked:
    """``who`` was at ``origin`` a moment ago."""

    who: CreatureRef
    origin: Point


@dataclass(frozen=True, slots=True)
class Divided:
    """``who`` became two; ``other`` is the second."""

    who: CreatureRef
    other: CreatureRef
