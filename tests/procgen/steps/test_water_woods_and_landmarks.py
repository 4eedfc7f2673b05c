"""Floods, rivers, lakes, woods and landmarks, and the recipes made of them."""

from typing import get_args

import numpy as np
import pytest

from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.analysis.distances import UNREACHED, distances, regions, regions_intact
from procgen.blueprint import Blueprint
from procgen.build import build
from procgen.placement.painting import (
    TileName,
    can_close_area,
    highest_share,
    passable,
    scaled_to_area,
)
from procgen.recipes import find_recipe
from procgen.steps.landmarks import landmark_drawings
from support.blueprints import CHARS, cave, count, drawn, run

NATURE = ["terrain", "islands", "caverns", "grotto", "glacier", "ember", "garden"]


def test_a_river_runs_from_side_to_side():
    plan = cave(2)
    run("river", plan, bridge="bridge", ford="bridge", banks=0.0)
    bed = np.isin(plan.tiles, (Tile.WATER, Tile.BRIDGE))
    labels, _ = regions(bed)
    across = set(labels[:, 0].tolist()) & set(labels[:, -1].tolist()) - {0}
    along = set(labels[0].tolist()) & set(labels[-1].tolist()) - {0}
    assert across or along


def test_a_cave_too_small_is_worn_wider_and_stays_whole():
    for drawing in ("#" * 9 + "." + "#" * 10, "#" * 20):
        plan = drawn(("#" * 20 + " ") * 7 + drawing + (" " + "#" * 20) * 7)
        run("widen_floor", plan, share=0.3)
        assert 0.3 * 300 <= plan.open.sum() < 0.5 * 300
        assert regions(plan.open)[1] == 1
        assert not plan.open[[0, -1], :].any()
        assert not plan.open[:, [0, -1]].any()


@pytest.mark.parametrize(("tiles", "widened"), [(29, True), (30, False)])
def test_a_cave_is_worn_wider_for_a_single_missing_tile(tiles, widened):
    plan = Blueprint.solid(32, 10)
    plan.tiles[5, 1 : 1 + tiles] = Tile.FLOOR
    assert bool(run("widen_floor", plan, share=30 / 320, chance=1.0)) == widened
    assert (plan.open.sum() > tiles) == widened


def test_a_cave_wide_enough_is_left_as_it_is():
    plan = cave(2)
    before = plan.tiles.copy()
    assert run("widen_floor", plan, share=0.1) == []
    assert (plan.tiles == before).all()


@pytest.mark.parametrize("name", ["caverns", "grotto", "glacier", "ember", "wfc", "pools"])
def test_few_builds_of_the_smallest_size_are_rejected(name):
    codes = [find_recipe(name).code(seed, 1 + seed % 12, (20, 15)) for seed in range(40)]
    assert sum(len(build(code).rejected) for code in codes) <= 3


def test_lakes_have_shallow_shores():
    plan = drawn("#" * 40 + (" #" + "." * 38 + "#") * 25 + " " + "#" * 40)
    run("lakes", plan, number=20, shores=1.0)
    ys, xs = np.nonzero(plan.tiles == Tile.WATER)
    assert len(ys) > 20
    for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
        near = plan.tiles[y - 1 : y + 2, x - 1 : x + 2]
        assert not (near == Tile.FLOOR).any()


@pytest.mark.parametrize("tile", get_args(TileName))
@pytest.mark.parametrize("patch", [1, 5])
def test_scattering_anything_never_cuts_a_level_nor_opens_rock(tile, patch):
    plan = cave(4)
    before = plan.open
    run("start_at_edge", plan)
    run("scatter", plan, tile=tile, on=("floor", "tunnel", "wall"), share=0.3, patch=patch)
    after = plan.open
    assert count(plan) == 1
    assert not (after & ~before).any()
    if passable(TILE_NAMES.index(tile)):
        assert np.array_equal(after, before)
    assert plan.open[plan.start.y, plan.start.x]


def test_scattering_keeps_to_its_ground_its_share_and_its_neighbourhood():
    plan = drawn("#" * 60 + (" #" + "." * 29 + "~" * 29 + "#") * 40 + " " + "#" * 60)
    run("scatter", plan, tile="moss", share=0.25, patch=6)
    moss = plan.tiles == Tile.MOSS
    assert moss.sum() == round(0.25 * 29 * 40)
    assert regions(moss)[1] < 60
    run("scatter", plan, tile="sand", beside=("water",), within=2, share=1.0)
    assert set(np.nonzero(plan.tiles == Tile.SAND)[1].tolist()) == {28, 29}


@pytest.mark.parametrize("seed", range(6))
def test_landmarks_stand_whole_and_never_cut_the_level(seed):
    plan = cave(seed, 80, 60)
    run("scatter", plan, tile="grass", on=("floor", "tunnel"), share=1.0)
    captions = run("landmarks", plan, seed, number=6, crumble=0.5)
    assert captions
    assert count(plan) == 1
    before = plan.tiles.copy()
    run("landmarks", plan, seed, number=6, kinds=())
    assert np.array_equal(before, plan.tiles)


@pytest.mark.parametrize("name", sorted(landmark_drawings()))
def test_landmarks_are_drawn_in_known_characters_with_a_way_round(name):
    drawing = landmark_drawings()[name]
    assert len({len(row) for row in drawing}) == 1
    assert set("".join(drawing)) <= {*CHARS, " "}
    closed = np.array([[c != " " and not terrain().walkable[CHARS[c]] for c in r] for r in drawing])
    assert regions(~closed)[1] == 1


def test_closing_is_judged_by_what_it_parts():
    ring = drawn("####### #.....# #.###.# #.....# #######")
    line = drawn("####### #.....# ####### ####### #######")
    hole = np.ones((1, 1), np.bool_)
    assert can_close_area(ring.open, (3, 1), hole)
    assert not can_close_area(line.open, (3, 1), hole)
    assert can_close_area(line.open, (1, 1), hole)
    assert not can_close_area(line.open, (1, 1), np.ones((1, 5), np.bool_))
    before, _ = regions(ring.open)
    assert regions_intact(before, ring.open)


def test_the_uppermost_share_is_exact_and_the_highest():
    heights = np.arange(12.0).reshape(3, 4)
    among = heights % 2 == 0
    assert highest_share(heights, among, 0.5)[among].tolist() == [False] * 3 + [True] * 3
    assert not highest_share(heights, among, 0.0).any()
    assert np.array_equal(highest_share(heights, among, 1.0), among)


def test_numbers_grow_with_the_map():
    assert [
        scaled_to_area(Blueprint.solid(w, h), 6) for w, h in ((80, 45), (160, 90), (20, 15))
    ] == [
        6,
        24,
        1,
    ]
    assert scaled_to_area(Blueprint.solid(20, 15), 0) == 0


def test_the_land_has_every_kind_in_good_shares():
    plan = Blueprint.solid(300, 300)
    captions = run("heightmap_terrain", plan, 8)
    assert len(captions) == 4
    kinds = (Tile.WATER, Tile.GRASS, Tile.FOREST, Tile.MOUNTAIN)
    shares = [float((plan.tiles == kind).mean()) for kind in kinds]
    assert sum(shares) == pytest.approx(1)
    assert shares == pytest.approx([0.2, 0.3, 0.3, 0.2], abs=0.06)
    border = np.concatenate([plan.tiles[0], plan.tiles[-1], plan.tiles[:, 0], plan.tiles[:, -1]])
    assert set(border.tolist()) == {Tile.WATER, Tile.MOUNTAIN}


def test_smoothing_only_opens_and_never_closes():
    plan = Blueprint.solid(60, 40)
    run("scatter_rock", plan, rock=0.6)
    before = plan.open
    run("cellular_automaton", plan, rounds=12, birth=9, survive=4)
    assert (plan.open | ~before).all()
    assert plan.open.sum() > before.sum()


def islands_of(level):
    return regions(np.isin(level.tiles, (Tile.SAND, Tile.GRASS, Tile.FOREST, Tile.EDGE)))[1]


def test_an_archipelago_has_many_islands_and_a_traced_coast():
    number = []
    for seed in range(5):
        level = build(find_recipe("islands").code(seed))
        number.append(islands_of(level))
        grounds = set(level.tiles.ravel().tolist())
        assert {Tile.WATER, Tile.SHALLOWS, Tile.SAND, Tile.GRASS, Tile.EDGE} <= grounds
        bare = (level.tiles == Tile.MOUNTAIN)[1:-1, 1:-1]
        beside = terrain().walkable[level.tiles]
        touch = beside[:-2, 1:-1] | beside[2:, 1:-1] | beside[1:-1, :-2] | beside[1:-1, 2:]
        assert not (bare & touch).any()
    assert min(number) >= 5


def test_caverns_are_caves_and_not_halls():
    for seed in range(5):
        level = build(find_recipe("caverns").code(seed))
        walkable = terrain().walkable[level.tiles]
        assert 0.25 < walkable.mean() < 0.7
        field = distances(walkable, *level.start)
        assert field[level.exit.y, level.exit.x] not in (0, UNREACHED)


@pytest.mark.parametrize("name", NATURE)
@pytest.mark.parametrize("size", [None, (20, 15), (21, 33), (130, 70)])
def test_places_of_nature_are_built_at_the_first_attempts(name, size):
    recipe = find_recipe(name)
    levels = [build(recipe.code(seed, 1, size)) for seed in range(3)]
    assert sum(len(level.rejected) for level in levels) <= (6 if size == (20, 15) else 0)
    assert len({level.tiles.tobytes() for level in levels}) == 3
