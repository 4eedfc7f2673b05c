"""Effects that change the state somebody is in for a while."""

from engine.effects.registry import ANY, Cast, effect
from engine.statuses import afflict as bring_on


@effect(*ANY)
def afflict(cast: Cast) -> None:
    """Bring the status that the kind names on whoever is touched."""
    assert cast.kind.status
    for creature in cast.touched():
        bring_on(creature, cast.kind.status, cast.kind.turns, cast.tell)
