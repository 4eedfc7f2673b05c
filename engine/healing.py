"""How wounds close by themselves."""

from engine.statuses import mends
from engine.things.gear import gifts
from entities.entity import Entity


def heals(being: Entity) -> bool:
    """Whether rest is of any use to ``being``: nothing that it wears keeps its wounds open."""
    return bool(being.fighter.mending) and "unmending" not in gifts(being)


def mending_of(being: Entity) -> int:
    """Return the turns in which a hit point of ``being`` grows back as things are, 0 for never."""
    given = gifts(being)
    if not heals(being) or not mends(being):
        return 0
    pace = being.fighter.mending
    return max(1, pace // 2) if "mending" in given else pace
