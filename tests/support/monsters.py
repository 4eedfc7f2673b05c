"""Creatures to watch."""

from engine.state.actions import Wait
from support.scenes import kinds


def one(engine, kind):
    return next(e for e in engine.state.map.entities.values() if e.kind == kind)


def until(engine, event, turns=60, action=None):
    """Wait until ``event`` happens and return how many turns it took."""
    for turn in range(turns):
        if event in kinds(engine.step(action or Wait())):
            return turn + 1
    raise AssertionError(f"no {event.__name__} in {turns} turns")
