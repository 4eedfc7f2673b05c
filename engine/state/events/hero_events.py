"""Events of statuses, traps, locks, experience levels, wandering monsters and the goal."""

from engine.state.events.creature_events import CreatureRef, Event
from procgen.blueprint import Point


class Afflicted(Event, frozen=True):
    """``who`` has the status ``status`` for ``turns`` turns; ``again`` if it had it before."""

    who: CreatureRef
    status: str
    turns: int
    again: bool = False


class Relieved(Event, frozen=True):
    """The status ``status`` of ``who`` has ended."""

    who: CreatureRef
    status: str


class Stumbled(Event, frozen=True):
    """``who``, confused, stepped in a random direction or ran into an obstacle."""

    who: CreatureRef


class Struggled(Event, frozen=True):
    """``who`` struggled in a net or web; ``free`` if it got out."""

    who: CreatureRef
    free: bool


class LeveledUp(Event, frozen=True):
    """The hero has reached ``level`` and may choose a talent."""

    who: CreatureRef
    level: int


class Learned(Event, frozen=True):
    """The hero has chosen ``talent``."""

    who: CreatureRef
    talent: str


class Won(Event, frozen=True):
    """The hero took the goal on ``turn``; it may go on deeper."""

    who: CreatureRef
    turn: int


class Followed(Event, frozen=True):
    """``who`` followed the hero by the stairs."""

    who: CreatureRef


class Stirred(Event, frozen=True):
    """Wandering monsters come more often; see `engine.monsters.wandering_monsters`."""

    unrest: str


class Hunted(Event, frozen=True):
    """``who`` arrived by the stairs to hunt the hero; ``above`` if by the stairs up."""

    who: CreatureRef
    above: bool


class Sprung(Event, frozen=True):
    """``who`` triggered a trap of the kind ``trap``."""

    who: CreatureRef
    trap: str


class Rang(Event, frozen=True):
    """An alarm rang out from ``place``."""

    place: Point


class Vanished(Event, frozen=True):
    """``who`` was teleported away from ``origin``."""

    who: CreatureRef
    origin: Point


class TookKey(Event, frozen=True):
    """``who`` picked up a key for the locked doors of this level."""

    who: CreatureRef


class DroppedKey(Event, frozen=True):
    """``who``, a monster, dropped the key it carried; it lies at ``place`` now."""

    who: CreatureRef
    place: Point


class Unlocked(Event, frozen=True):
    """``who`` unlocked the door at ``place``."""

    who: CreatureRef
    place: Point


class Worked(Event, frozen=True):
    """The hero used a ``mechanism``, named as its tile; a lock at ``place`` is open."""

    mechanism: str
    place: Point


class GrewHollow(Event, frozen=True):
    """The First Seed was planted and grew the level ``code``."""

    code: str


class CameHome(Event, frozen=True):
    """The hero left the dungeon with the First Seed planted: the run is over."""
