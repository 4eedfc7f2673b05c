"""Room shapes, the ways between rooms, and the levels that grow from them."""

from itertools import pairwise

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from procgen.analysis import regions
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.build import build
from procgen.grids.bitgrid import overlaps, pack, pack_rows, widened, within_reach
from procgen.recipes import find_recipe
from procgen.registry import all_steps
from procgen.rng import Rng
from procgen.rooms.accretion import COURSES, door_sites
from procgen.rooms.drawings import SHAPES
from procgen.steps.networks import nearest_links, second_links
from procgen.ways.routes import Costs, Ways, straight

CHARS = {kind.char: number for number, kind in enumerate(terrain().kinds)}


def drawn(text):
    """Return the blueprint of a drawn map."""
    tiles = [[CHARS[char] for char in row] for row in text.split()]
    return Blueprint(np.array(tiles, np.uint8))


def text(plan):
    return "\n".join(terrain().text(plan.tiles))


def run(name, plan, seed=1, **parameters):
    step = all_steps()[name]
    return list(step.run(plan, Rng(seed, name), step.parameters(**parameters)))


def with_rooms(*rooms, size=(40, 20)):
    plan = Blueprint.solid(*size)
    for room in rooms:
        plan.rooms.append(RectangularRoom(*room))
        plan.tiles[plan.rooms[-1].inner] = Tile.FLOOR
    return plan


@pytest.mark.parametrize("kind", SHAPES)
def test_a_shape_is_one_piece_that_fills_its_box_around_its_core(kind):
    rng = Rng(5, kind)
    for _ in range(150):
        width, height = rng.between(1, 20), rng.between(1, 20)
        mask, core, pillars = SHAPES[kind](rng, width, height)
        assert mask.shape[0] <= height
        assert mask.shape[1] <= width
        assert regions(mask)[1] == 1
        assert all(side.any() for side in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))
        assert mask[core.inner].all()
        assert core.area == mask[core.inner].size > 0
        assert not any(mask[y, x] for x, y in pillars)


def test_a_circle_is_round_and_a_ring_has_a_hole():
    disc = SHAPES["circle"](Rng(1), 7, 9).mask
    assert [int(row.sum()) for row in disc] == [3, 5, 7, 7, 7, 5, 3]
    assert (disc == disc.T).all()
    assert not SHAPES["ring"](Rng(1), 11, 11).mask[5, 5]


def test_a_cross_has_four_empty_corners():
    rng = Rng(2)
    for _ in range(50):
        mask = SHAPES["cross"](rng, 9, 7).mask
        assert not mask[[0, 0, -1, -1], [0, -1, 0, -1]].any()


def test_door_sites_look_straight_away_from_the_room():
    for kind, shape in SHAPES.items():
        mask = shape(Rng(3, kind), 9, 8).mask
        closed = np.pad(mask, 2)
        courses = set()
        for x, y, course in door_sites(mask):
            dx, dy = COURSES[course]
            assert closed[y + 2 - dy, x + 2 - dx], "the room lies behind the door"
            for aside in (-1, 0, 1):
                assert not closed[y + 2 + aside * dx, x + 2 + aside * dy], "walls beside it"
            courses.add(course)
        assert courses == {0, 1, 2, 3}


def test_bit_grids_agree_with_arrays():
    mask = Rng(4).noise(9, 13) < 128
    rows = pack_rows(mask)
    assert [[row >> x & 1 for x in range(13)] for row in rows] == mask.astype(int).tolist()
    inside = np.zeros_like(mask)
    inside[1:-1, 1:-1] = mask[1:-1, 1:-1]
    assert [pack(mask) >> n & 1 for n in range(mask.size)] == inside.ravel().astype(int).tolist()
    assert widened([0, 0b100, 0]) == [0b1110, 0b1110, 0b1110]
    assert overlaps([0, 0b1000], [0b11], 2, 1)
    assert not overlaps([0, 0b1000], [0b11], 1, 1)


def test_reach_counts_the_steps_of_the_way_around():
    plan = drawn("#######\n#..#..#\n#..#..#\n#.....#\n#######")
    grid = pack(plan.open)
    assert within_reach(grid, 7, (2, 1), (4, 1), 6)
    assert not within_reach(grid, 7, (2, 1), (4, 1), 5)
    assert not within_reach(grid, 7, (0, 0), (6, 4), 99)


def test_a_straight_way_steps_from_tile_to_tile():
    for end in ((9, 4), (4, 9), (-3, 2), (0, -7), (5, 0), (0, 0)):
        way = straight((0, 0), end)
        assert way[0] == (0, 0)
        assert way[-1] == end
        assert len(way) == abs(end[0]) + abs(end[1]) + 1
        assert all(abs(a.x - b.x) + abs(a.y - b.y) == 1 for a, b in pairwise(way))


@pytest.mark.parametrize("route", ["straight", "elbow", "winding", "cheapest"])
def test_every_route_joins_all_regions(route):
    joined = 0
    for seed in range(5):
        plan = Blueprint.solid(40, 25)
        run("scatter_rock", plan, seed, rock=0.55)
        run("cellular_automaton", plan, seed, rounds=2)
        joined += regions(plan.open)[1] - 1
        run("join_regions", plan, seed, route=route)
        assert regions(plan.open)[1] == 1
        assert not plan.open[[0, -1]].any()
    assert joined > 20


def test_a_tunnel_goes_round_a_room():
    plan = with_rooms((2, 8, 4, 4), (16, 6, 6, 8), (32, 8, 4, 4))
    room = plan.tiles[5:15, 15:23].copy()
    way = Ways(plan, Rng(1), "cheapest").find(plan.rooms[0].center, plan.rooms[2].center)
    assert not any(plan.rooms[1].contains(x, y) for x, y in way)
    through = Ways(plan, Rng(1), "cheapest", costs=Costs(room=1, beside=1))
    way = through.find(plan.rooms[0].center, plan.rooms[2].center)
    assert any(plan.rooms[1].contains(x, y) for x, y in way)
    assert (plan.tiles[5:15, 15:23] == room).all()


def test_a_tunnel_follows_an_older_one():
    plan = with_rooms((2, 2, 3, 3), (34, 2, 3, 3), (18, 14, 3, 3))
    ways = Ways(plan, Rng(1), "cheapest")
    first = ways.find(plan.rooms[0].center, plan.rooms[1].center)
    ways.dig(first)
    second = ways.find(plan.rooms[2].center, plan.rooms[1].center)
    shared = set(first) & set(second)
    assert len([1 for x, y in shared if plan.tiles[y, x] == Tile.TUNNEL]) > 8


def test_a_way_around_what_cannot_be_dug_or_none():
    rows = ["#" * 30, *["#..." + "#" * 10 + "~~" + "#" * 10 + "...#"] * 8, *["#" * 30] * 16]
    plan = drawn("\n".join(rows))
    ways = Ways(plan, Rng(1), "cheapest")
    way = ways.find((2, 4), (27, 4))
    assert way, "it leaves the neighbourhood if it must"
    assert not any(plan.tiles[y, x] == Tile.WATER for x, y in way)
    plan.tiles[1:-1, 14:16] = Tile.WATER
    assert Ways(plan, Rng(1), "cheapest").find((2, 4), (27, 4)) == []


def test_the_nearest_rooms_are_linked():
    rooms = [RectangularRoom(x, 5, 3, 3) for x in (2, 30, 10, 20)]
    assert nearest_links(rooms) == [(0, 2), (2, 3), (3, 1)]
    assert second_links(rooms, nearest_links(rooms), [0, 1]) == [(0, 3), (1, 2)]
    assert nearest_links([]) == nearest_links(rooms[:1]) == []


@pytest.mark.parametrize("name", ["cheapest_tunnels", "winding_tunnels"])
def test_tunnels_join_all_rooms(name):
    for seed in range(5):
        plan = Blueprint.solid(60, 30)
        run("shaped_rooms", plan, seed)
        rooms = plan.open
        run(name, plan, seed, extra=0.5)
        assert regions(plan.open)[1] == 1
        assert (plan.tiles[plan.open & ~rooms] == Tile.TUNNEL).all()


def test_shaped_rooms_keep_their_distance_and_come_in_two_scales():
    plan = Blueprint.solid(80, 45)
    captions = run("shaped_rooms", plan, gap=3, rooms=20)
    near = regions(plan.open)[0]
    assert near.max() == len(captions) == len(plan.rooms)
    for n in range(1, len(plan.rooms) + 1):
        ys, xs = np.nonzero(near == n)
        around = near[max(0, ys.min() - 1) : ys.max() + 2, max(0, xs.min() - 1) : xs.max() + 2]
        assert len(np.unique(plan.regions[near == n])) == 1
        assert around.size > (near == n).sum()
    areas = np.bincount(near.ravel())[1:]
    assert areas.max() > 4 * areas.min()
    assert all(plan.tiles[room.center.y, room.center.x] == Tile.FLOOR for room in plan.rooms)


def test_a_mix_without_weights_is_plain_rooms():
    plan = Blueprint.solid(30, 20)
    run("shaped_rooms", plan, rectangle=0, circle=0, cross=0, large=0.0)
    assert sum(room.area for room in plan.rooms) == plan.open.sum()


def test_no_space_is_a_verdict():
    for name in ("shaped_rooms", "attach_rooms"):
        plan = Blueprint(np.full((15, 20), Tile.WATER, np.uint8))
        with pytest.raises(Rejected):
            run(name, plan)


def test_corridors_run_on_the_middle_of_the_overlap():
    plan = with_rooms((2, 2, 5, 5), (10, 4, 5, 5), (4, 12, 3, 3), size=(17, 17))
    run("cardinal_corridors", plan, skipped=0.0)
    assert (
        text(plan)
        == """
#################
#################
##.....##########
##.....##########
##.....###.....##
##.....,,,.....##
##.....###.....##
#####,####.....##
#####,####.....##
#####,###########
#####,###########
#####,###########
####...##########
####...##########
####...##########
#################
#################
""".strip()
    )


def test_a_corridor_dodges_floor_it_would_brush_along():
    plan = with_rooms((2, 2, 6, 2), (2, 12, 6, 2), (5, 6, 2, 3), size=(12, 16))
    plan.rooms.pop()
    run("cardinal_corridors", plan, skipped=0.0)
    assert (plan.tiles[4:12, 3] == Tile.TUNNEL).all()


def test_corridors_stop_at_the_most_and_may_be_skipped():
    rooms = ((8, 8, 3, 3), (8, 2, 3, 3), (8, 14, 3, 3), (2, 8, 3, 3), (14, 8, 3, 3))
    plan = with_rooms(*rooms, size=(19, 19))
    run("cardinal_corridors", plan, most=2, skipped=0.0)
    assert regions(plan.open)[1] == 3
    plan = with_rooms(*rooms, size=(19, 19))
    assert run("cardinal_corridors", plan, skipped=1.0) == []


def test_what_lies_in_the_way_stops_a_corridor():
    plan = with_rooms((2, 2, 1, 1), (12, 2, 1, 1), size=(16, 6))
    plan.tiles[2, 7] = Tile.LAVA
    run("cardinal_corridors", plan, skipped=0.0)
    assert not (plan.tiles == Tile.TUNNEL).any()


def test_attached_rooms_are_one_tree_with_walls_between():
    for seed in range(8):
        plan = Blueprint.solid(60, 35)
        captions = run("attach_rooms", plan, seed, rooms=15)
        assert len(plan.rooms) == len(captions) > 5
        assert regions(plan.open)[1] == 1
        assert not plan.open[[0, -1]].any()
        assert not plan.open[:, [0, -1]].any()
        rooms = plan.regions.copy()
        for labels in (rooms, rooms.T):
            beside = (labels[1:] > 0) & (labels[:-1] > 0) & (labels[1:] != labels[:-1])
            assert not beside.any(), "two rooms touch without a door"


def test_rooms_grow_on_what_is_there():
    plan = with_rooms((18, 8, 4, 4))
    plan.rooms.clear()
    run("attach_rooms", plan, rooms=6)
    assert regions(plan.open)[1] == 1
    assert (plan.tiles[8:12, 18:22] == Tile.FLOOR).all()
    assert len(plan.rooms) > 2


@pytest.mark.parametrize("name", ["shaped_rooms", "cardinal", "digger"])
@pytest.mark.parametrize("size", [None, (20, 15), (21, 33), (120, 40)])
def test_recipes_build_at_any_size(name, size):
    recipe = find_recipe(name)
    for seed in range(4):
        level = build(recipe.code(seed, size=size))
        assert len(level.rooms) > 1
        assert level.rejected == ()
