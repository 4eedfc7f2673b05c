"""Steps that change the edges of what is there do what their docstrings define, by plain loops."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Spawn
from procgen.rng import Rng
from procgen.steps.loops_and_dead_ends import bridges
from support.blueprints import cave, drawn, run
from support.by_definition import FOUR, neighbours


@pytest.mark.parametrize(("ratio", "longest"), [(1.5, 12), (2.8, 3), (2.8, 4), (3.0, 12)])
def test_bridges_stand_where_the_walk_around_is_longer_than_their_ratio(ratio, longest):
    rows = ["#" * 26] + ["#....." + "~" * 4 + "." * 15 + "#"] * 6
    rows += ["#" + "." * 24 + "#", "#" * 26]
    plan = drawn("\n".join(rows))
    captions = list(bridges(plan, Rng(1), ratio=ratio, longest=longest, most=1, tries=1000))
    built = plan.tiles == Tile.BRIDGE
    possible = [7 - y for y in range(1, 7) if 2 * (7 - y) + 3 > int(5 * ratio)]
    assert len(captions) == (longest >= 4 and bool(possible))
    if captions:
        assert captions == ["Bridge 1, 4 long"]
        assert built[:, 6:10].sum() == built.sum() == 4
        assert 7 - int(np.argwhere(built)[0, 0]) in possible


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_dead_ends_are_filled_by_their_share(share):
    comb = "#" * 23 + "\n" + ("#" + ".#" * 11 + "\n") * 3 + "#" + "." * 21 + "#\n" + "#" * 23
    plan = drawn(comb)
    run("remove_dead_ends", plan, share=share, rounds=2)
    assert (plan.tiles[1, 3:21:2] == Tile.FLOOR).sum() in {0.0: (9,), 0.5: (3, 4, 5, 6), 1.0: (0,)}[
        share
    ]
    assert (plan.tiles[1] == Tile.FLOOR).sum() == 11 - int(share * 11 + 0.5)
    assert (plan.tiles[3, 3:21:2] == Tile.FLOOR).all(), "two tiles of each at most"


@pytest.mark.parametrize(("survive", "birth", "stones"), [(6, 9, 1.0), (4, 9, 0.0), (0, 5, 1.0)])
def test_edges_crumble_where_little_rock_is_behind_and_silt_up_in_corners(survive, birth, stones):
    before, plan = cave(7), cave(7)
    run(
        "erode_edges", plan, rounds=1, chance=1.0, survive=survive, birth=birth,
        rubble=stones,
    )  # fmt: skip
    crumbled = (before.tiles == Tile.WALL) & (plan.tiles != Tile.WALL)
    for y, x in np.argwhere(np.ones(plan.tiles.shape)).tolist():
        border = x in (0, plan.width - 1) or y in (0, plan.height - 1)
        wall = before.tiles[y, x] == Tile.WALL
        rock = neighbours(before, x, y).count(Tile.WALL)
        beside = any(tile != Tile.WALL for tile in neighbours(before, x, y, FOUR))
        assert crumbled[y, x] == (wall and not border and beside and rock < survive)
    if crumbled.any():
        assert set(plan.tiles[crumbled].tolist()) == {Tile.RUBBLE if stones else Tile.FLOOR}
    silted = (before.tiles != Tile.WALL) & (plan.tiles == Tile.WALL)
    assert silted.any() == (birth == 5)
    assert regions(plan.open)[1] == 1


def test_only_tiles_whose_open_neighbours_stay_joined_silt_up():
    plan = drawn("####### #.....# #.#.#.# #.....# #######")
    for seed in range(5):
        one = Blueprint(plan.tiles.copy())
        run("erode_edges", one, seed, rounds=3, chance=1.0, survive=0, birth=4)
        assert regions(one.open)[1] <= 1


@pytest.mark.parametrize(("leave", "floor"), [(7, "moss"), (4, "floor")])
def test_a_round_of_widening_opens_rock_with_little_rock_behind_it(leave, floor):
    before, plan = cave(5), cave(5)
    run("widen_floor", plan, share=1.0, chance=1.0, leave=leave, rounds=1, floor=floor)
    for y, x in np.argwhere(before.tiles == Tile.WALL).tolist():
        border = x in (0, plan.width - 1) or y in (0, plan.height - 1)
        near = any(tile != Tile.WALL for tile in neighbours(before, x, y, FOUR))
        little = neighbours(before, x, y).count(Tile.WALL) <= leave
        assert terrain().walkable[plan.tiles[y, x]] == (near and little and not border)
    assert len(run("widen_floor", cave(5), share=1.0, chance=0.0, rounds=7)) == 7


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("diagonal", [True, False])
def test_an_outline_is_as_wide_as_asked_for(width, diagonal):
    plan = Blueprint.solid(21, 21)
    plan.tiles[10, 10] = Tile.FLOOR
    run("outline", plan, of=("wall",), to="rubble", width=width, diagonal=diagonal, share=1.0)
    for y, x in product(range(21), repeat=2):
        away = (abs(x - 10), abs(y - 10))
        off = max(away) if diagonal else sum(away)
        assert (plan.tiles[y, x] == Tile.RUBBLE) == (0 < off <= width), (x, y)


@pytest.mark.parametrize("within", [1, 4])
def test_scattering_beside_something_reaches_as_far_as_asked_for(within):
    plan = Blueprint.solid(31, 21)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    plan.tiles[10, 15] = Tile.WATER
    run("scatter", plan, tile="moss", share=1.0, beside=("water",), within=within)
    for y, x in product(range(1, 20), range(1, 30)):
        off = max(abs(x - 15), abs(y - 10))
        assert (plan.tiles[y, x] == Tile.MOSS) == (0 < off <= within), (x, y)


def test_rooms_fill_their_leaves_less_the_margin():
    plan = Blueprint.solid(50, 40)
    run("binary_space_partition", plan, 3)
    for margin in (0, 2):
        one = Blueprint.solid(50, 40)
        one.leaves = plan.leaves
        run("rooms_in_leaves", one, margin=margin)
        for leaf, room in zip(plan.leaves, one.rooms, strict=True):
            left, top = max(1, leaf.x + margin), max(1, leaf.y + margin)
            right = min(49, leaf.x + leaf.width - margin)
            bottom = min(39, leaf.y + leaf.height - margin)
            assert room == RectangularRoom(left, top, right - left, bottom - top)
            assert (one.tiles[room.inner] == Tile.FLOOR).all()
        assert one.open.sum() == sum(room.area for room in one.rooms)


def test_a_walk_stays_a_tile_from_the_edge_and_ends_where_it_stopped():
    for steps in (0, 1, 10, 3000):
        plan = Blueprint.solid(9, 8)
        plan.spawns = [Spawn("orc", 4, 3), Spawn("orc", 1, 1)]
        run("random_walk", plan, steps=50 * steps)  # The map is a 50th of 80x45.
        assert plan.start == Point(4, 3)
        assert Spawn("orc", 4, 3) not in plan.spawns
        assert 1 <= plan.open.sum() <= steps + 1
        assert abs(plan.exit.x - 4) + abs(plan.exit.y - 3) <= steps
        assert (abs(plan.exit.x - 4) + abs(plan.exit.y - 3)) % 2 == steps % 2 or steps > 2
        assert not plan.open[[0, -1]].any()
        assert not plan.open[:, [0, -1]].any()
        assert plan.open[plan.exit.y, plan.exit.x]
    assert plan.open[1].any()
    assert plan.open[-2].any()
    assert plan.open[:, 1].any()
    assert plan.open[:, -2].any()


def test_a_walk_is_as_long_in_proportion_on_a_map_of_any_size():
    dug = {}
    for side in (15, 60, 240):
        plan = Blueprint.solid(side, side)
        run("random_walk", plan, steps=2000)
        dug[side] = plan.open.sum() / plan.tiles.size
    assert all(0.08 < share < 0.5 for share in dug.values()), dug
