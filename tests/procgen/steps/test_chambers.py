"""Chambers of cells around sites, and walls that are pierced."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.carving.region_links import adjacent_pairs, spanning_tree
from procgen.rng import Rng
from procgen.steps.chambers import chambers_in_regions, pierce_walls, square_rooms, thin_walls
from procgen.steps.voronoi import apart, drop_regions, merge_regions, nearest_site, voronoi_cells
from support.blueprints import drawn_tiles, run

METRICS = ("euclidean", "manhattan", "chebyshev")


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
        pairs = [pair for pair in adjacent_pairs(plan.regions) if pair[0] > 0]
        assert len(spanning_tree(pairs)[0]) == len(left) - 1


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
    labels, _ = regions(drawn_tiles(WALLED) == Tile.FLOOR)
    walls = thin_walls(labels, 2)
    assert {pair: {len(gap) for gap in gaps} for pair, gaps in walls.items()} == {
        (1, 2): {1},
        (1, 3): {1},
        (2, 3): {2},
    }
    assert (1, 2) in thin_walls(labels, 1)
    assert (2, 3) not in thin_walls(labels, 1)


@pytest.mark.parametrize(("loops", "gaps"), [(0.0, 2), (1.0, 3)])
def test_walls_are_pierced_along_a_tree_and_more(loops, gaps):
    for seed in range(20):
        plan = Blueprint(drawn_tiles(WALLED))
        before = plan.open
        run(pierce_walls, plan, seed, loops=loops, doors=0.5)
        assert regions(plan.open)[1] == 1
        _, opened = regions(plan.open & ~before)
        assert 1 <= opened <= gaps
        if loops:
            assert opened == gaps


def test_water_is_no_wall_to_pierce():
    plan = Blueprint(drawn_tiles("####### #..#..# #..#..# #######"))
    plan.tiles[1:3, 3] = Tile.WATER
    before = plan.tiles.copy()
    run(pierce_walls, plan)
    assert np.array_equal(plan.tiles, before)


def test_the_room_of_a_chamber_is_its_largest_square():
    plan = drawn_tiles("######## #......# #.....## #.....## #...#### #.###### ########")
    assert square_rooms((plan == Tile.FLOOR).astype(np.int32), 1) == [RectangularRoom(1, 1, 3, 3)]


def test_rooms_of_chambers_are_floor_all_over():
    for seed in range(10):
        plan = Blueprint.solid(60, 40)
        run(voronoi_cells, plan, seed)
        run(chambers_in_regions, plan, seed)
        assert plan.rooms
        assert all(terrain().walkable[plan.tiles[room.inner]].all() for room in plan.rooms)
