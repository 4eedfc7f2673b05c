"""A town: streets between blocks, a door in every house, a way in through the wall."""

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.build import build
from procgen.recipes import find_recipe
from procgen.steps.houses import build_houses
from procgen.steps.inner_walls import divide_rooms
from procgen.steps.ruins_and_pillars import ruin_rooms
from procgen.steps.start_and_exit import exit_at_shrine, exit_in_furthest_room, start_furthest
from procgen.steps.town import (
    enclose_town,
    green_blocks,
    lay_streets,
    market_square,
    open_gates,
    start_at_edge,
)
from support.blueprints import drawn_tiles, run

SIZES = [(80, 45), (20, 15), (33, 60)]


def town(size=(80, 45), seed=1, *, steps=(build_houses,)):
    plan = Blueprint.solid(*size)
    for step in (enclose_town, lay_streets, *steps):
        run(step, plan, seed)
    return plan


@pytest.mark.parametrize("size", SIZES)
def test_streets_hang_together_and_bound_every_block(size):
    for seed in range(15):
        plan = town(size, seed, steps=())
        streets = plan.tiles == Tile.ROAD
        assert regions(streets)[1] == 1
        for number, block in enumerate(plan.leaves, 1):
            assert (plan.tiles[block.inner] == Tile.WALL).all()
            assert (plan.regions[block.inner] == number).all()
            around = plan.tiles[
                block.y - 1 : block.y + block.height + 1, block.x - 1 : block.x + block.width + 1
            ].copy()
            around[1:-1, 1:-1] = Tile.ROAD
            assert (around == Tile.ROAD).all()
            assert max(block.width, block.height) <= 15
            assert min(block.width, block.height) >= min(7, min(size) // 2)


@pytest.mark.parametrize("size", SIZES)
def test_every_house_has_a_door_to_the_street_and_all_is_one_piece(size):
    for seed in range(15):
        plan = town(size, seed)
        town_tiles = plan.open & (plan.tiles != Tile.FOREST)
        if size == (20, 15):
            assert regions(plan.open)[1] == 1
        assert len(plan.rooms) == len(plan.leaves)
        labels, _ = regions(plan.open)
        assert len({int(labels[room.center[::-1]]) for room in plan.rooms}) == 1
        assert town_tiles.any()
        for house in plan.leaves:
            assert min(house.width, house.height) >= 4
            edge = plan.tiles[house.inner].copy()
            edge[1:-1, 1:-1] = Tile.WALL
            assert np.isin(edge, (Tile.DOOR, Tile.GRASS)).any()


def test_the_square_is_paved_and_its_fountain_can_be_walked_round():
    for seed in range(15):
        plan = town(seed=seed, steps=(market_square,))
        ground = plan.tiles[1:-1, 1:-1]
        assert (ground == Tile.STATUE).sum() == 1
        assert regions(np.isin(plan.tiles, (Tile.ROAD, Tile.CARPET)))[1] == 1


def test_green_blocks_take_their_share_of_the_blocks_and_cut_nothing():
    for seed in range(15):
        plan = town(seed=seed, steps=())
        blocks = len(plan.leaves)
        before = plan.tiles == Tile.ROAD
        run(green_blocks, plan, seed, share=0.4)
        assert len(plan.leaves) == blocks - int(blocks * 0.4 + 0.5)
        labels, _ = regions(plan.open)
        assert len(np.unique(labels[before])) == 1


def test_gates_lead_from_the_streets_to_the_edge_of_the_map():
    for seed in range(15):
        plan = town(seed=seed)
        assert regions(plan.open)[1] == 2
        run(open_gates, plan, seed, gates=3)
        assert regions(plan.open)[1] == 1
        edge = [plan.tiles[1, 1:-1], plan.tiles[-2, 1:-1], plan.tiles[:, 1], plan.tiles[:, -2]]
        assert 1 <= sum(int((side == Tile.ROAD).sum()) for side in edge) <= 3
        run(start_at_edge, plan, seed)
        assert plan.tiles[plan.start[::-1]] == Tile.ROAD
        assert 1 in (*plan.start, plan.width - 1 - plan.start.x, plan.height - 1 - plan.start.y)


def test_no_gate_without_a_meadow():
    plan = town((20, 15))
    before = plan.tiles.copy()
    assert run(open_gates, plan) == []
    assert np.array_equal(plan.tiles, before)


def test_a_large_room_is_divided_by_a_wall_with_a_door():
    plan = Blueprint(drawn_tiles("######### #.......# #.......# #.......# #########"))
    plan.rooms = [RectangularRoom(1, 1, 7, 3)]
    run(divide_rooms, plan, chance=1.0, larger_than=20, least=3)
    assert sorted(plan.tiles[1:4, 4].tolist()) == [Tile.WALL, Tile.WALL, Tile.DOOR]
    assert plan.rooms == [RectangularRoom(1, 1, 3, 3), RectangularRoom(5, 1, 3, 3)]


def test_no_inner_wall_ends_at_a_door_or_buries_anybody():
    walled = drawn_tiles("######### #.......# #.......# #.......# ####+####")
    for put in ("door", "start", "spawn"):
        plan = Blueprint(walled.copy())
        plan.rooms = [RectangularRoom(1, 1, 7, 3)]
        if put != "door":
            plan.tiles[4, 4] = Tile.WALL
        if put == "start":
            plan.start = Point(2, 2)
        if put == "spawn":
            plan.spawns = [Spawn("orc", 6, 1)]
        before = plan.tiles.copy()
        run(divide_rooms, plan, chance=1.0, larger_than=20, least=3)
        assert np.array_equal(plan.tiles, before)


def test_rooms_that_were_divided_stay_joined():
    for seed in range(20):
        plan = town(seed=seed)
        labels, _ = regions(plan.open)
        rooms = len(plan.rooms)
        run(divide_rooms, plan, seed, chance=1.0, larger_than=12, least=1)
        assert len(plan.rooms) > rooms
        assert regions(plan.open)[1] == int(labels.max())


def test_ruins_open_walls_and_close_nothing():
    for seed in range(20):
        plan = town(seed=seed)
        before, parts = plan.open, regions(plan.open)[1]
        run(ruin_rooms, plan, seed, share=0.5, decay=0.8)
        assert (plan.open | ~before).all()
        assert (plan.tiles == Tile.RUBBLE).any()
        assert regions(plan.open)[1] <= parts
        assert not plan.open[[0, -1]].any()


def test_a_map_without_a_solid_block_has_no_place_for_houses():
    plan = town(steps=())
    plan.leaves = [RectangularRoom(0, 0, 3, 3)]
    with pytest.raises(Rejected):
        run(build_houses, plan)


def test_the_exit_lies_in_the_room_furthest_off():
    plan = Blueprint(drawn_tiles("########### #...#.#...# #.........# #...#.#...# ###########"))
    plan.rooms = [
        RectangularRoom(1, 1, 3, 3),
        RectangularRoom(5, 1, 1, 3),
        RectangularRoom(7, 1, 3, 3),
    ]
    plan.start = Point(1, 1)
    run(exit_in_furthest_room, plan)
    assert plan.exit == plan.rooms[2].center


def test_the_start_is_as_far_from_the_shrine_as_can_be():
    plan = Blueprint(drawn_tiles("########### #.........# ###########"))
    plan.tiles[1, 2] = Tile.SHRINE
    run(exit_at_shrine, plan)
    run(start_furthest, plan)
    assert plan.exit in (Point(1, 1), Point(2, 1), Point(3, 1))
    assert plan.start == Point(9, 1)


def test_the_exit_lies_elsewhere_if_there_is_no_room_at_the_shrine():
    plan = Blueprint(drawn_tiles("####### #.#...# ##.#..# #.#...# #######"))
    plan.tiles[2, 2] = Tile.SHRINE
    plan.start = Point(2, 2)
    for seed in range(6):
        run(exit_at_shrine, plan, seed)
        assert plan.tiles[plan.exit[::-1]] == Tile.FLOOR


@pytest.mark.parametrize("size", SIZES)
def test_a_city_has_streets_houses_and_doors(size):
    for seed in range(8):
        level = build(find_recipe("city").code(seed, size=size))
        assert (level.tiles == Tile.DOOR).sum() >= 2
        assert (level.tiles == Tile.ROAD).sum() > 20
        assert any(room.contains(*level.exit) for room in level.rooms)
        assert terrain().walkable[level.tiles[level.start[::-1]]]


@pytest.mark.parametrize("outskirts", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("size", [(40, 30), (28, 51), (27, 60)])
def test_a_town_is_enclosed_by_a_wall_within_its_outskirts(size, outskirts):
    plan = Blueprint.solid(*size)
    run(enclose_town, plan, outskirts=outskirts, trees=0.3)
    depth = outskirts if min(size) >= 28 else 0
    meadow = np.isin(plan.tiles, (Tile.GRASS, Tile.FOREST))
    y, x = np.mgrid[: plan.height, : plan.width]
    deep = np.minimum(np.minimum(x, plan.width - 1 - x), np.minimum(y, plan.height - 1 - y))
    wanted = (deep >= 1) & (deep <= depth)
    if depth >= 2:  # A tower stands out of each corner of the wall.
        far = np.maximum(
            np.minimum(abs(x - depth - 1), abs(plan.width - 2 - depth - x)),
            np.minimum(abs(y - depth - 1), abs(plan.height - 2 - depth - y)),
        )
        wanted &= far > 1
    assert np.array_equal(meadow, wanted)
    edge = depth + 2 if depth else 1
    assert plan.leaves == [
        RectangularRoom(edge, edge, plan.width - 2 * edge, plan.height - 2 * edge)
    ]
    woods = (plan.tiles == Tile.FOREST).sum()
    assert not depth or 0.2 < woods / meadow.sum() < 0.4


def test_varied_outskirts_are_two_tiles_wide_at_least_and_twice_as_wide_at_most():
    found = set()
    for seed in range(12):
        plan = Blueprint.solid(60, 45)
        run(enclose_town, plan, seed, outskirts=4, vary=1.0)
        (town,) = plan.leaves
        right, bottom = 60 - town.x - town.width, 45 - town.y - town.height
        found |= {town.x - 2, town.y - 2, right - 2, bottom - 2}
    assert found == set(range(2, 9))


def test_a_pond_is_an_oval_two_tiles_from_the_edge_of_its_garden():
    plan = Blueprint.solid(24, 16)
    plan.leaves = [RectangularRoom(2, 2, 13, 11)]
    run(green_blocks, plan, share=1.0, trees=0.0, ponds=1.0)
    rows = terrain().text(plan.tiles[4:11, 4:13])
    assert rows == [
        '""-----""', '"--~~~--"', "--~~~~~--", "-~~~~~~~-", "--~~~~~--", '"--~~~--"', '""-----""',
    ]  # fmt: skip
    assert (plan.tiles[2:13, 2:15] == Tile.GRASS).sum() == 143 - sum(
        char in "~-" for row in rows for char in row
    )


def test_stalls_stand_in_rows_on_the_largest_of_the_blocks_near_the_middle():
    plan = Blueprint.solid(60, 40)
    plan.leaves = [
        RectangularRoom(2, 2, 20, 15),
        RectangularRoom(26, 16, 6, 6),
        RectangularRoom(34, 15, 14, 9),
        RectangularRoom(20, 24, 8, 6),
    ]
    square = plan.leaves[2]
    run(market_square, plan, stalls=0.34)
    assert square not in plan.leaves
    assert len(plan.leaves) == 3
    inside = terrain().text(plan.tiles[square.inner])
    covered = {(x, y) for y, row in enumerate(inside) for x, char in enumerate(row) if char == "c"}
    rows, columns = range(1, 8, 2), [x for at in range(1, 12, 3) for x in (at, at + 1)]
    fountain = {(x, y) for x in (5, 6, 7) for y in (3, 4, 5)}
    assert covered == {(x, y) for y in rows for x in columns} - fountain
    assert not (plan.tiles[:15] == Tile.ROAD).any()
    empty = town(steps=())
    run(market_square, empty, stalls=0.0)
    assert Tile.CARPET not in empty.tiles


@pytest.mark.parametrize("size", SIZES)
def test_the_start_of_a_town_is_the_street_nearest_to_the_edge(size):
    plan = town(size)
    run(open_gates, plan, gates=2)
    run(start_at_edge, plan)
    ys, xs = np.nonzero(plan.tiles == Tile.ROAD)
    deep = np.minimum(np.minimum(xs, size[0] - 1 - xs), np.minimum(ys, size[1] - 1 - ys))
    x, y = plan.start
    assert plan.tiles[y, x] == Tile.ROAD
    assert min(x, y, size[0] - 1 - x, size[1] - 1 - y) == deep.min()


@pytest.mark.parametrize("beside", [(12, 17), (45, 17), (28, 4), (28, 31)])
def test_the_market_square_is_one_of_the_three_blocks_nearest_to_the_middle(beside):
    plan = Blueprint.solid(60, 40)
    near = [RectangularRoom(x, y, 5, 5) for x, y in ((28, 18), (21, 18), (35, 18))]
    plan.leaves = [RectangularRoom(*beside, 8, 6), *near]
    run(market_square, plan)
    assert plan.leaves[0] == RectangularRoom(*beside, 8, 6), "larger, but the fourth"
    assert len(plan.leaves) == 3
    few = Blueprint.solid(60, 40)
    few.leaves = list(near)
    assert run(market_square, few) == []
