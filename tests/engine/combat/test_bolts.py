"""How far bolts fly and wands dig: to the first door or creature, never through the border."""

import pytest

from engine.combat.targeting import aim
from entities.target_shapes import Targeting, TargetShape
from procgen.blueprint import Point
from support.item_use import using
from support.scenes import drawn, scene


def bolt(drawing, target):
    """Return the path of a bolt at ``target``."""
    state = scene(drawing).state
    reach = Targeting(TargetShape.BOLT, range=9)
    return aim(state.map, state.hero, reach, Point(*target)).path


def test_a_bolt_flies_into_a_doorway_and_no_further():
    hall = "##########\n#@..+..o>#\n##########"
    assert bolt(hall, (4, 1))[-1] == (4, 1)
    assert bolt(hall.replace("+", "."), (7, 1))[-1] == (7, 1)


PIT = """
    #####
    #####
    ##@##
    ##>##
    #####
"""


@pytest.mark.parametrize("target", [(2, 1), (1, 2), (3, 2), (1, 1), (3, 3), (1, 3)])
def test_a_wand_digs_up_to_the_border_of_the_map_and_leaves_it_closed(target):
    engine, _ = using(PIT, "digging_wand", target)
    rows = drawn(engine).splitlines()
    assert {rows[0], rows[-1], *(row[0] + row[-1] for row in rows)} == {"#####", "##"}
    assert "," in "".join(rows), "inside the border it did dig"
