"""How it is told what happened, and how creatures are named in it."""

from collections.abc import Callable

from engine.events import Event, Who
from entities.entity import Entity
from procgen.blueprint import Point

Tell = Callable[[Event], None]
"""Takes each event as it happens; rules that change anything are given one."""


def who(creature: Entity) -> Who:
    """Return ``creature`` as it is at this moment."""
    return Who(creature.id, creature.kind, Point(creature.x, creature.y))
