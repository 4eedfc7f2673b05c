"""Journeys taken to their end."""

from engine.state.actions import Refused


def walk(engine, journey, limit=500):
    """Take a whole journey; return why it stopped, and after how many steps."""
    events, steps = None, 0
    while steps < limit:
        try:
            action = next(journey) if events is None else journey.send(events)
        except StopIteration as end:
            return end.value, steps
        events = engine.step(action)
        assert not isinstance(events, Refused)
        steps += 1
    raise AssertionError("the journey does not end")
