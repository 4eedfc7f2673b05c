"""Scraps, shallows, coasts, bridges and ways over land and water."""

from typing import get_args

import numpy as np
import pytest

from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Point, Spawn
from procgen.carving.region_links import cheapest_links
from procgen.placement.painting import TileName
from procgen.rng import Rng
from support.blueprints import cave, count, drawn, run, text


def same(plan, drawing):
    return text(plan).split() == drawing.split()


def test_recipes_can_name_every_tile():
    assert sorted(get_args(TileName)) == sorted(TILE_NAMES)


def test_small_scraps_are_swallowed_by_what_surrounds_them():
    plan = drawn("~~~~~~~~~~ ~``~~~^^^^ ~~~~~~^.^^ ~~~~~~^^^^ ~......... ~~~~~~~~~~")
    run("remove_small_islands", plan, below=5)
    assert same(plan, "~~~~~~~~~~ ~~~~~~^^^^ ~~~~~~^^^^ ~~~~~~^^^^ ~......... ~~~~~~~~~~")


def test_a_scrap_somebody_stands_on_stays():
    plan = drawn("~~~~~~~~ ~`~~...~ ~~~~...~ ~~~~~~~~")
    plan.spawns.append(Spawn("orc", 1, 1))
    assert run("remove_small_islands", plan, below=5) == []
    assert plan.tiles[1, 1] == Tile.SAND


def test_only_small_islands_of_rock_that_floor_encloses_are_cleared():
    drawing = "########## #.#......# #.....#..# #...##...# #........# #~#..##..# ##########"
    plan = drawn(drawing)
    assert run("remove_small_pillars", plan, below=0) == []
    assert same(plan, drawing)
    run("remove_small_pillars", plan, below=4)
    assert same(
        plan, "########## #.#......# #........# #........# #........# #~#..##..# ##########"
    )


def test_water_beside_land_becomes_shallows():
    plan = drawn("~~~~~~~ ~~~~~~~ ~~~..~~ ~~~~~~~ ~~~~~~~")
    run("outline", plan, of=("water",), to="shallows")
    assert same(plan, "~~~~~~~ ~~----~ ~~-..-~ ~~----~ ~~~~~~~")


def test_the_coast_can_be_traced_without_corners_and_wide():
    plan = drawn("~~~~~~~ ~~~~~~~ ~~~..~~ ~~~~~~~ ~~~~~~~")
    run("outline", plan, of=("water",), to="shallows", diagonal=False, width=2)
    assert same(plan, "~~~~~~~ ~~----~ ~--..-~ ~~----~ ~~~~~~~")


def test_walls_that_border_floor_become_cliffs_and_other_walls_stay():
    plan = drawn("####### ####### ###..## ####### #######")
    run("outline", plan, of=("wall",), to="edge")
    assert same(plan, "####### ##%%%%# ##%..%# ##%%%%# #######")


def test_a_traced_line_never_cuts_the_level_nor_opens_a_pocket():
    plan = drawn("~~~~~~~ ~..`..~ ~~~~~~~")
    run("outline", plan, of=("sand",), to="edge")
    assert same(plan, "~~~~~~~ ~..`..~ ~~~~~~~")
    plan = drawn("##### #.#~# ##~~# #####")
    run("outline", plan, of=("water",), to="shallows")
    assert same(plan, "##### #.#~# ##~~# #####")


def test_lands_are_joined_over_water_and_through_hills_each_in_its_way():
    plan = drawn("########### #..~~..^..# ########### #.........# ###########")
    run("join_by_passages", plan, rock=9, through_rock="tunnel")
    rows = text(plan).split()
    assert rows[1] == "#..==..:..#"
    assert rows[2].count(",") == 1
    assert count(plan) == 1


def test_a_forbidden_ground_is_never_crossed():
    plan = drawn("####### #..!..# #######")
    assert run("join_by_passages", plan, lava=0, rock=0) == []
    assert count(plan) == 2
    run("join_by_passages", plan, lava=0)
    assert same(plan, "####### #..!..# #######")
    assert count(plan) == 2


def test_ways_take_the_cheapest_ground_and_leave_no_region_out():
    labels, number = regions(cave(5).open & (Rng(1, "x").random_bytes(40, 60) > 100))
    cost = np.where(labels > 0, 1, 2).astype(np.int32)
    joined = {way.start for way in cheapest_links(labels, cost, Rng(1, "ways"))}
    ways = list(cheapest_links(labels, cost, Rng(1, "ways")))
    assert number > 20
    assert len(ways) == number - 1
    assert joined <= set(range(1, number + 1))
    opened = labels > 0
    for way in ways:
        assert all(labels[y, x] == 0 for x, y in way.tiles)
        steps = zip(way.tiles, way.tiles[1:], strict=False)
        assert all(abs(a.x - b.x) + abs(a.y - b.y) == 1 for a, b in steps)
        for x, y in way.tiles:
            opened[y, x] = True
    assert regions(opened)[1] == 1


def test_a_bridge_is_built_where_the_walk_around_is_long():
    drawing = "######### #..~~~..# #..~~~..# #..###..# #.......# #########"
    plan = drawn(drawing)
    assert run("bridges", plan, ratio=4.0) == []
    assert len(run("bridges", plan, ratio=1.5, most=1)) == 1
    rows = text(plan).split()
    assert rows[1].count("=") + rows[2].count("=") == 3


def test_a_bridge_is_never_longer_than_allowed_nor_over_the_wrong_ground():
    drawing = "######### #..~~~..# ######### #..!!...# #########"
    plan = drawn(drawing)
    run("bridges", plan, over=("lava",), longest=2)
    assert same(plan, drawing.replace("!!", "=="))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["lakes", "river", "fissures"])
@pytest.mark.parametrize("liquid", ["water", "lava"])
def test_floods_never_cut_a_level_nor_drown_anybody(name, liquid, seed):
    plan = cave(seed)
    run("start_at_edge", plan, seed)
    run("exit_furthest", plan, seed)
    run("monsters_by_density", plan, seed, per_100=5.0)
    assert run(name, plan, seed, liquid=liquid)
    assert (plan.tiles == TILE_NAMES.index(liquid)).any()
    assert count(plan) == 1
    walkable = terrain().walkable[plan.tiles]
    stands = [plan.start, plan.exit, *(Point(s.x, s.y) for s in plan.spawns)]
    assert all(walkable[y, x] for x, y in stands)
    assert not walkable[[0, -1]].any()
    assert not walkable[:, [0, -1]].any()
