"""The sight of the hero: how far it sees, by its talents, its statuses and the light."""

from entities.creature_kinds import HERO, creature_kinds
from entities.entity import Entity
from entities.light_levels import LIT, light_levels
from entities.statuses import status_kinds
from entities.talents import has_talent

KEEN = 2
"""Tiles that keen eyes add to sight."""


def clear_sight(hero: Entity) -> int:
    """Return the hero's sight radius in tiles in full light, ignoring statuses."""
    return creature_kinds()[HERO].sight + (KEEN if has_talent(hero, "keen") else 0)


def sight(hero: Entity, light: str) -> int:
    """Return the hero's sight radius in tiles in ``light``, statuses included."""
    far = clear_sight(hero)
    if light != LIT:
        reach = light_levels()[light].sight
        far = max(far, reach) if has_talent(hero, "nightwise") or reach > far else reach
    return min([far, *(status_kinds()[name].sight for name in hero.statuses)])
