"""Lakes, pools, rivers, banks and crossings: every tile of them, by definition."""

from itertools import pairwise, product

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point
from procgen.rng import Rng
from procgen.steps.lakes_rivers_fissures import (
    LONGEST,
    _bed,
    _course,
    _place,
    cross_again,
    flood,
    line_banks,
)
from support.blueprints import drawn, field, run, text, with_rooms


class Loaded:
    """Random numbers that are always the lowest or the highest possible, and their ranges."""

    def __init__(self, *, high, first=0):
        self.high, self.first, self.asked = high, first, []

    def below(self, limit):
        self.asked.append(limit)
        return self.first if self.first >= 0 else limit - 1

    def between(self, low, high):
        self.asked.append((low, high))
        return high if self.high else low


def middle_of(plan):
    mask = np.zeros(plan.tiles.shape, np.bool_)
    mask[3:6, 3:8] = True
    return mask


@pytest.mark.parametrize(
    ("liquid", "border"), [(Tile.WATER, True), (Tile.LAVA, True), (Tile.ICE, False)]
)
def test_a_flood_spares_what_must_stay_and_the_border_if_it_can_be_walked_on(liquid, border):
    plan = drawn("\n".join(["#" * 14, *["#<" + "." * 10 + ">#"], *["#" + "." * 12 + "#"] * 6]))
    deep = flood(plan, np.ones(plan.tiles.shape, np.bool_), liquid)
    assert (plan.tiles[deep] == liquid).all()
    assert not (plan.tiles[~deep] == liquid).any()
    assert not deep[1, 1]
    assert not deep[1, 12]
    assert deep[0].any() == deep[-1].any() == deep[:, 0].any() == border
    assert deep[4, 5]
    some = middle_of(plan)
    assert (flood(plan, some, Tile.WATER) <= some).all()


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_banks_are_a_share_of_the_ground_that_touches_the_water(share):
    turned = []
    for seed in range(30):
        plan = Blueprint.solid(25, 25)
        plan.tiles[5:] = Tile.FLOOR
        deep = np.zeros(plan.tiles.shape, np.bool_)
        deep[5:12, 6:20] = True
        plan.tiles[deep], plan.tiles[12, 8:10] = Tile.WATER, Tile.SHRINE
        before = plan.tiles.copy()
        line_banks(plan, deep, Rng(seed, "test"), Tile.SHALLOWS, share)
        changed = plan.tiles != before
        beside = {(x, 12) for x in range(5, 21) if x not in (8, 9)}
        beside |= {(x, y) for x in (5, 20) for y in range(5, 12)}
        assert {(x, y) for y, x in np.argwhere(changed).tolist()} <= beside
        assert (plan.tiles[changed] == Tile.SHALLOWS).all()
        turned.append(changed.sum() / len(beside))
    assert abs(np.mean(turned) - share) < 0.06
    assert share != 1 or min(turned) == 1
    before = plan.tiles.copy()
    line_banks(plan, deep, Rng(1, "test"), Tile.WALL, 1.0)
    assert (plan.tiles == before).all(), "nothing is walled in"


RIVER = """
    ##############
    #....~~~.....#
    #....~~......#
    #....~~~.....#
    ##############
"""


@pytest.mark.parametrize(("fords", "tile"), [(0.0, Tile.BRIDGE), (1.0, Tile.SHALLOWS)])
def test_what_lies_parted_is_joined_where_the_water_is_narrowest(fords, tile):
    plan = drawn(RIVER.replace("    ", ""))
    wet = plan.tiles == Tile.WATER
    ways = cross_again(
        plan, Rng(1, "test"), wet, bridge=Tile.BRIDGE, ford=Tile.SHALLOWS, fords=fords
    )
    assert ways == 1
    assert plan.tiles[2].tolist()[5:7] == [tile, tile]
    assert (plan.tiles == tile).sum() == 2
    again = plan.tiles.copy()
    assert not cross_again(
        plan, Rng(1, "test"), wet, bridge=Tile.BRIDGE, ford=Tile.SHALLOWS, fords=fords
    )
    assert (plan.tiles == again).all(), "what hangs together is left alone"


def test_a_bent_way_is_always_a_ford_and_rock_is_never_crossed():
    plan = drawn("######\n#.~###\n##~~.#\n######")
    wet = plan.tiles == Tile.WATER
    cross_again(plan, Rng(1, "test"), wet, bridge=Tile.BRIDGE, ford=Tile.SHALLOWS, fords=0.0)
    assert (plan.tiles == Tile.SHALLOWS).sum() >= 2
    assert not (plan.tiles == Tile.BRIDGE).any()
    assert regions(plan.open)[1] == 1
    rock = drawn("#####\n#.#.#\n#####")
    none = np.zeros(rock.tiles.shape, np.bool_)
    assert not cross_again(
        rock, Rng(1, "test"), none, bridge=Tile.BRIDGE, ford=Tile.SHALLOWS, fords=0.0
    )


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (6, 4), (7, 5)])
def test_a_lake_is_tried_anywhere_inside_the_border(size):
    open_tiles = np.zeros((7, 9), np.bool_)
    fixed, blob = open_tiles.copy(), np.ones(size[::-1], np.bool_)
    found = {_place(open_tiles, fixed, Rng(seed), blob, 1, 0.0) for seed in range(300)}
    fits = set(product(range(1, 9 - size[0]), range(1, 7 - size[1])))
    assert found == (fits or {None})
    assert _place(open_tiles, fixed, Rng(1), np.ones((6, 2), np.bool_), 9, 0.0) is None
    assert _place(open_tiles, fixed, Rng(1), np.ones((2, 8), np.bool_), 9, 0.0) is None


@pytest.mark.parametrize(("share", "fine"), [(0.0, True), (0.5, True), (0.51, False), (1.0, False)])
def test_a_lake_lies_on_open_ground_by_as_much_as_asked_for_and_parts_nothing(share, fine):
    open_tiles = np.zeros((6, 6), np.bool_)
    open_tiles[0:5, 3:5] = True  # What lies on the border stays open.
    blob, fixed = np.ones((4, 4), np.bool_), np.zeros((6, 6), np.bool_)
    assert (_place(open_tiles, fixed, Rng(1), blob, 5, share) is not None) == fine
    row = np.zeros((3, 12), np.bool_)
    row[1, 1:11] = True
    only = np.zeros(row.shape, np.bool_)
    ends = {_place(row, only, Rng(seed), np.ones((1, 1), np.bool_), 1, 1.0) for seed in range(200)}
    assert ends == {None, (1, 1), (10, 1)}, "anything between would part the row"
    only[1, 5] = True
    ends = {_place(row, only, Rng(seed), np.ones((1, 1), np.bool_), 1, 1.0) for seed in range(200)}
    assert ends == {None, (1, 1), (10, 1), (5, 1)}, "what must stay is not closed at all"


@pytest.mark.parametrize(
    ("room", "fits"),
    [((1, 1, 3, 3), True), ((1, 1, 1, 1), False), ((36, 16, 3, 3), True), ((38, 18, 1, 1), False),
     ((1, 9, 3, 3), True), ((15, 16, 3, 3), True), ((15, 18, 3, 1), False), ((38, 9, 1, 3), False)],
)  # fmt: skip
def test_a_pool_lies_around_the_middle_of_its_room_inside_the_map(room, fits, monkeypatch):
    blob = np.ones((3, 3), np.bool_)
    monkeypatch.setattr(
        "procgen.steps.lakes_rivers_fissures._blobs", lambda _, widths: [blob] * len(widths)
    )
    plan = with_rooms(room)
    told = run("pools_in_rooms", plan, share=1.0, shores=0.0)
    wet = {(x, y) for y, x in np.argwhere(plan.tiles == Tile.WATER).tolist()}
    x, y = plan.rooms[0].center
    around = set(product(range(x - 1, x + 2), range(y - 1, y + 2))) - {(x, y)}
    assert wet == (around if fits else set()), text(plan)
    assert told == (["Pool 1: 8 tiles of water", "Shores added"] if fits else [])


@pytest.mark.parametrize(("width", "height"), [(60, 40), (20, 90)])
def test_a_river_crosses_the_longer_side_more_often_and_begins_anywhere(width, height):
    plan = Blueprint.solid(width, height)
    for first, high in product((0, width - 1, width, width + height - 1), (False, True)):
        rng = Loaded(high=high, first=first)
        course = _course(plan, rng, 0.0)
        assert rng.asked[0] == width + height
        across = first < width
        last = (height if across else width) - 1
        assert rng.asked[1:3] == [(0, last)] * 2
        beside = last if high else 0
        ends = ((0, beside), (width - 1, beside)) if across else ((beside, 0), (beside, height - 1))
        assert (course[0], course[-1]) == ends


@pytest.mark.parametrize("bend", [0.0, 0.2, 0.3, 1.0])
def test_the_middle_of_a_stretch_strays_by_its_share_of_the_length_but_never_past_its_ends(bend):
    plan = Blueprint.solid(101, 61)
    rng = Loaded(high=True)
    course = _course(plan, rng, bend)
    stray = min(int(100 * bend), 49)
    assert rng.asked[3:5] == [(-stray, stray)] * 2, "the ends are 100 columns apart"
    middle = Point(min(50 + stray, 100), 60)
    assert middle in course
    assert all(0 <= x <= 100 and 0 <= y <= 60 for x, y in course)
    low = _course(plan, Loaded(high=False), bend)
    assert Point(max(50 - stray, 0), 0) in low
    for line in (course, low):
        assert all(max(abs(a.x - b.x), abs(a.y - b.y)) <= 3 for a, b in pairwise(line))
    many = _course(Blueprint.solid(30, 30), Rng(1, "test"), 1.0)
    assert len(many) < 3 * LONGEST * 60


@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize("high", [True, False])
def test_a_bed_is_as_wide_as_drawn_about_every_tile_of_its_course(width, high):
    plan = Blueprint.solid(30, 30)
    across = width if high else min(2, width)
    for ends in [(0, 10, 29, 10), (8, 0, 8, 29), (3, 3, 20, 20), (2, 20, 25, 9), (9, 9, 9, 9)]:
        one, other = Point(*ends[:2]), Point(*ends[2:])
        bed = _bed(plan, Loaded(high=high), [one, other], width)
        steps = max(abs(other.x - one.x), abs(other.y - one.y), 1)
        wanted = np.zeros(bed.shape, np.bool_)
        for n in range(steps + 1):
            x = int(np.floor(one.x + n * (other.x - one.x) / steps + 0.5)) - across // 2
            y = int(np.floor(one.y + n * (other.y - one.y) / steps + 0.5)) - across // 2
            for a, b in product(range(x, x + across), range(y, y + across)):
                if 0 <= a < 30 and 0 <= b < 30:
                    wanted[b, a] = True
        assert (bed == wanted).all()


@pytest.mark.parametrize(("size", "rivers", "told"), [((80, 45), 2, 2), ((200, 50), 1, 2),
    ((80, 45), 0, 0), ((60, 40), 1, 1), ((200, 49), 1, 1)])  # fmt: skip
def test_there_are_as_many_rivers_as_asked_for_on_a_map_of_125_tiles_around(size, rivers, told):
    plan = Blueprint.solid(*size)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    captions = run("river", plan, rivers=rivers, width=2)
    assert [line for line in captions if "crosses" in line] == [
        f"River {n} crosses the map" for n in range(1, told + 1)
    ]
    assert (plan.tiles == Tile.WATER).any() == (told > 0)
    assert regions(plan.open)[1] == 1


@pytest.mark.parametrize(("side", "widest"), [(8, 1), (15, 1), (16, 2), (24, 3), (40, 3)])
def test_a_river_on_a_small_map_is_no_wider_than_an_eighth_of_it(side, widest):
    wide = set()
    for seed in range(12):
        plan = Blueprint.solid(90, side)
        run("river", plan, seed, width=3, bend=0.0)
        wet = plan.tiles == Tile.WATER
        if wet[:, 0].any() and wet[:, -1].any():
            wide.add(int(wet[:, 20:70].sum(axis=0).max()))
    assert max(wide, default=widest) <= widest + (widest > 1)


def test_cracks_that_part_a_level_are_crossed_or_close_again():
    for seed in range(8):
        plan = field()
        before = plan.tiles.copy()
        captions = run("fissures", plan, seed, share=0.05, liquid="lava", banks=0.0, fords=0.0)
        assert captions[0] == "The ground cracks"
        assert regions(plan.open)[1] == regions(terrain().walkable[before])[1]
        bridges = (plan.tiles == Tile.BRIDGE).sum()
        assert (len(captions) == 2) == bool(bridges or (plan.tiles == before).all())
    fixed = field()
    run("fissures", fixed, 1, share=0.9, liquid="water", spare=("floor", "wall", "door"))
    assert (fixed.tiles == field().tiles).all()
