"""A chunk of endless caves against its twin: stone, lakes, plants, the way down."""

from itertools import product

import numpy as np
import pytest
from scipy import ndimage

from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint
from procgen.chunk import SIDE
from procgen.gradient_noise import fractal_noise
from procgen.infinite.chunk_joining import HALO, INNER, small_regions
from procgen.infinite.chunk_monsters import (
    add_ways_down,
    chunk_danger,
    spawn_monsters,
)
from procgen.infinite.infinite_caves import (
    _add_scenery,
    _initial_rock,
    _join_parts,
    _with_lakes,
    infinite_caves,
)
from procgen.level_overlays import dwellers
from procgen.position_hash import position_noise, purpose_seed
from support.by_definition import places
from support.step_twins import widened


def noise(seed, purpose, corner, side, cell):
    own = purpose_seed(seed, purpose)
    return fractal_noise(own, *corner, side, side, scale=1 / cell, octaves=3)


@pytest.mark.parametrize(("rock", "swing"), [(0.475, 0.11), (0.3, 0.0), (0.5, 0.9)])
def test_stone_lies_at_random_more_or_less_dense_from_place_to_place(rock, swing):
    corner, side = (-30, 900), 70
    share, luck = (
        noise(4, "rock", corner, side, 128),
        position_noise(4, "stone", corner, side, side),
    )
    found = _initial_rock(4, corner, side, rock, swing)
    for y, x in np.ndindex(found.shape):
        assert found[y, x] == (luck[y, x] < 256 * (rock + swing * share[y, x]))


@pytest.mark.parametrize("dry", [0.0, 0.2, 0.5])
def test_lakes_fill_what_lies_deep_and_what_they_cut_off(dry):
    corner, side = (77, -12), 150
    stone = ndimage.uniform_filter(np.random.default_rng(3).random((side, side)), 5) > 0.5
    damp = noise(2, "water", corner, side, 64)
    wanted = np.where(stone, Tile.WALL, Tile.FLOOR).astype(np.uint8)
    for y, x in np.ndindex(stone.shape):
        if damp[y, x] > dry + 0.1 or (not stone[y, x] and damp[y, x] > dry):
            wanted[y, x] = Tile.WATER
        elif not stone[y, x] and damp[y, x] > dry - 0.1:
            wanted[y, x] = Tile.SHALLOWS
    lost = places(small_regions(terrain().walkable[wanted]))
    shore = widened(places(wanted == Tile.WATER), 1)
    for x, y in lost:
        wanted[y, x] = Tile.WATER if (x, y) in shore else Tile.WALL
    assert lost
    assert not places(_with_lakes(2, corner, stone, dry) != wanted)


def slow_plants(seed, corner, tiles):
    luck = position_noise(seed, "plants", corner, SIDE, SIDE).astype(int)
    life, dry = (noise(seed, purpose, corner, SIDE, 32) for purpose in ("life", "dry"))
    floor = places(tiles == Tile.FLOOR)
    for x, y in floor:
        if dry[y, x] > 0.25 and luck[y, x] > 130 and life[y, x] < 0.16:
            tiles[y, x] = Tile.RUBBLE
        elif 0.16 < life[y, x] <= 0.34 and luck[y, x] > 150:
            tiles[y, x] = Tile.MOSS
        elif life[y, x] > 0.3 and luck[y, x] < 150:
            tiles[y, x] = Tile.FOREST
    walkable = terrain().walkable[tiles]
    for x, y in product(range(1, SIDE - 1, 3), repeat=2):
        around = walkable[y - 1 : y + 2, x - 1 : x + 2]
        if tiles[y, x] == Tile.FLOOR and around.all() and luck[y, x] < 24:
            tiles[y, x] = Tile.PILLAR


def test_plants_grow_on_bare_floor_by_life_dryness_and_luck():
    tiles = np.full((SIDE, SIDE), Tile.FLOOR, np.uint8)
    tiles[np.random.default_rng(1).random(tiles.shape) < 0.02] = Tile.WALL
    tiles[40:50] = Tile.SHALLOWS
    wanted = tiles.copy()
    _add_scenery(6, (SIDE, -SIDE), tiles)
    slow_plants(6, (SIDE, -SIDE), wanted)
    assert not places(tiles != wanted)
    assert {Tile.FOREST, Tile.MOSS, Tile.RUBBLE, Tile.PILLAR} <= set(np.unique(tiles).tolist())


@pytest.mark.parametrize(
    ("chunk", "given"),
    [((0, 0), {}), ((1, -2), {"rounds": 2, "birth": 6, "survive": 3, "dry": 0.2}),
     ((3, 3), {"rounds": 0, "rock": 0.3, "swing": 0.0})],
)  # fmt: skip
def test_a_chunk_of_caves_is_that_of_its_twin(chunk, given):
    values = {"rock": 0.475, "swing": 0.11, "rounds": 5, "birth": 5, "survive": 4, "dry": 0.5}
    values |= given
    cx, cy = chunk
    growth, shown = infinite_caves(8, cx, cy, **values), []
    try:
        while True:
            stage = next(growth)
            shown.append((stage.phase, stage.tiles.copy()))
    except StopIteration as end:
        made = end.value
    rounds = values["rounds"]
    rim = HALO + rounds
    corner = cx * SIDE - rim, cy * SIDE - rim
    stone = _initial_rock(8, corner, SIDE + 2 * rim, values["rock"], values["swing"])
    wanted = [stone[rim:-rim, rim:-rim]]
    for _ in range(rounds):
        beside = np.ones((3, 3), int)
        beside[1, 1] = 0
        around = ndimage.convolve(stone.astype(int), beside, mode="constant", cval=1)
        stone = np.where(stone, around >= values["survive"], around >= values["birth"])
        wanted.append(stone[rim:-rim, rim:-rim])
    for (phase, tiles), rock in zip(shown, wanted, strict=False):
        assert phase == "stone"
        assert np.array_equal(tiles == Tile.WALL, rock)
    inner = stone[rounds : len(stone) - rounds, rounds : len(stone) - rounds]
    tiles = _with_lakes(8, (corner[0] + rounds, corner[1] + rounds), inner, values["dry"])
    phases = [phase for phase, _ in shown]
    assert phases == ["stone"] * (rounds + 1) + ["water", "passages", "plants"]
    assert np.array_equal(shown[rounds + 1][1], tiles[INNER])
    _join_parts(8, cx, cy, tiles)
    plants = tiles[INNER].copy()
    assert np.array_equal(shown[rounds + 2][1], plants)
    slow_plants(8, (cx * SIDE, cy * SIDE), plants)
    assert np.array_equal(shown[-1][1], plants)
    add_ways_down(8, cx, cy, plants)
    plan = Blueprint(plants, chunk_danger(cx, cy))
    plan.spawn_percents = dwellers("moss")
    assert made.spawns == spawn_monsters(8, cx, cy, plan)
    assert np.array_equal(made.tiles, plants)
