"""How creatures are named in events."""

from engine.events import Who
from entities.entity import Entity
from procgen.blueprint import Point


def who(creature: Entity) -> Who:
    """Return ``creature`` as it is at this moment."""
    return Who(creature.id, creature.kind, Point(creature.x, creature.y))
