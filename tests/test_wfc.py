"""Wave function collapse: what is learned, what is solved, and what levels make of it."""

from collections import Counter
from itertools import product
from typing import get_args

import numpy as np
import pytest

from entities.data import DATA, DataError
from entities.terrain import Tile, terrain
from procgen.analysis import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.registry import all_steps
from procgen.rng import Rng
from procgen.steps import collapse as collapse_module
from procgen.steps import decorate
from procgen.wfc import lore as lore_module
from procgen.wfc import wave as wave_module
from procgen.wfc.canvas import Canvas
from procgen.wfc.lore import Lore
from procgen.wfc.patterns import learn
from procgen.wfc.samples import SampleName, read_sheets, sample
from procgen.wfc.wave import Contradiction, Wave

NAMES = get_args(SampleName)
WHOLE_MAPS = ("canals", "chambers", "pools", "temple")
ROOMS = ("chapel", "library", "ossuary", "wreck")
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))

SMALL = ("######", "#....#", "#.~..#", "#....#", "######")
TILE = {kind.char: tile for tile, kind in enumerate(terrain().kinds)}


def drawn(*rows):
    return np.array([[TILE[char] for char in row] for row in rows], np.uint8)


def run(name, plan, seed=1, **parameters):
    step = all_steps()[name]
    return list(step.run(plan, Rng(seed, name), step.parameters(**parameters)))


def paint(lore, tiles, seed=1, **budget):
    canvas = Canvas(lore, tiles)
    border = np.ones(tiles.shape, np.bool_)
    border[1:-1, 1:-1] = False
    canvas.allow(border, (lore.patterns.edge,))
    for _ in canvas.collapse(Rng(seed), **{"patches": 40, **budget}):
        pass
    return canvas


def windows(tiles):
    height, width = tiles.shape
    return {
        tuple(tiles[y : y + 3, x : x + 3].ravel().tolist())
        for y in range(height - 2)
        for x in range(width - 2)
    }


# What the sample says, worked out a second time in the most obvious way.


def turned(rows):
    return [list(row) for row in zip(*rows[::-1], strict=True)]


def obvious_windows(rows, *, turns, mirrors, wrap):
    """Count every 3x3 window of a drawing, a tuple of 9, in all its views."""
    height, width = len(rows), len(rows[0])
    if wrap:
        rows = [[rows[y % height][x % width] for x in range(width + 2)] for y in range(height + 2)]
    else:
        beyond = [rows[0][0]] * (width + 4)
        middle = [[rows[0][0]] * 2 + list(row) + [rows[0][0]] * 2 for row in rows]
        rows = [beyond, beyond, *middle, beyond, beyond]
    counts = Counter()
    for _ in range(4 if turns else 1):
        for view in [rows, [row[::-1] for row in rows]] if mirrors else [rows]:
            for y in range(len(view) - 2):
                for x in range(len(view[0]) - 2):
                    counts[tuple(view[y + j][x + i] for j in range(3) for i in range(3))] += 1
        rows = turned(rows)
    return counts


def fits(one, other, dx, dy):
    """Whether two windows say the same where they overlap, the other being (dx, dy) away."""
    return all(
        one[(y + dy) * 3 + x + dx] == other[y * 3 + x]
        for y, x in product(range(3), repeat=2)
        if 0 <= y + dy < 3 and 0 <= x + dx < 3
    )


@pytest.mark.parametrize("views", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 1)])
@pytest.mark.parametrize("sheet", [drawn(*SMALL), read_sheets("pools")[0][:9, :12]])
def test_the_same_windows_and_neighbours_are_learned_as_by_the_obvious_way(sheet, views):
    turns, mirrors, wrap = map(bool, views)
    patterns = learn([sheet], turns=turns, mirrors=mirrors, wrap=wrap)
    expected = obvious_windows(sheet.tolist(), turns=turns, mirrors=mirrors, wrap=wrap)
    ours = [tuple(window.ravel().tolist()) for window in patterns.windows]
    assert len(ours) == len(set(ours))
    seen = Lore(patterns).seen
    assert {window: len(seen[number]) for number, window in enumerate(ours)} == dict(expected)
    for (dx, dy), allowed in zip(STEPS, patterns.agree, strict=True):
        pairs = {(one, two) for one in expected for two in expected if fits(one, two, dx, dy)}
        assert pairs == {
            (ours[one], ours[two])
            for one in range(len(ours))
            for two in range(len(ours))
            if allowed[one] >> two & 1
        }


def test_a_set_forbids_all_but_the_union_of_what_its_patterns_allow(monkeypatch):
    lore = Lore(learn([drawn(*SMALL)]))
    monkeypatch.setattr(lore_module, "REMEMBERED", 3)
    supports = lore.supports(10)
    for mask in (1, 6, 0b10101, lore.every, 6, 1):
        for (step, forbidden), agree, (dx, dy) in zip(
            supports[mask], lore.patterns.agree, STEPS, strict=True
        ):
            union = 0
            for pattern in range(lore.patterns.number):
                if mask >> pattern & 1:
                    union |= agree[pattern]
            assert (step, forbidden) == (dy * 10 + dx, lore.every ^ union)
    assert len(supports) <= 3


def test_a_pattern_is_picked_as_often_as_it_was_seen():
    lore = Lore(learn([drawn(*SMALL)]))
    picked = Counter(lore.atlas[lore.pick(lore.every, roll)] for roll in range(len(lore.atlas)))
    total = sum(map(len, lore.seen))
    rounds, rest = divmod(len(lore.atlas), total)
    assert rest < total
    for pattern, places in enumerate(lore.seen):
        assert rounds * len(places) <= picked[1 << pattern] <= (rounds + 1) * len(places)


@pytest.mark.parametrize("name", WHOLE_MAPS)
@pytest.mark.parametrize("size", [(24, 40), (15, 20)])
def test_every_window_of_a_solved_map_is_in_the_sample(name, size):
    for seed in range(6):
        tiles = np.zeros(size, np.uint8)
        canvas = paint(sample(name), tiles, seed, restarts=5)
        assert canvas.torn == 0
        assert windows(tiles) <= {
            tuple(window.ravel().tolist()) for window in sample(name).patterns.windows
        }


def test_the_place_with_the_fewest_options_is_settled_first(monkeypatch):
    settle = Wave._choose
    choices = []

    def watched(wave, place, roll):
        options = [mask.bit_count() for mask in wave.masks if mask.bit_count() > 1]
        choices.append((wave.masks[place].bit_count(), min(options)))
        return settle(wave, place, roll)

    monkeypatch.setattr(Wave, "_choose", watched)
    paint(sample("pools"), np.zeros((20, 30), np.uint8))
    assert len(choices) > 10
    for chosen, least in choices:
        assert min(chosen, wave_module.MANY) == min(least, wave_module.MANY)


def test_fixed_tiles_stay_and_what_is_allowed_is_kept_to():
    lore = sample("pools")
    for seed in range(5):
        tiles = np.zeros((21, 31), np.uint8)
        canvas = Canvas(lore, tiles)
        canvas.allow_at(15, 10, (Tile.WATER,))
        canvas.allow_at(5, 5, lore.walkable)
        canvas.allow(np.eye(21, 31, dtype=np.bool_), lore.closed)
        for _ in canvas.collapse(Rng(seed), patches=40, restarts=5):
            pass
        assert tiles[10, 15] == Tile.WATER
        assert not terrain().walkable[tiles[np.eye(21, 31, dtype=np.bool_)]].any()
        assert not terrain().walkable[tiles[5, 5]]


def test_what_is_kept_whole_need_not_be_in_the_sample_at_all():
    tiles = np.full((20, 30), Tile.LAVA, np.uint8)
    tiles[:, 15:] = Tile.WALL
    for kept_columns, tear in ((17, False), (16, True)):
        canvas = Canvas(sample("pools"), tiles)
        kept = np.zeros(tiles.shape, np.bool_)
        kept[:, :kept_columns] = True
        canvas.keep(kept)
        for _ in canvas.collapse(Rng(1), patches=9, restarts=3, tear=tear):
            pass
        assert (tiles[:, :15] == Tile.LAVA).all()
        assert (tiles[:, 15] == Tile.WALL).all()
        assert (tiles[:, 17:] != Tile.LAVA).all()
        assert (tiles[:, 17:] != Tile.WALL).any()
    with pytest.raises(Contradiction):
        list(canvas.collapse(Rng(1), patches=9))


def hopeless():
    """Noise that wraps around: every window has a neighbour, but few maps can be made of it."""
    dots = Rng(5).noise(13, 13) < 128
    sheet = np.where(dots, Tile.WALL, Tile.FLOOR).astype(np.uint8)
    return Lore(learn([sheet], turns=False, mirrors=False, wrap=True))


def test_a_sample_that_cannot_tile_is_given_up_after_the_counted_budget():
    lore = hopeless()
    tiles = np.full((80, 80), Tile.GRASS, np.uint8)
    canvas = Canvas(lore, tiles)
    with pytest.raises(Contradiction):
        list(canvas.collapse(Rng(1), patches=2, restarts=2))
    assert canvas.contradictions == 3
    assert canvas.patches == 3 * 2
    assert (tiles == Tile.GRASS).all()


def test_where_nothing_fits_a_torn_wave_leaves_what_was_there():
    tiles = np.full((80, 80), Tile.GRASS, np.uint8)
    canvas = Canvas(hopeless(), tiles)
    for _ in canvas.collapse(Rng(1), patches=3, tear=True):
        pass
    assert canvas.torn > 0
    assert set(np.unique(tiles).tolist()) == {Tile.WALL, Tile.FLOOR, Tile.GRASS}


def test_the_step_rejects_a_contradiction_or_leaves_the_map(monkeypatch):
    monkeypatch.setattr(collapse_module, "sample", lambda *_args, **_views: hopeless())
    with pytest.raises(Rejected, match="wave contradiction"):
        run("collapse", Blueprint.solid(80, 80), patches=1, restarts=0)
    plan = Blueprint.solid(80, 80)
    run("collapse", plan, patches=1, restarts=0, otherwise="leave")
    assert plan.open.any()


def test_a_level_does_not_depend_on_what_was_solved_before(monkeypatch):
    def solve(lore):
        tiles = np.zeros((25, 40), np.uint8)
        paint(lore, tiles, 9)
        return tiles.tobytes()

    fresh = [Lore(learn(read_sheets("chambers"))) for _ in range(2)]
    first = solve(fresh[0])
    for seed in range(3):
        paint(fresh[1], np.zeros((20, 30), np.uint8), seed)
    assert solve(fresh[1]) == first
    monkeypatch.setattr(lore_module, "REMEMBERED", 20)
    assert solve(Lore(learn(read_sheets("chambers")))) == first
    assert solve(fresh[0]) == first


def test_a_second_pass_keeps_the_shape_and_the_first_keeps_where_people_stand():
    plan = Blueprint.solid(50, 30)
    plan.start, plan.exit = Point(7, 7), Point(40, 20)
    plan.rooms = [RectangularRoom(20, 10, 5, 5)]
    run("collapse", plan, sample_map="pools", restarts=5)
    assert plan.open[7, 7]
    assert plan.open[20, 40]
    assert plan.open[12, 22]
    shape = plan.open
    run("collapse", plan, 2, sample_map="pools", keep="shape", otherwise="leave")
    assert (plan.open == shape).all()


def test_with_a_frame_the_framing_tile_stays_at_the_edge():
    plan = Blueprint.solid(60, 40)
    run("collapse", plan, sample_map="ruins", frame=3, restarts=8)
    assert (plan.tiles[[0, -1], :] == Tile.MOUNTAIN).all()
    assert (plan.tiles[3:-3, 3:-3] != Tile.MOUNTAIN).all()


# Ways, furniture, erosion, garrisons.

PARTED = (
    "####################",
    "####################",
    "####################",
    "##......########..##",
    "##......########..##",
    "##......########..##",
    "##......########..##",
    "##......########..##",
    "##......########..##",
    "####################",
    "####################",
    "####################",
)


def test_a_way_between_two_rooms_looks_as_if_the_sample_had_shown_it():
    plan = Blueprint(drawn(*PARTED))
    run("join_in_pattern", plan, sample_map="chambers")
    assert regions(plan.open)[1] == 1
    assert windows(plan.tiles) <= {
        tuple(window.ravel().tolist()) for window in sample("chambers").patterns.windows
    }
    assert (plan.tiles == Tile.DOOR).sum() >= 2
    assert (plan.tiles == Tile.TUNNEL).any()


@pytest.mark.parametrize("name", [*WHOLE_MAPS, "ruins"])
def test_whatever_a_wave_leaves_apart_is_joined_and_nothing_open_is_lost(name):
    for seed in range(8):
        plan = Blueprint.solid(45, 30)
        run("collapse", plan, seed, sample_map=name, otherwise="leave")
        before = plan.open
        run("join_in_pattern", plan, seed, sample_map=name, below=0)
        assert regions(plan.open)[1] == 1
        assert plan.open[before].all()
        assert not plan.open[[0, -1], :].any()
        assert not plan.open[:, [0, -1]].any()


def test_small_regions_are_filled_with_their_furniture_and_the_doors_that_led_there():
    plan = Blueprint(
        drawn(
            "##############",
            "#.......#..O.#",
            "#.......+..O.#",
            "#.......######",
            "##############",
        )
    )
    plan.tiles[2, 8] = Tile.DOOR
    plan.tiles[2, 9] = Tile.WALL
    run("join_in_pattern", plan, sample_map="temple", below=8)
    assert not np.isin(plan.tiles, (Tile.PILLAR, Tile.DOOR)).any()
    assert (plan.tiles[1:4, 1:8] == Tile.FLOOR).all()


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
    monkeypatch.setattr(decorate, "still_whole", lambda *_: False)
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
    [("###\n#Ö#\n###\n", "'Ö'"), ("###\n##\n###\n", "equally long"), (None, "cannot be read")],
)
def test_a_faulty_drawing_is_refused_by_name(tmp_path, text, words):
    (tmp_path / "samples").mkdir()
    if text:
        (tmp_path / "samples" / "odd.txt").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="data/samples/odd") as fault:
        read_sheets("odd", tmp_path)
    assert words in str(fault.value)
