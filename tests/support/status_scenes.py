"""Heroes that something has befallen."""

from engine.creatures.status_effects import apply_status
from support.scenes import scene

HALL = """
    ###########
    #.........#
    #@........#
    #.......o>#
    ###########
"""
EMPTY = """
    #######
    #.....#
    #@....#
    #....>#
    #######
"""


def begun(name, turns, drawing=HALL):
    """Return an engine whose hero has the status, and what was told of it."""
    engine, told = scene(drawing), []
    apply_status(engine.state.hero, name, turns, told.append)
    return engine, told
