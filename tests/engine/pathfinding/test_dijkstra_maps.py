"""Distance maps that are worked out only as far as somebody asks."""

import numpy as np
import pytest

from engine.pathfinding.dijkstra_maps import ApproachMap, DijkstraMaps
from engine.state.game_map import ROW
from entities.creature_kinds import creature_kinds, make_creature
from entities.terrain import Tile
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import (
    BEYOND,
    DIRECTIONS,
    LARGE,
    UNREACHED,
    bitboard_distances,
    dijkstra,
    distances,
)
from support.scenes import scene


def test_a_way_is_as_long_as_if_all_around_had_been_worked_out_at_once():
    ground = np.random.default_rng(3).random((150, 161)) < 0.62
    whole, way = distances(ground, 80, 70), ApproachMap(85, 79, 5, 9, Bitboard.of(ground))
    for x, y in [(x, y) for y in range(-3, 153, 6) for x in range(-3, 164, 5)]:
        inside = 0 <= x < 161 and 0 <= y < 150
        assert way.at(x + 5, y + 9) == (whole[y, x] if inside else UNREACHED)


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.95])
def test_rings_are_distances_as_far_as_they_go(share):
    ground = np.random.default_rng(7).random((23, 38)) < share
    for x, y, most in [(0, 0, 5), (37, 22, 9), (12, 11, 80), (37, 0, 60)]:
        start = np.full(ground.shape, UNREACHED, np.int32)
        start[y, x] = 0
        steps = dijkstra(start, ground.astype(np.int8), diagonal=True)
        assert (distances(ground, x, y) == steps).all()
        near = np.where(steps <= most, steps, BEYOND)
        assert (bitboard_distances(ground, x, y, most) == near).all()
        way = ApproachMap(x, y, 0, 0, Bitboard.of(ground))
        assert [[way.at(x, y) for x in range(38)] for y in range(23)] == steps.tolist()


def test_a_way_too_long_for_rings_is_known_all_the_same():
    ground = np.ones((41, 41), bool)
    ground[1::4, :-1] = ground[3::4, 1:] = False
    assert distances(ground, 0, 0)[40, 40] == distances(ground, 40, 40)[0, 0] > 800
    assert (
        ApproachMap(0, 0, 0, 0, Bitboard.of(ground)).at(40, 40) == distances(ground, 0, 0)[40, 40]
    )


@pytest.mark.parametrize("diagonal", [False, True])
def test_distances_on_a_large_map_are_those_of_dijkstra(diagonal):
    ground = np.random.default_rng(4).random((LARGE // 256 + 1, 256)) < 0.65
    start = np.full(ground.shape, UNREACHED, np.int32)
    start[0, 255] = 0
    steps = dijkstra(start, ground.astype(np.int8), diagonal=diagonal)
    assert (distances(ground, 255, 0, diagonal=diagonal) == steps).all()


@pytest.mark.parametrize("most", [0, 1, 127, 128, 254])
def test_rings_are_counted_up_to_the_last_one_a_byte_can_tell(most):
    ground = np.ones((41, 41), bool)
    ground[1::4, :-1] = ground[3::4, 1:] = False
    steps = distances(ground, 3, 0)
    near = np.where(steps <= most, steps, BEYOND)
    assert (bitboard_distances(ground, 3, 0, most) == near).all()


def directions(ways):
    """Return the directions of ``ways``, and see that the sums of places agree with them."""
    assert all(offset == move.dy * ROW + move.dx for offset, move in ways)
    return [(move.dx, move.dy) for _, move in ways]


def nearer(field, x, y):
    """Return the directions that lead nearer from (x, y)."""
    return directions(field[y * ROW + x])


def rough_level(seed=2, width=97, height=63, door_share=0.04):
    """Return the ways of a level of random rock with a few doors, and its walkable tiles."""
    rng = np.random.default_rng(seed)
    dice = rng.random((height, width))
    rows = np.where(dice < 0.35, "#", np.where(dice < 0.35 + door_share, "+", "."))
    rows[[0, -1]], rows[:, [0, -1]] = "#", "#"
    rows[20:31, 40:52] = "#"
    rows[1, 1], rows[1, 2] = "@", ">"
    game_map = scene("\n".join(map("".join, rows))).state.map
    return DijkstraMaps(game_map), game_map.walkable.copy()


def test_every_block_of_ten_tiles_has_a_waypoint_nearest_to_its_middle():
    ways, ground = rough_level()
    found = ways.stops(48, 30, 0, 999)
    blocks = [(x, y) for y in range(0, 63, 10) for x in range(0, 97, 10)]
    assert [(x // 10 * 10, y // 10 * 10) for x, y in found] == [
        (x, y) for x, y in blocks if ground[y : y + 10, x : x + 10].any()
    ]
    for x, y in found:
        left, top = x // 10 * 10, y // 10 * 10
        ys, xs = np.nonzero(ground[top : top + 10, left : left + 10])
        assert ground[y, x]
        assert (x - left - 5) ** 2 + (y - top - 5) ** 2 == ((xs - 5) ** 2 + (ys - 5) ** 2).min()


@pytest.mark.parametrize("place", [(3, 3), (93, 60), (48, 30), (60, 5), (9, 41)])
@pytest.mark.parametrize(("low", "high"), [(6, 30), (0, 9), (12, 12)])
def test_waypoints_in_reach_are_those_of_all_the_level_at_that_distance(place, low, high):
    ways, _ = rough_level()
    x, y = place
    apart = [(max(abs(one.x - x), abs(one.y - y)), one) for one in ways.stops(0, 0, 0, 999)]
    assert ways.stops(x, y, low, high) == [one for far, one in apart if low <= far <= high]


@pytest.mark.parametrize("doors", [True, False])
def test_places_are_connected_if_a_way_leads_to_them(doors):
    ways, ground = rough_level(door_share=0.15)
    stops = ways.stops(48, 36, 0, 40)
    ground &= doors | (ways.map.tiles != Tile.DOOR)
    steps = distances(ground, 48, 36)
    reached = [stop for stop in stops if steps[stop.y, stop.x] < UNREACHED]
    assert ways.connected(48, 36, stops, doors=doors) == reached
    assert 0 < len(reached) < len(stops) or doors
    for low, high in ((0, 40), (6, 30), (0, 40)):
        near = [one for one in reached if low <= max(abs(one.x - 48), abs(one.y - 36)) <= high]
        assert ways.waypoints(48, 36, low, high, doors=doors) == near


@pytest.mark.parametrize("goal", [(-1, 30), (50, -7), (97, 30), (50, 63), (-200, 900)])
def test_no_way_leads_to_a_place_off_the_map(goal):
    ways, ground = rough_level()
    way, open_tiles = ways.to(*goal), np.argwhere(ground).tolist()
    assert {way.at(x, y) for y, x in open_tiles} == {UNREACHED}
    assert not any(nearer(way, x, y) for y, x in open_tiles)


@pytest.mark.parametrize("doors", [True, False])
@pytest.mark.parametrize("place", [(48, 36), (4, 55), (92, 33)])
def test_ways_reach_eighty_tiles_and_pass_doors_for_those_who_open_them(place, doors):
    ways, ground = rough_level()
    ways.to(
        50, 30, doors=doors
    )  # A window that is the whole map must not serve for one that is not.
    ground &= doors | (ways.map.tiles != Tile.DOOR)
    x, y = place
    left = max(0, x - 80)
    steps = np.full(ground.shape, UNREACHED)
    steps[:, left : x + 81] = distances(ground[:, left : x + 81], x - left, y)
    way = ways.to(x, y, doors=doors)
    rows, columns = range(-1, 64), range(-1, 98)
    inside = {(c, r): steps[r, c] for r in rows[1:-1] for c in columns[1:-1]}
    assert all(way.at(c, r) == inside.get((c, r), UNREACHED) for r in rows for c in columns)
    assert (ways.to(x, y, doors=doors), ways.made) == (way, 2)
    for column, row in ((x, y), (1, 5), (50, 10)):
        free = [
            (dx, dy)
            for dx, dy in DIRECTIONS
            if 0 <= column + dx < 97 and 0 <= row + dy < 63 and ground[row + dy, column + dx]
        ]
        steps = ways.steps(column, row, doors=doors)
        assert [(dx, dy) for dx, dy, _ in steps] == free
        free = [(dx, dy) for dx, dy in free if (column + dx, row + dy) != (1, 1)]
        assert all(there == (column + dx, row + dy) for dx, dy, there in steps)
        if inside[column, row] < UNREACHED:
            found = ways.lowest_first(way, column, row, inside[column, row] - 1, doors=doors)
            left_over = [way.at(column + dx, row + dy) for dx, dy in found]
            assert left_over == sorted(left_over)
            assert sorted(found) == sorted(to for to in nearer(way, column, row) if to in free)
            assert set(found) == {
                (dx, dy) for dx, dy in free if way.at(column + dx, row + dy) < inside[column, row]
            }


@pytest.mark.parametrize("doors", [True, False])
def test_walks_downhill_take_the_steps_that_a_search_finds_nearer(doors):
    ways, ground = rough_level()
    steps = distances(ground if doors else ground & (ways.map.tiles != Tile.DOOR), 48, 36)
    way, walks = ways.to(48, 36, doors=doors), 0
    for row, column in np.argwhere((steps > 0) & (steps < UNREACHED))[::53].tolist():
        x, y = column, row
        while steps[y, x]:
            around = ways.steps(x, y, doors=doors)
            down = [(dx, dy) for dx, dy, (c, r) in around if steps[r, c] < steps[y, x]]
            level = [(dx, dy) for dx, dy, (c, r) in around if steps[r, c] == steps[y, x]]
            assert nearer(way, x, y) == down
            assert directions(way.sideways(y * ROW + x)) == level
            x, y = x + down[-1][0], y + down[-1][1]
            assert way.at(x, y) == steps[y, x]
            walks += 1
    assert walks > 300


@pytest.mark.parametrize("doors", [True, False])
@pytest.mark.parametrize("door_share", [0.0, 0.04])
def test_free_ways_are_what_ranking_every_neighbour_finds(door_share, doors):
    ways, _ = rough_level(door_share=door_share)
    kinds, ranked = creature_kinds().items(), 0
    name = next(name for name, kind in kinds if kind.traits.doors is doors)
    for place in range(0, 97 * 63, 5):
        creature = make_creature(name, 1, place % 97, place // 97)
        passes = ways.opens_doors(creature)
        assert passes == (
            doors or not door_share or ways.map.tiles[creature.y, creature.x] == Tile.DOOR
        )
        way, x, y = ways.to(48, 36, passes), creature.x, creature.y
        wanted = ways.lowest_first(way, x, y, UNREACHED - 1, doors=passes)
        assert [(move.dx, move.dy) for move in ways.free_ways(way, creature)] == wanted
        ranked += len(wanted) > 2
    assert ranked > 300


@pytest.mark.parametrize("doors", [True, False])
@pytest.mark.parametrize("place", [(48, 36), (4, 55), (92, 33)])
def test_a_safety_map_is_lowest_where_the_hero_is_furthest_within_twenty_tiles(place, doors):
    ways, ground = rough_level()
    ground &= doors | (ways.map.tiles != Tile.DOOR)
    x, y = place
    left, top = max(0, x - 20), max(0, y - 20)
    window = ground[top : y + 21, left : x + 21]
    near = distances(window, x - left, y - top).astype(np.int64)
    wanted = np.where(near < UNREACHED, near * -12, UNREACHED)
    for _ in range(200):  # Each tile is at most 10 above its lowest neighbour.
        padded = np.pad(wanted, 1, constant_values=UNREACHED)
        around = [np.roll(padded, turn, (0, 1))[1:-1, 1:-1] for turn in DIRECTIONS]
        wanted = np.where(window, np.minimum(wanted, np.min(around, 0) + 10), wanted)
    field = ways.away(x, y, doors=doors)
    found = np.array([[field.at(c, r) for c in range(97)] for r in range(63)])
    assert np.array_equal(found[top : y + 21, left : x + 21][window], wanted[window])
    found[top : y + 21, left : x + 21] = UNREACHED
    assert (found == UNREACHED).all()
    assert field.at(-1, 5) == field.at(5, -1) == field.at(97, 5) == field.at(5, 63) == UNREACHED


@pytest.mark.parametrize("corridor", range(6))
def test_a_safety_map_begins_at_the_far_end_of_the_ground_and_rises_by_ten_a_step(corridor):
    hall = "#@" + "." * corridor + "#"
    ways = DijkstraMaps(scene("\n".join(["#" * len(hall), hall, "#" * len(hall)])).state.map)
    field, lowest = ways.away(1, 1), -12 * corridor
    assert [field.at(1 + corridor - back, 1) for back in range(corridor + 1)] == [
        min(-12 * (corridor - back), lowest + 10 * back) for back in range(corridor + 1)
    ]
    assert field.at(2 + corridor, 1) == UNREACHED
