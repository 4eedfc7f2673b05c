"""Events of items."""

from dataclasses import dataclass

from engine.state.events.creature_events import CreatureRef, ItemRef
from procgen.blueprint import Point


@dataclass(frozen=True, slots=True)
class PickedUp:
    """``who`` has ``what`` in the pack now, with all that it was stacked on."""

    who: CreatureRef
    what: ItemRef


@dataclass(frozen=True, slots=True)
class Dropped:
    """``who`` laid ``what`` down."""

    who: CreatureRef
    what: ItemRef


@dataclass(frozen=True, slots=True)
class Equipped:
    """``who`` wears or wields ``what`` now."""

    who: CreatureRef
    what: ItemRef


@dataclass(frozen=True, slots=True)
class TookOff:
    """``who`` no longer wears or wields ``what``."""

    who: CreatureRef
    what: ItemRef


@dataclass(frozen=True, slots=True)
class Used:
    """``who`` used ``what``: it flew along ``path`` and fell on ``tiles``."""

    who: CreatureRef
    what: ItemRef
    path: tuple[Point, ...]
    tiles: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Threw:
    """``who`` threw ``what``, or shot it with ``bow``, along ``path``."""

    who: CreatureRef
    what: ItemRef
    path: tuple[Point, ...]
    bow: str | None = None


@dataclass(frozen=True, slots=True)
class Shattered:
    """A thrown item broke and took effect on ``tiles``."""

    what: ItemRef
    tiles: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Fizzled:
    """``what`` was used and found nothing to work on."""

    what: ItemRef


@dataclass(frozen=True, slots=True)
class Identified:
    """The hero knows from now on what ``what`` does."""

    what: ItemRef


@dataclass(frozen=True, slots=True)
class NoRoom:
    """``what`` stays where it lies: the pack is full."""

    what: ItemRef


@dataclass(frozen=True, slots=True)
class Displaced:
    """``who`` was moved from ``origin`` to where it is now: ``how`` is a word for it.

    One of ``blinked``, ``teleported``, ``swapped``, ``pushed``, ``washed``.
    """

    who: CreatureRef
    origin: Point
    how: str


@dataclass(frozen=True, slots=True)
class Appeared:
    """``who`` came out of nothing."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Changed:
    """``who`` is what was of the kind ``before`` until now."""

    who: CreatureRef
    before: str


@dataclass(frozen=True, slots=True)
class Mapped:
    """The hero knows the lie of the whole level."""


@dataclass(frozen=True, slots=True)
class Burnt:
    """``what`` lay in a fire at ``place`` and is no more."""

    what: ItemRef
    place: Point


@dataclass(frozen=True, slots=True)
class Improved:
    """``what`` is better than it was."""

    what: ItemRef
