"""Random-order cuts: leaves, rooms in them, neighbours joined."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entities.terrain import Tile
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.carving.region_links import adjacent_pairs
from procgen.rng import Rng
from procgen.steps.bsp import LEAST_LEAF, grid_of_leaves
from procgen.steps.corridors import join_adjacent_leaves
from procgen.steps.mondrian import loose_rooms_in_leaves, mondrian_partition
from support.blueprints import drawn_tiles, run

SIZES = st.tuples(st.integers(8, 70), st.integers(8, 60))


def cut(size, seed=1, **parameters):
    plan = Blueprint.solid(*size)
    run(mondrian_partition, plan, seed, **parameters)
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
    growth = mondrian_partition(
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
    growth = mondrian_partition(plan, Rng(seed, "test"), order="depth_first")
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
        crossed = [pair for pair in adjacent_pairs(plan.regions) if _way_across(plan, pair)]
        least, most = len(plan.leaves) - 1, len(adjacent_pairs(plan.regions))
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
        drawn_tiles("############ #...######## #...####...# #...####...# ########...# ############")
    )
    plan.leaves = [RectangularRoom(0, 0, 6, 6), RectangularRoom(6, 0, 6, 6)]
    plan.rooms = [RectangularRoom(1, 1, 3, 3), RectangularRoom(8, 2, 3, 3)]
    run(join_adjacent_leaves, plan)
    dug = np.argwhere(plan.tiles == Tile.TUNNEL).tolist()
    assert len(dug) == 4
    assert len({y for y, _ in dug}) == 1


@settings(max_examples=30, deadline=None)
@given(size=SIZES, columns=st.integers(1, 9), rows=st.integers(1, 9))
def test_a_grid_of_leaves_tiles_the_map_with_leaves_that_hold_a_room(size, columns, rows):
    plan = Blueprint.solid(*size)
    run(grid_of_leaves, plan, columns=columns, rows=rows)
    covered = np.zeros(plan.tiles.shape, int)
    for leaf in plan.leaves:
        covered[leaf.inner] += 1
        assert min(leaf.width, leaf.height) >= LEAST_LEAF or len(plan.leaves) <= max(columns, rows)
    assert (covered == 1).all()
    if min(size) >= 9 * LEAST_LEAF:
        assert len(plan.leaves) == columns * rows
