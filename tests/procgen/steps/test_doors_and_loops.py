"""Doors, secret doors, loops and dead ends, on maps small enough to see."""

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from procgen.analysis.distances import UNREACHED, distances, regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Spawn
from procgen.build import build
from procgen.carving.doorways import doorways
from procgen.recipes import find_recipe
from procgen.validate import broken_invariants
from support.blueprints import drawn, run, text

HOUSE = """
###################
#...#.....#.......#
#...,.....,.......#
#...#.....#.......#
##,########.......#
##,########.......#
##,,,,,,,,,.......#
######,####.......#
######,############
######,,,,#########
###################
"""


def test_doorways_are_where_a_narrow_way_meets_a_wide_place():
    found = doorways(drawn(HOUSE))
    assert sorted(zip(*(axis.tolist() for axis in np.nonzero(found)), strict=True)) == [
        (2, 4),
        (2, 10),
        (4, 2),
        (6, 10),
    ]


def test_every_doorway_gets_a_door_if_it_is_certain():
    plan = drawn(HOUSE)
    assert run("doors", plan, chance=1.0) == ["4 doors hung"]
    assert (plan.tiles[doorways(plan)] == Tile.DOOR).all()
    assert run("doors", plan, chance=1.0) == []


def test_no_door_where_somebody_stands_or_beside_another():
    plan = drawn("########\n#..##..#\n#..,,..#\n#..##..#\n########")
    assert run("doors", plan, chance=1.0) == ["1 door hung"]
    plan = drawn("########\n#..#...#\n#..<...#\n#..#...#\n########")
    assert run("doors", plan, chance=1.0) == []
    plan.start = None
    plan.spawns = [Spawn("orc", 3, 2)]
    assert run("doors", plan, chance=1.0) == []


def test_a_loop_opens_where_the_way_around_is_long():
    lane = "#" * 16 + "\n#" + "." * 14 + "#\n#" + "#" * 13 + ".#\n#" + "." * 14 + "#\n" + "#" * 16
    plan = drawn(lane)
    assert len(run("loops", plan, threshold=20, at_most=1, doors=0.0)) == 1
    assert regions(~plan.open)[1] == 2, "the lane has become a ring"
    plan = drawn(lane)
    assert run("loops", plan, threshold=40) == []
    assert run("loops", plan, at_most=0) == []


def test_loops_do_not_crowd():
    plan = drawn(
        "#" * 40 + "\n#" + "." * 38 + "#\n" + "#" * 38 + ".#\n#" + "." * 38 + "#\n" + "#" * 40
    )
    run("loops", plan, threshold=20, at_most=99, doors=1.0)
    columns = np.flatnonzero(plan.tiles[2] == Tile.DOOR)
    assert len(columns) > 1
    assert (np.diff(columns) * 1 + 2 > 10).all()
    assert columns.max() < 30


def test_a_loop_may_pierce_thick_walls():
    plan = drawn("#########\n#...#...#\n#...#...#\n#########")
    plan.tiles = np.insert(plan.tiles, 4, [[Tile.WALL]], axis=1)
    assert run("loops", plan, thickness=1) == []
    assert len(run("loops", plan, thickness=2, doors=0.0)) == 1
    assert (plan.tiles == Tile.TUNNEL).sum() == 2


def test_dead_ends_go_back_to_the_fork():
    plan = drawn(HOUSE)
    run("remove_dead_ends", plan)
    assert not (plan.tiles[7:] == Tile.TUNNEL).any()
    assert (plan.tiles[6, 2:11] == Tile.TUNNEL).all()


def test_dead_ends_stay_where_somebody_stands_or_lives():
    for mark in ("start", "exit", "spawn", "room"):
        plan = drawn(HOUSE)
        if mark == "spawn":
            plan.spawns = [Spawn("orc", 6, 8)]
        elif mark == "room":
            plan.rooms = [RectangularRoom(6, 8, 1, 1)]
        else:
            setattr(plan, mark, Point(6, 8))
        run("remove_dead_ends", plan)
        assert plan.tiles[8, 6] == Tile.TUNNEL
        assert (plan.tiles[9] == Tile.WALL).all()


def test_dead_ends_are_shortened_by_rounds_and_spared_by_share():
    plan = drawn(HOUSE)
    run("remove_dead_ends", plan, rounds=2)
    assert text(plan).splitlines()[9] == "######,,###########"
    run("remove_dead_ends", plan, share=0.0)
    assert text(plan).splitlines()[9] == "######,,###########"


SECRET = """
####################
#....#######.......#
#.<..,,,,,,,....>..#
#....#######.......#
##,#########.......#
##,###########,#####
##,##......###,#####
##,##......###,#####
##,,,......,,,,#####
#####......#########
####################
"""


def test_a_secret_door_hides_a_dead_end_or_a_shortcut_never_the_way_out():
    hidden = 0
    for seed in range(30):
        plan = drawn(SECRET)
        captions = run("secret_doors", plan, seed, chance=1.0, at_most=3, hidden=0.5)
        hidden += len(captions)
        assert len(captions) == (plan.tiles == Tile.SECRET_DOOR).sum()
        assert list(broken_invariants(plan)) == []
        seen = terrain().walkable[plan.tiles]
        assert distances(seen, *plan.start, diagonal=False)[plan.exit[::-1]] < UNREACHED
    assert hidden >= 30


def test_secret_doors_refuse_the_only_way():
    plan = drawn("###########\n#..#...#..#\n#.<,...,>.#\n#..#...#..#\n###########")
    assert run("secret_doors", plan, chance=1.0, hidden=1.0) == []


def test_secret_doors_hide_neither_too_much_nor_too_little():
    cell = "##########\n#....#...#\n#.<>.,...#\n#....#...#\n##########"
    assert run("secret_doors", drawn(cell), chance=1.0, hidden=0.2) == []
    assert run("secret_doors", drawn(cell), chance=1.0, hidden=0.5, worth=10) == []
    assert run("secret_doors", drawn(cell), chance=1.0, hidden=0.5) == [
        "A secret door hides 9 tiles"
    ]


@pytest.mark.parametrize(("hidden", "doors"), [(0.5, 2), (0.49, 1), (0.25, 1), (0.24, 0)])
def test_all_secret_doors_together_hide_at_most_their_share(hidden, doors):
    """A door and its cell are 10 of the 40 tiles."""
    plan = drawn("""
        ###############
        #...#.....#...#
        #...,.<.>.,...#
        #...#.....#...#
        #####.....#####
        ###############
    """)
    assert len(run("secret_doors", plan, chance=1.0, hidden=hidden)) == doors


def test_a_hidden_shortcut_must_save_steps():
    rooms = (
        "###########\n#....#....#\n#.<..,..>.#\n#....#....#\n#....,....#\n#....#....#\n###########"
    )
    assert run("secret_doors", drawn(rooms), chance=1.0, detour=9, hidden=0.0) == []
    assert run("secret_doors", drawn(rooms), chance=1.0, detour=2) == [
        "A secret door hides a shortcut"
    ]


@pytest.mark.parametrize("lock", [Tile.PORTCULLIS, Tile.DRAWBRIDGE, Tile.CRYSTAL])
def test_no_secret_door_hangs_before_a_lock(lock):
    plan = drawn("##########\n#....##..#\n#.<>.,...#\n#....##..#\n##########")
    plan.tiles[2, 6] = lock
    assert run("secret_doors", plan, chance=1.0, hidden=1.0) == []


@pytest.mark.parametrize("name", ["shaped_rooms", "digger"])
def test_recipes_hang_doors_only_in_doorways(name):
    secrets = 0
    for seed in range(15):
        level = build(find_recipe(name).code(seed))
        plan = Blueprint(level.tiles.copy())
        doors = (level.tiles == Tile.DOOR) | (level.tiles == Tile.SECRET_DOOR)
        secrets += int((level.tiles == Tile.SECRET_DOOR).sum())
        rock = level.tiles == Tile.WALL
        for y, x in np.argwhere(doors).tolist():
            walls = rock[y, x - 1] and rock[y, x + 1], rock[y - 1, x] and rock[y + 1, x]
            assert walls.count(True) == 1
        assert regions(plan.open)[1] == 1
    assert secrets > 3
