"""A mission laid out against its twin: the same search with sets of cells in place of bits."""

from itertools import product

import numpy as np
import pytest

from procgen.blueprint import Blueprint, Rejected
from procgen.missions import layout
from procgen.missions.layout import lay_out
from procgen.rng import Rng
from support.blueprints import run
from support.by_definition import FOUR


def cells_of(rect):
    x, y, wide, high = rect
    return set(product(range(x, x + wide), range(y, y + high)))


def beside(cells):
    return {(x + dx, y + dy) for x, y in cells for dx, dy in FOUR} - cells


def gap_between(one, other):
    """Return the cells between two rooms; 0 if they share a side."""
    across = max(other[0] - one[0] - one[2], one[0] - other[0] - other[2])
    down = max(other[1] - one[1] - one[3], one[1] - other[1] - other[3])
    return across + down + 1 if across >= 0 <= down else max(across, down)


class SlowSearch:
    def __init__(self, mission, lattice, sizes, rng, longest):
        self.mission, self.sizes, self.rng, self.longest = mission, sizes, rng, longest
        self.columns, self.rows = lattice
        self.links = {room: [] for room in range(len(mission.rooms))}
        for number, edge in enumerate(mission.edges):
            tight = edge.gate in ("window", "drop")
            self.links[edge.start].append((number, edge.end, tight))
            self.links[edge.end].append((number, edge.start, tight))
        self.apart = [mission.distances_from(room) for room in self.links]
        self.order, met = [], {0: 0}
        while met:

            def urgency(room):
                back = [tight for _, other, tight in self.links[room] if other in self.order]
                return any(back), len(self.links[room]) > 1, len(back), met[room], room

            room = max(met, key=urgency)
            del met[room]
            self.order.append(room)
            for _, other, _ in self.links[room]:
                if other not in self.order:
                    met[other] = len(self.order)

    def begin(self):
        self.rects, self.routes, self.left = {}, {}, layout.BUDGET

    def taken(self):
        found = set().union(*map(cells_of, self.rects.values()), set())
        return found.union(*self.routes.values())

    def free_beside(self, cells):
        every = cells_of((0, 0, self.columns, self.rows))
        return (beside(cells) & every) - self.taken()

    def place(self, turn):
        if turn == len(self.order):
            return True
        room = self.order[turn]
        links = [link for link in self.links[room] if link[1] in self.rects]
        links.sort(key=lambda link: not link[2])
        for rect in self.candidates(room, links):
            self.left -= 1
            if self.left < 0:
                return False
            self.rects[room] = rect
            if self.route_all(room, links) and self.roomy(turn) and self.place(turn + 1):
                return True
            for number, *_ in links:
                self.routes.pop(number, None)
            del self.rects[room]
        return False

    def candidates(self, room, links):
        taken, found = self.taken(), []
        for wide, high in self.sizes[room]:
            for y, x in product(range(self.rows - high + 1), range(self.columns - wide + 1)):
                rect = x, y, wide, high
                if links:
                    most = 0 if links[0][2] else layout.GAP
                    if gap_between(rect, self.rects[links[0][1]]) > most:
                        continue
                if not cells_of(rect) & taken:
                    found.append(rect)
        for _, other, tight in links:
            reach = cells_of(self.rects[other])
            for _ in range(0 if tight else self.longest):
                reach |= self.free_beside(reach)
            found = [rect for rect in found if beside(cells_of(rect)) & reach]
        if not found:
            return []
        luck = self.rng.random_bytes(1, len(found))[0].tolist()
        price = dict(zip(found, luck, strict=True))
        for rect in found:
            home = set(product(range(self.columns), range(self.rows)))
            for other, where in self.rects.items():
                near = (self.apart[room][other] - 1) * (1 + layout.SLACK)
                home = {spot for spot in home if gap_between((*spot, 1, 1), where) <= near}
            price[rect] += layout.STRAY * (not home & cells_of(rect))
            for _, other, _ in links:
                price[rect] += layout.APART * (gap_between(rect, self.rects[other]) > 0)
        return sorted(found, key=price.__getitem__)[: layout.BREADTH]

    def route_all(self, room, links):
        for number, other, tight in links:
            route = self.route(self.rects[room], self.rects[other], tight)
            if route is None:
                return False
            forward = self.mission.edges[number].start == room
            self.routes[number] = route if forward else route[::-1]
        return True

    def route(self, one, other, tight):
        if gap_between(one, other) == 0:
            return []
        goal = self.free_beside(cells_of(other))
        rings, seen = [self.free_beside(cells_of(one))], set()
        while not rings[-1] & goal:
            seen |= rings[-1]
            rings.append(self.free_beside(rings[-1]) - seen)
            if tight or not rings[-1] or len(rings) > self.longest:
                return None
        if tight:
            return None
        here = self.rng.pick(sorted(rings[-1] & goal, key=lambda cell: cell[::-1]))
        way, course = [here], None
        for ring in rings[-2::-1]:
            courses = ((1, 0), (-1, 0), (0, 1), (0, -1))
            steps = [(dx, dy) for dx, dy in courses if (here[0] + dx, here[1] + dy) in ring]
            course = course if course in steps else self.rng.pick(steps)
            here = here[0] + course[0], here[1] + course[1]
            way.append(here)
        return way[::-1]

    def roomy(self, turn):
        """Return True if rooms to come can still be joined with all that are placed."""
        placed = self.order[: turn + 1]
        left = self.order[turn + 1 :]
        for room in placed:
            ways = sum(other in left for _, other, _ in self.links[room])
            if len(self.free_beside(cells_of(self.rects[room]))) < ways:
                return False
        while left:
            group = {left[0]}
            while (
                more := {other for room in group for _, other, _ in self.links[room]}
                - group
                - set(placed)
            ):
                group |= more
            left = [room for room in left if room not in group]
            rings = [
                self.free_beside(cells_of(self.rects[room]))
                for room in placed
                if any(other in group for _, other, _ in self.links[room])
            ]
            flood = rings[0]
            while more := self.free_beside(flood) - flood:
                flood = flood | more
            if not all(ring & flood for ring in rings):
                return False
        return True


def slow_layout(mission, lattice, sizes, rng, longest):
    if len(mission.rooms) > lattice[0] * lattice[1]:
        return None
    search = SlowSearch(mission, lattice, sizes, rng, longest)
    for _ in range(layout.FRESH):
        search.begin()
        if search.place(0):
            return search.rects, search.routes
    return None


@pytest.mark.parametrize("lattice", [(9, 7), (6, 6), (4, 9), (12, 3), (3, 3)])
@pytest.mark.parametrize("longest", [1, 3, 8])
def test_a_mission_is_laid_out_as_its_twin_does(lattice, longest, monkeypatch):
    monkeypatch.setattr(layout, "BUDGET", 40)
    monkeypatch.setattr(layout, "FRESH", 2)
    kinds = [(1, 1), (2, 1), (1, 2)], [(2, 2), (1, 1)], [(3, 2), (1, 1), (2, 3)]
    for seed in range(5):
        plan = Blueprint.solid(80, 45)
        run("main_path", plan, seed, least=1, most=3)
        if seed % 2 and lattice != (3, 3):
            run("cycles", plan, seed, least=1, most=2)
        run("side_path", plan, seed, name="wing", rooms=1, rejoins=seed > 2)
        draws = np.random.default_rng(seed)
        sizes = [kinds[int(n)] for n in draws.integers(0, 3, len(plan.mission.rooms))]
        wanted = slow_layout(plan.mission, lattice, sizes, Rng(seed, "lay"), longest)
        try:
            found = lay_out(plan.mission, lattice, sizes, Rng(seed, "lay"), longest)
        except Rejected:
            assert wanted is None
        else:
            assert (found.rects, found.routes) == wanted
