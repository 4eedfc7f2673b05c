"""Seeds planted everywhere break no promise: ways stay, locks lock, nothing is buried or lost."""

import random
import zlib

import numpy as np
import pytest

from engine.state.game_map import Growing
from engine.terrain.growth import _grow, _ways_aside
from entities.seed_kinds import seed_kinds
from entities.terrain import Tile, terrain
from procgen import planting
from procgen.analysis.distances import regions
from procgen.blueprint import Point
from procgen.planting import grow_plot
from procgen.plots import Plot
from procgen.recipes import current_recipes
from procgen.rng import Rng
from support.blueprints import drawn_tiles
from support.plantings import EVERYWHERE, plantings
from support.scenes import scene

RECIPES = EVERYWHERE[::5]
"""Every fifth recipe in the usual run; all of them in the long one."""


def faults(recipe: str, each: int, depth: int) -> list[str]:
    chance = random.Random(zlib.crc32(f"{recipe} {depth}".encode()))
    return [
        f"{one.kind} at {one.place} aimed at {one.target}: {text}"
        for one in plantings(recipe, list(seed_kinds()), each, chance, depth)
        for text in one.broken
    ]


@pytest.mark.parametrize("recipe", RECIPES)
def test_plantings_break_no_promise(recipe):
    assert faults(recipe, 1, 3) == []


@pytest.mark.slow
@pytest.mark.parametrize("recipe", EVERYWHERE)
def test_twenty_thousand_plantings_break_no_promise(recipe):
    assert [text for depth in range(1, 9) for text in faults(recipe, 5, depth)] == []


def test_most_plantings_take_and_change_the_map():
    chance = random.Random(3)
    found = list(plantings("walk", list(seed_kinds()), 2, chance))
    taken = [one for one in found if not one.why]
    assert len(taken) > len(found) / 2
    assert all(one.changed for one in taken)


def test_ground_that_leads_out_of_the_window_may_be_behind_a_lock():
    tiles = np.full((40, 60), Tile.WALL, np.uint8)
    tiles[10:30, 10:20] = tiles[10:30, 24:34] = Tile.FLOOR
    for leads_out in (False, True):
        if leads_out:
            tiles[20, 34:] = Tile.TUNNEL
        plot = Plot(tiles, np.ones(tiles.shape, bool), (), Point(15, 20), Point(21, 20), 3)
        grown = tiles.copy()
        for turn in grow_plot("cavern_seed", plot, Rng(1)):
            for x, y, tile in turn:
                grown[y, x] = tile
        labels, _ = regions(terrain().walkable[grown], diagonal=True)
        assert (labels[20, 15] == labels[20, 25]) != leads_out


SMALL = [one for one in current_recipes() if max(one.smallest) < 23]


@pytest.mark.parametrize("recipe", SMALL, ids=lambda recipe: recipe.name)
def test_ground_is_grown_again_by_the_steps_of_the_own_recipe(recipe, monkeypatch):
    monkeypatch.setattr(planting, "seed_chains", lambda: {"regrowth_seed": ()})
    tiles = np.full((40, 60), Tile.FLOOR, np.uint8)
    tiles[:, 40:] = Tile.WALL
    ground = np.zeros(tiles.shape, bool)
    ground[9:30, 25:46] = True
    plot = Plot(tiles, ground, (), Point(35, 20), Point(35, 20), 3)
    assert sum(bool(grow_plot("regrowth_seed", plot, Rng(n), recipe)) for n in range(4)) > 2


@pytest.mark.parametrize("kind", list(seed_kinds()))
def test_a_seed_aimed_off_its_ground_grows_or_not_but_never_fails(kind):
    tiles = np.full((40, 60), Tile.FLOOR, np.uint8)
    tiles[[0, -1]] = tiles[:, [0, -1]] = Tile.WALL
    ground = np.zeros(tiles.shape, bool)
    ground[20, 10:14] = True
    for target in (Point(30, 20), Point(11, 35)):
        plot = Plot(tiles, ground, (), Point(40, 20), target, 3)
        assert all(ground[y, x] for turn in grow_plot(kind, plot, Rng(1)) for x, y, _ in turn)


def test_the_message_of_planting_says_that_a_growth_begins_not_that_it_stands():
    slow = {name: kind.grows for name, kind in seed_kinds().items() if kind.turns > 1}
    assert "partition_seed" in slow
    finished = {name for name, text in slow.items() if "begin" not in text}
    assert finished == {"thicket_seed", "lake_seed", "frost_seed"}, "these name what goes on"


def test_a_partition_far_from_all_walls_grows_no_hut_around_the_hero():
    for number, (width, aside) in enumerate(((33, 0), (33, 5), (61, 3), (15, 0))):
        tiles = np.full((width - 8 * (width > 15), width), Tile.WALL, np.uint8)
        tiles[1:-1, 1:-1] = Tile.FLOOR
        here = Point(width // 2, tiles.shape[0] // 2)
        place = Point(here.x + aside, here.y)
        plot = Plot(tiles, np.ones(tiles.shape, bool), (), here, place, 3)
        assert bool(grow_plot("partition_seed", plot, Rng(number))) is (width == 15)


def test_two_that_growth_shoves_aside_never_get_one_tile_nor_one_that_closes():
    game_map = scene("""
        #######
        #@#####
        ###oo.#
        ######>
    """).state.map
    wall = {(3, 2): Tile.WALL, (4, 2): Tile.WALL}
    aside = _ways_aside(game_map, wall, moves_hero=False)
    assert aside == {(4, 2): (5, 2)}, "the first has no place to go to, as the second closes, too"
    game_map = scene("""
        ######
        #@>###
        ####.#
        ###o#o
        ######
    """).state.map
    wall = {(3, 3): Tile.WALL, (5, 3): Tile.WALL}
    assert _ways_aside(game_map, wall, moves_hero=False) == {(3, 3): (4, 2)}


@pytest.mark.parametrize(
    ("tile", "burns"),
    [
        (Tile.FLOOR, True), (Tile.FOREST, True), (Tile.GRASS, True), (Tile.SHELF, True),
        (Tile.WALL, False), (Tile.WATER, False), (Tile.SHALLOWS, False),
    ],
)  # fmt: skip
def test_a_fire_goes_out_only_where_what_grows_cannot_burn_nor_be_walked_on(tile, burns):
    game_map = scene("######\n#@...#\n#...>#\n######").state.map
    game_map.fires[3, 1] = 5
    _grow(game_map, Growing("burrow_seed", [[(game_map.width + 3, tile)]], 0))
    assert game_map.tiles[1, 3] == tile
    assert ((3, 1) in game_map.fires) == burns


@pytest.mark.parametrize(("sides", "hangs"), [("#", True), (".", False)])
def test_a_door_grows_only_between_two_tiles_that_are_shut(sides, hangs):
    tiles = drawn_tiles(f"####### #..{sides}..# #.....# #..{sides}..# #######")
    place = Point(1, 2)
    plot = Plot(tiles, np.ones(tiles.shape, np.bool_), (), place, place, 1)
    grown = tiles.copy()
    grown[2, 3] = Tile.DOOR
    assert planting._fit(plot, grown)[2, 3] == (Tile.DOOR if hangs else Tile.FLOOR)
