"""What follows a wave: regions filled with what they hold, furniture, erosion, garrisons."""

import numpy as np
import pytest

from entities.data_files import DATA, DataError
from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.steps import wave_function_collapse as decorate
from procgen.wfc.samples import SAMPLES, read_sheets, sample
from support.blueprints import run
from support.wfc_samples import drawn, windows

NAMES = SAMPLES


ROOMS = ("chapel", "library", "ossuary", "wreck")


def test_small_regions_are_filled_with_their_furniture_and_the_doors_that_led_there():
    plan = Blueprint(
        drawn(
            "##############",
            "#.......#..O.#",
            "#.......+..O.#",
            "#.......######",
            *["#.......######"] * 4,
            "##############",
        )
    )
    plan.tiles[2, 8] = Tile.DOOR
    plan.tiles[2, 9] = Tile.WALL
    run("fill_small_regions", plan, below=8)
    assert not np.isin(plan.tiles, (Tile.PILLAR, Tile.DOOR)).any()
    assert (plan.tiles[1:8, 1:8] == Tile.FLOOR).all()


def furnished_hall(seed=1, **parameters):
    plan = Blueprint.solid(24, 20)
    room = RectangularRoom(3, 3, 17, 13)
    plan.rooms = [room]
    plan.tiles[room.inner] = Tile.FLOOR
    plan.tiles[2, 8] = plan.tiles[10, 20] = Tile.TUNNEL
    plan.start = Point(5, 6)
    captions = run("decorate_rooms", plan, seed, share=1.0, **parameters)
    return plan, room, captions


@pytest.mark.parametrize("name", ROOMS)
def test_furniture_parts_nothing_and_stands_in_nobodys_way(name):
    for seed in range(10):
        plan, room, captions = furnished_hall(seed, sample_map=name)
        assert len(captions) == 1
        assert (plan.tiles[room.inner] != Tile.FLOOR).any()
        assert Tile.WALL not in plan.tiles[room.inner]
        assert regions(plan.open)[1] == 1
        for x, y in (room.center, (5, 6), (8, 3), (19, 10)):
            assert plan.open[y, x]


def test_a_room_that_furniture_would_part_is_left_empty(monkeypatch):
    monkeypatch.setattr(decorate, "_parted", lambda before, _: before)
    plan, room, captions = furnished_hall(sample_map="chapel")
    assert captions == []
    assert (plan.tiles[room.inner] == Tile.FLOOR).all()


def test_rooms_that_are_furnished_or_small_are_passed_over():
    assert furnished_hall(sample_map="chapel", smallest=14)[2] == []
    plan, _, _ = furnished_hall(sample_map="chapel")
    tiles = plan.tiles.copy()
    assert run("decorate_rooms", plan, 3, sample_map="library", share=1.0) == []
    assert (plan.tiles == tiles).all()


def test_erosion_gnaws_at_edges_and_parts_nothing():
    for seed in range(12):
        plan = Blueprint.solid(60, 40)
        run("rectangular_rooms", plan, seed)
        run("join_rooms_in_order", plan, seed)
        run("doors", plan, seed, chance=0.5)
        plan.start = plan.rooms[0].center
        before = plan.tiles.copy()
        run("erode_edges", plan, seed, rounds=3, chance=0.8)
        assert (plan.tiles != before).any()
        assert regions(plan.open)[1] == 1
        assert plan.open[plan.start.y, plan.start.x]
        for y, x in np.argwhere(before == Tile.DOOR).tolist():
            around = np.s_[y - 1 : y + 2, x - 1 : x + 2]
            assert (plan.tiles[around] == before[around]).all()


def test_a_garrison_fills_every_room_but_the_first_by_its_size():
    plan = Blueprint.solid(60, 30)
    plan.rooms = [RectangularRoom(2 + 19 * n, 5, 15, 20) for n in range(3)]
    for room in plan.rooms:
        plan.tiles[room.inner] = Tile.FLOOR
    plan.start, plan.exit = plan.rooms[0].center, plan.rooms[2].center
    run("monsters_per_tile_of_room", plan, per_tile=0.05)
    counts = [sum(room.contains(s.x, s.y) for s in plan.spawns) for room in plan.rooms]
    assert counts == [0, 15, 15]
    places = {(spawn.x, spawn.y) for spawn in plan.spawns}
    assert len(places) == 30
    assert plan.exit not in places


def test_every_sample_is_named_once_and_framed_by_something_closed():
    files = sorted(path.stem for path in (DATA / "samples").glob("*.txt"))
    assert files == sorted(NAMES)
    for name in NAMES:
        edge = sample(name).patterns.edge
        assert not terrain().walkable[edge], name
        for sheet in read_sheets(name):
            assert (sheet[[0, -1], :] == edge).all(), name
            assert (sheet[:, [0, -1]] == edge).all(), name


@pytest.mark.parametrize(
    ("text", "words"),
    [("###\n#Ö#\n###\n", "'Ö'"), ("##\n##\n", "sides of 3 to"), (None, "cannot be read")],
)
def test_a_faulty_drawing_is_refused_by_name(tmp_path, text, words):
    (tmp_path / "samples").mkdir()
    if text:
        (tmp_path / "samples" / "odd.txt").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="samples/odd") as fault:
        read_sheets("odd", tmp_path)
    assert words in str(fault.value)


def test_a_first_row_of_letters_and_a_colon_is_no_level_code(tmp_path):
    (tmp_path / "samples").mkdir()
    rows = ["TTT:T", "T..:T", " TT:TT"]
    (tmp_path / "samples" / "wood.txt").write_text("\n".join(rows), encoding="utf-8")
    (sheet,) = read_sheets("wood", tmp_path)
    assert terrain().text(sheet) == ["TTT:T#", "T..:T#", "#TT:TT"]


def test_at_a_larger_scale_each_tile_of_the_sample_is_a_square():
    known = {tuple(window.ravel().tolist()) for window in sample("pools").patterns.windows}
    for seed in range(4):
        plan = Blueprint.solid(41, 30)
        run("wave_function_collapse", plan, seed, sample_map="pools", scale=2, restarts=3)
        small = plan.tiles[::2, ::2].copy()
        assert (plan.tiles == small.repeat(2, 0).repeat(2, 1)[:30, :41]).all()
        assert windows(small) <= known
        assert len(np.unique(small)) > 1
