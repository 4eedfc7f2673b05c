"""Events of statuses, experience levels and the goal."""

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
    """The status ``status`` of ``who`` is over."""

    who: CreatureRef
    status: str


@dataclass(frozen=True, slots=True)
class Stumbled:
    """``who`` meant to go somewhere and went, or ran into, something else."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Struggled:
    """``who`` tore at what holds it; ``free`` if that was the end of it."""

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
    """The hero has taken what the run was for, on ``turn``; the way on is endless."""

    who: CreatureRef
    turn: int


@dataclass(frozen=True, slots=True)
class Followed:
    """``who`` came along on the stairs."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Stirred:
    """The level minds more than before that the hero is still there; see `engine.unrest`."""

    unrest: str


@dataclass(frozen=True, slots=True)
class Hunted:
    """``who`` has come by the stairs to look for the hero; ``above`` if by those up."""

    who: CreatureRef
    above: bool


@dataclass(frozen=True, slots=True)
class Sprung:
    """``who`` has set off a trap of the kind ``trap``."""

    who: CreatureRef
    trap: str


@dataclass(frozen=True, slots=True)
class Rang:
    """An alarm rang out from ``place``."""

    place: Point


@dataclass(frozen=True, slots=True)
class Vanished:
    """``who`` is gone from ``origin`` and elsewhere now."""

    who: CreatureRef
    origin: Point


@dataclass(frozen=True, slots=True)
class TookKey:
    """``who`` has picked up a key that fits a lock of this level."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Unlocked:
    """``who`` has opened the locked door at ``place``."""

    who: CreatureRef
    place: Point
