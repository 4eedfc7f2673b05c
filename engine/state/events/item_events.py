"""Events of items, of what their effects and seeds do, and of memories."""

from typing import Literal

from engine.state.events.creature_events import CreatureEvent, Event, ItemRef
from procgen.blueprint import Point


class ItemEvent(Event, frozen=True):
    """The base class of events that happen to the item ``what``."""

    what: ItemRef


class HandledItem(CreatureEvent, frozen=True):
    """The base class of events in which ``who`` handles the item ``what``."""

    what: ItemRef


class PickedUp(HandledItem, frozen=True):
    """``who`` picked up ``taken`` items, now in ``what``; 0 if a wand gave it its charges."""

    taken: int


class Dropped(HandledItem, frozen=True):
    """``who`` dropped ``what``."""


class Equipped(HandledItem, frozen=True):
    """``who`` put on or wielded ``what``."""


class TookOff(HandledItem, frozen=True):
    """``who`` took off ``what``."""


class Used(HandledItem, frozen=True):
    """``who`` used ``what``; its effect went along ``path`` and hit ``tiles``."""

    path: tuple[Point, ...]
    tiles: tuple[Point, ...]


class Threw(HandledItem, frozen=True):
    """``who`` threw ``what``, or shot it with ``bow``, along ``path``."""

    path: tuple[Point, ...]
    bow: str | None = None


class Shattered(ItemEvent, frozen=True):
    """A thrown item broke and took effect on ``tiles``."""

    tiles: tuple[Point, ...]


class Fizzled(ItemEvent, frozen=True):
    """``what`` was used without effect."""


class Identified(ItemEvent, frozen=True):
    """The kind of ``what`` is identified from now on."""


class NoRoom(ItemEvent, frozen=True):
    """``what`` stays on the floor: the pack is full."""


Displacement = Literal[
    "blinked", "teleported", "swapped", "pushed", "washed", "shoved", "dropped", "vanished"
]
"""Shoved by something that grows, dropped down a ledge, vanished by a trap; each has a sentence."""


class Displaced(CreatureEvent, frozen=True):
    """``who`` was moved by force from ``origin`` to where it is now."""

    origin: Point
    how: Displacement


class Appeared(CreatureEvent, frozen=True):
    """``who`` appeared on the map."""


class Polymorphed(CreatureEvent, frozen=True):
    """``who`` was transformed; ``before`` was its kind."""

    before: str


class Mapped(Event, frozen=True):
    """The whole level was revealed to the hero (magic mapping)."""


class Remembered(Event, frozen=True):
    """A memory of the level was recalled; ``reach`` is 1 for walls, 2 for rooms, 3 for locks."""

    reach: int


class Burnt(ItemEvent, frozen=True):
    """``what`` was burnt by a fire at ``place``."""

    place: Point


class Wilted(ItemEvent, frozen=True):
    """``what``, a fruit that the hero carried to another level, is gone."""


class Improved(ItemEvent, frozen=True):
    """``what`` was enchanted."""


class Planted(Event, frozen=True):
    """The hero planted a seed of ``kind``; it starts to grow at the next upkeep."""

    kind: str


class Ripened(Event, frozen=True):
    """A growth is complete and bears fruit, at ``place``; the hero is at ``hero``."""

    place: Point
    hero: Point


class Grew(Event, frozen=True):
    """A seed of ``kind``, or a flood, changed ``tiles``; it has ``left`` turns to go."""

    kind: str
    tiles: tuple[Point, ...]
    left: int
