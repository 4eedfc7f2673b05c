"""How wounds close by themselves."""

from engine.statuses import mends
from engine.things.gear import gifts
from entities.entity import Entity


def heals(hero: Entity) -> bool:
    """Whether rest is of any use to ``hero``: nothing that it wears keeps its wounds open."""
    return bool(hero.fighter.mending) and "unmending" not in gifts(hero)


def mending_of(hero: Entity) -> int:
    """Return the turns in which a hit point of ``hero`` grows back as things are, 0 for never."""
    given = gifts(hero)
    if not heals(hero) or not mends(hero):
        return 0
    pace = hero.fighter.mending
    return max(1, pace // 2) if "mending" in given else pace
