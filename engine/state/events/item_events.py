"""Events of items."""

from engine.state.events.creature_events import CreatureRef, Event, ItemRef
from procgen.blueprint import Point


class PickedUp(Event, frozen=True):
    """``who`` picked up an item; ``what`` is the whole stack it is part of now."""

    who: CreatureRef
    what: ItemRef


class Dropped(Event, frozen=True):
    """``who`` dropped ``what``."""

    who: CreatureRef
    what: ItemRef


class Equipped(Event, frozen=True):
    """``who`` put on or wielded ``what``."""

    who: CreatureRef
    what: ItemRef


class TookOff(Event, frozen=True):
    """``who`` took off ``what``."""

    who: CreatureRef
    what: ItemRef


class Used(Event, frozen=True):
    """``who`` used ``what``; its effect went along ``path`` and hit ``tiles``."""

    who: CreatureRef
    what: ItemRef
    path: tuple[Point, ...]
    tiles: tuple[Point, ...]


class Threw(Event, frozen=True):
    """``who`` threw ``what``, or shot it with ``bow``, along ``path``."""

    who: CreatureRef
    what: ItemRef
    path: tuple[Point, ...]
    bow: str | None = None


class Shattered(Event, frozen=True):
    """A thrown item broke and took effect on ``tiles``."""

    what: ItemRef
    tiles: tuple[Point, ...]


class Fizzled(Event, frozen=True):
    """``what`` was used without effect."""

    what: ItemRef


class Identified(Event, frozen=True):
    """The kind of ``what`` is identified from now on."""

    what: ItemRef


class NoRoom(Event, frozen=True):
    """``what`` stays on the floor: the pack is full."""

    what: ItemRef


class Displaced(Event, frozen=True):
    """``who`` was moved by force from ``origin`` to where it is now.

    ``how`` is one of ``blinked``, ``teleported``, ``swapped``, ``pushed``, ``washed``,
    ``shoved`` (by something that grows), ``dropped`` (down a ledge).
    """

    who: CreatureRef
    origin: Point
    how: str


class Appeared(Event, frozen=True):
    """``who`` appeared on the map."""

    who: CreatureRef


class Changed(Event, frozen=True):
    """``who`` was transformed; ``before`` was its kind."""

    who: CreatureRef
    before: str


class Mapped(Event, frozen=True):
    """The whole level was revealed to the hero (magic mapping)."""


class Remembered(Event, frozen=True):
    """A memory of the level was found that goes to ``reach``: 1 walls, 2 rooms, 3 locks."""

    reach: int


class Burnt(Event, frozen=True):
    """``what`` was burnt by a fire at ``place``."""

    what: ItemRef
    place: Point


class Improved(Event, frozen=True):
    """``what`` was enchanted."""

    what: ItemRef


class Planted(Event, frozen=True):
    """The hero planted a seed of ``kind``; it grows from the next upkeep on."""

    kind: str


class Ripened(Event, frozen=True):
    """A growth is complete and bears a fruit, at ``place``."""

    place: Point


class Grew(Event, frozen=True):
    """A seed of ``kind``, or a flood, changed ``tiles``; it has ``left`` turns to go."""

    kind: str
    tiles: tuple[Point, ...]
    left: int
