"""Recipes of rooms: shaped, cardinal, attached."""

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.analysis.bitboard import pack_rows
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Rejected
from procgen.build import build
from procgen.carving.room_shapes import rectangle
from procgen.recipes import find_recipe
from procgen.rng import Rng
from procgen.steps.shaped_rooms import _place
from support.blueprints import run, text, with_rooms


@pytest.mark.parametrize("bends", [0, 24])
def test_tunnels_join_all_rooms(bends):
    for seed in range(5):
        plan = Blueprint.solid(60, 30)
        run("shaped_rooms", plan, seed)
        rooms = plan.open
        run("cheapest_tunnels", plan, seed, extra=0.5, bends=bends)
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


@pytest.mark.parametrize(
    ("size", "place"),
    [((7, 7), (1, 1)), ((6, 40), None), ((40, 6), None), ((6, 6), None)],
)
def test_a_shape_needs_a_tile_of_rock_on_all_sides(size, place):
    plan = Blueprint.solid(*size)
    taken = pack_rows(np.zeros((size[1] + 2, size[0] + 2), bool))
    assert _place(taken, rectangle(Rng(1), 5, 5), Rng(1), plan, 1, 5) == place
