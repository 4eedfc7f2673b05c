"""Worlds without an edge: no seam, no order, no dead end."""

import os
import subprocess
import sys
from hashlib import blake2b

import numpy as np
import pytest

from entities.terrain import SHUT_DOORS, Tile, terrain
from procgen.analysis.distances import regions
from procgen.build import build, build_in_stages
from procgen.chunk import SIDE
from procgen.infinite.chunk_joining import HALO
from procgen.infinite.chunk_window import nearest_ground, window_tiles
from procgen.infinite.elevation import TerrainHeights
from procgen.infinite.rivers import RiverSegment, river_segments
from procgen.infinite.wilderness import chunk_elevation, natural_terrain
from procgen.level_code import CodeError, UnknownRecipe, parse_code, parse_place
from procgen.position_hash import position_noise, position_word
from procgen.progress import Progress, run_to_end
from procgen.recipes import find_recipe
from procgen.settings import complete
from procgen.world_types import world_types
from support.paths import ROOT

NAMES = sorted(world_types())
FAR = (1 << 40) // SIDE + 3
PLACES = [(0, 0), (1, 0), (0, 1), (FAR, -FAR)]

_PROGRAM = """
import sys
from hashlib import blake2b
from procgen.world_types import world_types
for said in sys.argv[1:]:
    name, cx, cy = said.split(",")
    chunk = world_types()[name].chunk(7, int(cx), int(cy))
    print(blake2b(chunk.tiles.tobytes() + repr(chunk.spawns).encode()).hexdigest())
"""


def mark(chunk):
    return blake2b(chunk.tiles.tobytes() + repr(chunk.spawns).encode()).hexdigest()


@pytest.fixture(scope="module")
def built():
    return {name: [world_types()[name].chunk(7, *place) for place in PLACES] for name in NAMES}


def test_a_chunk_is_the_same_in_another_process_and_another_order(built):
    order = [(name, index) for name in reversed(NAMES) for index in (3, 0)]
    said = subprocess.run(
        [sys.executable, "-c", _PROGRAM]
        + [f"{name},{PLACES[index][0]},{PLACES[index][1]}" for name, index in order],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "99"},
    ).stdout.split()
    assert said == [mark(built[name][index]) for name, index in order]


@pytest.mark.parametrize("name", NAMES)
def test_everything_one_can_stand_on_hangs_together(name):
    tiles, spawns = window_tiles(world_types()[name], 7, -SIDE, -SIDE, 3 * SIDE, 3 * SIDE)
    walkable = terrain().walkable[tiles] | np.isin(tiles, SHUT_DOORS)
    labels, _ = regions(walkable)
    middle = labels[SIDE:-SIDE, SIDE:-SIDE]
    assert len(set(middle[middle > 0].tolist())) == 1
    for spawn in spawns:
        assert walkable[spawn.y, spawn.x]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("down", [False, True])
def test_neighbours_are_joined_across_their_border(name, down, built):
    one = built[name][0].tiles
    other = built[name][2 if down else 1].tiles
    pairs = (one[-1], other[0]) if down else (one[:, -1], other[:, 0])
    assert (terrain().walkable[pairs[0]] & terrain().walkable[pairs[1]]).any()


def test_nothing_shows_where_a_chunk_of_caves_or_wilds_ends():
    """Tiles differ from their neighbours across borders no more often than elsewhere."""
    for name in ("wilds", "endless_caves"):
        tiles, _ = window_tiles(world_types()[name], 7, -SIDE, 0, 3 * SIDE, SIDE)
        differs = (tiles[:, 1:] != tiles[:, :-1]).mean(axis=0)
        borders = differs[SIDE - 1 :: SIDE]
        assert borders.mean() < np.delete(differs, np.s_[SIDE - 1 :: SIDE]).mean() * 1.35, name


def test_a_window_is_the_same_through_whichever_chunks_it_looks():
    realm = world_types()["wilds"]
    whole, _ = window_tiles(realm, 7, 200, -40, 150, 90)
    part, _ = window_tiles(realm, 7, 240, -10, 40, 30)
    assert (whole[30:60, 40:80] == part).all()


def test_the_natural_land_agrees_where_halos_overlap():
    lay = TerrainHeights(-0.2, -0.15, 0.2, 0.34)
    one, other = (natural_terrain(9, cx, 4, lay, chunk_elevation(9, cx, 4)) for cx in (4, 5))
    overlap = one[HALO:-HALO, SIDE + HALO - 4 : SIDE + HALO], other[HALO:-HALO, HALO - 4 : HALO]
    assert (overlap[0] == overlap[1]).mean() > 0.999


def test_water_runs_down_to_where_it_rests():
    found = river_segments(21, (0, 0), 768, TerrainHeights(-0.2, -0.15, 0.2, 0.34))
    ends = {(drain.x, drain.y) for drain in found}
    inside = [d for d in found if 64 < d.to_x < 704 and 64 < d.to_y < 704]
    assert inside
    for drain in inside:
        assert (drain.to_x, drain.to_y) in ends, "a river ends in nothing"
    lakes = [drain for drain in found if drain[:2] == drain[2:4]]
    assert lakes
    assert all(isinstance(drain, RiverSegment) and drain.flow > 0 for drain in found)


def test_halls_have_locked_vaults_and_their_keys_lie_where_one_gets_without_them():
    maker = world_types()["endless_rooms"].maker
    tiles = run_to_end(maker(5, 40, 0, styles={"keep": 1}, without=["monsters_clumped"])).tiles
    keys = tiles == Tile.KEY
    assert keys.sum() == (tiles == Tile.LOCKED_DOOR).sum() > 0
    labels, _ = regions(terrain().walkable[tiles] | (tiles == Tile.SECRET_DOOR))
    assert set(labels[keys].tolist()) == {np.bincount(labels[labels > 0]).argmax()}


@pytest.mark.parametrize("name", NAMES)
def test_what_one_watches_growing_is_what_is_there(name):
    place = "250,10" if name == "endless_caves" else "128,128"  # through four chunks, or one
    code = complete(parse_code(f"{name}:7@{place}@40x30"))
    stages, acts = Progress(build_in_stages(code)), []
    for stage in stages:
        acts.append(stage.index)
        assert stage.use.label == world_types()[name].phases[stage.index]
        assert stage.caption
    level, there = stages.result, build(code)
    assert (level.tiles == there.tiles).all()
    assert (level.spawns, level.start, level.exit) == (there.spawns, there.start, there.exit)
    assert acts == sorted(acts)
    assert len(set(acts)) > 1


def test_there_are_ways_down_ruins_and_roads():
    tiles, spawns = window_tiles(world_types()["wilds"], 7, 0, 0, 2 * SIDE, 2 * SIDE)
    kinds = set(np.unique(tiles).tolist())
    assert {Tile.ENTRANCE, Tile.ROAD, Tile.WALL, Tile.HILL, Tile.FOREST, Tile.GRASS} <= kinds
    assert len(spawns) > 20
    assert len({(spawn.x, spawn.y) for spawn in spawns}) == len(spawns)


def test_chance_belongs_to_the_place():
    far = 1 << 50
    whole = position_noise(4, "moss", (far - 3, -far), 9, 7)
    assert (whole[2:5, 1:6] == position_noise(4, "moss", (far - 2, 2 - far), 5, 3)).all()
    assert not (whole == position_noise(4, "rock", (far - 3, -far), 9, 7)).all()
    assert position_word(4, "a", far, 1) != position_word(4, "a", far + 1, 1)


def test_a_code_with_a_place_is_a_window_around_it():
    code = complete(parse_code("wilds:7@-30,7@50x20"))
    assert str(code) == "wilds.1:7:1@-30,7@50x20"
    level = build(code)
    assert level.tiles.shape == (20, 50)
    tiles, _ = window_tiles(world_types()["wilds"], 7, -30 - 25, 7 - 10, 50, 20)
    assert (level.tiles == tiles).all()
    assert terrain().walkable[level.tiles[level.start.y, level.start.x]]
    assert str(complete(parse_code(str(code)))) == str(code)


def test_there_is_ground_to_stand_on_near_anywhere():
    for place in [(0, 0), ((1 << 45) + 128, 128 - (1 << 44))]:
        x, y = nearest_ground(world_types()["wilds"], 7, *place)
        tiles, _ = window_tiles(world_types()["wilds"], 7, x, y, 1, 1)
        assert terrain().walkable[tiles[0, 0]]
        assert max(abs(x - place[0]), abs(y - place[1])) <= 512


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("caves:1@3,4", "caves is not infinite"),
        ("wilds.9:1", "wilds has no version 9"),
        ("wilds:1@9999999999999999,0", "too far"),
        ("wilds:1@1.5,0", "not a level code"),
    ],
)
def test_what_cannot_be_is_said(text, said):
    with pytest.raises(ValueError, match=said):
        complete(parse_code(text))


def test_only_play_and_map_take_a_world_without_an_edge():
    with pytest.raises(UnknownRecipe, match="is an infinite world"):
        find_recipe("wilds")
    with pytest.raises(CodeError, match="not X,Y"):
        parse_place("here")
    assert parse_place(" -3, 9 ") == (-3, 9)


def test_the_borders_of_an_infinite_dungeon_do_not_show():
    world = world_types()["endless_rooms"]
    across, elsewhere, rock = [], [], []
    for seed, cx, cy in ((1, 0, 0), (2, 5, 7), (3, -4, 2)):
        tiles, _ = window_tiles(world, seed, cx * SIDE, cy * SIDE, 2 * SIDE, 2 * SIDE)
        for turned in (tiles, tiles.T):
            changes = (turned[:, 1:] != turned[:, :-1]).mean(axis=0)
            across.append(changes[SIDE - 1])
            elsewhere.append(np.delete(changes, SIDE - 1).mean())
            rock.append((turned[:, [SIDE - 1, SIDE]] == Tile.WALL).mean())
    assert abs(np.mean(across) / np.mean(elsewhere) - 1) < 0.2
    assert np.mean(rock) < 0.65  # It was 0.99: a straight double wall.
