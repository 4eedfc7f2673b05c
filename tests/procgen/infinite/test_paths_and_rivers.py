"""Paths that join the parts of a chunk, roads, and rivers, each by its definition."""

from itertools import pairwise

import numpy as np
import pytest

from entities.terrain import TILES, Tile
from procgen.analysis.distances import DIRECTIONS, UNREACHED
from procgen.blueprint import Point
from procgen.chunk import SIDE
from procgen.infinite import rivers
from procgen.infinite.chunk_joining import (
    CORNER,
    HALO,
    INNER,
    cheapest_tile,
    chunk_exits,
    dijkstra_costs,
    disconnected_parts,
    drop_small_regions,
    joining_paths,
    roll_downhill,
)
from procgen.infinite.elevation import TerrainHeights
from procgen.infinite.rivers import (
    BANK_WIDTH,
    LONGEST,
    PITCH,
    RiverSegment,
    _distance,
    _downhill,
    _flows,
    _half_width,
    river_segments,
    water_depth,
)
from procgen.infinite.roads import (
    COSTS,
    LONG_FORD,
    ON_ROADS,
    ON_TRAILS,
    PAVED,
    SOLID,
    _lay_path,
    _paved,
    join_wild_parts,
    lay_roads,
    road_costs,
    road_junction,
)

WIDE = SIDE + 2 * HALO
MID = SIDE // 2


def window(*rooms):
    """Return the walkable tiles of a window whose ``rooms`` are (x, y, w, h) within the chunk."""
    mask = np.zeros((WIDE, WIDE), np.bool_)
    for x, y, w, h in rooms:
        mask[HALO + y : HALO + y + h, HALO + x : HALO + x + w] = True
    return mask


def dug(shape, *paths):
    mask = np.zeros(shape, np.bool_)
    for path in paths:
        for x, y in path:
            mask[y, x] = True
    return mask


def test_regions_that_the_halo_could_not_hold_become_solid_or_water():
    tiles = np.full((11, 80), Tile.MOUNTAIN, np.uint8)
    for row, size in {1: 1, 3: 4, 5: HALO - 1, 7: HALO, 9: HALO + 1}.items():
        tiles[row, :size] = Tile.GRASS
    tiles[3, 4] = Tile.WATER
    drop_small_regions(tiles, Tile.EDGE)
    assert tiles[3, :5].tolist() == [*[Tile.EDGE] * 3, *[Tile.WATER] * 2]
    left = (tiles == Tile.GRASS).sum(axis=1)
    assert {row: int(left[row]) for row in (1, 3, 5, 7, 9)} == {
        **dict.fromkeys((1, 3, 5), 0),
        7: HALO,
        9: HALO + 1,
    }


def test_parts_of_a_chunk_come_largest_first_and_are_one_if_the_halo_joins_them():
    one, two, three = (10, 10, 4, 5), (30, 10, 6, 6), (0, 50, 3, 3)
    parts = disconnected_parts(window(one, two, three))
    assert [int(part.sum()) for part in parts] == [36, 20, 9]
    assert parts[0][10:16, 30:36].all()
    assert all(part.shape == (SIDE, SIDE) for part in parts)
    beyond = window(three, (0, 60, 3, 3), (-5, 50, 5, 1), (-5, 51, 1, 12), (-5, 62, 5, 1))
    (only,) = disconnected_parts(beyond)
    assert int(only.sum()) == 18
    assert disconnected_parts(window((-9, 4, 5, 5))) == []


@pytest.mark.parametrize("seed", range(4))
def test_a_path_runs_down_to_the_goal_side_by_side_and_through_the_cheaper_corner(seed):
    rng = np.random.default_rng(seed)
    cost = rng.integers(1, 30, (25, 30)).astype(np.int32)
    goal = np.zeros(cost.shape, np.bool_)
    goal[12:15, 20:24] = True
    field = dijkstra_costs(goal, cost)
    for x, y in [(0, 0), (29, 24), (3, 20), (29, 0), (21, 13)]:
        way = roll_downhill(field, x, y)
        assert way[0] == (x, y)
        assert field[way[-1][1], way[-1][0]] == 0
        assert all(field[b, a] > 0 for a, b in way[:-1])
        assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(way))
        here, rest = (x, y), way[1:]
        while rest:
            best = min(
                (int(field[here[1] + dy, here[0] + dx]), number)
                for number, (dx, dy) in enumerate(DIRECTIONS)
                if 0 <= here[0] + dx < 30 and 0 <= here[1] + dy < 25
            )
            dx, dy = DIRECTIONS[best[1]]
            if dx and dy:
                sides = [(here[0] + dx, here[1]), (here[0], here[1] + dy)]
                assert rest[0] in sides
                assert field[rest[0][1], rest[0][0]] == min(int(field[b, a]) for a, b in sides)
                rest = rest[1:]
            here = (here[0] + dx, here[1] + dy)
            assert rest[0] == here
            rest = rest[1:]


def test_the_cheapest_tile_is_the_lowest_of_those_asked_about():
    field = np.array([[5, 9, 1], [4, 3, 7]], np.int32)
    among = np.array([[True, True, False], [True, False, True]])
    assert cheapest_tile(field, among) == (0, 1)
    assert cheapest_tile(field, ~among) == (2, 0)


def test_paths_join_every_part_and_door_to_the_largest_part():
    cost = np.ones((SIDE, SIDE), np.int32) * 5
    rooms = [(40, 40, 12, 12), (80, 44, 5, 5), (10, 100, 4, 4)]
    doors = [(45, 45), (SIDE - 1, 50), (30, 0)]
    paths = joining_paths(window(*rooms), cost, doors)
    assert len(paths) == 4, "two parts and the two doors that lie in none"
    assert [path[0] for path in paths[2:]] == doors[1:]
    big = window(rooms[0])[INNER]
    for path, room in zip(paths, rooms[1:], strict=False):
        x, y = path[0]
        assert window(room)[INNER][y, x]
        assert big[path[-1][1], path[-1][0]]
    assert len(paths[0]) == 80 - 51 + 1, "straight across"
    assert joining_paths(window(rooms[0]), cost, [(45, 45)]) == []
    assert joining_paths(window(rooms[0]), cost, []) == []
    assert len(joining_paths(window(rooms[0]), cost, [(39, 45)])) == 1


def test_in_a_chunk_without_ground_the_doors_meet_in_the_middle():
    cost = np.ones((SIDE, SIDE), np.int32)
    doors = [(20, 0), (SIDE - 1, 70)]
    paths = joining_paths(window(), cost, doors)
    assert [path[0] for path in paths] == doors
    assert {path[-1] for path in paths} == {(MID, MID)}
    assert joining_paths(window((MID - 2, MID - 2, 5, 5)), cost, []) == []


@pytest.mark.parametrize("name", ["gate", "other"])
def test_two_chunks_agree_on_the_exits_of_their_border_which_are_the_cheapest(name):
    big = np.random.default_rng(4).integers(2, 60, (WIDE + SIDE, WIDE + SIDE)).astype(np.int32)
    here = chunk_exits(5, 7, -3, big[:WIDE, :WIDE], name)
    east = chunk_exits(5, 8, -3, big[:WIDE, SIDE:], name)
    south = chunk_exits(5, 7, -2, big[SIDE:, :WIDE], name)
    last = SIDE - 1
    assert [here[0][1], here[1][0], here[2][1], here[3][0]] == [0, last, last, 0]
    assert here[1][1] == east[3][1]
    assert here[2][0] == south[0][0]
    for along in (here[0][0], here[1][1], here[2][0], here[3][1]):
        assert CORNER <= along < SIDE - CORNER
    border = big[HALO + CORNER : HALO + SIDE - CORNER]
    pairs = border[:, HALO + last] + border[:, HALO + SIDE]
    assert pairs[here[1][1] - CORNER] == pairs.min()
    border = big[:, HALO + CORNER : HALO + SIDE - CORNER]
    pairs = border[HALO - 1] + border[HALO]
    assert pairs[here[0][0] - CORNER] == pairs.min()
    even = np.ones((WIDE, WIDE), np.int32)
    drawn = {chunk_exits(seed, 0, 0, even, name)[side] for seed in range(40) for side in (0, 3)}
    assert len(drawn) > 60, "ties are broken differently by seed and side"
    assert chunk_exits(5, 0, 0, even, "gate") != chunk_exits(5, 0, 0, even, "other")


def test_every_tile_has_its_price_for_a_road():
    found = road_costs(np.arange(len(TILES), dtype=np.uint8)[None])[0]
    for tile in range(len(TILES)):
        assert found[tile] == COSTS.get(tile, 2)
    assert found[Tile.ROAD] < found[Tile.GRASS] == 2 < found[Tile.WATER] < found[Tile.WALL]


@pytest.mark.parametrize("deep", [1, LONG_FORD, LONG_FORD + 1, 9])
@pytest.mark.parametrize("paved", [True, False])
@pytest.mark.parametrize("start", [0, 4])
def test_a_road_bridges_water_and_a_trail_only_long_stretches_of_it(deep, paved, start):
    tiles = np.full((3, 20), Tile.GRASS, np.uint8)
    tiles[1, start : start + deep] = Tile.WATER
    _lay_path(tiles, [(x, 1) for x in range(20)], paved=paved)
    wet = Tile.BRIDGE if paved or deep > LONG_FORD else Tile.SHALLOWS
    dry = Tile.ROAD if paved else Tile.GRASS
    assert tiles[1].tolist() == [wet if start <= x < start + deep else dry for x in range(20)]
    assert (tiles[[0, 2]] == Tile.GRASS).all()


@pytest.mark.parametrize("paved", [True, False])
def test_what_stands_on_a_path_gives_way(paved):
    tiles = np.arange(len(TILES), dtype=np.uint8)[None]
    before = tiles.copy()[0]
    _lay_path(tiles, [(x, 0) for x in range(len(TILES))], paved=paved)
    changed = ON_ROADS if paved else ON_TRAILS
    assert tiles[0].tolist() == [changed.get(tile, tile) for tile in before.tolist()]
    assert set(SOLID) <= set(changed)


def test_of_several_runs_of_deep_water_only_the_long_ones_get_a_bridge():
    runs = (1, LONG_FORD, LONG_FORD + 1)
    tiles = np.full((1, sum(runs) + 3), Tile.GRASS, np.uint8)
    expected = tiles.copy()
    first = 0
    for length in runs:
        tiles[0, first : first + length] = Tile.WATER
        wet = Tile.BRIDGE if length > LONG_FORD else Tile.SHALLOWS
        expected[0, first : first + length] = wet
        first += length + 1
    _lay_path(tiles, [(x, 0) for x in range(tiles.size)], paved=False)
    assert tiles.tolist() == expected.tolist()


def test_neighbours_agree_whether_the_road_between_them_is_paved():
    paved = {(x, y): _paved(3, x, y) for x in range(12) for y in range(12)}
    for (x, y), (_, east, south, _) in paved.items():
        if x < 11:
            assert east == paved[x + 1, y][3]
        if y < 11:
            assert south == paved[x, y + 1][0]
    share = np.mean([sides[1:3] for sides in paved.values()])
    assert abs(share - PAVED / 256) < 0.1
    assert len({tuple(sides) for sides in paved.values()}) == 16


def test_roads_meet_on_the_best_of_some_places_near_the_middle():
    for chunk in range(6):
        tiles = np.full((SIDE, SIDE), Tile.WALL, np.uint8)
        found = road_junction(2, chunk, 5, tiles)
        assert all(64 <= n <= SIDE - 65 for n in found)
        tiles[found.y - 2 : found.y + 3, found.x - 2 : found.x + 3] = Tile.GRASS
        assert road_junction(2, chunk, 5, tiles) == found
        far = np.full((SIDE, SIDE), Tile.GRASS, np.uint8)
        far[found.y + 2, found.x - 2] = Tile.WALL
        assert road_junction(2, chunk, 5, far) != found or far is tiles
    spread = {road_junction(2, x, y, tiles) for x in range(6) for y in range(6)}
    assert len(spread) > 25


def test_a_path_leads_from_the_heart_to_all_four_exits():
    tiles = np.full((WIDE, WIDE), Tile.WALL, np.uint8)
    told = list(lay_roads(3, 2, 2, tiles, Point(MID, MID)))
    assert [line.split()[-1] for line in told] == ["north", "east", "south", "west"]
    assert ["road" in line for line in told] == _paved(3, 2, 2)
    rubble = np.isin(tiles[INNER], (Tile.RUBBLE, Tile.ROAD))
    for x, y in chunk_exits(3, 2, 2, road_costs(np.full((WIDE, WIDE), Tile.WALL, np.uint8))):
        assert rubble[y, x]
    assert rubble[MID, MID]
    assert len(disconnected_parts(np.pad(rubble, HALO))) == 1
    assert (tiles != Tile.WALL).sum() == rubble.sum(), "nothing beyond the chunk"


def test_trails_lead_to_what_is_cut_off():
    walkable = window((30, 30, 30, 20), (100, 90, 9, 9), (20, 150, 8, 8))
    tiles = np.where(walkable, Tile.GRASS, Tile.WALL).astype(np.uint8)
    assert len(list(join_wild_parts(tiles, 4, (0, 0)))) == 2
    parts = disconnected_parts(np.isin(tiles, (Tile.GRASS, Tile.RUBBLE)))
    assert len(parts) == 1
    assert (tiles[walkable] == Tile.GRASS).all()


@pytest.mark.parametrize("seed", range(4))
def test_water_drains_to_the_lowest_neighbour_and_rests_where_there_is_none(seed):
    rng = np.random.default_rng(seed)
    slope, sea = rng.random((12, 12)), rng.random((12, 12)) < 0.1
    down, rests = _downhill(slope, sea)
    for y, x in np.ndindex(slope.shape):
        near = [
            (slope[y + dy, x + dx], (y + dy) * 12 + x + dx)
            for dx, dy in DIRECTIONS
            if 0 <= x + dx < 12 and 0 <= y + dy < 12
        ]
        lowest, place = min(near)
        still = sea[y, x] or lowest >= slope[y, x]
        assert rests[y * 12 + x] == still
        assert down[y * 12 + x] == (y * 12 + x if still else place)


def test_a_stream_counts_the_springs_above_it_and_dries_up_where_it_would_be_too_long():
    count = LONGEST + 6
    down = np.maximum(np.arange(count) - 1, 0)
    rests = np.arange(count) == 0
    flow = _flows(np.array([2, 5, 5]), down, rests)
    assert flow.tolist() == [3, 3, 3, 2, 2, 2] + [0] * (count - 6)
    assert _flows(np.array([LONGEST]), down, rests).sum() == LONGEST + 1
    assert not _flows(np.array([LONGEST + 1]), down, rests).any()


@pytest.mark.parametrize(("flow", "half"), [(1, 1.05), (2, 1.4), (7, 3.15), (8, 3.2), (50, 3.2)])
def test_a_river_widens_with_its_springs_and_most_in_lakes(flow, half):
    assert _half_width(RiverSegment(0, 0, 16, 0, flow)) == pytest.approx(half)
    assert _half_width(RiverSegment(0, 0, 0, 16, flow)) == pytest.approx(half)
    assert _half_width(RiverSegment(3, 4, 3, 4, flow)) == pytest.approx(half + 6)


@pytest.mark.parametrize("drain", [(3, 4, 9, 4), (9, 2, 3, 11), (5, 5, 5, 5), (2, 9, 2, 1)])
def test_the_distance_from_a_segment_is_that_from_its_nearest_point(drain):
    segment = RiverSegment(*drain, 1)
    xs, ys = np.meshgrid(np.arange(14.0), np.arange(14.0))
    points = [
        (segment.x + (segment.to_x - segment.x) * t, segment.y + (segment.to_y - segment.y) * t)
        for t in np.linspace(0, 1, 400)
    ]
    wanted = np.min([np.hypot(xs - x, ys - y) for x, y in points], axis=0)
    assert np.allclose(_distance(xs, ys, segment), wanted, atol=0.02)


def test_a_spring_on_a_distant_watershed_drains_to_the_same_side_in_every_window(monkeypatch):
    """A window could see the valley on its own side only, and draw a lake of its own there."""
    watershed = -LONGEST - 2

    def slope(_seed, corner, width, height, _pitch):
        xs, ys = (np.arange(first, first + LONGEST * 9) for first in corner)
        across = np.where(xs < watershed, xs - 200, np.where(xs <= -2, -xs, xs + 100))
        return (across + 500 * np.abs(ys)[:, None])[:height, :width].astype(float)

    def spring(_seed, first, rise, _heights):
        return np.array([-first[1] * len(rise) + watershed - first[0]])

    monkeypatch.setattr(rivers, "drainage_elevation", slope)
    monkeypatch.setattr(rivers, "elevation", lambda *window: np.ones(window[2:4]))
    monkeypatch.setattr(rivers, "_springs", spring)
    for corner in ((0, 0), (-2 * PITCH, -PITCH), (-4 * PITCH, 0)):
        assert river_segments(1, corner, 256, TerrainHeights(-0.2, -0.15, 0.2, 0.34)) == []


def test_a_window_sees_the_segments_around_it_and_one_beside_it_the_same():
    heights = TerrainHeights(-0.2, -0.15, 0.2, 0.34)
    corner = next(
        (x * 400, 0) for x in range(40) if len(river_segments(3, (x * 400, 0), 160, heights)) > 6
    )
    here = river_segments(3, corner, 160, heights)
    moved = river_segments(3, (corner[0] + 32, corner[1] - 48), 160, heights)
    there = {(x + 32, y - 48, a + 32, b - 48, flow) for x, y, a, b, flow in moved}
    inner = [one for one in here if 32 <= one.x < 140 and 0 <= one.y < 90]
    assert {tuple(one) for one in inner} <= there
    for one in here:
        assert -3 * PITCH < one.x < 160 + 3 * PITCH
        assert -3 * PITCH < one.y < 160 + 3 * PITCH
        assert max(abs(one.x - one.to_x), abs(one.y - one.to_y)) in (0, PITCH)
        assert one.flow > 0
        below = [other for other in here if other[:2] == one[2:4]]
        assert all(other.flow >= one.flow for other in below)
    depth = water_depth(3, corner, 160, heights)
    shifted = water_depth(3, (corner[0] + 32, corner[1] - 48), 160, heights)
    assert np.allclose(depth[:112, 32:], shifted[48:, :128])
    assert depth.min() >= -1.0
    assert 0 < (depth > 0).mean() < 0.5
    assert depth.max() <= 10 / BANK_WIDTH
    assert (depth < UNREACHED).all()
