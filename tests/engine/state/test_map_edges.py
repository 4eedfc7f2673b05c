"""What is on the map and what is beyond its edges."""

import numpy as np
import pytest

from components import AiState
from engine.levels.dungeon import forget_furthest
from engine.levels.stored_levels import pack_level
from engine.state.game_map import DARK, GLOW, GameMap
from entities.creature_kinds import make_creature
from entities.terrain import Tile
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point
from support.rule_scenes import field, put
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
    assert [state.new_id() for _ in range(3)] == [first, first + 1, first + 2]
    assert state.next_id == first + 3


def test_a_new_map_has_no_past():
    game_map = GameMap(level_of(ROOM))
    counts = ("turns_here", "keys", "remembered", "tile_edits", "discoveries", "item_edits")
    assert [getattr(game_map, name) for name in counts] == [0] * len(counts)
    for name in ("entities", "items", "fires", "growing", "changes", "places"):
        assert not getattr(game_map, name)
    assert (game_map.origin, game_map.goal, game_map.memory_at) == ((0, 0), None, None)
    assert not game_map.explored.any()
    assert not game_map.visible.any()
    assert game_map.entities_in_view() == []
    assert (game_map.is_infinite, game_map.initial_walkable_count) == (False, 12)


@pytest.mark.parametrize(("deepest", "after"), [(1, 1), (5, 5), (0, 1)])
def test_the_deepest_level_is_remembered(deepest, after):
    state = scene(ROOM).state
    state.map.remove_entity(state.hero)
    state.deepest = deepest
    state.place_hero(state.map.start)
    assert state.deepest == after


@pytest.mark.parametrize(("x", "y"), [(1, 1), (4, 3), (2, 3)])
def test_the_hero_takes_the_place_of_another_only_on_a_full_map(x, y):
    state = scene(ROOM).state
    hero = state.hero
    state.map.remove_entity(hero)
    state.place_hero(Point(x, y))
    assert (hero.x, hero.y) == (x, y)
    assert state.map.visible[y, x]
    state.map.remove_entity(hero)
    taken = make_creature("rat", state.new_id(), x, y)
    state.map.add_entity(taken)
    state.place_hero(Point(x, y))
    assert max(abs(hero.x - x), abs(hero.y - y)) == 1
    state.map.remove_entity(hero)
    for row, column in np.argwhere(state.map.walkable).tolist():
        if not state.map.is_blocked(column, row):
            state.map.add_entity(make_creature("rat", state.new_id(), column, row))
    state.place_hero(Point(x, y))
    assert (hero.x, hero.y) == (x, y)
    assert taken.id not in state.map.entities


@pytest.mark.parametrize("apart", [1, 2])
@pytest.mark.parametrize("mood", list(AiState))
def test_pursuers_hunt_from_an_adjacent_tile(apart, mood):
    engine = field(3, 7)
    orc, thief = put(engine, "orc", 3 + apart, 7, mood), put(engine, "key_thief", 3, 6, mood)
    hunts = apart == 1 and mood is AiState.HUNTING
    assert engine.state.pursuers() == ([orc] if hunts else [])
    assert thief in engine.state.map.entities.values()


def test_the_stored_level_furthest_away_is_forgotten_first():
    state = scene(ROOM).state
    state.stored_levels = dict.fromkeys((2, 9, 4, 3), pack_level(state.map))
    for left in ({2, 4, 3}, {2, 3}, {2}, set()):
        assert forget_furthest(state)
        assert set(state.stored_levels) == left
    assert not forget_furthest(state)


@pytest.mark.parametrize("at", [(18, 1), (18, 2), (2, 1), (18, 13), (20, 7), (1, 13), (10, 1)])
@pytest.mark.parametrize("blind", [False, True])
def test_the_goal_is_seen_from_anywhere_in_the_open_with_the_light_around_it(at, blind):
    state = field(10, 7, light=DARK).state
    state.hero.statuses |= {"blind": 9} if blind else {}
    state.map.goal = Point(*at)
    state.map.tile_edits += 1  # Else the hero remembers what it saw from here.
    state.look()
    around = [
        (x, y)
        for x in range(at[0] - GLOW, at[0] + GLOW + 1)
        for y in range(at[1] - GLOW, at[1] + GLOW + 1)
        if 0 <= x < 22 and 0 <= y < 15
    ]
    seen = {place for place in around if state.map.visible[place[1], place[0]]}
    assert (at in seen) == (not blind)
    assert blind or seen == set(around)


def test_a_creature_is_put_on_gold_only_for_want_of_other_tiles():
    state = field(10, 7).state
    for dx, dy in DIRECTIONS:
        state.map.set_tile(10 + dx, 7 + dy, Tile.TREASURE)
    rat, bat = (make_creature(kind, state.new_id(), 0, 0) for kind in ("rat", "bat"))
    assert state.map.add_near(rat, 10, 7)
    assert rat.distance_to(state.hero) == 2
    state.map.tiles[:] = Tile.TREASURE
    assert state.map.add_near(bat, 10, 7)
    assert bat.distance_to(state.hero) == 1


def test_of_free_tiles_as_near_the_first_around_is_taken():
    state = field(10, 7).state
    for dx, dy in DIRECTIONS:
        assert state.map.nearest_free(10, 7) == (10 + dx, 7 + dy)
        state.map.set_tile(10 + dx, 7 + dy, Tile.WALL)
    assert state.map.nearest_free(10, 7) is None


def test_from_the_middle_of_a_lake_the_nearest_free_tile_is_on_its_shore():
    state = field(10, 7).state
    state.map.tiles[5:10, 8:13], state.map.walkable[5:10, 8:13] = Tile.WATER, False
    assert state.map.nearest_free(9, 7) == (7, 5)
    state.map.set_tile(7, 5, Tile.TREASURE)
    assert state.map.nearest_free(9, 7, fixtures=False) == (7, 6)
    state.map.walkable[:] = False
    assert state.map.nearest_free(9, 7) is None
