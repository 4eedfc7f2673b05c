"""Where the middle of a room is, and what lies in it."""

import pytest

from procgen.blueprint import RectangularRoom


@pytest.mark.parametrize(
    ("width", "height", "middle"),
    [(1, 1, (10, 20)), (3, 5, (11, 22)), (4, 6, (11, 22)), (2, 2, (10, 20)), (7, 1, (13, 20))],
)
def test_the_middle_rounds_to_the_upper_left(width, height, middle):
    room = RectangularRoom(10, 20, width, height)
    assert room.center == middle
    assert room.contains(*room.center)


def test_a_room_contains_its_floor_and_not_the_walls_around_it():
    room = RectangularRoom(3, 2, 2, 4)
    inside = {(x, y) for x in range(9) for y in range(9) if room.contains(x, y)}
    assert inside == {(x, y) for x in (3, 4) for y in (2, 3, 4, 5)}
    assert len(inside) == room.area
