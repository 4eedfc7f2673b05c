"""Shapes of rooms, door sites, and ways that join them."""

from itertools import pairwise

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.analysis.bitboard import overlaps, pack_rows, widened, within_reach
from procgen.analysis.distances import CARDINALS, regions
from procgen.blueprint import Blueprint, dig, dig_tunnel, stepped_line, tunnel_between
from procgen.carving.room_shapes import SHAPES
from procgen.rng import Rng
from procgen.steps.room_accretion import door_sites
from support.blueprints import drawn, run, with_rooms


@pytest.mark.parametrize("kind", SHAPES)
def test_a_shape_is_one_piece_that_fills_its_box_around_its_core(kind):
    rng = Rng(5, kind)
    for _ in range(150):
        width, height = rng.between(1, 20), rng.between(1, 20)
        shape = SHAPES[kind](rng, width, height)
        mask, core, pillars = shape.mask, shape.core, shape.pillars
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
        room = shape(Rng(3, kind), 9, 8)
        mask = room.mask
        closed = np.pad(mask, 2)
        directions = set()
        for x, y, direction in door_sites(room.rows, room.width):
            dx, dy = CARDINALS[direction]
            assert closed[y + 2 - dy, x + 2 - dx], "the room lies behind the door"
            for aside in (-1, 0, 1):
                assert not closed[y + 2 + aside * dx, x + 2 + aside * dy], "walls beside it"
            directions.add(direction)
        assert directions == {0, 1, 2, 3}


def test_bit_grids_agree_with_arrays():
    mask = Rng(4).random_bytes(9, 13) < 128
    rows = pack_rows(mask)
    assert [[row >> x & 1 for x in range(13)] for row in rows] == mask.astype(int).tolist()
    assert widened([0, 0b100, 0]) == [0b1110, 0b1110, 0b1110]
    assert overlaps([0, 0b1000], [0b11], 2, 1)
    assert not overlaps([0, 0b1000], [0b11], 1, 1)


def test_reach_counts_the_steps_of_the_way_around():
    plan = drawn("#######\n#..#..#\n#..#..#\n#.....#\n#######")
    open_tiles = plan.open
    assert within_reach(open_tiles, (2, 1), (4, 1), 6)
    assert not within_reach(open_tiles, (2, 1), (4, 1), 5)
    assert not within_reach(open_tiles, (0, 0), (6, 4), 99)


def test_a_straight_way_steps_from_tile_to_tile():
    for end in ((9, 4), (4, 9), (-3, 2), (0, -7), (5, 0), (0, 0)):
        way = stepped_line((0, 0), end)
        assert way[0] == (0, 0)
        assert way[-1] == end
        assert len(way) == abs(end[0]) + abs(end[1]) + 1
        assert all(abs(a.x - b.x) + abs(a.y - b.y) == 1 for a, b in pairwise(way))


def test_a_tunnel_dug_in_slices_is_that_dug_tile_by_tile():
    rng = Rng(1, "ends")
    for n in range(60):
        ends = [(rng.between(1, 38), rng.between(1, 23)) for _ in range(2)]
        slow, quick = Blueprint.solid(40, 25), Blueprint.solid(40, 25)
        for plan in (slow, quick):
            plan.tiles[5:12, 8:20] = Tile.FLOOR
            plan.tiles[14:20, 22:30] = Tile.WATER
        way = tunnel_between(*ends, horizontal_first=bool(n % 2))
        assert dig_tunnel(quick, *ends, horizontal_first=bool(n % 2)) == dig(slow, way)
        assert np.array_equal(slow.tiles, quick.tiles)


def test_joining_joins_all_regions():
    joined = 0
    for seed in range(5):
        plan = Blueprint.solid(40, 25)
        run("scatter_rock", plan, seed, rock=0.55)
        run("cellular_automaton", plan, seed, rounds=2)
        joined += regions(plan.open)[1] - 1
        run("join_regions", plan, seed)
        assert regions(plan.open)[1] == 1
        assert not plan.open[[0, -1]].any()
    assert joined > 20


def test_a_tunnel_goes_round_a_room_and_what_cannot_be_dug():
    plan = with_rooms((2, 8, 4, 4), (16, 6, 6, 8), (32, 8, 4, 4))
    plan.rooms = [plan.rooms[0], plan.rooms[2]]
    plan.tiles[:18, 26] = Tile.WATER
    before = plan.tiles.copy()
    run("cheapest_tunnels", plan, 1, beside=30)
    labels, _ = regions(plan.open)
    assert labels[10, 3] == labels[10, 33] > 0
    ys, xs = np.nonzero(plan.tiles != before)
    assert (plan.tiles[ys, xs] == Tile.TUNNEL).all()
    assert (before[ys, xs] == Tile.WALL).all()
    plan.tiles[:] = before
    plan.tiles[1:-1, 26] = Tile.WATER
    assert run("cheapest_tunnels", plan, 1) == []


def sizes(low, high):
    return [(width, height) for width in range(low, high) for height in range(low, high)]


def test_discs_are_the_tiles_whose_middle_is_within_an_ellipse():
    for side in range(1, 16):
        mask = SHAPES["circle"](Rng(1), side, side + 3).mask
        middle = np.arange(side) + 0.5 - side / 2
        far = middle[:, None] ** 2 + middle**2
        assert np.array_equal(mask, far <= side**2 / 4 + 1e-9)


@pytest.mark.parametrize(("side", "walk"), [(9, 3), (10, 3), (12, 3), (13, 4), (17, 4)])
def test_a_ring_is_three_or_four_tiles_wide_all_the_way_round(side, walk):
    whole, mask = (SHAPES[kind](Rng(1), side, side).mask for kind in ("circle", "ring"))
    hole = whole & ~mask
    ys, xs = np.nonzero(hole)
    assert (xs.min(), ys.min(), side - 1 - xs.max(), side - 1 - ys.max()) == (walk,) * 4
    assert np.array_equal(hole, hole.T)
    assert np.array_equal(mask, mask[::-1])
    assert SHAPES["ring"](Rng(1), 8, 8).mask.all() == SHAPES["circle"](Rng(1), 8, 8).mask.all()


def test_the_bars_of_a_cross_are_a_third_to_half_as_wide_as_it():
    rng, wide, lefts = Rng(6), set(), set()
    for _ in range(400):
        shape = SHAPES["cross"](rng, 14, 11)
        upright, lying = shape.mask.all(axis=0), shape.mask.all(axis=1)
        assert np.array_equal(shape.mask, upright | lying[:, None])
        wide.add((int(upright.sum()), int(lying.sum())))
        lefts.add((int(upright.argmax()), int(upright.sum())))
        bars = [(int(upright.sum()), 11), (14, int(lying.sum()))]
        assert (shape.core.width, shape.core.height) == max(bars, key=np.prod)
    assert {one for one, _ in wide} == {5, 6, 7}
    assert {other for _, other in wide} == {4, 5, 6}
    assert {left for left, one in lefts if one == 6} == set(range(1, 8))


def test_a_hall_has_a_pillar_every_third_tile_the_same_from_both_ends():
    for width, height in sizes(5, 20):
        shape = SHAPES["hall"](Rng(1), width, height)
        long, short = max(width, height), min(width, height)
        along = sorted(
            {max(place) if width == height else place[height > width] for place in shape.pillars}
        )
        if long < 9 or short < 7:
            assert shape.mask.all()
            assert not shape.pillars
            continue
        assert np.array_equal(shape.mask, shape.mask[::-1, ::-1])
        assert np.array_equal(shape.mask, shape.mask[::-1])
        assert len(shape.pillars) == (~shape.mask).sum() >= 4
        assert {place[width >= height] for place in shape.pillars} == {1, short - 2}
        steps = {after - before for before, after in pairwise(along)}
        assert steps <= {3} or width == height
        assert shape.core.area == long * (short - 4)


@pytest.mark.parametrize("kind", ["chunky", "cave"])
def test_ragged_rooms_are_large_for_their_size_and_vary(kind):
    rng = Rng(8, kind)
    masks = [SHAPES[kind](rng, 15, 12) for _ in range(60)]
    shares = [mask.mask.sum() / (15 * 12) for mask in masks]
    assert min(shares) >= 0.2
    assert len({mask.mask.tobytes() for mask in masks}) >= 40
    assert {mask.width for mask in masks} >= {14, 15}
    for mask, core in ((one.mask, one.core) for one in masks):
        assert core.width == core.height
        assert core.width % 2 == 1
        middles = [
            (abs(2 * x + core.width - mask.shape[1]) + abs(2 * y + core.width - mask.shape[0]))
            for y in range(mask.shape[0] - core.width + 1)
            for x in range(mask.shape[1] - core.width + 1)
            if mask[y : y + core.width, x : x + core.width].all()
        ]
        here = abs(2 * core.x + core.width - mask.shape[1])
        assert here + abs(2 * core.y + core.width - mask.shape[0]) == min(middles)
        wider = core.width + 2
        assert not any(
            mask[y : y + wider, x : x + wider].all()
            for y in range(mask.shape[0] - wider + 1)
            for x in range(mask.shape[1] - wider + 1)
        )
