"""The numbers of mazes, partitions, rims and gardens are kept exactly, over many seeds."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.rng import Rng
from procgen.steps.garden import PLOTS
from procgen.steps.heightmap import rim_share
from procgen.steps.maze import Lattice, growing_tree, uniform_tree
from support.blueprints import run

SEEDS = range(30)


@pytest.mark.parametrize(
    ("corridor", "wall", "size"), [(1, 1, (21, 15)), (2, 1, (30, 24)), (1, 3, (29, 29))]
)
def test_cells_of_a_maze_are_as_wide_and_as_far_apart_as_asked_for(corridor, wall, size):
    lattice = Lattice.fit(*size, corridor, wall)
    pitch = corridor + wall
    assert lattice.columns == (size[0] - 2 + wall) // pitch
    assert lattice.rows == (size[1] - 2 + wall) // pitch
    last = lattice.block(lattice.columns - 1, lattice.rows - 1)
    spare = size[0] - last.x - last.width, size[1] - last.y - last.height
    for before, behind in ((lattice.left, spare[0]), (lattice.top, spare[1])):
        assert before >= 1
        assert behind >= 1
        assert 0 <= behind - before <= 1
    assert lattice.block(1, 2, 3, 2) == RectangularRoom(
        lattice.left + pitch, lattice.top + 2 * pitch, 3 * pitch - wall, 2 * pitch - wall
    )
    for tree in ("growing_tree", "spanning_tree"):
        plan = Blueprint.solid(*size)
        run("grow_maze", plan, corridor=corridor, wall=wall, texture=tree, clearings=0.0)
        cells = lattice.columns * lattice.rows
        assert plan.open.sum() in {
            n * corridor**2 + (n - 1) * corridor * wall
            for n in (cells, cells - lattice.rows, cells - lattice.columns,
                      cells - lattice.rows - lattice.columns + 1)
        }  # fmt: skip
        assert regions(plan.open)[1] == 1


def dead_ends(plan):
    ground = np.pad(plan.open, 1).astype(int)
    around = ground[:-2, 1:-1] + ground[2:, 1:-1] + ground[1:-1, :-2] + ground[1:-1, 2:]
    return int(((around == 1) & plan.open).sum())


def test_braiding_opens_its_share_of_the_dead_ends():
    left = []
    for braid in (0.0, 0.5, 1.0):
        plan = Blueprint.solid(41, 31)
        run("grow_maze", plan, 3, clearings=0.0, braid=braid)
        left.append(dead_ends(plan))
    assert abs(left[1] - left[0] / 2) < 2, "the last way may end two at once"
    assert left[2] == 0


@pytest.mark.parametrize(("least", "most"), [(1, 1), (2, 3), (4, 4)])
def test_clearings_have_sides_in_their_range_and_cover_their_share(least, most):
    sides, covered = set(), []
    for seed in range(8):
        plan = Blueprint.solid(61, 41)
        run(
            "grow_maze", plan, seed, clearings=0.2, min_clearing=least, max_clearing=most,
            braid=0.0,
        )  # fmt: skip
        cells = [((room.width + 1) // 2, (room.height + 1) // 2) for room in plan.rooms]
        sides |= {side for cell in cells for side in cell}
        covered.append(sum(wide * high for wide, high in cells) / 600)
        for room in plan.rooms:
            around = np.s_[
                room.y - 1 : room.y + room.height + 1, room.x - 1 : room.x + room.width + 1
            ]
            ring = plan.open[around].copy()
            ring[1:-1, 1:-1] = False
            assert ring.sum() >= 1, "a clearing is entered"
    assert sides == set(range(least, most + 1))
    assert 0.08 < sum(covered) / len(covered) <= 0.21


@pytest.mark.parametrize("tree", [growing_tree, uniform_tree])
def test_a_maze_reaches_every_place_once(tree):
    lattice = Lattice.fit(21, 15, 1, 1)
    nodes = list(range(lattice.count))
    ways = [lattice.ways_out([cell], nodes) for cell in nodes]
    assert sum(map(len, ways)) == 2 * (
        (lattice.columns - 1) * lattice.rows + lattice.columns * (lattice.rows - 1)
    )
    shape = {"newest": 0.9, "straight": 0.3} if tree is growing_tree else {}
    opened = list(tree(lattice, nodes, Rng(2), **shape))
    assert len(opened) == lattice.count - 1
    joined = {0}
    for _ in opened:
        joined |= {b for a, b in opened if a in joined} | {a for a, b in opened if b in joined}
    assert joined == set(nodes)


def test_a_maze_of_the_newest_place_winds_and_of_any_place_branches():
    ends = {}
    for newest, straight in ((1.0, 0.0), (0.0, 0.0), (1.0, 1.0)):
        plan = Blueprint.solid(61, 41)
        run("grow_maze", plan, 1, clearings=0.0, newest=newest, straight=straight)
        runs = sum(
            int((ground[2:] & ground[1:-1] & ground[:-2]).sum())
            for ground in (plan.open, plan.open.T)
        )
        ends[newest, straight] = dead_ends(plan), runs
    assert ends[1.0, 0.0][0] * 2 < ends[0.0, 0.0][0]
    assert ends[1.0, 1.0][1] > 1.2 * ends[1.0, 0.0][1]


@pytest.mark.parametrize("stop", ["area", "sides", "count"])
@pytest.mark.parametrize("axis", ["longest", "random", "alternate"])
@pytest.mark.parametrize("order", ["random", "depth_first"])
def test_a_painting_is_cut_until_it_is_finished(stop, axis, order):
    for seed in range(4):
        plan = Blueprint.solid(71, 47)
        run(
            "mondrian_partition", plan, seed, stop=stop, axis=axis, order=order, min_width=7,
            min_height=5, min_area=160, leaves=17,
        )  # fmt: skip
        covered = np.zeros(plan.tiles.shape, int)
        for number, leaf in enumerate(plan.leaves, 1):
            covered[leaf.inner] += 1
            assert (plan.regions[leaf.inner] == number).all()
            assert leaf.width >= 7
            assert leaf.height >= 5
            if stop != "count":
                can = leaf.width >= 14 or leaf.height >= 10
                assert not can or (stop == "area" and leaf.area <= 160)
        assert (covered == 1).all()
        assert stop != "count" or len(plan.leaves) == 17


@pytest.mark.parametrize(("smallest", "least", "margin"), [(0.5, 3, 1), (1.0, 3, 2), (0.0, 4, 1)])
def test_loose_rooms_lie_in_their_leaves_with_sides_in_their_range(smallest, least, margin):
    shares = set()
    for seed in SEEDS:
        plan = Blueprint.solid(50, 40)
        plan.leaves = [RectangularRoom(0, 0, 20, 16), RectangularRoom(20, 5, 6, 30)]
        run("loose_rooms_in_leaves", plan, seed, smallest=smallest, least=least, margin=margin)
        for leaf, room in zip(plan.leaves, plan.rooms, strict=True):
            assert leaf.x + margin <= room.x
            assert leaf.y + margin <= room.y
            assert room.x + room.width <= leaf.x + leaf.width - margin
            assert room.y + room.height <= leaf.y + leaf.height - margin
        wide = plan.rooms[0].width
        most = 20 - 2 * margin
        assert min(most, max(least, int(most * smallest))) <= wide <= most
        shares.add(wide)
    assert max(shares) == 20 - 2 * margin
    assert min(shares) <= max(least, int(max(shares) * smallest)) + 1


def test_leaves_of_a_grid_are_equal_and_never_smaller_than_six_tiles():
    for columns, rows, size in product((1, 3, 9), (2, 7), ((80, 45), (20, 15), (6, 5))):
        plan = Blueprint.solid(*size)
        run("grid_of_leaves", plan, columns=columns, rows=rows)
        across, down = (
            max(1, min(n, side // 6)) for n, side in zip((columns, rows), size, strict=True)
        )
        assert len(plan.leaves) == across * down
        assert sum(leaf.area for leaf in plan.leaves) == size[0] * size[1]
        for leaf in plan.leaves:
            assert leaf.width - size[0] // across in (0, 1)
            assert leaf.height - size[1] // down in (0, 1)


def test_cuts_of_a_partition_fall_between_their_shares_and_leave_whole_leaves():
    found = set()
    for seed in SEEDS:
        plan = Blueprint.solid(60, 40)
        run("binary_space_partition", plan, seed, rounds=1, min_leaf=8, low=0.25, high=0.75)
        one, other = plan.leaves
        assert one.height == other.height == 40
        assert one.width + other.width == 60
        found.add(one.width)
        run("binary_space_partition", plan, seed, rounds=9, min_leaf=8, low=0.0, high=1.0)
        assert all(min(leaf.width, leaf.height) >= 8 for leaf in plan.leaves)
        assert all(max(leaf.width, leaf.height) < 16 for leaf in plan.leaves)
    assert 15 <= min(found) <= 20
    assert 40 <= max(found) <= 45
    square, ways = Blueprint.solid(40, 40), set()
    for seed in SEEDS:
        run("binary_space_partition", square, seed, rounds=1)
        ways.add(square.leaves[0].width == 40)
    assert ways == {True, False}
    run("binary_space_partition", square, rounds=1, min_leaf=20)
    assert [leaf.area for leaf in square.leaves] == [800, 800]
    run("binary_space_partition", square, rounds=3, min_leaf=21)
    assert len(square.leaves) == 1


@pytest.mark.parametrize(("width", "height", "rim"), [(20, 15, 4), (21, 30, 0), (9, 9, 3)])
def test_the_rim_rises_from_its_width_to_the_border(width, height, rim):
    share = rim_share(width, height, rim)
    for y, x in product(range(height), range(width)):
        off = min(x, y, width - 1 - x, height - 1 - y)
        assert share[y, x] == pytest.approx(max(0.0, 1 - off / (rim + 1)) ** 2)


def garden(name, width, height, seed=1, hedged=0.0, gates=3):
    """Return the tiles of one plot of a garden."""
    plan = Blueprint.solid(width + 4, height + 4)
    plan.leaves = [RectangularRoom(1, 1, width + 2, height + 2)]
    weights = dict.fromkeys(("lawns", "ponds", "orchards", "courts", "labyrinths"), 0) | {name: 1}
    captions = run("garden_plots", plan, seed, hedged=hedged, gates=gates, **weights)
    assert f"{name[:-1].capitalize()}, {width} by {height}" in captions
    assert (plan.tiles[1, 1:-1] == Tile.ROAD).all()
    return plan.tiles[2:-2, 2:-2]


@pytest.mark.parametrize("gates", [0, 2, 3, 4, 9])
def test_a_hedge_has_as_many_gates_as_asked_for_one_a_side(gates):
    where = set()
    for seed in SEEDS:
        plot = garden("lawns", 9, 7, seed, hedged=1.0, gates=gates)
        sides = [plot[0], plot[-1], plot[:, 0], plot[:, -1]]
        opened = [int((side == Tile.GRASS).sum()) for side in sides]
        assert sum(opened) == max(2, min(4, gates))
        assert max(opened) == 1
        where |= {(n, int(x)) for n in range(4) for x in np.flatnonzero(sides[n] == Tile.GRASS)}
    longest = {(n, x) for n in (0, 1) for x in range(1, 8)} | {
        (n, y) for n in (2, 3) for y in range(1, 6)
    }
    assert where <= longest
    assert len(where) > 0.7 * len(longest)


def test_plots_of_a_garden_have_numbers_of_their_own_even_if_their_middle_is_water():
    plan = Blueprint.solid(40, 20)
    plan.leaves = [RectangularRoom(x, 1, 12, 18) for x in (1, 13, 25)]
    weights = dict.fromkeys(("lawns", "orchards", "courts", "labyrinths"), 0) | {"ponds": 1}
    with pytest.raises(Rejected, match="no garden plot can be walked on"):
        run("garden_plots", plan, hedged=0.0, gates=3, **weights)
    assert [plan.regions[10, leaf.center.x] for leaf in plan.leaves] == [1, 2, 3]


def test_plots_of_a_garden_are_what_they_are_called():
    court = garden("courts", 9, 8)
    assert [tuple(place) for place in np.argwhere(court == Tile.STATUE).tolist()] == [(4, 4)]
    pillars = [[y, x] for y in (1, 6) for x in (1, 4, 7)]
    assert np.argwhere(court == Tile.PILLAR).tolist() == pillars
    assert not (garden("courts", 6, 9) == Tile.PILLAR).any()
    assert not (garden("courts", 4, 9) == Tile.STATUE).any()
    apart = set()
    for seed in SEEDS:
        ys, xs = np.nonzero(garden("orchards", 12, 9, seed) == Tile.FOREST)
        step = sorted(set(xs.tolist()))[1] - 1
        assert sorted(set(xs.tolist())) == list(range(1, 12, step))
        assert sorted(set(ys.tolist())) == list(range(1, 9, step))
        apart.add(step)
    assert apart == {2, 3}
    pond = np.zeros((9, 11), np.uint8)
    PLOTS["pond"](pond, Rng(1))
    for y, x in product(range(9), range(11)):
        away = ((x - 5) / 5) ** 2 + ((y - 4) / 4) ** 2
        tile = Tile.WATER if away < 0.45 else Tile.SHALLOWS if away < 0.85 else Tile.GRASS
        assert pond[y, x] == tile
    labyrinth = garden("labyrinths", 11, 11)
    assert np.argwhere(labyrinth == Tile.TREASURE).tolist() == [[5, 5]]
    hedges = [(labyrinth[n, n : 11 - n] == Tile.WALL).sum() for n in (0, 2, 4)]
    assert all(hedge in (side, side - 1) for hedge, side in zip(hedges, (11, 7, 3), strict=True))
    assert not (labyrinth[1, 1:-1] == Tile.WALL).any()
