"""Events of statuses, traps, locks, experience levels, wandering monsters and the goal."""

from engine.state.events.creature_events import CreatureEvent, Event
from procgen.blueprint import Point


class StatusApplied(CreatureEvent, frozen=True):
    """``who`` has the status ``status`` for ``turns`` turns; ``again`` if it had it before."""

    status: str
    turns: int
    again: bool = False


class StatusEnded(CreatureEvent, frozen=True):
    """The status ``status`` of ``who`` has ended."""

    status: str


class Stumbled(CreatureEvent, frozen=True):
    """``who``, confused, stepped in a random direction or ran into an obstacle."""


class Struggled(CreatureEvent, frozen=True):
    """``who`` struggled in a net or web; ``free`` if it got out."""

    free: bool


class LeveledUp(CreatureEvent, frozen=True):
    """The hero has reached ``level`` and may choose a talent."""

    level: int


class Learned(CreatureEvent, frozen=True):
    """The hero has chosen ``talent``."""

    talent: str


class Won(CreatureEvent, frozen=True):
    """The hero took the goal on ``turn``; it may go on deeper."""

    turn: int


class Followed(CreatureEvent, frozen=True):
    """``who`` followed the hero by the stairs."""


class LevelAlerted(Event, frozen=True):
    """The `LevelAlert` rose to ``alert``: wandering monsters come more often."""

    alert: str


class HunterArrived(CreatureEvent, frozen=True):
    """``who`` arrived by the stairs to hunt the hero; ``above`` if by the stairs up."""

    above: bool


class TrapTriggered(CreatureEvent, frozen=True):
    """``who`` triggered a trap of the kind ``trap``."""

    trap: str


class AlarmRang(Event, frozen=True):
    """An alarm rang out from ``place``."""

    place: Point


class TookKey(CreatureEvent, frozen=True):
    """``who`` picked up a key for the locked doors of this level."""


class DroppedKey(CreatureEvent, frozen=True):
    """``who``, a monster, dropped the key it carried; it lies at ``place`` now."""

    place: Point


class Unlocked(CreatureEvent, frozen=True):
    """``who`` unlocked the door at ``place``."""

    place: Point


class MechanismUsed(Event, frozen=True):
    """The hero used a ``mechanism``, named as its tile; a lock at ``place`` is open."""

    mechanism: str
    place: Point


class GrewHollow(Event, frozen=True):
    """The First Seed was planted and grew the level ``code``."""

    code: str


class CameHome(Event, frozen=True):
    """The hero left the dungeon with the First Seed planted: the run is over."""
