"""Mirrors: the same from both sides, in one piece, and nobody buried."""

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.build import build
from procgen.carving.region_links import connect_parts
from procgen.recipes import find_recipe
from procgen.rng import Rng
from procgen.steps.cellular_automaton import cellular_automaton, scatter_rock
from procgen.steps.great_hall import great_hall
from procgen.steps.regions import fill_small_regions
from procgen.steps.symmetry import symmetry
from procgen.validate import broken_invariants
from support.blueprints import drawn_tiles, run, text

IMAGES = {
    "vertical": lambda tiles: [tiles[:, ::-1]],
    "horizontal": lambda tiles: [tiles[::-1]],
    "both": lambda tiles: [tiles[:, ::-1], tiles[::-1]],
    "rotate": lambda tiles: [tiles[::-1, ::-1]],
}


def cave(seed):
    """A cave of several parts with start, exit and a spawn anywhere in it."""
    rng = Rng(seed, "cave")
    plan = Blueprint.solid(rng.between(20, 41), rng.between(15, 33))
    run(scatter_rock, plan, seed, rock=0.48)
    run(cellular_automaton, plan, seed)
    run(fill_small_regions, plan, seed)
    places = rng.shuffled(np.argwhere(plan.open).tolist())
    (y1, x1), (y2, x2), (y3, x3) = places[:3]
    plan.start, plan.exit, plan.spawns = Point(x1, y1), Point(x2, y2), [Spawn("orc", x3, y3)]
    return plan


@pytest.mark.parametrize("axis", IMAGES)
def test_a_mirrored_cave_keeps_every_promise(axis):
    for seed in range(40):
        plan = cave(seed)
        stands = (plan.start, plan.exit, list(plan.spawns))
        run(symmetry, plan, seed, axis=axis)
        assert all(np.array_equal(plan.tiles, image) for image in IMAGES[axis](plan.tiles))
        assert (plan.start, plan.exit, plan.spawns) == stands
        assert list(broken_invariants(plan)) == []


def test_the_half_with_the_start_is_kept():
    plan = Blueprint(drawn_tiles("######### #...#...# #.###...# #...#...# #########"))
    plan.start = Point(1, 1)
    run(symmetry, plan)
    assert text(plan).split() == ["#########", "#...,...#", "#.#####.#", "#...#...#", "#########"]


@pytest.mark.parametrize(
    ("axis", "before", "after"),
    [
        (
            "vertical",
            "####### #..#### #.##### ####### #######",
            "####### #..,..# #.###.# ####### #######",
        ),
        ("horizontal", "##### #...# ##### ##### #####", "##### #...# #,### #...# #####"),
        ("both", "##### #.### ##### ##### #####", "##### #.,.# #,#,# #.,.# #####"),
        (
            "rotate",
            "####### #..#### ####### ####### #######",
            "####### #..,### ###,### ###,..# #######",
        ),
    ],
)
def test_what_does_not_touch_the_line_is_led_up_to_it(axis, before, after):
    plan = Blueprint(drawn_tiles(before))
    run(symmetry, plan, axis=axis)
    assert text(plan).split() == after.split()


@pytest.mark.parametrize("axis", IMAGES)
@pytest.mark.parametrize("size", [(20, 15), (21, 16), (20, 17), (21, 15)])
def test_rooms_are_mirrored_and_those_on_the_line_joined(axis, size):
    plan = Blueprint.solid(*size)
    plan.rooms = [RectangularRoom(2, 2, 3, 3), RectangularRoom(8, 5, 7, 4)]
    for room in plan.rooms:
        plan.tiles[room.inner] = Tile.FLOOR
    run(symmetry, plan, axis=axis)
    assert len(set(plan.rooms)) == len(plan.rooms)
    for room in plan.rooms:
        assert terrain().walkable[plan.tiles[room.inner]].all()
    floor = np.zeros(plan.tiles.shape, bool)
    for room in plan.rooms:
        floor[room.inner] = True
    assert np.array_equal(floor, plan.tiles == Tile.FLOOR)


def test_a_level_whose_rooms_all_lie_beyond_the_line_is_rejected():
    plan = Blueprint(drawn_tiles("########### #...##.##.# #...##.##.# ###########"))
    plan.tiles = np.pad(plan.tiles, ((1, 1), (0, 0)))
    plan.rooms = [RectangularRoom(9, 2, 1, 2)]
    plan.start = Point(1, 2)
    with pytest.raises(Rejected):
        run(symmetry, plan)


def test_mending_bridges_water_and_digs_rock():
    tiles = drawn_tiles("######### #..~~..## ######### #..###### #########")
    allowed = np.zeros(tiles.shape, bool)
    allowed[1:-1, 1:-1] = True
    assert connect_parts(tiles, allowed, Rng(1, "mend")) == 3
    assert regions(terrain().walkable[tiles])[1] == 1
    assert (tiles == Tile.BRIDGE).sum() == 2


def test_a_hall_is_the_same_from_both_sides_and_cuts_nothing_off():
    for seed in range(30):
        plan = cave(seed)
        plan.start = plan.exit = None
        plan.spawns = []
        parts = regions(plan.open)[1]
        run(great_hall, plan, seed)
        hall = plan.rooms[0]
        inside = plan.tiles[hall.inner]
        assert np.array_equal(inside, inside[:, ::-1])
        assert (inside == Tile.SHRINE).any()
        assert hall.x == plan.width - hall.x - hall.width
        assert regions(plan.open)[1] <= parts + 1


def test_a_hall_gets_one_door_where_a_room_lay_along_its_wall():
    plan = Blueprint.solid(31, 21)
    plan.tiles[9:12, 2:29] = Tile.FLOOR
    run(great_hall, plan)
    assert (plan.tiles == Tile.DOOR).sum() == 2
    assert regions(plan.open)[1] == 1


def test_nobody_is_walled_in_by_a_hall():
    for seed in range(30):
        plan = cave(seed)
        run(great_hall, plan, seed)
        walkable = terrain().walkable[plan.tiles]
        stands = [plan.start, plan.exit, *((spawn.x, spawn.y) for spawn in plan.spawns)]
        assert all(walkable[y, x] for x, y in stands)


def test_a_temple_has_two_equal_wings_and_its_exit_at_the_shrine():
    for seed in range(10):
        level = build(find_recipe("temple").code(seed))
        for tile in (Tile.WALL, Tile.PILLAR):  # Gold, traps and a lock may differ.
            assert np.array_equal(level.tiles == tile, level.tiles[:, ::-1] == tile)
        x, y = level.exit
        assert Tile.SHRINE in level.tiles[y - 1 : y + 2, x - 1 : x + 2]
