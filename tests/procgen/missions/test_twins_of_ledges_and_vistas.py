"""Ledges and windows between rooms of a mission, and its gates, against twins."""

from itertools import pairwise, product

import numpy as np
import pytest
from msgspec.structs import replace

from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.blueprint import Blueprint, Point, RectangularRoom, Spawn
from procgen.mission import LOCKS, OPENERS, Mission, MissionEdge, MissionRoom, mission_faults
from procgen.steps.mission_layout import (
    _walls_between_rooms,
    mission_gates,
    mission_rooms,
    one_way,
    vista,
)
from procgen.steps.missions import mission_of, rooms_on_path
from procgen.validate import GATE_TILES
from support.blueprints import run
from support.step_twins import assert_alike, edge_of, walkable


def slow_walls(plan):
    """Return (room, room, tiles, course) of the lines of up to three tiles of rock between two."""

    def is_rock(x, y):
        return bool(plan.tiles[y, x] == Tile.WALL)

    def ground(x, y):
        inside = 0 <= x < plan.width and 0 <= y < plan.height
        return int(plan.regions[y, x]) if inside and walkable(plan, x, y) else 0

    def room_at(x, y):
        squares = product((x - 1, x), (y - 1, y))
        wide = any(
            all(ground(a + n, b + m) for n, m in product((0, 1), repeat=2)) for a, b in squares
        )
        return ground(x, y) if wide else 0

    found = []
    for across, down in ((1, 0), (0, 1)):
        for thick, (dx, dy) in product((1, 2, 3), ((across, down), (-across, -down))):
            for y, x in np.ndindex(plan.tiles.shape):
                one = room_at(x, y)
                other = room_at(x + (thick + 1) * dx, y + (thick + 1) * dy)
                if one and other and one != other:
                    tiles = [(x + n * dx, y + n * dy) for n in range(1, thick + 1)]
                    if all(
                        edge_of(plan, a, b) > 0 and is_rock(a, b)
                        and is_rock(a + dy, b + dx) and is_rock(a - dy, b - dx)
                        for a, b in tiles
                    ):  # fmt: skip
                        found.append((one - 1, other - 1, tiles, (dx, dy)))
    return found


def slow_cut(plan, rng, goals, path, gate, least):
    """Give the mission the first gate that suits; return its wall with both rooms, or None."""
    mission = mission_of(plan)
    walls = []
    for one, other, tiles, course in slow_walls(plan) if mission.laid_out else []:
        known = one < len(mission.rooms) and one in rooms_on_path(mission, path)
        if known and other in goals and mission.distances_from(one)[other] >= least:
            walls.append((one, other, tiles, course))
    for one, other, tiles, course in rng.shuffled(walls):
        edge = MissionEdge(one, other, mission.rooms[one].path, gate, place=tiles[0])
        grown = mission.added([], [edge])
        if not list(mission_faults(grown)):
            plan.mission = grown
            return tiles, course, mission.rooms[one].name, mission.rooms[other].name
    return None


def slow_ledge(plan, rng, *, path, least):
    rooms = range(len(plan.mission.rooms))
    if not (found := slow_cut(plan, rng, rooms, path, "drop", least)):
        return []
    tiles, (dx, dy), one, other = found
    for x, y in tiles:
        plan.tiles[y, x] = Tile.TUNNEL
    x, y = tiles[0]
    plan.tiles[y, x], plan.tiles[y - dy, x - dx] = Tile.LEDGE, Tile.BRINK
    return [f"A ledge from {one} down to {other}"]


def slow_vista(plan, rng, *, path, least):
    rooms = plan.mission.rooms
    goals = [n for n in range(len(rooms)) if n == 1 or rooms[n].holds]
    if not (found := slow_cut(plan, rng, goals, path, "window", least)):
        return []
    tiles, _, one, other = found
    for x, y in tiles:
        plan.tiles[y, x] = Tile.WATER
    return [f"A view across water from {one} to {other}"]


def slow_gates(plan, rng):
    told, taken = [], {tuple(mark) for mark in plan.marks}
    for edge in plan.mission.edges:
        if edge.gate in (*LOCKS, "secret") and tuple(edge.place) not in taken:
            x, y = edge.place
            plan.tiles[y, x] = GATE_TILES[edge.gate]
            name = terrain().kinds[GATE_TILES[edge.gate]].name
            told.append(f"{name.capitalize()} at {x}, {y}")
    for room in plan.mission.rooms:
        if room.holds in OPENERS.values():
            x, y = room.anchor
            plan.tiles[y, x] = TILE_NAMES.index(room.holds)
            told.append(f"A {room.holds} in {room.name}")
    return told


def grown(seed, cycles=2):
    plan = Blueprint.solid(70, 45)
    run("main_path", plan, seed, least=4, most=6)
    run("cycles", plan, seed, least=1, most=cycles)
    run("side_path", plan, seed, name="wing", rooms=2)
    run("lay_out_mission", plan, seed)
    return plan


@pytest.mark.parametrize(("path", "least"), [("main", 2), ("main", 4), ("wing", 1), ("wing", 3)])
def test_a_ledge_and_a_window_are_cut_where_the_twins_cut_them(path, least):
    cut = 0
    for seed in range(3):
        plan = grown(seed)
        edges = len(plan.mission.edges)
        assert_alike(vista, slow_vista, plan, seed, path=path, least=least)
        assert_alike(one_way, slow_ledge, plan, seed, path=path, least=least)
        cut += len(plan.mission.edges) - edges
        assert_alike(mission_gates, slow_gates, plan, seed)
    assert cut


@pytest.mark.parametrize("thick", [1, 2, 3, 4])
def test_a_thin_wall_has_up_to_three_tiles_with_rock_on_both_sides(thick):
    for turned in (False, True):
        plan = Blueprint.solid(16, 12)
        plan.tiles[3:9, 2:5] = plan.tiles[3:8, 5 + thick : 8 + thick] = Tile.FLOOR
        plan.regions = np.zeros(plan.tiles.shape, np.int32)
        plan.regions[3:9, 2:5], plan.regions[3:8, 5 + thick : 8 + thick] = 1, 2
        plan.tiles[6, 5] = Tile.PILLAR
        if turned:
            plan = Blueprint(plan.tiles.T.copy(), regions=plan.regions.T.copy())
        walls = list(_walls_between_rooms(plan, {(0, 1), (1, 0)}))
        assert walls == slow_walls(plan)
        rows = {tiles[0][not turned] for _, _, tiles, _ in walls}
        assert rows == ({3, 4} if thick < 4 else set())
        assert {(one, other) for one, other, *_ in walls} == ({(0, 1), (1, 0)} if rows else set())


def row_of_rooms(*holds):
    """Return a plan of rooms side by side, two tiles of rock apart, and their mission in a row."""
    number = len(holds)
    plan = Blueprint.solid(4 + 6 * number, 9)
    plan.regions, rooms = np.zeros(plan.tiles.shape, np.int32), []
    for n, thing in enumerate(holds):
        box = RectangularRoom(2 + 6 * n, 2, 4, 5)
        plan.tiles[box.inner], plan.regions[box.inner] = Tile.FLOOR, n + 1
        name = ("start", "exit")[n] if n < 2 else "room"
        box = box.x, 2, 4, 5
        rooms.append(MissionRoom(f"room {n}", name, "main", thing, box, (box[0] + 1, 3)))
    order = [0, *range(2, number), 1]
    edges = [MissionEdge(*pair, "main", place=(1, 1)) for pair in pairwise(order)]
    plan.mission = Mission(tuple(rooms), tuple(edges))
    return plan


@pytest.mark.parametrize(
    ("holds", "goals"),
    [
        (("", "", "", ""), {1}),
        (("", "", "", "treasure"), {1, 3}),
        (("", "", "treasure", ""), {1, 2}),
    ],
)
def test_a_window_looks_at_the_exit_or_at_a_room_that_holds_something(holds, goals):
    seen = set()
    for seed in range(40):
        plan = row_of_rooms(*holds)
        (caption,) = run(vista, plan, seed, path="main", least=1)
        one, other = (int(word) for word in caption.replace("room ", "").split() if word.isdigit())
        assert abs(one - other) == 1, "wall to wall"
        edge = plan.mission.edges[-1]
        assert (edge.start, edge.end, edge.gate) == (one, other, "window")
        assert (plan.tiles == Tile.WATER).sum() == 2
        seen.add(other)
    assert seen == goals


def test_no_gate_shuts_where_somebody_stands():
    plan = row_of_rooms("", "", "", "")
    places = [(6, 4), (12, 4), (18, 4)]
    edges = [
        replace(edge, gate="secret", place=place)
        for edge, place in zip(plan.mission.edges, places, strict=True)
    ]
    plan.mission = replace(plan.mission, edges=tuple(edges))
    for x, y in places:
        plan.tiles[y, x] = Tile.TUNNEL
    plan.spawns = [Spawn("rat", 12, 4)]
    assert len(run(mission_gates, plan)) == 2
    shut = [plan.tiles[y, x] == Tile.SECRET_DOOR for x, y in places]
    assert shut == [True, False, True]


@pytest.mark.parametrize("themes", [("shrine", "garden"), ("garden", "shrine")])
def test_rooms_are_furnished_by_the_themes_in_turn(themes):
    plan = row_of_rooms("", "", "", "", "", "")
    plan.tiles[4, 3:-3], plan.start, plan.exit = Tile.FLOOR, Point(3, 4), Point(9, 4)
    told = run(mission_rooms, plan, themes=themes, themed=1.0)
    assert told == [f"room {n}: furnished as {themes[n % 2]}" for n in range(2, 6)]


@pytest.mark.parametrize("missing", ["start", "places"])
def test_without_a_start_or_a_layout_no_room_is_furnished(missing):
    plan = row_of_rooms("", "", "", "")
    plan.tiles[4, 3:-3], plan.start = Tile.FLOOR, Point(3, 4)
    if missing == "start":
        plan.start = None
    else:
        edges = [replace(edge, place=None) for edge in plan.mission.edges]
        plan.mission = replace(plan.mission, edges=tuple(edges))
    before = plan.tiles.copy()
    assert run(mission_rooms, plan, themes=("shrine",), themed=1.0) == []
    assert (plan.tiles == before).all()
