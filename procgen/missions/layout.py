"""Lay a mission out on a coarse lattice: exact placement of rooms and corridors by backtracking.

A cell of the lattice is a few tiles wide. A room covers a rectangle of cells, a corridor a chain of
them, and no cell belongs to two of them, so the level has exactly the connections of the graph.
Rooms are placed one after the other, each near one that it is connected to, and all its ways to
rooms already placed are routed at once (breadth-first). If that fails, the next place is tried; if
all places fail, the search backtracks to the room before.

Edgar (Nepozitek, after Ma et al., 2014) uses simulated annealing instead, which gives no reason
when it fails, and users ask for one. This search names the room and the way that did not fit.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from procgen.blueprint import Rejected
from procgen.mission import Mission
from procgen.rng import Rng

Cell = tuple[int, int]
Rect = tuple[int, int, int, int]
"""Cells of a room: left, top, width, height."""
Size = tuple[int, int]
_Place = tuple[Rect, int, int]
"""A place of a room, its cells as bits, and the cells beside it as bits."""

BREADTH = 2
"""Places tried for a room before the search backtracks to the room before."""
BUDGET = 60
"""Places tried for all rooms before the search restarts: a bad beginning spoils the rest."""
FRESH = 6
"""Attempts before the layout is given up."""
GAP = 2
"""The most cells between a room and the one it is placed beside."""
SLACK = 2
"""Cells between two rooms that cost nothing, per room between them in the graph."""
STRAY = 300
"""The cost of a place further away, when places are ranked; a random cost is up to 255."""
APART = 90
"""The cost of a corridor instead of a shared wall."""
UNFIT = "the mission cannot be laid out"


@dataclass
class Layout:
    """Places of rooms by their number, and corridor cells of each edge by its number.

    An edge without corridor cells connects two rooms that share a wall.
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
    """Return a layout of ``mission`` on a ``lattice`` of (columns, rows); raise `Rejected`.

    ``sizes`` are the sizes each room may have, in cells; corridors are ``longest`` cells at most.
    """
    cells = lattice[0] * lattice[1]
    if len(mission.rooms) > cells:
        raise Rejected(f"{UNFIT}: {len(mission.rooms)} rooms are too many for {cells} cells")
    search = _Search(mission, lattice, sizes, rng, longest)
    for _ in range(FRESH):
        search.begin()
        if search.place(0):
            return search.layout
    raise Rejected(f"{UNFIT}: {search.reason}")


@dataclass(frozen=True)
class _Link:
    """A way of a room: the number of its edge, and the room at the other end.

    ``window`` is True for a window or a drop, whose two rooms must share a wall.
    """

    edge: int
    other: int
    window: bool


class _Search:
    """Backtracking over the rooms in one order; cells that are taken are the bits of an integer.

    The bit of a cell is ``y * pitch + x``, with a spare bit at the end of each row, so that
    horizontal shifts do not wrap into another row.
    """

    def __init__(
        self, mission: Mission, lattice: Size, sizes: list[list[Size]], rng: Rng, longest: int
    ) -> None:
        self.mission, self.sizes, self.rng, self.longest = mission, sizes, rng, longest
        self.names = [room.name for room in mission.rooms]
        self.columns, self.rows = lattice
        self.pitch = self.columns + 1
        self.whole = _cells(self.pitch, (0, 0, *lattice))
        self.links: list[list[_Link]] = [[] for _ in mission.rooms]
        for number, edge in enumerate(mission.edges):
            window = edge.gate in ("window", "drop")
            self.links[edge.start].append(_Link(number, edge.end, window))
            self.links[edge.end].append(_Link(number, edge.start, window))
        self.apart = [mission.distances_from(room) for room in range(len(mission.rooms))]
        self.order = list(self._order())
        self.owed = [self._open_links(turn) for turn in range(len(self.order))]
        self.groups = self._groups()
        self.deepest, self.reason = -1, ""

    def begin(self) -> None:
        """Empty the lattice."""
        self.layout, self.taken, self.left = Layout(), 0, BUDGET

    def _order(self) -> Iterator[int]:
        """Yield the rooms so that each has a way to an earlier one, the hardest to place first.

        Rooms with a window or a drop to an earlier room come first, then those with the most ways
        to earlier rooms; dead ends come last. On a tie, the room whose neighbour was placed last is
        next, so that a cycle is closed while there is still space around it.
        """
        done: set[int] = set()
        met = {0: (False, True, 0, 0, 0)}
        while met:
            room = max(met, key=met.__getitem__)
            del met[room]
            done.add(room)
            yield room
            for other in (link.other for link in self.links[room] if link.other not in done):
                back = [link.window for link in self.links[other] if link.other in done]
                met[other] = any(back), len(self.links[other]) > 1, len(back), len(done), other

    def _open_links(self, turn: int) -> list[tuple[int, int]]:
        """Return (room, number of its ways to later rooms) for each room placed up to ``turn``."""
        left = set(self.order[turn + 1 :])
        ways = [[link.other in left for link in links] for links in self.links]
        return [(room, sum(ways[room])) for room in self.order[: turn + 1] if any(ways[room])]

    def _groups(self) -> list[list[list[int]]]:
        """Return by turn, for each connected group of later rooms, the earlier rooms it touches.

        Computed from the last turn backwards, so that a room can only merge groups, not split them.
        """
        groups, by_turn = list[tuple[int, int]](), list[list[list[int]]]()
        for turn, room in reversed(list(enumerate(self.order))):
            placed = self.order[: turn + 1]
            by_turn.append([[other for other in placed if near >> other & 1] for _, near in groups])
            rooms, near = 1 << room, sum(1 << other for other in set(self.mission.neighbours[room]))
            joined = [group for group in groups if group[0] & near]
            for others, around in joined:
                rooms, near = rooms | others, near | around
            groups = [(rooms, near), *(group for group in groups if group not in joined)]
        return by_turn[::-1]

    def _leaves_space(self, turn: int) -> bool:
        """Return True if every room placed can still be connected to the rooms to come.

        Each needs a free cell beside it for each of its ways, and all rooms with ways to the same
        group need free cells that are connected. Without this test, the search would notice only
        much later that a room is walled in.
        """
        pitch, free = self.pitch, self.whole & ~self.taken
        rings = {}
        for room, ways in self.owed[turn]:
            rings[room] = _rim(pitch, self.layout.rects[room]) & free
            if rings[room].bit_count() < ways:
                self._note(turn, self._walled_in([room]))
                return False
        for group in self.groups[turn]:
            flood, before = rings[group[0]], 0
            while not all(rings[room] & flood for room in group):
                if flood == before:
                    self._note(turn, self._walled_in(group))
                    return False
                flood, before = _flood(pitch, flood, 1, free), flood
        return True

    def _walled_in(self, rooms: list[int]) -> str:
        names = " and ".join(self.names[room] for room in rooms)
        return f"no space is left beside {names} for the ways to come"

    def place(self, turn: int) -> bool:
        """Place the rooms from number ``turn`` of the order on; return whether all fit."""
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
                self._note(turn, self._unjoined(room, link))
                return False
            self.taken |= sum(1 << y * self.pitch + x for x, y in route)
            forward = self.mission.edges[link.edge].start == room
            self.layout.routes[link.edge] = route if forward else route[::-1]
        return True

    def _candidates(self, turn: int, room: int, links: list[_Link]) -> list[Rect]:
        """Return up to `BREADTH` free places for ``room``, beside the first of ``links``.

        Only places that corridors can reach from all rooms of ``links`` count: one flood fill from
        each of those rooms rules out at once places that would fail only when they are routed.
        """
        lattice, sizes = (self.columns, self.rows), tuple(self.sizes[room])
        places, at = _places(lattice, sizes), "on the map"
        if links:
            at, gap = f"beside {self.names[links[0].other]}", 0 if links[0].window else GAP
            places = _near(lattice, sizes, self.layout.rects[links[0].other], gap)
        fit = [place for place in places if not place[1] & self.taken]
        if not fit:
            self._note(turn, f"{self.names[room]} finds no free place {at}")
            return []
        walls = [_cells(self.pitch, self.layout.rects[link.other]) for link in links]
        for link, wall in zip(links, walls, strict=True):
            steps = 0 if link.window else self.longest
            reach = _flood(self.pitch, wall, steps, self.whole & ~self.taken)
            fit = [place for place in fit if place[2] & reach]
            if not fit:
                self._note(turn, self._unjoined(room, link))
                return []
        # Rooms near each other in the graph but far apart on the map could not close their cycle.
        home = self.whole
        for other, rect in self.layout.rects.items():
            steps = 1 + (self.apart[room][other] - 1) * (1 + SLACK)
            home &= _around(self.pitch, self.whole, rect, steps)
        chance = self.rng.random_bytes(1, len(fit))[0].tolist()
        drawn = zip(chance, fit, strict=True)
        costs = [cost + STRAY * (not place[1] & home) for cost, place in drawn]
        for wall in walls:
            costs = [c + APART * (not place[2] & wall) for c, place in zip(costs, fit, strict=True)]
        best = sorted(range(len(fit)), key=costs.__getitem__)[:BREADTH]
        return [fit[number][0] for number in best]

    def _unjoined(self, room: int, link: _Link) -> str:
        how = "side by side" if link.window else f"by a corridor of {self.longest} cells"
        return f"{self.names[room]} and {self.names[link.other]} cannot be joined {how}"

    def _route(self, rect: Rect, other: Rect, *, window: bool) -> list[Cell] | None:
        """Return the cells of a shortest corridor between two rooms; [] if they share a wall.

        None if there is none, or if a ``window`` lacks a shared wall. The search is breadth-first,
        ring by ring; the path leads back straight on where possible: needless bends look odd.
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
            ring = _flood(pitch, ring, 1, free) & free
            if not ring or len(rings) == self.longest:
                return None
            rings.append(ring)
        met = ring & goal
        cell = self.rng.pick([n for n in range(met.bit_length()) if met >> n & 1])
        way, offset = [cell], 0
        for ring in reversed(rings[:-1]):
            offsets = (1, -1, self.pitch, -self.pitch)
            steps = [c for c in offsets if cell + c >= 0 and ring >> cell + c & 1]
            offset = offset if offset in steps else self.rng.pick(steps)
            cell += offset
            way.append(cell)
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
    """Return, as bits, the cells beside ``rect``; some may lie outside the lattice."""
    bits = _cells(pitch, rect)
    return bits << 1 | bits >> 1 | bits << pitch | bits >> pitch


def _flood(pitch: int, flood: int, steps: int, free: int) -> int:
    """Return the cells ``flood``, and those of ``free`` within ``steps`` steps of them."""
    for _ in range(steps):
        flood |= (flood << 1 | flood >> 1 | flood << pitch | flood >> pitch) & free
    return flood


@lru_cache(maxsize=64)
def _places(lattice: Size, sizes: tuple[Size, ...]) -> tuple[_Place, ...]:
    """Return every place of a room of one of ``sizes`` on the lattice."""
    columns, rows = lattice
    rects = [
        (x, y, width, height)
        for width, height in sizes
        for y in range(rows - height + 1)
        for x in range(columns - width + 1)
    ]
    return tuple((rect, _cells(columns + 1, rect), _rim(columns + 1, rect)) for rect in rects)


@lru_cache(maxsize=8192)
def _near(lattice: Size, sizes: tuple[Size, ...], rect: Rect, most: int) -> tuple[_Place, ...]:
    """Return the `_places` with a gap of at most ``most`` cells to ``rect``."""
    pitch = lattice[0] + 1
    around = _around(pitch, _cells(pitch, (0, 0, *lattice)), rect, most + 1)
    return tuple(place for place in _places(lattice, sizes) if place[1] & around)


@lru_cache(maxsize=8192)
def _around(pitch: int, board: int, rect: Rect, steps: int) -> int:
    """Return the cells of ``rect``, and those of ``board`` within ``steps`` steps of it."""
    return _flood(pitch, _cells(pitch, rect), steps, board)


def sides(rect: Rect) -> Iterator[tuple[Cell, Cell]]:
    """Yield (cell beside ``rect``, cell of ``rect``) on all four sides, without corners."""
    x, y, width, height = rect
    for column in range(x, x + width):
        yield (column, y - 1), (column, y)
        yield (column, y + height), (column, y + height - 1)
    for row in range(y, y + height):
        yield (x - 1, row), (x, row)
        yield (x + width, row), (x + width - 1, row)
