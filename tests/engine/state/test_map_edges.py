"""What is on the map and what is beyond its edges."""

import pytest

from engine.state.game_map import GameMap
from support.scenes import ROOM, level_of, scene


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


def test_a_new_map_has_no_past():
    game_map = GameMap(level_of(ROOM))
    counts = ("lingered", "keys", "remembered", "edits", "discoveries", "strewn")
    assert [getattr(game_map, name) for name in counts] == [0] * len(counts)
    for name in ("entities", "items", "fires", "growing", "changes", "places"):
        assert not getattr(game_map, name)
    assert (game_map.origin, game_map.beacon, game_map.memory_at) == ((0, 0), None, None)
    assert not game_map.explored.any()
    assert not game_map.visible.any()
    assert game_map.entities_in_view() == []
    assert (game_map.is_infinite, game_map.ground) == (False, 12)
