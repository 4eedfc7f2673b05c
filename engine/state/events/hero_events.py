"""Events of statuses, traps, locks, experience levels, wandering monsters and the goal."""

from dataclasses import dataclass

from engine.state.events.creature_events import CreatureRef
from procgen.blueprint import Point


@dataclass(frozen=True, slots=True)
class Afflicted:
    """``who`` has the status ``status`` for ``turns`` turns; ``again`` if it had it before."""

    who: CreatureRef
    status: str
    turns: int
    again: bool = False


@dataclass(frozen=True, slots=True)
class Relieved:
    """The status ``status`` of ``who`` has ended."""

    who: CreatureRef
    status: str


@dataclass(frozen=True, slots=True)
class Stumbled:
    """``who``, confused, stepped in a random direction or ran into an obstacle."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Struggled:
    """``who`` struggled in a net or web; ``free`` if it got out."""

    who: CreatureRef
    free: bool


@dataclass(frozen=True, slots=True)
class LeveledUp:
    """The hero has reached ``level`` and may choose a talent."""

    who: CreatureRef
    level: int


@dataclass(frozen=True, slots=True)
class Learned:
    """The hero has chosen ``talent``."""

    who: CreatureRef
    talent: str


@dataclass(frozen=True, slots=True)
class Won:
    """The hero took the goal on ``turn``; it may go on deeper."""

    who: CreatureRef
    turn: int


@dataclass(frozen=True, slots=True)
class Followed:
    """``who`` followed the hero by the stairs."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Stirred:
    """Wandering monsters come more often; see `engine.monsters.wandering_monsters`."""

    unrest: str


@dataclass(frozen=True, slots=True)
class Hunted:
    """``who`` arrived by the stairs to hunt the hero; ``above`` if by the stairs up."""

    who: CreatureRef
    above: bool


@dataclass(frozen=True, slots=True)
class Sprung:
    """``who`` triggered a trap of the kind ``trap``."""

    who: CreatureRef
    trap: str


@dataclass(frozen=True, slots=True)
class Rang:
    """An alarm rang out from ``place``."""

    place: Point


@dataclass(frozen=True, slots=True)
class Vanished:
    """``who`` was teleported away from ``origin``."""

    who: CreatureRef
    origin: Point


@dataclass(frozen=True, slots=True)
class TookKey:
    """``who`` picked up a key for the locked doors of this level."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Unlocked:
    """``who`` unlocked the door at ``place``."""

    who: CreatureRef
    place: Point


@dataclass(frozen=True, slots=True)
class Worked:
    """The hero used a ``mechanism``, named as its tile; a lock at ``place`` is open."""

    mechanism: str
    place: Point


@dataclass(frozen=True, slots=True)
class GrewHollow:
    """The First Seed was planted and grew the level ``code``."""

    code: str


@dataclass(frozen=True, slots=True)
class CameHome:
    """The hero left the dungeon with the First Seed planted: the run is over."""
