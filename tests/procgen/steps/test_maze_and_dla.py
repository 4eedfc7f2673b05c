"""Mazes are perfect until they are braided; corals grow grain by grain and stay whole."""

from collections import Counter

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.analysis.chokepoints import dead_ends
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.carving.region_links import spanning_tree
from procgen.rng import Rng
from procgen.steps.diffusion_limited_aggregation import diffusion_limited_aggregation, scatter_seeds
from procgen.steps.maze import (
    WEIGHTS,
    Lattice,
    _all_walls,
    grow_maze,
    growing_tree,
    minimum_tree,
    uniform_tree,
)
from support.blueprints import run
from support.by_definition import count_loops

TEXTURES = ("growing_tree", "spanning_tree", "minimum_tree")


def maze(size=(41, 31), seed=1, **parameters):
    plan = Blueprint.solid(*size)
    run(grow_maze, plan, seed, **parameters)
    return plan


@pytest.mark.parametrize("texture", TEXTURES)
@pytest.mark.parametrize("size", [(41, 31), (20, 15), (24, 40)])
def test_a_maze_is_one_piece_without_a_loop(texture, size):
    for seed in range(15):
        plan = maze(size, seed, texture=texture)
        assert regions(plan.open)[1] == 1
        assert count_loops(plan.open) == 0


@pytest.mark.parametrize("clearings", [0.0, 0.2])
@pytest.mark.parametrize("texture", TEXTURES)
def test_a_maze_is_the_same_whatever_was_built_before(texture, clearings):
    _all_walls.cache_clear()
    first, again = (maze(texture=texture, clearings=clearings).tiles for _ in range(2))
    assert (first == again).all()


@pytest.mark.parametrize("texture", TEXTURES)
def test_braiding_removes_the_share_of_dead_ends_asked_for(texture):
    def ends(braid):
        plans = [maze(seed=seed, texture=texture, braid=braid) for seed in range(8)]
        return sum(int(dead_ends(plan.open).sum()) for plan in plans)

    assert ends(1.0) == 0
    assert ends(0.5) == pytest.approx(ends(0.0) / 2, rel=0.05)


@pytest.mark.parametrize(("corridor", "wall"), [(2, 1), (3, 1), (1, 2), (2, 3)])
def test_corridors_and_walls_are_as_thick_as_asked(corridor, wall):
    plan = maze((60, 50), corridor=corridor, wall=wall, braid=0.3)
    for open_tiles, thick in ((plan.open, corridor), (~plan.open, wall)):
        for row in [*open_tiles, *open_tiles.T]:
            runs = "".join("x" if tile else " " for tile in row.tolist()).split()
            assert all(len(run) >= thick or run == "x" * len(row) for run in runs[1:-1])


def test_clearings_are_rooms_that_the_maze_enters_like_a_single_cell():
    for seed in range(10):
        plan = maze(seed=seed, clearings=0.2)
        assert len(plan.rooms) > 1
        for room in plan.rooms:
            assert (plan.tiles[room.inner] == Tile.FLOOR).all()
            assert min(room.width, room.height) >= 3


def test_a_map_too_small_for_two_cells_is_rejected():
    with pytest.raises(Rejected):
        maze((4, 4), corridor=3)


def test_the_textures_differ():
    winding = [maze(seed=seed, texture="growing_tree", newest=1.0) for seed in range(5)]
    uniform = [maze(seed=seed, texture="spanning_tree") for seed in range(5)]
    counts = [
        sum(int(dead_ends(plan.open).sum()) for plan in plans) for plans in (winding, uniform)
    ]
    assert counts[0] * 2 < counts[1]


def test_every_spanning_tree_is_as_likely_as_any_other():
    lattice = Lattice.fit(7, 5, 1, 1)
    nodes = list(range(lattice.count))
    trees = Counter(
        frozenset(tuple(sorted(way)) for way in uniform_tree(lattice, nodes, Rng(seed, "tree")))
        for seed in range(1500)
    )
    assert lattice.count == 6
    assert len(trees) == 15
    assert all(60 < times < 140 for times in trees.values())


def test_a_minimum_tree_opens_the_lightest_walls_that_close_no_loop():
    lattice = Lattice.fit(21, 15, 1, 1)
    clearing = {0, 1, lattice.columns, lattice.columns + 1}
    nodes = [0 if cell in clearing else cell for cell in range(lattice.count)]
    cells = range(lattice.count)
    across = [(cell, cell + 1) for cell in cells if (cell + 1) % lattice.columns]
    down = [(cell, cell + lattice.columns) for cell in cells[: -lattice.columns]]
    walls = [wall for wall in across + down if nodes[wall[0]] != nodes[wall[1]]]
    weights = Rng(5, "t").integers(1, WEIGHTS - 1, len(walls)).tolist()
    in_order = [wall for _, wall in sorted(zip(weights, walls, strict=True))]
    ends = {tuple(nodes[cell] for cell in wall): wall for wall in in_order}
    expected = [ends[pair] for pair in spanning_tree(ends)[0]]
    found = minimum_tree(lattice, np.array(nodes), Rng(5, "t"))
    assert list(map(tuple, found.tolist())) == expected


def test_a_growing_tree_reaches_every_place_once():
    lattice = Lattice.fit(21, 15, 1, 1)
    nodes = [min(cell, 20) for cell in range(lattice.count)]
    tree = list(growing_tree(lattice, nodes, Rng(5, "t"), newest=0.5, straight=0.5))
    assert len(tree) == len(set(nodes)) - 1
    assert len({nodes[way[1]] for way in tree}) == len(tree)


def test_a_lattice_leaves_the_border_alone():
    for width, height, corridor, wall in ((20, 15, 2, 1), (21, 33, 1, 2), (9, 9, 3, 3)):
        lattice = Lattice.fit(width, height, corridor, wall)
        whole = lattice.block(0, 0, lattice.columns, lattice.rows)
        assert min(whole.x, whole.y) >= 1
        assert whole.x + whole.width <= width - 1
        assert whole.y + whole.height <= height - 1


def hollow(size=(60, 40)):
    plan = Blueprint.solid(*size)
    plan.rooms = [RectangularRoom(size[0] // 2 - 1, size[1] // 2 - 1, 3, 3)]
    plan.tiles[plan.rooms[0].inner] = Tile.FLOOR
    return plan


@pytest.mark.parametrize("mode", ["inward", "outward"])
def test_corals_grow_from_what_is_open_and_stay_in_one_piece(mode):
    for seed in range(8):
        plan = hollow()
        run(diffusion_limited_aggregation, plan, seed, mode=mode, share=0.2)
        assert regions(plan.open)[1] == 1
        assert plan.open.mean() >= 0.2
        assert not plan.open[[0, -1]].any()
        assert not plan.open[:, [0, -1]].any()


def test_inward_makes_branches_and_outward_a_burrow():
    def edge(mode):
        plan = hollow()
        run(diffusion_limited_aggregation, plan, 3, mode=mode, share=0.2)
        wall = ~plan.open
        return int((plan.open[:, 1:] & wall[:, :-1]).sum())

    assert edge("inward") > 2 * edge("outward")


@pytest.mark.parametrize("per_grain", [1, 2, 4, 8])
def test_growth_ends_soon_after_its_share_with_however_many_grains(per_grain):
    plan = Blueprint.solid(80, 45)
    run(scatter_seeds, plan, 4, count=5, candidates=20)
    run(diffusion_limited_aggregation, plan, 4, share=0.33, per_grain=per_grain)
    assert 0.33 <= plan.open.mean() < 0.45


def test_growth_ends_after_its_rounds_even_if_the_goal_is_out_of_reach():
    plan = hollow()
    captions = run(diffusion_limited_aggregation, plan, share=1.0, rounds=64)
    assert len(captions) <= 3
    assert regions(plan.open)[1] == 1


def test_growth_goes_round_what_cannot_be_dug():
    plan = hollow()
    plan.tiles[:, 20] = Tile.WATER
    run(diffusion_limited_aggregation, plan, share=0.4)
    assert (plan.tiles[:, 20] == Tile.WATER).all()
    assert not plan.open[:, :20].any()


def test_chambers_keep_apart():
    for seed in range(10):
        plan = Blueprint.solid(80, 45)
        run(scatter_seeds, plan, seed, count=5, candidates=20)
        gaps = [
            max(abs(one.x - other.x), abs(one.y - other.y))
            for index, one in enumerate(plan.rooms)
            for other in plan.rooms[:index]
        ]
        assert len(plan.rooms) == 5
        assert min(gaps) > 10
        assert (plan.tiles == Tile.FLOOR).sum() == 5 * 15


def test_chambers_keep_apart_from_rooms_that_were_there_before():
    for seed in range(10):
        plan = Blueprint.solid(80, 45)
        plan.rooms.append(RectangularRoom(38, 20, 5, 3))
        run(scatter_seeds, plan, seed, count=1, candidates=40)
        first, chamber = plan.rooms
        assert max(abs(first.x - chamber.x), abs(first.y - chamber.y)) > 20


def test_a_maze_only_digs():
    plan = hollow((41, 31))
    before = plan.tiles.copy()
    plan.tiles[5, 5] = Tile.STATUE
    run(grow_maze, plan)
    assert plan.tiles[5, 5] == Tile.STATUE
    assert np.array_equal(plan.open & (before != Tile.WALL), before != Tile.WALL)


def test_mazes_lie_differently_on_the_map_and_never_leave_it():
    corners = set()
    for seed in range(30):
        plan = maze((24, 21), seed, corridor=2, wall=1, clearings=0.0)
        ys, xs = np.nonzero(plan.open)
        assert 1 <= xs.min() <= xs.max() <= 22
        assert 1 <= ys.min() <= ys.max() <= 19
        corners.add((int(xs.min()), int(ys.min())))
    assert len(corners) == 4
