"""Lay a mission out on a coarse lattice: exact placement of rooms and corridors by backtracking.

The lattice has a cell for about six by six tiles. A room covers a rectangle of cells, a corridor a
chain of them, and no cell serves two, so the level has the ways of the graph and no others. Rooms
are placed one after the other, each beside one that it has a way to, and every way to rooms that
stand already is routed at once (breadth-first); where that fails the next place is tried, and then
the room before gets another.

Edgar (Nepozitek, after Ma et al., 2014) anneals layouts instead: that fails without a reason when a
graph is too hard, and users ask why. This search names the room and the way that did not fit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from procgen.mission import Mission
from procgen.rng import Rng

Cell = tuple[int, int]
Rect = tuple[int, int, int, int]
"""Cells of a room: left, top, width, height."""
Size = tuple[int, int]

BREADTH = 5
"""Places tried for a room before the one placed before it gets another."""
BUDGET = 90
"""Places tried for all rooms before the search starts afresh: a bad beginning spoils the rest."""
FRESH = 8
"""Fresh starts before the layout is given up."""
GAP = 2
"""Cells between a room and the one it is placed beside, at most."""
SLACK = 2
"""Cells between two rooms that cost nothing, for each room between them in the graph."""
STRAY = 96
"""Cost of each cell beyond that, when places are ranked; chance costs up to 255."""
APART = 90
"""Cost of a corridor in place of a common wall."""


class NoLayout(Exception):
    """The mission does not fit; the message names the room, the way and the reason."""


@dataclass
class Layout:
    """Places of rooms by their number, and corridor cells of each edge by its number.

    An edge without corridor cells joins two rooms wall to wall.
    """

    rects: dict[int, Rect] = field(default_factory=dict)
    routes: dict[int, list[Cell]] = field(default_factory=dict)

    def cropped(self) -> tuple[int, int]:
        """Remove the empty columns and rows around the mission; return how many are left."""
        cells = [cell for route in self.routes.values() for cell in route]
        spans = [(x, y, x + w, y + h) for x, y, w, h in self.rects.values()]
        spans += [(x, y, x + 1, y + 1) for x, y in cells]
        left, top = (min(span[axis] for span in spans) for axis in (0, 1))
        right, bottom = (max(span[axis] for span in spans) for axis in (2, 3))
        for room, (x, y, width, height) in self.rects.items():
            self.rects[room] = (x - left, y - top, width, height)
        for edge, route in self.routes.items():
            self.routes[edge] = [(x - left, y - top) for x, y in route]
        return right - left, bottom - top


def lay_out(
    mission: Mission, lattice: Size, sizes: list[list[Size]], rng: Rng, longest: int
) -> Layout:
    """Return a layout of ``mission`` on a ``lattice`` of (columns, rows); raise `NoLayout`.

    ``sizes`` are the sizes each room may have, in cells; corridors are ``longest`` cells at most.
    """
    cells = lattice[0] * lattice[1]
    if len(mission.rooms) > cells:
        raise NoLayout(f"{len(mission.rooms)} rooms are too many for {cells} cells")
    search = _Search(mission, lattice, sizes, rng, longest)
    for _ in range(FRESH):
        search.begin()
        if search.place(0):
            return search.layout
    raise NoLayout(search.reason)


@dataclass(frozen=True)
class _Link:
    """A way of a room: the number of its edge, the room at its other end.

    The rooms of a ``window`` or a drop stand side by side.
    """

    edge: int
    other: int
    window: bool


class _Search:
    """Backtracking over the rooms in one order; cells that are taken are the bits of an integer.

    The bit of a cell is ``y * pitch + x``, with a free bit at the end of each row, so that shifts
    sideways fall off the map.
    """

    def __init__(
        self, mission: Mission, lattice: Size, sizes: list[list[Size]], rng: Rng, longest: int
    ) -> None:
        self.mission, self.sizes, self.rng, self.longest = mission, sizes, rng, longest
        self.columns, self.rows = lattice
        self.pitch = self.columns + 1
        self.whole = _cells(self.pitch, (0, 0, *lattice))
        self.links: list[list[_Link]] = [[] for _ in mission.rooms]
        for number, edge in enumerate(mission.edges):
            window = edge.gate in ("window", "drop")
            self.links[edge.one].append(_Link(number, edge.other, window))
            self.links[edge.other].append(_Link(number, edge.one, window))
        self.apart = [mission.ways_between(room) for room in range(len(mission.rooms))]
        self.costs: dict[tuple[int, int, Rect], NDArray[np.int64]] = {}
        self.order = list(self._order())
        self.pending = [self._pending(turn) for turn in range(len(self.order))]
        self.deepest, self.reason = -1, ""

    def begin(self) -> None:
        """Empty the lattice."""
        self.layout, self.taken, self.left = Layout(), 0, BUDGET

    def _order(self) -> Iterator[int]:
        """Yield the rooms so that each has a way to an earlier one; windows come first.

        Rooms follow each other as far as a way goes (depth first), so that the last one of a
        cycle is placed while there is still space around.
        """
        done: set[int] = set()
        stack = [0]
        while stack:
            room = stack.pop()
            if room not in done:
                done.add(room)
                yield room
                ways = sorted((link.window, link.other) for link in self.links[room])
                stack += [other for _, other in ways]

    def _pending(self, turn: int) -> list[list[tuple[int, int]]]:
        """Return what rooms placed up to ``turn`` still have to be joined with.

        For each connected group of rooms to come: (room placed, its ways into the group).
        """
        placed, groups = set(self.order[: turn + 1]), []
        left = [room for room in self.order if room not in placed]
        while left:
            group, ring = {left[0]}, [left[0]]
            while ring:
                beside = {link.other for room in ring for link in self.links[room]}
                ring = sorted(beside - placed - group)
                group.update(ring)
            left = [room for room in left if room not in group]
            ways = {
                room: sum(link.other in group for link in self.links[room])
                for room in self.order[: turn + 1]
            }
            groups.append([(room, number) for room, number in ways.items() if number])
        return groups

    def _leaves_space(self, turn: int) -> bool:
        """Return True if every room placed can still be joined with the rooms to come.

        Each needs a free cell for each of its ways, and all that lead to one group of rooms need
        free cells in one piece. Without this test a room is walled in long before it is noticed.
        """
        rects, pitch, free = self.layout.rects, self.pitch, self.whole & ~self.taken
        for group in self.pending[turn]:
            rings = [(_rim(pitch, rects[room]) & free, number) for room, number in group]
            fits = all(ring.bit_count() >= number for ring, number in rings)
            flood, before = rings[0][0], 0
            while fits and not all(ring & flood for ring, _ in rings):
                fits, before = flood != before, flood
                flood |= (flood << 1 | flood >> 1 | flood << pitch | flood >> pitch) & free
            if not fits:
                self._note(turn, self._walled_in(group))
                return False
        return True

    def _walled_in(self, group: list[tuple[int, int]]) -> str:
        names = " and ".join(self.mission.rooms[room].name for room, _ in group)
        return f"no space is left beside {names} for the ways to come"

    def place(self, turn: int) -> bool:
        """Place the rooms from number ``turn`` of the order on; return whether all found places."""
        if turn == len(self.order):
            return True
        room = self.order[turn]
        links = [link for link in self.links[room] if link.other in self.layout.rects]
        links.sort(key=lambda link: not link.window)
        for rect in self._candidates(turn, room, links):
            self.left -= 1
            if self.left < 0:
                return False
            before = self.taken
            self.taken |= _cells(self.pitch, rect)
            self.layout.rects[room] = rect
            routed = self._route_all(turn, room, links) and self._leaves_space(turn)
            if routed and self.place(turn + 1):
                return True
            self.taken = before
            for link in links:
                self.layout.routes.pop(link.edge, None)
            del self.layout.rects[room]
        return False

    def _route_all(self, turn: int, room: int, links: list[_Link]) -> bool:
        """Route the ways from ``room`` to all rooms placed; return whether all could be."""
        for link in links:
            rects = self.layout.rects[room], self.layout.rects[link.other]
            route = self._route(*rects, window=link.window)
            if route is None:
                how = "side by side" if link.window else f"by a corridor of {self.longest} cells"
                names = f"{self.mission.rooms[room].name} and {self.mission.rooms[link.other].name}"
                self._note(turn, f"{names} cannot be joined {how}")
                return False
            self.taken |= sum(_cells(self.pitch, (x, y, 1, 1)) for x, y in route)
            forward = self.mission.edges[link.edge].one == room
            self.layout.routes[link.edge] = route if forward else route[::-1]
        return True

    def _candidates(self, turn: int, room: int, links: list[_Link]) -> list[Rect]:
        """Return up to `BREADTH` free places for ``room``, beside the first of ``links``."""
        lattice, sizes = (self.columns, self.rows), tuple(self.sizes[room])
        places, bits = _places(lattice, sizes)
        near: Sequence[int] = range(len(places))
        if links:
            gap = 0 if links[0].window else GAP
            near = _near(lattice, sizes, self.layout.rects[links[0].other], gap)
        free = [index for index in near if not bits[index] & self.taken]
        if not free:
            at = f"beside {self.mission.rooms[links[0].other].name}" if links else "on the map"
            self._note(turn, f"{self.mission.rooms[room].name} finds no free place {at}")
            return []
        costs = self._costs(room, links)[free] + self.rng.integers(0, 255, len(free))
        best = costs.argsort(kind="stable")[:BREADTH].tolist()
        x, y, width, height = places[free][best].T.tolist()
        return list(zip(x, y, width, height, strict=True))

    def _costs(self, room: int, links: list[_Link]) -> NDArray[np.int64]:
        """Return how badly each place suits ``room``: corridors, rooms it strays from.

        Rooms that are near in the graph and far on the map leave no way to close their cycle.
        """
        lattice, sizes = (self.columns, self.rows), tuple(self.sizes[room])
        costs = np.zeros(len(_places(lattice, sizes)[0]), np.int64)
        for other, rect in self.layout.rects.items():
            if (room, other, rect) not in self.costs:
                gaps = _gaps(lattice, sizes, rect).astype(np.int64)
                stray = np.maximum(gaps - (self.apart[room][other] - 1) * (1 + SLACK), 0)
                ways = sum(link.other == other for link in links)
                self.costs[room, other, rect] = STRAY * stray + APART * ways * (gaps > 0)
            costs += self.costs[room, other, rect]
        return costs

    def _route(self, rect: Rect, other: Rect, *, window: bool) -> list[Cell] | None:
        """Return the cells of a shortest corridor between two rooms; [] wall to wall.

        Breadth-first with a ring a step; then back from ring to ring, straight on where possible,
        for a corridor that bends without need looks lost.
        """
        pitch, free = self.pitch, self.whole & ~self.taken
        if _rim(pitch, rect) & _cells(pitch, other):
            return []
        if window:
            return None
        ring, goal = _rim(pitch, rect) & free, _rim(pitch, other) & free
        rings = [ring]
        while not ring & goal:
            free &= ~ring
            ring = (ring << 1 | ring >> 1 | ring << pitch | ring >> pitch) & free
            if not ring or len(rings) == self.longest:
                return None
            rings.append(ring)
        met = ring & goal
        here = self.rng.pick([n for n in range(met.bit_length()) if met >> n & 1])
        way, course = [here], 0
        for ring in reversed(rings[:-1]):
            courses = (1, -1, self.pitch, -self.pitch)
            steps = [c for c in courses if here + c >= 0 and ring >> here + c & 1]
            course = course if course in steps else self.rng.pick(steps)
            here += course
            way.append(here)
        return [(bit % self.pitch, bit // self.pitch) for bit in reversed(way)]

    def _note(self, turn: int, reason: str) -> None:
        """Keep the reason that stopped the search furthest on."""
        if turn >= self.deepest:
            self.deepest, self.reason = turn, reason


@lru_cache(maxsize=8192)
def _cells(pitch: int, rect: Rect) -> int:
    x, y, width, height = rect
    return sum((1 << width) - 1 << row * pitch + x for row in range(y, y + height))


@lru_cache(maxsize=8192)
def _rim(pitch: int, rect: Rect) -> int:
    """Return as bits the cells beside ``rect``, some of them off the lattice."""
    bits = _cells(pitch, rect)
    return bits << 1 | bits >> 1 | bits << pitch | bits >> pitch


@lru_cache(maxsize=64)
def _places(lattice: Size, sizes: tuple[Size, ...]) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """Return every place of a room of one of ``sizes`` on the lattice, and its cells as bits."""
    columns, rows = lattice
    places = [
        (x, y, width, height)
        for width, height in sizes
        for y in range(rows - height + 1)
        for x in range(columns - width + 1)
    ]
    bits = [_cells(columns + 1, place) for place in places]
    return np.array(places, np.int64).reshape(-1, 4), tuple(bits)


@lru_cache(maxsize=2048)
def _gaps(lattice: Size, sizes: tuple[Size, ...], beside: Rect) -> NDArray[np.int16]:
    """Return the cells between each of the `_places` and ``beside``; 0 if they share a side."""
    return _gap(_places(lattice, sizes)[0].T, beside).astype(np.int16)


@lru_cache(maxsize=8192)
def _near(lattice: Size, sizes: tuple[Size, ...], beside: Rect, most: int) -> tuple[int, ...]:
    """Return the `_places`, by number, with a gap of at most so many cells to ``beside``."""
    return tuple(np.flatnonzero(_gaps(lattice, sizes, beside) <= most).tolist())


def _gap(one: Rect | NDArray[np.int64], other: Rect) -> NDArray[np.int64]:
    """Return the cells between two rooms, or from each of many; 0 if they share a side.

    Rooms that share no more than a corner have a gap of 1.
    """
    across = np.maximum(other[0] - one[0] - one[2], one[0] - other[0] - other[2])
    down = np.maximum(other[1] - one[1] - one[3], one[1] - other[1] - other[3])
    corner = (across >= 0) & (down >= 0)
    gaps: NDArray[np.int64] = np.where(corner, across + down + 1, np.maximum(across, down))
    return gaps


def sides(rect: Rect) -> Iterator[tuple[Cell, Cell]]:
    """Yield (cell beside ``rect``, cell of ``rect``) all around, corners left out."""
    x, y, width, height = rect
    for column in range(x, x + width):
        yield (column, y - 1), (column, y)
        yield (column, y + height), (column, y + height - 1)
    for row in range(y, y + height):
        yield (x - 1, row), (x, row)
        yield (x + width, row), (x + width - 1, row)
