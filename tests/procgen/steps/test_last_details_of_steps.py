"""Single promises of steps: carpets, bridges, packs, clearings, walls of a fortress."""

import re
from collections import Counter
from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point, RectangularRoom, Spawn
from procgen.placement.safe_placement import CLOCKWISE, FreeFloor, _stays_joined, can_close
from procgen.rng import Rng
from procgen.steps.fortress import TurnedMap, chosen_doors, divide, possible_doors
from procgen.steps.great_hall import _lay_carpet, _middle
from procgen.steps.loops_and_dead_ends import _passages
from procgen.steps.maze import Lattice, _clearings
from procgen.steps.monster_lairs import BLOCK, _clumps
from procgen.steps.rewrite import rewrite
from support.blueprints import run, with_rooms


@pytest.mark.parametrize("width", [5, 8, 9, 10, 13, 14])
def test_a_carpet_runs_down_the_middle_with_arms_and_statues_before_the_shrine(width):
    plan = with_rooms((3, 4, width, 12))
    hall, middle = plan.rooms[0], _middle(plan.rooms[0])
    _lay_carpet(FreeFloor(plan), hall)
    assert middle == [3 + (width - 1) // 2] if width % 2 else [2 + width // 2, 3 + width // 2]
    shown = {tile: {(x, y) for y, x in np.argwhere(plan.tiles == tile).tolist()}
             for tile in (Tile.CARPET, Tile.SHRINE, Tile.STATUE)}  # fmt: skip
    assert shown[Tile.SHRINE] == {(x, 5) for x in middle}
    carpet = set(product(middle, range(6, 16)))
    statues = set()
    if width >= len(middle) + 8:
        ends = middle[0], middle[-1]
        carpet |= set(product((ends[0] - 1, ends[1] + 1), (5, 6)))
        statues = {(ends[0] - 3, 5), (ends[1] + 3, 5)}
    assert shown[Tile.CARPET] == carpet
    assert shown[Tile.STATUE] == statues


@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (3, 3), (4, 5), (6, 9)])
@pytest.mark.parametrize("down", [False, True])
def test_bridges_span_runs_of_water_from_land_to_land(shape, down):
    rng = np.random.default_rng(shape[1])
    for longest in (1, 2, 5):
        water = rng.random(shape) < 0.6
        water[[0, -1]] = water[:, [0, -1]] = False
        land = ~water & (rng.random(shape) < 0.8)
        wanted = []
        for y, row in enumerate(water.tolist()):
            x = 0
            while x < len(row):
                end = x
                while end < len(row) and row[end]:
                    end += 1
                if 0 < end - x <= longest and land[y, x - 1] and land[y, end]:
                    wanted.append((y, x - 1, end - x) if down else (x - 1, y, end - x))
                x = max(end, x + 1)
        ways = _passages(land.T, water.T, longest) if down else _passages(land, water, longest)
        found = [(x, y, length) for x, y, leads_down, length in ways if leads_down == down]
        assert sorted(found) == sorted(wanted)


def test_packs_are_told_by_the_first_creature_of_each_crowded_square_largest_first():
    plan = Blueprint.solid(60, 40)
    homes = {(1, 1): 3, (2 * BLOCK, BLOCK): 5, (0, 2 * BLOCK): 4, (3 * BLOCK, 0): 2}
    for (x, y), number in homes.items():
        plan.spawns += [Spawn("rat", x + n % BLOCK, y) for n in range(number)]
    assert _clumps(plan, 3) == [Point(2 * BLOCK, BLOCK), Point(0, 2 * BLOCK), Point(1, 1)]
    assert len(_clumps(plan, 2)) == 4
    assert _clumps(plan, 6) == []


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_clearings_lie_anywhere_in_the_maze_apart_and_take_their_share(share):
    lattice = Lattice.fit(31, 23, 1, 1)
    begins, counts = Counter(), set()
    for seed in range(60):
        taken = {}
        for number, (column, row, columns, rows) in enumerate(
            _clearings(lattice, Rng(seed, "test"), share, 2, 4)
        ):
            begins[column, row] += 1
            assert 0 <= column <= column + columns <= lattice.columns
            assert 0 <= row <= row + rows <= lattice.rows
            assert 2 <= columns <= 4
            assert 2 <= rows <= 4
            around = set(product(range(column - 1, column + columns + 1),
                                 range(row - 1, row + rows + 1)))  # fmt: skip
            assert all(taken.get(cell, number) == number for cell in around)
            inner = product(range(column, column + columns), range(row, row + rows))
            taken |= dict.fromkeys(inner, number)
        assert 4 <= len(taken) <= max(16, int(lattice.count * share))
        counts.add(len(taken))
    assert {x for x, _ in begins} >= {0, lattice.columns - 2}
    assert {y for _, y in begins} >= {0, lattice.rows - 2}
    assert list(_clearings(lattice, Rng(1), 0, 2, 4)) == []


@pytest.mark.parametrize("turn", range(4))
def test_a_turned_canvas_lists_rooms_and_images_where_they_will_lie(turn):
    plan = Blueprint.solid(30, 22)
    canvas = TurnedMap(plan, turn)
    assert (canvas.width, canvas.height) == ((30, 22) if turn % 2 == 0 else (22, 30))
    assert canvas.axis == [(canvas.width - 1) // 2, canvas.width // 2]
    room = RectangularRoom(3, 4, 4, 5)
    canvas.build(room, Tile.FLOOR)
    canvas.list_room(room)
    canvas.list_room(canvas.image(room))
    canvas.door(4, 3)
    canvas.show()
    for room in plan.rooms:
        assert (plan.tiles[room.inner] == Tile.FLOOR).all()
        assert room.area == 4 * 5
    assert (plan.tiles == Tile.FLOOR).sum() == 2 * 4 * 5
    assert (plan.tiles == Tile.DOOR).sum() == 2
    assert (np.rot90(plan.tiles, -turn) == np.rot90(plan.tiles, -turn)[:, ::-1]).all()
    assert (np.rot90(plan.tiles, -turn)[3, [4, canvas.width - 5]] == Tile.DOOR).all()


@pytest.mark.parametrize(("wide", "high"), [(20, 9), (9, 20), (13, 13), (6, 7), (7, 3)])
def test_wings_are_cut_into_rooms_that_share_walls_and_none_is_too_narrow_or_wide(wide, high):
    sides, least, most = set(), 3, 6
    for seed in range(40):
        whole = RectangularRoom(3, 4, wide, high)
        parts = divide(whole, Rng(seed, "test"), least, most)
        floor = np.zeros((40, 40), np.int32)
        for part in parts:
            floor[part.inner] += 1
            sides |= {part.width, part.height}
        assert floor.max() == 1
        walls = sum((part.width + 1) * (part.height + 1) for part in parts)
        assert walls == (wide + 1) * (high + 1), "a wall of one tile lies between them"
        assert min(min(part.width, part.height) for part in parts) >= least
        assert all(max(part.width, part.height) <= max(most, 2 * least) for part in parts)
    assert least in sides or max(wide, high) < 2 * least + 1


def test_doors_join_all_rooms_once_and_a_share_of_the_rest():
    owner = np.zeros((9, 13), np.int32)
    for number, (x, y) in enumerate(product((0, 4, 8), (0, 4)), 1):
        owner[y : y + 3, x : x + 3] = number
    ways = possible_doors(owner)
    assert set(ways) == {(1, 3), (3, 5), (2, 4), (4, 6), (1, 2), (3, 4), (5, 6)}
    assert ways[1, 3] == [(3, 0), (3, 1), (3, 2)]
    assert ways[1, 2] == [(0, 3), (1, 3), (2, 3)]
    for seed in range(20):
        few = chosen_doors(ways, [], Rng(seed, "test"), 0.0)
        assert len(few) == 5
        assert len(chosen_doors(ways, [], Rng(seed, "test"), 1.0)) == 7
        row = chosen_doors(ways, [[1, 3, 5]], Rng(seed, "test"), 0.0)
        assert len(row) == 3
        assert all(any(door in spots for spots in ways.values()) for door in few)


@pytest.mark.parametrize("mode", ["one", "all", "parallel"])
def test_captions_of_rewrites_count_every_one(mode):
    plan = Blueprint.solid(30, 22)
    plan.tiles[5:17, 5:25] = Tile.FLOOR
    told = run(rewrite, plan, rules=("floor -> moss",), mode=mode)
    counts = []
    for caption in told:
        assert caption.startswith("floor -> moss, ")
        more = re.search(r"and (\d+) more$", caption)
        counts.append(int(more[1]) + 1 if more else 1)
        assert more or re.search(r"at \d+, \d+$", caption)
    assert sum(counts) == 12 * 20 == (plan.tiles == Tile.MOSS).sum()
    assert mode != "one" or counts == sorted(counts[:-1]) + counts[-1:]


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_a_symmetry_tells_how_many_parts_it_has_joined(parts):
    plan = Blueprint.solid(40, 30)
    plan.start = Point(4, 4)
    for number in range(parts):
        plan.tiles[3 + 8 * number : 7 + 8 * number, 3:9] = Tile.FLOOR
    told = run("symmetry", plan)
    assert told == [f"{parts} parts of one side connected"] * (parts > 1) + ["Mirrored: vertical"]


def test_neighbours_stay_joined_if_they_can_walk_round_the_middle():
    """Diagonal tiles join two sides, but need not be joined themselves."""
    for ring in range(256):
        tiles = {CLOCKWISE[bit] for bit in range(8) if ring >> bit & 1}
        sides = [place for place in tiles if 0 in place]
        reached = set(sides[:1])
        while more := {
            (x, y)
            for x, y in tiles - reached
            if any(abs(x - a) + abs(y - b) == 1 for a, b in reached)
        }:
            reached |= more
        joined = set(sides) <= reached
        assert _stays_joined([ring >> bit & 1 for bit in range(8)]) == joined, ring
        window = np.zeros((3, 3), np.bool_)
        for x, y in tiles:
            window[1 + y, 1 + x] = True
        assert can_close(window, 1, 1) == joined, ring
