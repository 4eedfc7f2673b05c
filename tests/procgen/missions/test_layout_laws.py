"""Layouts of missions on the lattice, and what is dug from them, against their promises."""

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Rejected
from procgen.mission import Mission, MissionEdge, MissionRoom
from procgen.missions.layout import GAP, Layout, _near, _places, lay_out, sides
from procgen.rng import Rng
from procgen.steps.mission_layout import SIZES, _sizes
from support.blueprints import run, text
from support.by_definition import FOUR


def covered(rect):
    x, y, width, height = rect
    return set(product(range(x, x + width), range(y, y + height)))


def beside(ground):
    return {(x + dx, y + dy) for x, y in ground for dx, dy in FOUR} - ground


def steps_from(home, most):
    """Return the cells of a room by their steps from it: corridors of one cell less lead there."""
    found, ring = dict.fromkeys(covered(home), 0), covered(home)
    for steps in range(1, most + 1):
        ring = beside(ring) - found.keys()
        found |= dict.fromkeys(ring, steps)
    return found


@pytest.mark.parametrize("most", [0, 1, 2])
def test_places_near_a_room_are_those_a_corridor_so_short_could_lead_to(most):
    home, lattice, sizes = (3, 2, 2, 1), (7, 5), ((1, 1), (3, 2))
    places = _places(lattice, sizes)
    assert sorted(rect for rect, *_ in places) == sorted(
        (x, y, w, h) for w, h in sizes for x in range(8 - w) for y in range(6 - h)
    )
    for rect, cells, rim in places:
        assert cells == sum(1 << 8 * y + x for x, y in covered(rect))
        ring = {(x, y) for x, y in beside(covered(rect)) if 0 <= x < 7 and 0 <= y < 5}
        assert [rim >> 8 * y + x & 1 for x, y in sorted(ring)] == [1] * len(ring)
    near = steps_from(home, most + 1)
    assert [rect for rect, *_ in _near(lattice, sizes, home, most)] == [
        rect for rect, *_ in places if not covered(rect).isdisjoint(near)
    ]


@pytest.mark.parametrize("rect", [(2, 3, 1, 1), (2, 3, 3, 2), (5, 1, 1, 4)])
def test_the_sides_of_a_room_are_all_cells_beside_it_each_with_the_cell_it_touches(rect):
    own = covered(rect)
    wanted = [(cell, inner) for cell in beside(own) for inner in beside({cell}) & own]
    assert sorted(sides(rect)) == sorted(wanted)


def test_a_layout_is_cropped_to_its_rooms_and_corridors():
    layout = Layout({0: (4, 5, 2, 1), 1: (7, 3, 1, 2)}, {0: [(6, 6), (6, 2)], 1: []})
    assert layout.cropped() == (4, 5)
    assert layout.rects == {0: (0, 3, 2, 1), 1: (3, 1, 1, 2)}
    assert layout.routes == {0: [(2, 4), (2, 0)], 1: []}
    layout = Layout({0: (4, 5, 2, 3)}, {0: [(3, 8)]})
    assert layout.cropped() == (3, 4)
    assert (layout.rects, layout.routes) == ({0: (1, 0, 2, 3)}, {0: [(0, 3)]})


def random_mission(seed):
    """Return a mission of ten rooms: a tree, and a few more ways, windows and drops among them."""
    rng = np.random.default_rng(seed)
    rooms = tuple(MissionRoom(f"room {n}", "room", "main") for n in range(10))
    edges = [MissionEdge(int(rng.integers(max(0, n - 3), n)), n, "main") for n in range(1, 10)]
    for gate in ("open", "window", "drop")[: seed % 4]:
        edges.append(MissionEdge(edges[-2].start, edges[-1].end, "main", gate))
    return Mission(rooms, tuple(edges))


@pytest.mark.parametrize("seed", range(12))
def test_a_layout_has_all_rooms_and_ways_in_cells_of_their_own(seed):
    mission, lattice, longest = random_mission(seed), (9 + seed % 3, 7), 1 + seed % 5
    sizes = [[(1, 1), (2, 1)], [(2, 2)], [(1, 2)], [(3, 1), (1, 1)], [(1, 1)]] * 2
    layout = lay_out(mission, lattice, sizes, Rng(seed), longest)
    used = Counter(cell for rect in layout.rects.values() for cell in covered(rect))
    used.update(cell for route in layout.routes.values() for cell in route)
    assert set(used) <= set(product(range(lattice[0]), range(lattice[1])))
    assert set(used.values()) == {1}
    assert [layout.rects[n][2:] in sizes[n] for n in range(10)] == [True] * 10
    assert sorted(layout.routes) == list(range(len(mission.edges)))
    for number, route in layout.routes.items():
        edge = mission.edges[number]
        one, other = (covered(layout.rects[n]) for n in (edge.start, edge.end))
        assert len(route) <= (0 if edge.gate in ("window", "drop") else longest)
        chain = [one, *({cell} for cell in route), other]
        assert all(beside(a) & b for a, b in pairwise(chain))
        assert not route or not beside(one) & other, "a corridor between rooms wall to wall"


def straight(number):
    """Return a mission of so many rooms in a row."""
    rooms = tuple(MissionRoom(f"room {n}", "room", "main") for n in range(number))
    return Mission(rooms, tuple(MissionEdge(n - 1, n, "main") for n in range(1, number)))


def test_a_row_of_rooms_fills_a_row_of_cells_to_the_last_and_one_more_is_too_many():
    for seed in range(4):
        layout = lay_out(straight(3), (3, 1), [[(1, 1)]] * 3, Rng(seed, "row"), 0)
        assert sorted(layout.rects[n][0] for n in range(3)) == [0, 1, 2]
    with pytest.raises(Rejected, match="4 rooms are too many for 3 cells"):
        lay_out(straight(4), (3, 1), [[(1, 1)]] * 4, Rng(1), 0)


def test_rooms_stand_at_most_two_cells_from_the_one_before():
    gaps = Counter()
    for seed in range(60):
        layout = lay_out(straight(2), (9, 7), [[(1, 1), (2, 1)]] * 2, Rng(seed), 6)
        steps = steps_from(layout.rects[0], GAP + 1)
        gap = min(steps.get(cell, 99) for cell in covered(layout.rects[1])) - 1
        gaps[gap] += 1
        assert len(layout.routes[0]) == gap
    assert set(gaps) <= set(range(GAP + 1))
    assert gaps[0] > 40, "a common wall is better than a corridor"


@pytest.mark.parametrize(("longest", "fits"), [(2, False), (3, True), (4, True)])
def test_a_corridor_is_as_long_as_asked_for_at_most(longest, fits):
    """Two rooms as long as the lattice, the third between them leaves only the way round."""
    mission = Mission(
        tuple(MissionRoom(f"room {n}", "room", "main") for n in range(3)),
        tuple(MissionEdge(one, other, "main") for one, other in ((0, 1), (1, 2), (0, 2))),
    )
    sizes, done = [[(1, 1)], [(3, 1)], [(1, 1)]], 0
    for seed in range(6):
        try:
            layout = lay_out(mission, (3, 3), sizes, Rng(seed), longest)
        except Rejected:
            continue
        done += 1
        assert max(map(len, layout.routes.values())) <= longest
    assert done or not fits


def test_rooms_with_many_ways_have_more_than_one_cell_and_the_sizes_of_their_purpose():
    rooms = tuple(MissionRoom(n, n, "main") for n in ("start", "exit", "garden", "cellar", "room"))
    ends = (0, 1), (0, 2), (0, 3), (3, 4), (4, 1)
    edges = tuple(MissionEdge(one, other, "main") for one, other in ends)
    assert _sizes(Mission(rooms, edges)) == [
        [(2, 1), (1, 2)], SIZES["exit"], SIZES["garden"], SIZES["room"], SIZES["room"],
    ]  # fmt: skip


def dug(seed, size=(80, 45), steps=(), **parameters):
    plan = Blueprint.solid(*size)
    plan.tiles[5:20, 5:20] = Tile.FLOOR
    run("main_path", plan, seed, least=3, most=6)
    run("cycles", plan, seed, least=1, most=3)
    run("lay_out_mission", plan, seed, **parameters)
    for step, more in steps:
        run(step, plan, seed, **more)
    return plan


@pytest.mark.parametrize(("cell", "inset"), [(4, 0), (4, 2), (6, 1)])
def test_rooms_fill_their_cells_but_for_the_inset_and_lie_inside_the_map(cell, inset):
    plain = {"rectangle": 1, "circle": 0, "cross": 0, "ring": 0, "hall": 0, "chunky": 0, "cave": 0}
    sizes = set()
    for seed in range(4):
        plan = dug(seed, cell=cell, inset=inset, **plain)
        numbers = set(np.unique(plan.regions).tolist()) - {0}
        assert numbers == set(range(1, len(plan.mission.rooms) + 1))
        for number, (room, box) in enumerate(zip(plan.mission.rooms, plan.rooms, strict=True), 1):
            ys, xs = np.nonzero(plan.regions == number)
            assert room.box == (box.x, box.y, box.width, box.height)
            assert room.box == (xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1)
            assert room.anchor == box.center
            assert plan.inside(box.x, box.y)
            assert plan.inside(box.x + box.width - 1, box.y + box.height - 1)
            sizes.add(min(box.width, box.height))
        assert plan.start == plan.mission.rooms[0].anchor
        assert plan.exit == plan.mission.rooms[1].anchor
    assert min(sizes) == max(3, cell - 1 - inset)


@pytest.mark.parametrize("seed", range(4))
def test_every_way_is_cut_through_rock_between_its_rooms(seed):
    plan = dug(seed, rough=0.0)
    for edge in plan.mission.edges:
        x, y = edge.place
        assert plan.regions[y, x] == 0, text(plan)
        tile = {"window": Tile.WATER, "drop": Tile.LEDGE}.get(edge.gate, Tile.TUNNEL)
        assert plan.tiles[y, x] == tile, text(plan)


def test_a_mission_too_large_for_the_map_says_so():
    with pytest.raises(Rejected, match="rooms are too many for 4 cells"):
        dug(1, size=(11, 11))


def test_the_key_of_a_locked_path_lies_neither_at_the_start_nor_at_the_exit():
    names = (("start", "main"), ("exit", "main"), ("hall", "main"), ("vault", "side"))
    rooms = tuple(MissionRoom(name, name, path) for name, path in names)
    edges = MissionEdge(0, 2, "main"), MissionEdge(2, 1, "main"), MissionEdge(2, 3, "side")
    for seed in range(12):
        plan = Blueprint.solid(40, 30)
        plan.mission = Mission(rooms, edges)
        run("lock", plan, seed, locks="side", key_on="main")
        assert [room.name for room in plan.mission.rooms if room.holds] == ["hall"]
        assert [edge.gate for edge in plan.mission.edges] == ["open", "open", "lock"]
