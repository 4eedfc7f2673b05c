"""Creatures that float over water, lava and traps, and what happens when they come down."""

from engine.state.actions import Wait
from entities.terrain import Tile
from support.items import bare
from support.scenes import scene


def afloat(drawing, turns=1):
    """Return an engine whose hero floats for ``turns`` more turns."""
    engine = bare(scene(drawing))
    engine.state.hero.statuses["levitating"] = turns
    return engine


def test_a_hero_that_sinks_is_not_washed_behind_a_wall():
    engine = afloat("""
        ############
        #.~~~~@#..>#
        ########...#
        ############
    """)
    engine.state.map.set_tile(6, 1, Tile.WATER)
    engine.step(Wait())
    assert (engine.state.hero.x, engine.state.hero.y) == (1, 1)


def test_a_hero_that_sinks_in_a_walled_pool_is_washed_over_the_wall():
    engine = afloat("""
        ############
        #~~~~~@#..>#
        ########...#
        ############
    """)
    engine.state.map.set_tile(6, 1, Tile.WATER)
    engine.step(Wait())
    assert (engine.state.hero.x, engine.state.hero.y) == (8, 1)
