"""How a laid out mission is dug, wall by wall, and the graph it comes from."""

from itertools import pairwise, product

import numpy as np
import pytest
import scipy
from msgspec.structs import replace

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point, Rejected
from procgen.mission import (
    LOCKS,
    MOST_LOCKS,
    Mission,
    MissionEdge,
    MissionRoom,
    always_opens,
)
from procgen.missions.carving import DEEPEST, WINDOW, Carver
from procgen.missions.layout import Layout
from procgen.rng import Rng

COLUMNS = [(2, 6), (9, 5), (15, 8), (24, 6)]
ROWS = [(1, 4), (6, 5), (12, 6)]
PLAIN = {"rectangle": 1}


def mission_of(number, *ways):
    rooms = [MissionRoom(f"room {n}", "room", "main") for n in range(number)]
    return Mission(tuple(rooms), tuple(MissionEdge(*way[:2], "main", *way[2:]) for way in ways))


def carver(rects, ways=(), routes=None, *, seed=1, rough=0.0):
    layout = Layout(dict(enumerate(rects)), routes or {n: [] for n in range(len(ways))})
    mission = mission_of(len(rects), *ways)
    plan = Blueprint.solid(32, 20)
    return Carver(plan, mission, layout, (COLUMNS, ROWS), Rng(seed, "test"), rough)


def dug(*args, inset=0, **options):
    made = carver(*args, **options)
    list(made.rooms(PLAIN, inset))
    return made


def test_a_box_covers_its_cells_and_the_rock_between_them():
    made = carver([])
    assert made._box((0, 0, 1, 1)) == (2, 1, 6, 4)
    assert made._box((1, 1, 2, 1)) == (9, 6, 14, 5)
    assert made._box((2, 0, 2, 3)) == (15, 1, 15, 17)


def test_bends_lie_inside_their_columns_and_rows_and_are_the_same_for_all_corridors():
    seen = [set() for _ in range(len(COLUMNS) + len(ROWS))]
    for seed in range(60):
        made = carver([], seed=seed)
        for places, bend in zip(seen, made.bend_x + made.bend_y, strict=True):
            places.add(bend)
    for places, (first, tiles) in zip(seen, COLUMNS + ROWS, strict=True):
        assert places == set(range(first + 1, first + tiles - 1))


@pytest.mark.parametrize("inset", [0, 1, 3])
def test_rooms_lie_anywhere_in_their_cells_and_own_their_floor(inset):
    sizes, corners = set(), set()
    for seed in range(30):
        made = dug([(0, 0, 1, 1), (2, 1, 2, 2)], seed=seed, inset=inset)
        for number, box in ((1, (2, 1, 6, 4)), (2, (15, 6, 15, 12))):
            x, y, wide, high = made.mission.rooms[number - 1].box
            assert (made.owner[y : y + high, x : x + wide] == number).all()
            assert (made.owner == number).sum() == wide * high
            assert box[0] <= x <= x + wide <= box[0] + box[2]
            assert box[1] <= y <= y + high <= box[1] + box[3]
            assert max(3, box[2] - inset) <= wide <= box[2]
            assert max(3, box[3] - inset) <= high <= box[3]
        sizes.add(made.mission.rooms[0].box[2])
        corners.add(made.mission.rooms[0].box[0])
    assert sizes == set(range(max(3, 6 - inset), 7))
    assert corners == set(range(2, 3 + min(3, inset)))


def test_walls_shared_by_two_rooms_are_the_tiles_between_their_cells():
    made = carver([(0, 0, 1, 2), (1, 0, 2, 1), (1, 2, 1, 1), (0, 2, 1, 1)])
    east = made._shared(MissionEdge(0, 1, "main"))
    assert sorted(east) == [((8, row), (1, 0)) for row in range(1, 5)]
    west = made._shared(MissionEdge(1, 0, "main"))
    assert sorted(west) == [((8, row), (-1, 0)) for row in range(1, 5)]
    south = made._shared(MissionEdge(0, 3, "main"))
    assert sorted(south) == [((col, 11), (0, 1)) for col in range(2, 8)]
    north = made._shared(MissionEdge(3, 0, "main"))
    assert sorted(north) == [((col, 11), (0, -1)) for col in range(2, 8)]
    assert made._shared(MissionEdge(0, 2, "main")) == []
    orders = {tuple(made._shared(MissionEdge(0, 3, "main"))) for _ in range(9)}
    assert len(orders) > 5
    wide = carver([(1, 1, 2, 1), (0, 2, 3, 1)])._shared(MissionEdge(0, 1, "main"))
    columns = [*range(9, 14), *range(15, 23)]
    assert sorted(wide) == [((col, 11), (0, 1)) for col in columns], "not the wall of the lattice"


@pytest.mark.parametrize(("away", "course"), [(3, (1, 0)), (1, (1, 0)), (4, (-1, 0)), (2, (0, 1))])
def test_the_depth_is_the_steps_through_rock_to_the_floor_of_a_room(away, course):
    made = carver([(0, 0, 1, 1), (1, 0, 1, 1)])
    x, y = 14 + away * course[0], 9 + away * course[1]
    made.owner[y, x], made.plan.tiles[y, x] = 2, Tile.FLOOR
    assert made._depth(Point(14, 9), course, 1) == away
    assert made._depth(Point(14, 9), course, 0) == 99, "of another room"
    assert made._depth(Point(14, 9), (-course[0], -course[1]), 1) == 99, "to the edge"
    made.owner[9, 14] = 0
    if away > 1:
        made.plan.tiles[9 + course[1], 14 + course[0]] = Tile.FLOOR
        assert made._depth(Point(14, 9), course, 1) == 99, "something lies before it"


def test_no_crossing_lies_beside_another():
    made = carver([])
    made._cross(Point(10, 9))
    assert made.plan.tiles[9, 10] == Tile.TUNNEL
    for dx, dy in product(range(-2, 3), repeat=2):
        near = max(abs(dx), abs(dy)) < 2
        assert made._is_crowded(Point(10 + dx, 9 + dy)) == near


def test_a_doorway_is_cut_where_the_least_rock_lies_between_two_rooms():
    for seed in range(12):
        made = dug([(0, 0, 1, 1), (1, 0, 1, 1)], [(0, 1)], seed=seed, inset=3)
        rooms = made.owner.copy()
        costs = {}
        for row in range(1, 5):
            ones, others = (np.flatnonzero(rooms[row] == number) for number in (1, 2))
            if len(ones) and len(others):
                costs[row] = others[0] - ones[-1]
        (told,) = made.ways()
        assert told == "From room 0 to room 1: open"
        x, y = made.mission.edges[0].place
        assert x == 8
        if costs:
            assert costs[y] == min(costs.values())
            tunnel = (made.plan.tiles == Tile.TUNNEL).sum()
            assert tunnel == costs[y] - 1
        assert made.plan.tiles[y, x] == Tile.TUNNEL


@pytest.mark.parametrize(
    ("one", "other", "way"),
    [((0, 0), (1, 0), (-1, 0)), ((1, 0), (0, 0), (1, 0)), ((1, 1), (1, 0), (0, 1)),
     ((1, 0), (1, 1), (0, -1))],
)  # fmt: skip
def test_a_ledge_has_its_brink_on_the_side_to_jump_from(one, other, way):
    made = dug([(*one, 1, 1), (*other, 1, 1)], [(0, 1, "drop")])
    list(made.ways())
    x, y = made.mission.edges[0].place
    assert made.plan.tiles[y, x] == Tile.LEDGE
    assert made.plan.tiles[y + way[1], x + way[0]] == Tile.BRINK
    assert (made.plan.tiles == Tile.BRINK).sum() == 1


def test_a_window_is_a_few_tiles_of_water_side_by_side_through_the_rock_between():
    for seed in range(12):
        made = dug([(0, 0, 1, 1), (1, 0, 1, 1)], [(0, 1, "window")], seed=seed, inset=seed % 3)
        before = made.owner.copy()
        list(made.ways())
        wet = made.plan.tiles == Tile.WATER
        rows = np.flatnonzero(wet.any(axis=1))
        assert 1 <= len(rows) <= WINDOW
        assert np.ptp(rows) == len(rows) - 1
        assert wet[made.mission.edges[0].place[1], made.mission.edges[0].place[0]]
        for row in rows.tolist():
            ones, others = (np.flatnonzero(before[row] == n) for n in (1, 2))
            assert np.flatnonzero(wet[row]).tolist() == list(range(ones[-1] + 1, others[0]))
            assert wet[row].sum() < DEEPEST
    shut = dug([(0, 0, 1, 1), (1, 0, 1, 1)], [(0, 1, "window")])
    shut.crossings.update(at for at, _ in shut._shared(shut.mission.edges[0]))
    with pytest.raises(Rejected, match="no view from room 0 to room 1"):
        list(shut.ways())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("down", [False, True])
def test_a_window_stays_one_though_floor_faces_floor_at_two_ends_of_a_wall(down, seed):
    other = (0, 1, 1, 1) if down else (1, 0, 1, 1)
    made = dug([(0, 0, 1, 1), other], [(0, 1, "window")], seed=seed)
    middle = np.s_[:, 3:7] if down else np.s_[2:4]
    made.owner[middle], made.plan.tiles[middle] = 0, Tile.WALL
    list(made.ways())
    ((y, x),) = np.argwhere(made.plan.tiles == Tile.WATER).tolist()
    assert made.mission.edges[0].place == (x, y)


@pytest.mark.parametrize("seed", range(6))
def test_where_no_floor_lies_opposite_floor_ways_lead_to_a_pane_of_water(seed):
    made = dug([(0, 0, 1, 1), (1, 0, 1, 1)], [(0, 1, "window")], seed=seed)
    rooms = list(made.mission.rooms)
    for number, kept in enumerate((0, -1)):  # The top row of one room, the bottom row of the other.
        ys, xs = np.nonzero(made.owner == number + 1)
        gone = (made.owner == number + 1) & (np.arange(20)[:, None] != ys[kept])
        made.owner[gone], made.plan.tiles[gone] = 0, Tile.WALL
        anchor = int(xs.min() + xs.max()) // 2, int(ys[kept])
        rooms[number] = replace(rooms[number], anchor=anchor)
    made.mission = replace(made.mission, rooms=tuple(rooms))
    list(made.ways())
    ((y, x),) = np.argwhere(made.plan.tiles == Tile.WATER).tolist()
    assert made.mission.edges[0].place == (x, y)
    parts, count = scipy.ndimage.label(made.plan.tiles != Tile.WALL)
    assert count == 1
    parts, count = scipy.ndimage.label(~np.isin(made.plan.tiles, (Tile.WALL, Tile.WATER)))
    assert count == 2, "water alone joins the two rooms"
    assert parts[y, x - 1] != parts[y, x + 1]


def test_a_corridor_runs_through_its_cells_by_their_bends_to_both_rooms():
    route = [(1, 0), (2, 0), (2, 1)]
    made = dug([(0, 0, 1, 1), (3, 1, 1, 1)], [(0, 1)], {0: route}, seed=4)
    list(made.ways())
    tunnel = {(x, y) for y, x in np.argwhere(made.plan.tiles == Tile.TUNNEL).tolist()}
    bends = [(made.bend_x[x], made.bend_y[y]) for x, y in route]
    assert set(bends) <= tunnel
    assert made.mission.edges[0].place == (8, made.bend_y[0])
    assert made.crossings == {(8, made.bend_y[0]), (23, made.bend_y[1])} <= tunnel
    line = [(8, made.bend_y[0]), *bends, (23, made.bend_y[1])]
    length = sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(line)) + 1
    assert len(tunnel) == length, "rooms that fill their cells are reached at once"


@pytest.mark.parametrize("rough", [0.0, 0.5, 1.0])
def test_rough_corridors_eat_into_the_rock_beside_them_within_the_cell(rough):
    made = carver([], rough=rough)
    made.plan.tiles[8, 14:24] = Tile.TUNNEL
    made._roughen((2, 1))
    eaten = made.plan.tiles == Tile.TUNNEL
    eaten[8, 14:24] = False
    assert not eaten[[*range(7), *range(10, 20)]].any()
    assert not eaten[:, [*range(15), *range(23, 32)]].any()
    assert eaten.sum() == {0.0: 0, 1.0: 16}.get(rough, eaten.sum())
    assert rough != 0.5 or 2 < eaten.sum() < 14


def test_a_mission_gains_and_loses_rooms_ways_gates_and_what_rooms_hold():
    base = mission_of(3, (0, 1), (1, 2, "lock"))
    more = base.added([MissionRoom("attic", "room", "side")], [MissionEdge(2, 3, "side")], "loop")
    assert [room.name for room in more.rooms] == ["room 0", "room 1", "room 2", "attic"]
    assert (len(more.edges), more.cycles) == (3, ("loop",))
    assert more.added([], []).cycles == ("loop",)
    assert more.without(more.edges[1]).edges == (more.edges[0], more.edges[2])
    assert [room.holds for room in more.holding(2, "key").rooms] == ["", "", "key", ""]
    assert [edge.gate for edge in more.with_gate(more.edges[0], "secret").edges] == [
        "secret", "lock", "open",
    ]  # fmt: skip
    assert more.gated("lock", "secret") == (more.edges[1],)
    assert not more.laid_out


@pytest.mark.parametrize("seed", range(6))
def test_parts_distances_and_bridges_of_a_mission_are_those_of_its_graph(seed):
    rng = np.random.default_rng(seed)
    gates = ("open", "lock", "window", "secret", "drop")
    ways = [(*map(int, rng.choice(8, 2, replace=False)), gates[rng.integers(5)]) for _ in range(9)]
    mission = mission_of(8, *ways)

    def reached(edges, start):
        found = {start: 0}
        for steps in range(1, 9):
            for one, other in [*edges, *((b, a) for a, b in edges)]:
                if found.get(one) == steps - 1:
                    found.setdefault(other, steps)
        return found

    for chosen in (("open",), ("open", "secret"), gates):
        edges = [way[:2] for way in ways if way[2] in chosen]
        part = mission.parts(*chosen)
        for one, other in product(range(8), repeat=2):
            assert (part[one] == part[other]) == (other in reached(edges, one))
    for room in range(8):
        assert mission.distances_from(room) == reached([way[:2] for way in ways], room)
    for edge in mission.edges:
        rest = [
            (e.start, e.end)
            for e in mission.edges
            if e is not edge and e.gate in ("open", "secret", *LOCKS)
        ]
        assert mission.is_bridge(edge) == (edge.end not in reached(rest, edge.start))


@pytest.mark.parametrize(
    ("locks", "works", "opens"),
    [
        ([], [(0, (0, 1))], True), ([], [(1, (0, 1))], False),
        ([(0, 1)], [(1, (0, 2))], True), ([(0, 1)], [(2, (0, 2))], False),
        ([(0, 1)], [(0, (1, 2))], True), ([], [(0, (0, 1)), (1, (1, 2)), (2, (0, 3))], True),
        ([], [(0, (0, 1)), (3, (1, 2)), (2, (0, 3))], False),
        ([(0, 1)], [(2, (0, 1))], False),  # No key is missing, but the mechanism is out of reach.
    ],
)  # fmt: skip
def test_a_mechanism_opens_its_lock_as_soon_as_it_is_reached(locks, works, opens):
    assert always_opens(0, [0] * len(locks), locks, works) is opens


@pytest.mark.parametrize(("number", "opens"), [(MOST_LOCKS, True), (MOST_LOCKS + 1, False)])
def test_so_many_locks_are_proved_if_keys_lie_behind_locks(number, opens):
    locks = [(n, n + 1) for n in range(number)]
    assert always_opens(0, list(range(number)), locks) is opens
    assert always_opens(0, [0] * number, locks) is True
    assert always_opens(0, [0] * (number - 1), locks) is False
