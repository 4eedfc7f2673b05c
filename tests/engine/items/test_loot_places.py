"""Where the loot of a level lies: open ground, side areas, locked rooms and beside furniture."""

from dataclasses import replace

import numpy as np
import pytest

from engine.items.loot import (
    MOST_PLACES,
    SIDE_AREA_LEAST,
    SIDE_AREA_MOST,
    START_STEPS,
    LootPlaces,
    _place,
    _preferred_places,
    _side_areas,
    find_loot_places,
    guaranteed_items,
    initial_loot,
    loot_table,
)
from entities.item_kinds import item_kinds
from entities.terrain import Tile, terrain
from procgen.blueprint import Point
from procgen.rng import Rng
from support.scenes import level_of

LOCKED = """
    ##############################
    #............................#
    #.........######...####......#
    #..@......#....+...K..#......#
    #.........#....#...#..#......#
    #.........######...####......#
    #...........................>#
    ##############################
"""


def places(drawing, seed=1, furniture=()):
    return find_loot_places(level_of(drawing.replace("K", locked())), Rng(seed, "test"), furniture)


def locked():
    return next(kind.char for kind in terrain().kinds if kind is terrain().kinds[Tile.LOCKED_DOOR])


def cells(text, chars):
    rows = [row.strip() for row in text.strip().splitlines()]
    return {(x, y) for y, row in enumerate(rows) for x, char in enumerate(row) if char in chars}


def test_open_places_are_the_bare_ground_that_can_be_walked_to_from_four_steps_on():
    found = places(LOCKED)
    room = {(20, 3), (21, 3), (20, 4), (21, 4)}
    small = {(x, y) for x in range(11, 15) for y in (3, 4)} - {(14, 3)}
    near = {(x, y) for x, y in cells(LOCKED, ".@") if max(abs(x - 3), abs(y - 3)) < START_STEPS}
    assert set(found.open) == cells(LOCKED, ".") - room - small - near
    assert set(found.hidden) == small, "what the tile beside the door cuts off"
    assert [set(one) for one in found.locked] == [room]


def test_rooms_without_a_lock_that_nobody_reaches_hold_nothing_and_each_locked_one_its_own():
    found = places("""
        ################
        #...K..#....#..#
        #.@.####....#K##
        #......######..#
        #..............#
        #.............>#
        ################
    """)
    assert [set(room) for room in found.locked] == [{(5, 1), (6, 1)}, {(13, 1), (14, 1)}]
    taken = {place for room in found.locked for place in room}
    assert not {(x, y) for x in range(8, 12) for y in (1, 2)} & {*taken, *found.open}


@pytest.mark.parametrize(("width", "large"), [(15, False), (16, True)])
def test_ground_in_a_large_room_behind_a_lock_is_open_but_not_behind_a_secret_door(width, large):
    rows = ["#" * (9 + width), *(["#......#" + "." * width + "#"] * 4), "#" * (9 + width)]
    rows[1] = "#@....>" + rows[1][7:]
    level = level_of("\n".join(rows))
    rooms = {}
    for door in (Tile.LOCKED_DOOR, Tile.SECRET_DOOR):
        tiles = level.tiles.copy()
        tiles[2, 7] = door
        found = find_loot_places(replace(level, tiles=tiles), Rng(1, "test"), ())
        (room,) = found.locked
        assert len(room) == 4 * width
        rooms[door] = set(room) <= {*found.open, *found.hidden}
    assert rooms == {Tile.LOCKED_DOOR: large, Tile.SECRET_DOOR: False}


def test_nothing_lies_at_the_exit_or_on_furniture_and_scrolls_lie_beside_shelves():
    drawing = """
        ################
        #..............#
        #.@.......t....#
        #..............#
        #...........>..#
        ################
    """.replace("t", terrain().kinds[Tile.SHELF].char)
    found = places(drawing, furniture=("shelf", "statue"))
    beside = {(x, y) for x in (9, 10, 11) for y in (1, 2, 3)} - {(10, 2)}
    assert set(found.beside) == {"shelf", "statue"}
    assert set(found.beside["shelf"]) == beside
    assert found.beside["statue"] == []
    assert beside < set(found.open)
    assert (12, 4) not in found.open


def test_places_come_in_another_order_with_another_seed_and_are_no_more_than_needed():
    hall = "\n".join(["#" * 30, *["#" + "." * 28 + "#"] * 20, "#" * 30]).replace(".", "@", 1)
    one, other = places(hall, 1).open, places(hall, 2).open
    assert len(one) == len(other) == MOST_PLACES == len(set(one))
    assert one != other
    assert set(one) != set(other)
    assert one == places(hall, 1).open


@pytest.mark.parametrize(
    ("area", "hides"),
    [
        (SIDE_AREA_LEAST - 2, False),
        (SIDE_AREA_LEAST - 1, True),
        (SIDE_AREA_MOST + 1, True),
        (SIDE_AREA_MOST + 2, False),
    ],
)
def test_a_side_area_has_so_many_tiles_behind_one_gate(area, hides):
    """Behind a gap of one tile: a step before it a tile more is cut off, a step beyond one less."""
    ground = np.zeros((20, 60), np.bool_)
    ground[1:19, 1:20] = True
    ground[9, 20] = True
    columns, rest = divmod(area, 16)
    ground[1:17, 21 : 21 + columns] = True
    ground[9 : 9 + rest, 21 + columns] = True
    if not columns:
        ground[9:, 21] = False
        ground[9, 21 : 21 + rest] = True
    found = _side_areas(ground, Point(2, 2))
    assert found.any() == hides
    assert not found[:, :20].any(), "never where the hero starts"
    assert (found <= ground).all()


@pytest.mark.parametrize("depth", [1, 5, 30])
def test_every_locked_room_holds_an_item_of_its_classes_and_perhaps_a_seed(depth):
    level = level_of(LOCKED.replace("K", locked()), depth)
    room = [placed for placed in initial_loot(level) if placed.x in (20, 21) and placed.y in (3, 4)]
    assert item_kinds()[room[0].kind].item_class in loot_table().locked
    assert {item_kinds()[one.kind].item_class for one in room[1:]} <= {"seed"}
    where = [(placed.x, placed.y) for placed in initial_loot(level)]
    assert len(set(where)) == len(where)
    assert all(level.tiles[y, x] == Tile.FLOOR for x, y in where)
    hidden = [one for one in initial_loot(level) if 11 <= one.x < 15 and one.y in (3, 4)]
    assert item_kinds()[hidden[0].kind].item_class in loot_table().hidden


@pytest.mark.parametrize("share", [1, 3])
def test_as_many_seeds_as_the_table_says_lie_outside_of_locked_rooms(share):
    level, counts = level_of(LOCKED.replace("K", locked())), set()
    least, most = loot_table().seeds
    for number in range(30):
        loot = initial_loot(replace(level, code=replace(level.code, seed=number)), share)
        seeds = [one for one in loot if item_kinds()[one.kind].item_class == "seed"]
        counts.add(sum(not (20 <= one.x <= 21 and 3 <= one.y <= 4) for one in seeds))
    assert counts <= {number * share for number in range(least, most + 1)}
    assert {least * share, most * share} <= counts


def test_half_of_the_items_are_hidden_but_scrolls_lie_beside_shelves():
    shelf, bare, aside = [Point(3, 3)], [Point(1, 1)], [Point(2, 2)]
    spots = LootPlaces(bare, aside, [], {"shelf": shelf})
    first = [next(_preferred_places(spots, "healing_potion", Rng(s, "test"))) for s in range(200)]
    assert 70 <= first.count(aside) <= 130
    assert first.count([]) == 200 - first.count(aside), "no shelf for potions"
    orders = [[*_preferred_places(spots, "mapping_scroll", Rng(s, "test"))] for s in range(200)]
    assert 70 <= orders.count([shelf, bare, aside]) <= 130
    assert orders.count([shelf, aside, bare, aside]) == 200 - orders.count([shelf, bare, aside])


def test_an_item_goes_to_the_first_place_that_is_free_and_uses_it_up():
    laid, rng = [], Rng(1, "test")
    one, other = [Point(1, 1), Point(2, 2)], [Point(3, 3)]
    for _ in range(4):
        _place(laid, "dagger", rng, one, other)
    assert [(placed.x, placed.y) for placed in laid] == [(2, 2), (1, 1), (3, 3)]
    _place(laid, None, rng, [Point(4, 4)])
    _place(laid, "dagger", rng, [Point(5, 5), Point(3, 3), Point(1, 1)])
    assert [(placed.x, placed.y) for placed in laid][3:] == [(5, 5)]
    assert {placed.many for placed in laid} == {1}


@pytest.mark.parametrize("seed", range(4))
def test_of_guaranteed_kinds_ten_depths_hold_so_many_and_no_depth_much_more_than_its_share(seed):
    for first in (1, 7):
        depths = [guaranteed_items(seed, depth) for depth in range(first, first + 10)]
        for kind, share in loot_table().guaranteed_per_10_depths.items():
            counts = [found.count(kind) for found in depths]
            assert sum(counts) == share
            assert max(counts) - min(counts) <= 1
