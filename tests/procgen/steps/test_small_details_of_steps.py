"""Details of steps that a level shows at one place: doors, fountains, pillars, who lives where."""

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point
from procgen.steps.great_hall import great_hall
from procgen.steps.spawns import monsters_by_region
from procgen.steps.town import market_square
from procgen.steps.vegetation import _clear
from support.blueprints import drawn, run, with_rooms


def test_the_doors_of_a_hall_are_in_the_middle_of_its_walls():
    plan = Blueprint.solid(31, 21)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    run(great_hall, plan)
    hall = plan.rooms[0]
    doors = {Point(int(x), int(y)) for y, x in np.argwhere(plan.tiles == Tile.DOOR)}
    across, down = hall.x + hall.width // 2, hall.y + hall.height // 2
    assert doors == {
        (across, hall.y - 1), (across, hall.y + hall.height),
        (hall.x - 1, down), (hall.x + hall.width, down),
    }  # fmt: skip


def test_every_room_is_a_region_the_first_included():
    plan = with_rooms((2, 2, 8, 6), (20, 2, 8, 6), (2, 12, 4, 4))
    plan.start, plan.exit = Point(2, 12), Point(5, 15)
    run(monsters_by_region, plan, per_100=20.0, empty=0.0, crowded=0.0, at_least=0)
    for room in plan.rooms[:2]:
        assert sum(room.contains(spawn.x, spawn.y) for spawn in plan.spawns) >= 5


def test_a_pillar_is_cleared_away_though_other_rock_stands_by_the_water():
    plan = drawn("""
        ~~~~~~~~~~
        ~........~
        ~.#...##.~
        ~.....##.~
        ~.......#~
        ~~~~~~~~~~
    """)
    run("remove_small_pillars", plan, below=2)
    assert plan.tiles[2, 2] == Tile.FLOOR, "the pillar"
    assert (plan.tiles[2:4, 6:8] == Tile.WALL).all(), "too large"
    assert plan.tiles[4, 8] == Tile.WALL, "by the water"


@pytest.mark.parametrize("seed", range(4))
def test_a_fountain_has_water_on_all_eight_sides(seed):
    plan = Blueprint.solid(80, 45)
    run("enclose_town", plan, seed)
    run("lay_streets", plan, seed)
    run(market_square, plan, seed)
    ((y, x),) = np.argwhere(plan.tiles == Tile.STATUE).tolist()
    around = plan.tiles[y - 1 : y + 2, x - 1 : x + 2]
    assert (around == Tile.WATER).sum() == 8


def test_what_grows_in_the_open_keeps_a_tile_free_on_every_side():
    everywhere = np.ones((11, 17), np.bool_)
    stand = _clear(everywhere, everywhere)
    ys, xs = np.nonzero(stand)
    assert len(ys) >= 12
    for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
        assert stand[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].sum() == 1
        assert 0 < y < 10, "there is no tile beyond the border"
        assert 0 < x < 16, "there is no tile beyond the border"
