"""Drawn maps to plant on, and time for what grows."""

from engine.engine import Engine
from engine.state.actions import Wait

HALL = """
    ##############################
    #............................#
    #............................#
    #.....@......................#
    #............................#
    #...........................>#
    ##############################
"""
POND = """
    ####################
    #......~~~~........#
    #.@....~~~~.......>#
    #......~~~~........#
    ########~~##########
    ####################
"""


def grown(engine: Engine, most: int = 12) -> list:
    """Wait until nothing grows any more; return all events."""
    events = []
    while engine.state.map.growing and most:
        events += engine.step(Wait())
        most -= 1
    assert not engine.state.map.growing
    return events
