"""Creatures that float over water, lava and traps, and what happens when they come down."""

import pytest

from engine.state.actions import Move, Wait
from engine.state.events import Sprung
from entities.terrain import Tile
from support.items import bare
from support.scenes import kinds, scene


def afloat(drawing, turns=1):
    """Return an engine whose hero floats for ``turns`` more turns."""
    engine = bare(scene(drawing))
    engine.state.hero.statuses["levitating"] = turns
    return engine


PLATE = """
    ######
    #@x.>#
    ######
"""


@pytest.mark.parametrize("turns", [2, 3])
def test_a_plate_under_a_hero_goes_off_when_it_floats_no_more(turns):
    engine = afloat(PLATE, turns)
    events = [kinds(engine.step(action)) for action in (Move(1, 0), Wait(), Wait(), Wait())]
    assert [Sprung in told for told in events] == [turn == turns for turn in (1, 2, 3, 4)]


def test_a_plate_does_not_go_off_under_a_light_foot_that_floats_no_more():
    engine = afloat(PLATE, 2)
    engine.state.hero.experience.talents.append("lightfoot")
    assert Sprung not in kinds([*engine.step(Move(1, 0)), *engine.step(Wait())])


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
