"""Events of items."""

from dataclasses import dataclass

from engine.state.events.creature_events import CreatureRef, Event, ItemRef
from procgen.blueprint import Point


@dataclass(frozen=True, slots=True)
class PickedUp(Event):
    """``who`` picked up an item; ``what`` is the whole stack it is part of now."""

    who: CreatureRef
    what: ItemRef


@dataclass(frozen=True, slots=True)
class Dropped(Event):
    """``who`` dropped ``what``."""

    who: CreatureRef
    what: ItemRef


@dataclass(frozen=True, slots=True)
class Equipped(Event):
    """``who`` put on or wielded ``what``."""

    who: CreatureRef
    what: ItemRef


@dataclass(frozen=True, slots=True)
class TookOff(Event):
    """``who`` took off ``what``."""

    who: CreatureRef
    what: ItemRef


@dataclass(frozen=True, slots=True)
class Used(Event):
    """``who`` used ``what``; its effect went along ``path`` and hit ``tiles``."""

    who: CreatureRef
    what: ItemRef
    path: tuple[Point, ...]
    tiles: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Threw(Event):
    """``who`` threw ``what``, or shot it with ``bow``, along ``path``."""

    who: CreatureRef
    what: ItemRef
    path: tuple[Point, ...]
    bow: str | None = None


@dataclass(frozen=True, slots=True)
class Shattered(Event):
    """A thrown item broke and took effect on ``tiles``."""

    what: ItemRef
    tiles: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Fizzled(Event):
    """``what`` was used without effect."""

    what: ItemRef


@dataclass(frozen=True, slots=True)
class Identified(Event):
    """The kind of ``what`` is identified from now on."""

    what: ItemRef


@dataclass(frozen=True, slots=True)
class NoRoom(Event):
    """``what`` stays on the floor: the pack is full."""

    what: ItemRef


@dataclass(frozen=True, slots=True)
class Displaced(Event):
    """``who`` was moved by force from ``origin`` to where it is now.

    ``how`` is one of ``blinked``, ``teleported``, ``swapped``, ``pushed``, ``washed``,
    ``shoved`` (by something that grows), ``dropped`` (down a ledge).
    """

    who: CreatureRef
    origin: Point
    how: str


@dataclass(frozen=True, slots=True)
class Appeared(Event):
    """``who`` appeared on the map."""

    who: CreatureRef


@dataclass(frozen=True, slots=True)
class Changed(Event):
    """``who`` was transformed; ``before`` was its kind."""

    who: CreatureRef
    before: str


@dataclass(frozen=True, slots=True)
class Mapped(Event):
    """The whole level was revealed to the hero (magic mapping)."""


@dataclass(frozen=True, slots=True)
class Remembered(Event):
    """A memory of the level was found that goes to ``reach``: 1 walls, 2 rooms, 3 locks."""

    reach: int


@dataclass(frozen=True, slots=True)
class Burnt(Event):
    """``what`` was burnt by a fire at ``place``."""

    what: ItemRef
    place: Point


@dataclass(frozen=True, slots=True)
class Improved(Event):
    """``what`` was enchanted."""

    what: ItemRef


@dataclass(frozen=True, slots=True)
class Planted(Event):
    """The hero planted a seed of ``kind``; it grows from the next upkeep on."""

    kind: str


@dataclass(frozen=True, slots=True)
class Grew(Event):
    """A seed of ``kind`` changed ``tiles``; it has ``left`` turns to go."""

    kind: str
    tiles: tuple[Point, ...]
    left: int
