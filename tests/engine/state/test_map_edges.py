"""What is on the map and what is beyond its edges."""

import pytest

from support.scenes import ROOM, scene


@pytest.mark.parametrize("place", [(0, 0), (5, 0), (0, 4), (5, 4), (2, 2)])
def test_corners_are_on_the_map(place):
    assert scene(ROOM).state.map.contains(*place)


@pytest.mark.parametrize("place", [(-1, 0), (6, 0), (0, -1), (0, 5), (6, 5), (-1, -1)])
def test_the_tile_beyond_an_edge_is_not(place):
    assert not scene(ROOM).state.map.contains(*place)


def test_numbers_are_given_one_after_another():
    state = scene(ROOM).state
    first = state.next_id
    assert [state.number() for _ in range(3)] == [first, first + 1, first + 2]
    assert state.next_id == first + 3
