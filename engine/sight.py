"""How far the hero sees."""

from entities.entity import Entity
from entities.kinds import creatures
from entities.statuses import statuses


def sight(hero: Entity) -> int:
    """Return how many tiles ``hero`` can see."""
    furthest = [statuses()[name].sight for name in hero.statuses]
    return min([creatures()[hero.kind].sight, *furthest])
