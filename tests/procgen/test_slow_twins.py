"""Parts of procgen against slow twins, written tile by tile after what their docstrings promise."""

from itertools import permutations, product
from operator import add
from types import SimpleNamespace

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.analysis.bitboard import within_reach
from procgen.analysis.distances import DIRECTIONS, UNREACHED, regions_intact
from procgen.analysis.nearby_points import NearbyPoints
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.carving.doorways import doorways, in_open_square
from procgen.infinite import chunk_window
from procgen.metrics import format_metric
from procgen.missions.carving import Carver
from procgen.placement.painting import DETOUR_REACH, can_close_area
from procgen.placement.room_sites import RoomSite
from procgen.rng import Rng
from procgen.steps.garden import _labyrinth
from procgen.steps.houses import _street_sides
from procgen.steps.mission_layout import THICKEST, _walls_between_rooms
from procgen.steps.mondrian import Partition
from procgen.steps.room_types import _medium_size
from support.blueprints import run
from support.by_definition import FOUR, cells, is_open, parts, speckled


@pytest.mark.parametrize("seed", range(10))
def test_a_doorway_is_open_between_two_walls_and_leads_to_a_square_of_floor(seed):
    plan = speckled(seed, 0.5 + seed % 3 / 10)

    def roomy(x, y):
        return any(
            all(is_open(plan, x + a + dx, y + b + dy) for a, b in product((0, 1), repeat=2))
            for dx, dy in product((-1, 0), repeat=2)
        )

    found, squares = doorways(plan), in_open_square(plan.open)
    for x, y in cells(plan):
        wanted = False
        if plan.inside(x, y) and is_open(plan, x, y):
            for dx, dy in ((1, 0), (0, 1)):
                walls = not (is_open(plan, x + dy, y + dx) or is_open(plan, x - dy, y - dx))
                ways = (x + dx, y + dy), (x - dx, y - dy)
                through = all(is_open(plan, *way) for way in ways)
                wanted |= walls and through and any(roomy(*way) for way in ways)
        assert found[y, x] == wanted, (x, y)
        assert squares[y, x] == (is_open(plan, x, y) and roomy(x, y)), (x, y)


@pytest.mark.parametrize("diagonal", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_steps_within_reach_are_those_of_a_search_tile_by_tile(seed, diagonal):
    plan = speckled(seed, 0.55 + seed % 4 / 10, 11, 9)
    open_tiles, rng = plan.open, np.random.default_rng(seed)
    ground = [(x, y) for x, y in cells(plan) if is_open(plan, x, y)]
    sides = DIRECTIONS if diagonal else FOUR
    for start in (ground[0], ground[-1], ground[int(rng.integers(len(ground)))]):
        steps, ring = {start: 0}, [start]
        while ring:
            around = {(x + dx, y + dy): steps[x, y] + 1 for x, y in ring for dx, dy in sides}
            ring = [place for place in around if is_open(plan, *place) and place not in steps]
            steps |= {place: around[place] for place in ring}
        for end, limit in product(ground[::3], (1, 3, 7, 12)):
            wanted = steps.get(end, 99) <= limit
            found = within_reach(open_tiles, start, end, limit, diagonal=diagonal)
            assert found == wanted, (start, end, limit)


@pytest.mark.parametrize("length", [np.maximum, add])
@pytest.mark.parametrize("side", [20, 400])
def test_the_nearest_point_is_the_first_of_the_nearest_of_all(side, length):
    rng, points, found = np.random.default_rng(side), [], NearbyPoints()
    assert found.nearest(3, 4) == (UNREACHED, -1)
    for x, y in rng.integers(0, side, (200, 2)).tolist():
        points.append((x, y))
        found.add(x, y)
        at = tuple(rng.integers(-side // 2, 2 * side, 2).tolist())
        apart = [length(abs(x - at[0]), abs(y - at[1])) for x, y in points]
        assert found.nearest(*at, length) == (min(apart), apart.index(min(apart)))


@pytest.mark.parametrize("seed", range(8))
def test_tiles_can_be_closed_if_what_touches_them_stays_joined_nearby(seed):
    plan, rng = speckled(seed, 0.6 + seed % 4 / 10, 54, 12), np.random.default_rng(seed)
    before = {(x, y) for x, y in cells(plan) if is_open(plan, x, y)}
    homes = parts(before)
    labels = np.zeros(plan.tiles.shape, np.int32)
    for number, home in enumerate(homes, 1):
        labels[tuple(zip(*((y, x) for x, y in home), strict=True))] = number
    for _ in range(15):
        width, height = rng.integers(1, 6, 2).tolist()
        left, top = int(rng.integers(0, 55 - width)), int(rng.integers(0, 13 - height))
        closing = rng.random((height, width)) < 0.7
        shut = {(left + x, top + y) for y, x in np.argwhere(closing).tolist()} & before
        now = parts(before - shut)
        beside = {(x + dx, y + dy) for x, y in shut for dx, dy in FOUR} & before - shut
        ways = {
            (x, y)
            for x, y in before - shut
            if left - DETOUR_REACH <= x < left + width + DETOUR_REACH
            and top - DETOUR_REACH <= y < top + height + DETOUR_REACH
        }
        joined = sum(not beside.isdisjoint(part) for part in parts(ways)) == 1
        assert can_close_area(plan.open, (left, top), closing) == (joined or not shut)
        after = plan.open
        after[top : top + height, left : left + width] &= ~closing
        intact = all(sum(part <= home for part in now) <= 1 for home in homes)
        assert regions_intact(labels, after) == intact


@pytest.mark.parametrize("seed", range(8))
def test_walls_between_rooms_are_straight_ways_through_rock_with_rock_beside_them(seed):
    plan, rng = Blueprint.solid(24, 17), np.random.default_rng(seed)
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    for number, (x, y) in enumerate(product((1, 8, 15), (1, 9)), 1):
        wide, high = rng.integers(3, 7, 2).tolist()
        room = RectangularRoom(x + int(rng.integers(0, 2)), y, wide, min(high, 16 - y))
        plan.tiles[room.inner], plan.regions[room.inner] = Tile.FLOOR, number
    plan.tiles[rng.random(plan.tiles.shape) < 0.02] = Tile.TUNNEL
    plan.tiles[rng.random(plan.tiles.shape) < 0.02] = Tile.FLOOR

    def rock(x, y):
        return plan.tiles[y, x] == Tile.WALL

    def room_of(x, y):
        return int(plan.regions[y, x]) if is_open(plan, x, y) else 0

    wanted = []
    for (dx, dy), thick in product(FOUR, range(1, THICKEST + 1)):
        for x, y in cells(plan):
            way = [(x + n * dx, y + n * dy) for n in range(1, thick + 1)]
            one, other = room_of(x, y), room_of(x + (thick + 1) * dx, y + (thick + 1) * dy)
            if (
                one
                and other
                and one != other
                and all(
                    plan.inside(a, b)
                    and rock(a, b)
                    and rock(a + dy, b + dx)
                    and rock(a - dy, b - dx)
                    for a, b in way
                )
            ):
                wanted.append((one - 1, other - 1, way, (dx, dy)))
    pairs = set(permutations(range(6), 2)) - {(0, 1), wanted[-1][:2]}
    wanted = [wall for wall in wanted if wall[:2] in pairs]
    assert wanted
    assert sorted(_walls_between_rooms(plan, pairs)) == sorted(wanted)


def test_a_house_has_its_doors_in_walls_to_the_street_but_never_in_its_corners():
    for seed in range(12):
        rng = np.random.default_rng(seed)
        plan = Blueprint.solid(16, 13)
        plan.regions = np.zeros(plan.tiles.shape, np.int32)
        plot = RectangularRoom(3, 2, int(rng.integers(4, 9)), int(rng.integers(4, 8)))
        plan.regions[plot.inner] = 1
        outside = plan.regions == 0
        plan.tiles[outside & (rng.random(outside.shape) < 0.6)] = Tile.ROAD
        plan.regions[outside & (rng.random(outside.shape) < 0.2)] = 2
        xs = range(plot.x + 1, plot.x + plot.width - 1)
        ys = range(plot.y + 1, plot.y + plot.height - 1)
        left, top, right, bottom = plot.x, plot.y, plot.x + plot.width - 1, plot.y + plot.height - 1
        walls = (
            (0, -1, [(x, top) for x in xs]), (0, 1, [(x, bottom) for x in xs]),
            (-1, 0, [(left, y) for y in ys]), (1, 0, [(right, y) for y in ys]),
        )  # fmt: skip
        wanted = [
            [
                (x, y) for x, y in wall
                if is_open(plan, x + dx, y + dy) and plan.regions[y + dy, x + dx] == 0
            ]
            for dx, dy, wall in walls
        ]  # fmt: skip
        assert _street_sides(plan, plot.grown(-1)) == [places for places in wanted if places]


@pytest.mark.parametrize(("upright", "spare"), list(product((True, False), (0, 1, 2, 5))))
@pytest.mark.parametrize(("width", "height"), [(23, 11), (16, 17), (31, 9)])
def test_a_painting_is_cut_wherever_it_loses_no_more_leaves_than_it_can_spare(
    width, height, upright, spare
):
    rules, leaf = Partition(4, 5, "random"), RectangularRoom(0, 0, width, height)
    least, side = (4, width) if upright else (5, height)

    def lost(at):
        parts = [(cut, height) if upright else (width, cut) for cut in (at, side - at)]
        return rules.capacity(width, height) - sum(rules.capacity(*part) for part in parts)

    if side < 2 * least:
        return
    # A cut loses nothing or one line of leaves: all places are as good if a line can be spared.
    losses = {at: lost(at) for at in range(least, side - least + 1)}
    wanted = {at for at, loss in losses.items() if loss <= spare}
    assert {rules.cut(leaf, upright, spare, Rng(seed)) for seed in range(400)} == wanted


def test_corridors_bend_anywhere_between_the_first_and_the_last_tile_of_a_cell():
    spans = [(1, 7), (9, 3), (13, 2), (16, 4)], [(1, 5), (7, 1), (9, 9)]
    found = [[set() for _ in lines] for lines in spans]
    for seed in range(120):
        carver = Carver(Blueprint.solid(24, 20), None, None, spans, Rng(seed), 0.0)
        for lines, bends in zip(found, (carver.bend_x, carver.bend_y), strict=True):
            for line, bend in zip(lines, bends, strict=True):
                line.add(bend)
    for lines, places in zip(spans, found, strict=True):
        for (first, tiles), line in zip(lines, places, strict=True):
            assert line == set(range(first + 1, first + max(1, tiles - 2) + 1))


@pytest.mark.parametrize(("width", "height"), list(product((5, 6, 9, 12), (5, 8, 11))))
def test_the_gold_of_a_labyrinth_lies_in_its_middle(width, height):
    box = np.full((height, width), Tile.GRASS, np.uint8)
    _labyrinth(box, Rng(3))
    assert np.argwhere(box == Tile.TREASURE).tolist() == [[height // 2, width // 2]]


def test_a_modest_room_is_off_the_way_and_as_near_to_35_tiles_as_can_be():
    def site(area, on_way):
        box = RectangularRoom(0, 0, area, 1)
        return RoomSite(np.arange(area), area, box, 3, sealed=False, on_way=on_way)

    areas = [35, 34, 33, 37, 20, 60]
    sites = [site(area, on_way) for on_way in (False, True) for area in areas]
    assert [one.area for one in sorted(sites, key=_medium_size, reverse=True)] == areas * 2
    assert _medium_size(site(33, False)) == _medium_size(site(37, False))


@pytest.mark.parametrize("side", [9, 24, 30, 44])
def test_no_lake_is_wider_than_a_third_of_the_map(side):
    widths = set()
    for seed in range(12):
        plan = Blueprint.solid(60, side)
        plan.tiles[1:-1, 1:-1] = Tile.FLOOR
        run("lakes", plan, seed, number=1, smallest=40, largest=40, shores=0.0)
        xs = np.nonzero(plan.tiles == Tile.WATER)[1]
        widths |= {int(xs.max() - xs.min()) + 1} if len(xs) else set()
    assert widths
    assert max(widths) <= side // 3


@pytest.mark.parametrize("away", [0, 5, 47, 48, 49, 96, 97, 300, 512, 700, 900])
@pytest.mark.parametrize("course", FOUR)
def test_the_nearest_ground_is_found_as_far_off_as_promised(monkeypatch, away, course):
    at = 40 + away * course[0], -70 + away * course[1]

    def window(_world, _seed, x, y, width, height):
        tiles = np.full((height, width), Tile.WATER, np.uint8)
        if x <= at[0] < x + width and y <= at[1] < y + height:
            tiles[at[1] - y, at[0] - x] = Tile.FLOOR
        return tiles, None

    monkeypatch.setattr(chunk_window, "window_tiles", window)
    found = chunk_window.nearest_ground(SimpleNamespace(), 1, 40, -70)
    assert found == (at if away <= 768 else (40, -70))


def test_shares_are_told_in_per_cent_and_counts_with_commas():
    shares = ("floor", "backtracking", "water", "lava", "darkness")
    assert {format_metric(name, 0.256) for name in shares} == {"26%"}
    assert format_metric("detour", 1.256) == "1.26"
    assert format_metric("path", 12345) == "12,345"


def test_a_median_between_two_counts_keeps_its_half():
    assert [format_metric("loops", value) for value in (1, 1.5, 2.0, 2.5)] == [
        "1",
        "1.5",
        "2",
        "2.5",
    ]
    assert format_metric("largest_cut", 1110.04) == "1,110"
