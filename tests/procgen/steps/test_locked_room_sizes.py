"""Rooms are locked if they have the wanted size, its limits included."""

import pytest

from entities.terrain import Tile
from support.blueprints import drawn, run

TWENTY = """
    ############
    #<....#....#
    #.....#....#
    #.....+....#
    #....>#....#
    #.....#....#
    ############
"""


def locks(*, least, most):
    """Return how many locks stand in the drawing after the step; the room has twenty tiles."""
    plan = drawn(TWENTY)
    run("locked_vaults", plan, chance=1.0, least=least, most=most)
    keys, doors = ((plan.tiles == tile).sum() for tile in (Tile.KEY, Tile.LOCKED_DOOR))
    assert keys == doors
    return doors


@pytest.mark.parametrize(("least", "most"), [(20, 20), (1, 20), (20, 99)])
def test_a_room_of_the_least_or_the_most_tiles_is_locked(least, most):
    assert locks(least=least, most=most) == 1


@pytest.mark.parametrize(("least", "most"), [(21, 99), (6, 19)])
def test_a_smaller_or_larger_room_is_not(least, most):
    assert locks(least=least, most=most) == 0
