"""Maps, alerts and records at their bounds: the last row, the last turn, the last kind."""

import numpy as np
import pytest

from components.inventory import Item
from engine.infinite.infinite_map import FIRE_DISTANCE, put_out_far_fires
from engine.items.plant_seed import _free
from engine.levels.populate import SMOOTH, _place_goal
from engine.monsters.wandering_monsters import (
    LevelAlert,
    level_alert,
    quiet_turns,
    turns_until_next_alert,
)
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.saves import digests
from engine.state.actions import Equip, Refused, TakeOff
from engine.state.game_map import Growing
from engine.state.run_setup import LAST_DEPTH
from entities.creature_kinds import HERO, creature_kinds, make_creature
from entities.light_levels import clear_sight
from entities.terrain import Tile
from procgen.analysis.distances import distances
from procgen.blueprint import Point
from support.scenes import level_of, scene

CAVE = """
    #########################
    #@......#......#........#
    #..##...#..##..#...##...#
    #..##...+..##..+...##...#
    #.......#......#........#
    ####+#######+######+#####
    #.......#......#........#
    #.......#......#........#
    #.......+......+........#
    #..###..#..##..#..###...#
    #.......#......#.......>#
    #########################
"""


def put(engine, kind, x, y):
    creature = make_creature(kind, engine.state.new_id(), x, y)
    engine.state.map.add_entity(creature)
    return creature


def test_the_nearest_free_tile_is_as_near_as_any_on_foot():
    engine = scene(CAVE)
    game_map = engine.state.map
    for x, y in ((2, 1), (9, 4), (4, 5), (23, 10), (16, 7)):
        taken = []
        for _ in range(12):
            found = game_map.nearest_free(x, y)
            steps = DijkstraMaps(game_map).to(x, y)
            free = [
                (a, b) for b, a in np.argwhere(game_map.walkable).tolist()
                if not game_map.is_blocked(a, b)
            ]  # fmt: skip
            assert steps.at(*found) == min(steps.at(*place) for place in free)
            taken.append(put(engine, "rat", *found))
        for rat in taken:
            game_map.remove_entity(rat)


def test_a_view_that_is_restored_shows_who_stands_on_the_outermost_tiles():
    engine = scene("....\n.@..\n....\n...>")
    corners = [put(engine, "rat", *at) for at in ((0, 0), (3, 0), (0, 3), (3, 3))]
    everything = np.ones((4, 4), np.bool_)
    engine.state.map.restore_view(everything, everything)
    assert engine.state.map.entities_in_view() == [engine.state.hero, *corners]
    engine.state.look()
    assert engine.state.map.entities_in_view() == [engine.state.hero, *corners]


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (25, 0), (0, 12), (0, 0), (24, 11)])
def test_the_last_row_and_column_are_on_the_map_and_what_lies_beyond_is_blocked(x, y):
    game_map = scene(CAVE).state.map
    assert game_map.contains(x, y) == (0 <= x <= 24 and 0 <= y <= 11)
    assert game_map.is_blocked(x, y)


@pytest.mark.parametrize(("x", "y"), [(1, 1), (12, 6), (23, 10)])
@pytest.mark.parametrize(("low", "high"), [(0, 3), (2, 9), (5, 30)])
def test_waypoints_are_the_middles_of_all_blocks_of_ten_within_their_distances(x, y, low, high):
    game_map = scene(CAVE).state.map
    wanted = []
    for top, left in ((top, left) for top in (0, 10) for left in (0, 10, 20)):
        block = [
            ((a - left - 5) ** 2 + (b - top - 5) ** 2, b, a)
            for b, a in np.argwhere(game_map.walkable).tolist()
            if left <= a < left + 10 and top <= b < top + 10
        ]
        _, row, column = min(block)
        if low <= max(abs(column - x), abs(row - y)) <= high:
            wanted.append(Point(column, row))
    assert DijkstraMaps(game_map).stops(x, y, low, high) == wanted


def test_a_way_down_a_field_takes_the_lowest_free_tiles_first():
    engine = scene(CAVE)
    ways = DijkstraMaps(engine.state.map)
    field = ways.to(5, 4)
    for y, x in np.argwhere(engine.state.map.walkable).tolist():
        here = field.at(x, y)
        steps = ways.lowest_first(field, x, y, here)
        values = [field.at(x + dx, y + dy) for dx, dy in steps]
        assert values == sorted(values)
        assert all(value <= here for value in values)
        assert here == 0 or values[0] == here - 1 or not engine.state.map.walkable[y, x]


@pytest.mark.parametrize("depth", [1, LAST_DEPTH, LAST_DEPTH + 1, LAST_DEPTH + 5, 300])
def test_a_level_is_quiet_for_longer_the_larger_it_is_and_shorter_below_the_last_depth(
    depth, monkeypatch
):
    state = scene(CAVE).state
    monkeypatch.setattr(type(state), "depth", depth)
    whole = 400 + int(state.map.walkable.sum()) // 3
    below = max(0, depth - 12)
    assert quiet_turns(state) == max(200, whole * 20 // (20 + below))
    quiet, stages = quiet_turns(state), list(LevelAlert)
    for turns_here, stage, left in (
        (0, 0, quiet), (quiet - 1, 0, 1), (quiet, 1, 300), (quiet + 299, 1, 1),
        (quiet + 300, 2, 300), (quiet + 599, 2, 1), (quiet + 600, 3, None),
        (quiet + 9000, 3, None),
    ):  # fmt: skip
        state.map.turns_here = turns_here
        assert level_alert(state) is stages[stage]
        assert turns_until_next_alert(state) == left


def test_records_hold_the_numbers_of_all_that_lives_there_or_may_wander_in(monkeypatch):
    kinds = {1: {"rat": 1}, 2: {"orc": 1}, 3: {"troll": 1}}
    named = []
    monkeypatch.setattr(digests, "spawn_weights", lambda depth: kinds.get(depth, {}))
    monkeypatch.setattr(digests, "_creatures", lambda names: named.append(set(names)) or [])
    digests.level_hash(level_of(CAVE.replace("...>", "v..>")))
    assert named == [{"hero", "viper", "rat", "orc", "troll"}]


def test_what_is_worn_is_not_put_on_again_and_what_is_not_is_not_taken_off():
    engine = scene(CAVE)
    hero = engine.state.hero
    hero.inventory[:] = [Item(900, "dagger"), Item(901, "leather_armour")]
    hero.equipment.clear()
    assert engine.step(TakeOff(900)) == Refused("not worn")
    assert not isinstance(engine.step(Equip(900)), Refused)
    turn = engine.state.turn
    assert engine.step(Equip(900)) == Refused("already worn")
    assert engine.state.turn == turn
    assert engine.step(Equip(77)) == Refused("not in the pack")
    assert not isinstance(engine.step(TakeOff(900)), Refused)
    assert hero.equipment == {}


def test_a_tile_that_is_set_is_what_it_is_in_every_way():
    game_map = scene(CAVE).state.map
    edits = game_map.tile_edits
    for number, (tile, bears, clear) in enumerate(
        ((Tile.WATER, False, True), (Tile.FOREST, True, False), (Tile.WALL, False, False)), 1
    ):
        game_map.set_tile(3, 4, tile)
        assert (game_map.walkable[4, 3], game_map.transparent[4, 3]) == (bears, clear)
        assert game_map.tile_edits == edits + number
        assert game_map.changes == {4 * 25 + 3: tile}


def test_the_hero_sees_as_far_as_its_kind_and_two_tiles_further_with_keen_eyes():
    hero = scene(CAVE).state.hero
    assert clear_sight(hero) == creature_kinds()[HERO].sight
    hero.experience.talents.append("keen")
    assert clear_sight(hero) == creature_kinds()[HERO].sight + 2


def test_the_goal_lies_on_the_plain_tile_furthest_from_both_stairs():
    for plain in (True, False):
        game_map = scene(CAVE).state.map
        game_map.start = Point(1, 1)
        if not plain:
            for y, x in np.argwhere(np.isin(game_map.tiles, SMOOTH)).tolist():
                game_map.set_tile(x, y, Tile.RUBBLE)
        before, ground = game_map.tiles.copy(), game_map.walkable.copy()
        apart = np.minimum(distances(ground, 1, 1), distances(ground, *game_map.exit))
        _place_goal(game_map)
        ((y, x),) = np.argwhere(game_map.tiles == Tile.RELIC).tolist()
        assert (before[y, x] in SMOOTH) is plain
        best = np.isin(before, SMOOTH) if plain else ground
        assert not plain or apart[y, x] == apart[best].max()
        assert apart[y, x] > 0
    engine = scene("#####\n#<+>#\n#####".replace("<", "@"))
    engine.state.map.start = Point(1, 1)
    engine.state.map.set_tile(1, 1, Tile.ROAD)
    engine.state.map.set_tile(3, 1, Tile.ROAD)
    _place_goal(engine.state.map)
    assert engine.state.map.goal is not None


@pytest.mark.parametrize(("left", "top"), [(0, 0), (3, 2), (6, 4)])
def test_no_seed_takes_the_ground_beside_what_grows(left, top):
    game_map = scene(CAVE).state.map
    game_map.growing = [Growing("thicket_seed", [[(7 * 25 + 11, Tile.FOREST)]], 0)]
    free = _free(game_map, left, top, 14, 7)
    for y, x in np.ndindex(7, 14):
        column, row = left + x, top + y
        inside = 0 < column < 24 and 0 < row < 11
        grows = (left <= 11 < left + 14 and top <= 7 < top + 7) and (
            abs(column - 11) <= 1 and abs(row - 7) <= 1
        )
        assert free[y, x] == (inside and not grows), (x, y)


def test_fires_far_from_the_hero_go_out_on_an_infinite_map():
    game_map = scene(CAVE).state.map
    far = FIRE_DISTANCE
    near = {(12 + far, 5): 1, (12 - far, 5): 2, (12, 5 + far): 3, (12, 5 - far): 4}
    gone = {(13 + far, 5): 1, (11 - far, 5): 2, (12, 6 + far): 3, (12, 4 - far): 4}
    game_map.fires = {**near, **gone}
    put_out_far_fires(game_map, 12, 5)
    assert game_map.fires == near


@pytest.mark.parametrize("cut_off", [":", "."])
def test_without_a_plain_tile_within_reach_the_goal_lies_on_the_furthest_of_any_kind(cut_off):
    wall = "############"
    rows = [wall, f"##########{cut_off}#", wall, "#>@::::::::#", wall]
    game_map = scene("\n".join(rows)).state.map
    for x in (1, 2):  # The stairs are drawn on plain floor.
        game_map.set_tile(x, 3, Tile.RUBBLE)
    _place_goal(game_map)
    assert game_map.goal == (10, 3)
