"""Events of statuses, traps, locks, experience levels, wandering monsters and the goal."""

from dataclasses import dataclass

from engine.state.events.creature_events import CreatureRef, Event
from procgen.blueprint import Point


@dataclass(frozen=True, slots=True)
class Afflicted(Event):
    """``who`` has the status ``status`` for ``turns`` turns; ``again`` if it had it before."""

    who: CreatureRef
    status: str
    turns: int
    again: bool = False


@dataclass(frozen=True, slots=True)
class Relieved(Event):
    """The status ``status`` of ``who`` has ended."""

    who: CreatureRef
    status: str


@dataclass(frozen=True, slots=True)
class Stumbled(Event):
    """``who``, confused, stepped in a random direction or ran into an obstacle."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Struggled(Event):
    """``who`` struggled in a net or web; ``free`` if it got out."""

    who: CreatureRef
    free: bool


@dataclass(frozen=True, slots=True)
class LeveledUp(Event):
    """The hero has reached ``level`` and may choose a talent."""

    who: CreatureRef
    level: int


@dataclass(frozen=True, slots=True)
class Learned(Event):
    """The hero has chosen ``talent``."""

    who: CreatureRef
    talent: str


@dataclass(frozen=True, slots=True)
class Won(Event):
    """The hero took the goal on ``turn``; it may go on deeper."""

    who: CreatureRef
    turn: int


@dataclass(frozen=True, slots=True)
class Followed(Event):
    """``who`` followed the hero by the stairs."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Stirred(Event):
    """Wandering monsters come more often; see `engine.monsters.wandering_monsters`."""

    unrest: str


@dataclass(frozen=True, slots=True)
class Hunted(Event):
    """``who`` arrived by the stairs to hunt the hero; ``above`` if by the stairs up."""

    who: CreatureRef
    above: bool


@dataclass(frozen=True, slots=True)
class Sprung(Event):
    """``who`` triggered a trap of the kind ``trap``."""

    who: CreatureRef
    trap: str


@dataclass(frozen=True, slots=True)
class Rang(Event):
    """An alarm rang out from ``place``."""

    place: Point


@dataclass(frozen=True, slots=True)
class Vanished(Event):
    """``who`` was teleported away from ``origin``."""

    who: CreatureRef
    origin: Point


@dataclass(frozen=True, slots=True)
class TookKey(Event):
    """``who`` picked up a key for the locked doors of this level."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Unlocked(Event):
    """``who`` unlocked the door at ``place``."""

    who: CreatureRef
    place: Point


@dataclass(frozen=True, slots=True)
class Worked(Event):
    """The hero used a ``mechanism``, named as its tile; a lock at ``place`` is open."""

    mechanism: str
    place: Point


@dataclass(frozen=True, slots=True)
class GrewHollow(Event):
    """The First Seed was planted and grew the level ``code``."""

    code: str


@dataclass(frozen=True, slots=True)
class CameHome(Event):
    """The hero left the dungeon with the First Seed planted: the run is over."""
