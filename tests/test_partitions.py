"""Partitions: leaves that tile the map, cells that are nearest, chambers a wall apart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entities.terrain import Tile, terrain
from procgen.analysis import regions
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.grids.cells import apart, nearest_site
from procgen.rng import Rng
from procgen.rooms.chambers import square_rooms, thin_walls
from procgen.steps.adjacent import join_adjacent_leaves
from procgen.steps.chambers import chambers_in_regions, pierce_walls
from procgen.steps.mondrian import cut_in_random_order, loose_rooms_in_leaves
from procgen.steps.voronoi import drop_regions, merge_regions, voronoi_cells
from procgen.ways.spanning import touching, tree_and_rest

SIZES = st.tuples(st.integers(8, 70), st.integers(8, 60))
METRICS = ("euclidean", "manhattan", "chebyshev")


def run(step, plan, seed=1, **parameters):
    return list(step(plan, Rng(seed, "test"), **parameters))


def drawn(text):
    chars = {"#": Tile.WALL, ".": Tile.FLOOR, ",": Tile.TUNNEL, "+": Tile.DOOR}
    return np.array([[chars[char] for char in row] for row in text.split()], np.uint8)


def cut(size, seed=1, **parameters):
    plan = Blueprint.solid(*size)
    run(cut_in_random_order, plan, seed, **parameters)
    return plan


@settings(max_examples=60, deadline=None)
@given(
    size=SIZES,
    seed=st.integers(0, 99),
    least=st.tuples(st.integers(2, 12), st.integers(2, 12)),
    axis=st.sampled_from(("longest", "random", "alternate")),
    stop=st.sampled_from(("area", "sides", "count")),
    order=st.sampled_from(("random", "depth_first")),
)
def test_leaves_tile_the_map_and_regions_number_them(size, seed, least, axis, stop, order):
    plan = Blueprint.solid(*size)
    growth = cut_in_random_order(
        plan,
        Rng(seed, "test"),
        min_width=least[0],
        min_height=least[1],
        min_area=60,
        axis=axis,
        stop=stop,
        order=order,
        leaves=12,
    )
    for number, _ in enumerate(growth, 2):
        assert len(plan.leaves) == number
        times = np.zeros(plan.tiles.shape, int)
        for index, leaf in enumerate(plan.leaves, 1):
            times[leaf.inner] += 1
            assert (plan.regions[leaf.inner] == index).all()
            assert leaf.width >= min(least[0], size[0])
            assert leaf.height >= min(least[1], size[1])
        assert (times == 1).all()


@pytest.mark.parametrize("seed", range(20))
def test_by_area_only_leaves_that_are_small_or_cannot_be_cut_remain(seed):
    for leaf in cut((100, 100), seed).leaves:
        assert leaf.area <= 250 or (leaf.width < 20 and leaf.height < 20)


@pytest.mark.parametrize("seed", range(20))
def test_by_sides_no_leaf_could_be_cut_again(seed):
    plan = cut((70, 50), seed, min_width=7, min_height=5, stop="sides")
    assert all(leaf.width < 14 and leaf.height < 10 for leaf in plan.leaves)


@settings(max_examples=60, deadline=None)
@given(size=SIZES, seed=st.integers(0, 99), wanted=st.integers(1, 40))
def test_a_count_is_met_exactly_or_as_nearly_as_the_map_allows(size, seed, wanted):
    plan = cut(size, seed, min_width=9, min_height=6, stop="count", leaves=wanted)
    fit = max(1, size[0] // 9) * max(1, size[1] // 6)
    assert len(plan.leaves) == min(wanted, fit)


@pytest.mark.parametrize("seed", range(10))
def test_depth_first_finishes_one_part_before_the_next(seed):
    plan = Blueprint.solid(64, 64)
    growth = cut_in_random_order(plan, Rng(seed, "test"), order="depth_first")
    next(growth)
    other = plan.leaves[1]
    for _ in growth:
        if plan.leaves[1] != other:
            break
    finished = [leaf for index, leaf in enumerate(plan.leaves) if index != 1]
    finished = [leaf for leaf in finished if not other.contains(leaf.x, leaf.y)]
    assert all(leaf.area <= 250 or max(leaf.width, leaf.height) < 20 for leaf in finished)


@pytest.mark.parametrize("seed", range(10))
def test_alternate_lines_cross_their_parents(seed):
    plan = cut((64, 64), seed, min_width=2, min_height=2, axis="alternate", stop="count", leaves=4)
    full_width = [leaf for leaf in plan.leaves if leaf.width == 64]
    full_height = [leaf for leaf in plan.leaves if leaf.height == 64]
    assert len(full_width) <= 1
    assert len(full_height) <= 1


@pytest.mark.parametrize("seed", range(20))
def test_a_room_is_smaller_than_its_leaf_and_inside_it(seed):
    plan = cut((80, 45), seed)
    run(loose_rooms_in_leaves, plan, seed)
    assert len(plan.rooms) == len(plan.leaves)
    for leaf, room in zip(plan.leaves, plan.rooms, strict=True):
        assert leaf.x < room.x
        assert leaf.y < room.y
        assert room.x + room.width < leaf.x + leaf.width
        assert room.y + room.height < leaf.y + leaf.height


@pytest.mark.parametrize("loops", [0.0, 0.5, 1.0])
def test_neighbours_are_joined_along_a_tree_and_more(loops):
    for seed in range(15):
        plan = cut((80, 45), seed)
        run(loose_rooms_in_leaves, plan, seed)
        run(join_adjacent_leaves, plan, seed, loops=loops)
        assert regions(plan.open)[1] == 1
        crossed = [pair for pair in touching(plan.regions) if _way_across(plan, pair)]
        least, most = len(plan.leaves) - 1, len(touching(plan.regions))
        assert len(crossed) == most if loops == 1 else least <= len(crossed) <= most
        if not loops:
            assert len(crossed) == least


def _way_across(plan, pair):
    """Whether one can step from one leaf of the pair straight into the other."""
    open_here, open_there = (plan.open & (plan.regions == number) for number in pair)
    return any(
        (a & b).any()
        for one, other in ((open_here, open_there), (open_there, open_here))
        for a, b in ((one[:, :-1], other[:, 1:]), (one[:-1], other[1:]))
    )


def test_rooms_face_to_face_get_a_straight_way_others_turn_at_the_edge():
    plan = Blueprint(
        drawn("############ #...######## #...####...# #...####...# ########...# ############")
    )
    plan.leaves = [RectangularRoom(0, 0, 6, 6), RectangularRoom(6, 0, 6, 6)]
    plan.rooms = [RectangularRoom(1, 1, 3, 3), RectangularRoom(8, 2, 3, 3)]
    run(join_adjacent_leaves, plan)
    dug = np.argwhere(plan.tiles == Tile.TUNNEL).tolist()
    assert len(dug) == 4
    assert len({y for y, _ in dug}) == 1


@settings(max_examples=60, deadline=None)
@given(
    size=st.tuples(st.integers(1, 50), st.integers(1, 50)),
    seed=st.integers(0, 999),
    count=st.integers(1, 40),
    metric=st.sampled_from(METRICS),
)
def test_every_tile_belongs_to_the_first_of_its_nearest_sites(size, seed, count, metric):
    rng = Rng(seed, "sites")
    columns, rows = rng.integers(0, size[0] - 1, count), rng.integers(0, size[1] - 1, count)
    sites = np.stack([columns, rows], 1)
    ys, xs = np.indices((size[1], size[0]))
    slow = np.array([apart(metric, xs - x, ys - y) for x, y in sites.tolist()]).argmin(axis=0)
    assert (nearest_site(*size, sites, metric) == slow).all()


@pytest.mark.parametrize(
    ("other", "tile", "nearest"),
    [((8, 3), (3, 3), [0, 1, 0]), ((7, 0), (5, 5), [1, 1, 0]), ((4, 0), (2, 0), [0, 0, 0])],
    ids=["a diamond is narrow", "a block is wide", "a tie goes to the first"],
)
def test_metrics_shape_the_cells(other, tile, nearest):
    sites = np.array([(0, 0), other])
    found = [int(nearest_site(12, 12, sites, metric)[tile[::-1]]) for metric in METRICS]
    assert found == nearest


@pytest.mark.parametrize("metric", METRICS)
def test_no_step_leads_from_chamber_to_chamber_before_the_walls_are_pierced(metric):
    for seed in range(8):
        plan = Blueprint.solid(60, 40)
        run(voronoi_cells, plan, seed, metric=metric)
        run(chambers_in_regions, plan, seed)
        inside = np.where(plan.open, plan.regions, 0)
        for dy, dx in ((0, 1), (1, 0), (1, 1)):
            one, other = inside[dy:, dx:], inside[: 40 - dy, : 60 - dx]
            assert not ((one != other) & (one > 0) & (other > 0)).any()
        slant, back = inside[1:, :-1], inside[:-1, 1:]
        assert not ((slant != back) & (slant > 0) & (back > 0)).any()
        assert not plan.open[[0, -1]].any()
        assert not plan.open[:, [0, -1]].any()


def test_merged_and_dropped_cells_leave_the_rest_in_one_piece():
    for seed in range(20):
        plan = Blueprint.solid(60, 40)
        run(voronoi_cells, plan, seed)
        before = len(np.unique(plan.regions))
        run(merge_regions, plan, seed, share=0.3)
        merged = np.unique(plan.regions)
        run(drop_regions, plan, seed, share=0.3)
        left = np.unique(plan.regions[plan.regions > 0])
        assert before > len(merged) > len(left)
        pairs = [pair for pair in touching(plan.regions) if pair[0] > 0]
        assert len(tree_and_rest(pairs)[0]) == len(left) - 1


WALLED = """
    ###########
    #...#.....#
    #...#.....#
    #...#.....#
    #####.....#
    #...##....#
    #...##....#
    ###########
"""


def test_thin_walls_are_found_with_their_thickness():
    labels, _ = regions(drawn(WALLED) == Tile.FLOOR)
    walls = thin_walls(labels, 2)
    assert {pair: {len(gap.tiles) for gap in gaps} for pair, gaps in walls.items()} == {
        (1, 2): {1},
        (1, 3): {1},
        (2, 3): {2},
    }
    assert (1, 2) in thin_walls(labels, 1)
    assert (2, 3) not in thin_walls(labels, 1)


@pytest.mark.parametrize(("loops", "gaps"), [(0.0, 2), (1.0, 3)])
def test_walls_are_pierced_along_a_tree_and_more(loops, gaps):
    for seed in range(20):
        plan = Blueprint(drawn(WALLED))
        before = plan.open
        run(pierce_walls, plan, seed, loops=loops, doors=0.5)
        assert regions(plan.open)[1] == 1
        _, opened = regions(plan.open & ~before)
        assert 1 <= opened <= gaps
        if loops:
            assert opened == gaps


def test_water_is_no_wall_to_pierce():
    plan = Blueprint(drawn("####### #..#..# #..#..# #######"))
    plan.tiles[1:3, 3] = Tile.WATER
    before = plan.tiles.copy()
    run(pierce_walls, plan)
    assert np.array_equal(plan.tiles, before)


def test_the_room_of_a_chamber_is_its_largest_square():
    plan = drawn("######## #......# #.....## #.....## #...#### #.###### ########")
    assert square_rooms((plan == Tile.FLOOR).astype(np.int32), 1) == [RectangularRoom(1, 1, 3, 3)]


def test_rooms_of_chambers_are_floor_all_over():
    for seed in range(10):
        plan = Blueprint.solid(60, 40)
        run(voronoi_cells, plan, seed)
        run(chambers_in_regions, plan, seed)
        assert plan.rooms
        assert all(terrain().walkable[plan.tiles[room.inner]].all() for room in plan.rooms)
