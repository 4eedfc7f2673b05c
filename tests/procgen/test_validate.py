"""The promises a level keeps, one broken at a time."""

import pytest

from procgen.blueprint import Rejected, Spawn
from procgen.validate import broken_invariants, validate
from support.blueprints import drawn

ROOM = """
    #######
    #<....#
    #....>#
    #######
"""


def peopled(*places):
    """Return the room with an orc on each of ``places``."""
    plan = drawn(ROOM)
    plan.spawns.extend(Spawn("orc", x, y) for x, y in places)
    return plan


def test_monsters_that_stand_each_on_a_tile_of_their_own_are_fine():
    assert list(broken_invariants(peopled((2, 1), (3, 1), (1, 2)))) == []


@pytest.mark.parametrize("places", [[(2, 1), (2, 1)], [(1, 1)], [(5, 2)]])
def test_no_monster_stands_on_another_or_on_the_stairs(places):
    assert list(broken_invariants(peopled((3, 1), *places))) == [
        "two of start, exit and spawns share a tile"
    ]


@pytest.mark.parametrize("place", [(0, 1), (-1, 1), (7, 1), (2, 4), (2, 99), (3, -2)])
def test_no_monster_stands_in_rock_or_off_the_map(place):
    assert list(broken_invariants(peopled(place))) == [
        "start, exit or a spawn is not on walkable ground"
    ]


@pytest.mark.parametrize(
    "drawing",
    [
        ROOM.replace("#######", "###.###", 1),
        ROOM.replace("#<", ".<"),
        ROOM.replace(">#", ">."),
        ROOM[::-1].replace("#######", "###.###", 1)[::-1],
    ],
    ids=["above", "left", "right", "below"],
)
def test_the_border_is_closed_on_every_side(drawing):
    with pytest.raises(Rejected, match="border is open"):
        validate(drawn(drawing))


SECRET = """
    #########
    #<..S..>#
    #########
"""


def test_a_secret_door_may_hide_a_room_but_not_the_exit():
    assert list(broken_invariants(drawn(SECRET))) == ["the way to the exit needs a secret door"]
    hidden = SECRET.replace("#<..S..>#", "#<.>S...#")
    assert list(broken_invariants(drawn(hidden))) == []


VAULT = """
    ###########
    #<?.>]....#
    ###########
"""


def test_the_key_of_a_locked_room_lies_outside_of_it():
    assert list(broken_invariants(drawn(VAULT))) == []
    inside = VAULT.replace("?", ".").replace("]..", "]?.")
    assert list(broken_invariants(drawn(inside))) == ["a key lies behind a lock"]
    for drawing in (VAULT.replace("?", "."), VAULT.replace("?.", "??")):
        assert list(broken_invariants(drawn(drawing))) == ["there is not a key for every lock"]
