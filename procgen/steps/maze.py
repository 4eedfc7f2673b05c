"""Mazes with clearings: growing tree, Wilson's uniform tree, Kruskal's minimum tree, braiding."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, repeat
from typing import Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.carving.region_links import Pair
from procgen.rng import Rng
from procgen.step_registry import Positive, Share, Side, step

Pairs = NDArray[np.intp]
"""Pairs of cells as the rows of an array."""


@dataclass(frozen=True)
class Lattice:
    """Cells of ``corridor`` tiles a side, ``wall`` tiles apart, the first one at (left, top).

    Cells are numbered in reading order. A pair of neighbouring cells stands for the wall
    between them, which a maze may open.
    """

    columns: int
    rows: int
    corridor: int
    wall: int
    left: int
    top: int

    @classmethod
    def fit(
        cls, width: int, height: int, corridor: int, wall: int, shift: tuple[int, int] = (0, 0)
    ) -> "Lattice":
        """Return the largest lattice inside a map's border that leaves ``shift`` more tiles free.

        The shift (x, y) is less than the pitch, and stays free at the left and at the top.
        """
        pitch = corridor + wall
        (columns, left), (rows, top) = (
            divmod(side - 2 + wall - free, pitch)
            for side, free in zip((width, height), shift, strict=True)
        )
        left, top = 1 + shift[0] + left // 2, 1 + shift[1] + top // 2
        return cls(max(0, columns), max(0, rows), corridor, wall, left, top)

    @property
    def count(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    def block(self, column: int, row: int, columns: int = 1, rows: int = 1) -> RectangularRoom:
        """Return the tiles of ``columns`` by ``rows`` cells, the walls between them included."""
        pitch = self.corridor + self.wall
        left, top = self.left + column * pitch, self.top + row * pitch
        return RectangularRoom(left, top, columns * pitch - self.wall, rows * pitch - self.wall)

    def ways_out(self, cells: Sequence[int], nodes: Sequence[int]) -> list[Pair]:
        """Return the ways out of a node made of ``cells``; ``nodes`` are the nodes of all cells.

        A way is a pair of cells, the node's own first; ways are in the order of the walls. Several
        cells of one node form one open place without ways inside.
        """
        ways = list[Pair]()
        for cell in cells:
            column = cell % self.columns
            around = [cell - self.columns] if cell >= self.columns else []
            around += [cell - 1] if column else []
            around += [cell + 1] if column < self.columns - 1 else []
            around += [cell + self.columns] if cell + self.columns < self.count else []
            ways += [(cell, other) for other in around if nodes[other] != nodes[cell]]
        return sorted(ways, key=sorted) if len(cells) > 1 else ways

    def openings(self, ways: Sequence[Pair] | Pairs, width: int) -> NDArray[np.intp]:
        """Return the tiles of the two cells of each way and the wall between, intp [way, tile].

        A tile is numbered y * ``width`` + x.
        """
        near, far = np.asarray(ways, np.intp).T
        pitch = self.corridor + self.wall
        rows, columns = np.divmod(np.minimum(near, far), self.columns)
        corners = (self.top + rows * pitch) * width + self.left + columns * pitch
        shapes = _way_shapes(self.corridor, self.corridor + pitch, width)
        across = (abs(near - far) < self.columns).view(np.uint8)  # Cells of a row differ by 1.
        places: NDArray[np.intp] = corners[:, None] + shapes[across]
        return places


def cells_of(nodes: Sequence[int]) -> list[list[int]]:
    """Return the cells of each node, by its number."""
    cells: list[list[int]] = [[] for _ in range(max(nodes, default=-1) + 1)]
    for cell, node in enumerate(nodes):
        cells[node].append(cell)
    return cells


BATCH = 512
FAIR = 2**31
WEIGHTS, MOST_WAYS = 2**29, 2**24
"""Random weights are below the first, numbers of ways below the second: a float holds both."""


def growing_tree(
    lattice: Lattice, nodes: Sequence[int], rng: Rng, *, newest: float, straight: float
) -> Iterator[Pair]:
    """Yield the ways to open, each from a node reached so far to a new one, until all are reached.

    With chance ``newest`` the maze grows from the node reached last, which makes long winding
    corridors (1 is the recursive backtracker), otherwise from a random one, which makes short side
    branches. With chance ``straight`` it keeps its direction. (Jamis Buck's growing tree.)
    """
    # Single cells are handled by their numbers alone: a list of ways for each would take most of
    # the time. ``free`` ends in spare zeros: cells below the last row, and above the first one,
    # because negative indices count from the end.
    wide, cells, rolls = lattice.columns, cells_of(nodes), _rolls(rng)
    offsets = -wide, -1, 1, wide
    table = [[move for bit, move in enumerate(offsets) if key >> bit & 1] for key in range(16)]
    row = bytes([15 - 2 * (x == 0) - 4 * (x == wide - 1) for x in range(wide)])
    sides, free = row * lattice.rows, bytearray(b"\1" * lattice.count + bytes(wide + 1))
    places = {cell: place for place in cells if len(place) > 1 for cell in place}
    newest, straight = newest * FAIR, straight * FAIR
    first = cells[next(rolls) % len(cells)]
    for cell in first:
        free[cell] = 0
    growing, left = [(first[0], 0)], len(cells) - 1
    while left:
        at = -1 if (roll := next(rolls)) < newest else roll % len(growing)
        cell, offset = growing[at]
        if place := places.get(cell):
            ways = [way for way in lattice.ways_out(place, nodes) if free[way[1]]]
            cell, other = ways[next(rolls) % len(ways)] if ways else (cell, cell)
        else:
            key = free[cell - wide] | free[cell - 1] << 1 | free[cell + 1] << 2
            steps = table[(key | free[cell + wide] << 3) & sides[cell]]
            other = cell
            if steps:
                on = (roll := next(rolls)) < straight and offset in steps
                other += offset if on else steps[roll % len(steps)]
        if other == cell:
            growing[at] = growing[-1]
            growing.pop()
            continue
        for member in places.get(other, (other,)):
            free[member] = 0
        growing.append((other, other - cell))
        left -= 1
        yield cell, other


def uniform_tree(lattice: Lattice, nodes: Sequence[int], rng: Rng) -> Iterator[Pair]:
    """Yield the ways of a spanning tree, with equal chances for every possible tree.

    From every node not yet reached a random walk leads to the tree; the walk without its loops is
    added to the tree. (David Wilson, "Generating random spanning trees more quickly than the cover
    time", 1996.)
    """
    rolls, ways = _rolls(rng), [lattice.ways_out(cells, nodes) for cells in cells_of(nodes)]
    reached = [False] * len(ways)
    reached[next(rolls) % len(ways)] = True
    last: list[Pair | None] = [None] * len(ways)
    for start in range(len(ways)):
        node = start
        while not reached[node]:
            choices = ways[node]
            last[node] = way = choices[next(rolls) % len(choices)]
            node = nodes[way[1]]
        node = start
        while not reached[node]:
            reached[node] = True
            taken = last[node]
            assert taken
            yield taken
            node = nodes[taken[1]]


def minimum_tree(lattice: Lattice, nodes: NDArray[np.intp] | None, rng: Rng) -> Pairs:
    """Return the ways of the minimum spanning tree for random weights of the walls.

    The lightest ways come first, so the tree grows everywhere at once. No two weights are equal, so
    there is only one such tree, whichever algorithm finds it. ``nodes`` are the nodes of the cells;
    None means that each cell is a node. Two nodes share at most one wall. (Joseph Kruskal,
    "On the shortest spanning subtree of a graph and the traveling salesman problem", 1956.)
    """
    size = lattice.columns, lattice.rows
    walls = _all_walls(*size) if nodes is None else _walls_between(*size, nodes)
    # The number of the way makes each weight unique, and can be read off the tree's weights.
    weights = rng.integers(1, WEIGHTS - 1, len(walls.ways)) * MOST_WAYS
    weights = (weights + np.arange(len(weights), dtype=float))[walls.order]
    count = len(walls.ends) - 1
    graph = scipy.sparse.csr_array((weights, walls.far, walls.ends), (count, count))
    # With overwrite=True it would spoil the cached `_all_walls`.
    tree = scipy.sparse.csgraph.minimum_spanning_tree(graph)
    lightest = np.sort(tree.data).astype(np.int64) % MOST_WAYS
    return walls.ways[lightest]


class Walls(NamedTuple):
    """The ways of a lattice, and their ``order`` by node as the rows of a sparse matrix."""

    ways: Pairs
    order: NDArray[np.intp]
    far: NDArray[np.int32]
    ends: NDArray[np.int32]


def _walls_between(columns: int, rows: int, nodes: NDArray[np.intp]) -> Walls:
    """Return the ways between cells of different nodes."""
    cells = np.arange(columns * rows).reshape(rows, columns)
    first = np.concatenate((cells[:, :-1].ravel(), cells[:-1].ravel()))
    second = np.concatenate((cells[:, 1:].ravel(), cells[1:].ravel()))
    differ = nodes[first] != nodes[second]
    first, second = first[differ], second[differ]
    order = np.argsort(nodes[first], kind="stable")
    ends = np.searchsorted(nodes[first][order], np.arange(nodes.max() + 2))
    far = nodes[second][order]
    return Walls(np.stack((first, second), 1), order, far.astype(np.int32), ends.astype(np.int32))


@lru_cache(maxsize=2)
def _all_walls(columns: int, rows: int) -> Walls:
    """Return the ways of a lattice whose cells are the nodes."""
    return _walls_between(columns, rows, np.arange(columns * rows))


def braids(
    lattice: Lattice, nodes: Sequence[int], opened: Pairs, rng: Rng, share: float
) -> list[Pair]:
    """Return further ways that give a ``share`` of the dead ends another way out.

    ``opened`` are the ways of the maze. Ways to other dead ends come first: each removes two.
    """
    cells, joined = cells_of(nodes), np.asarray(nodes)[opened]
    partner = np.zeros(len(cells), np.intp)  # For a dead end, the only node it is joined to.
    partner[joined] = joined[:, ::-1]
    links = np.bincount(joined.ravel(), minlength=len(cells)).tolist()
    ends = [node for node, number in enumerate(links) if number == 1]
    left = int(len(ends) * share + 0.5)
    extra = []
    for node in rng.shuffled(ends):
        if left <= 0:
            break
        ways = lattice.ways_out(cells[node], nodes) if links[node] == 1 else []
        if choices := [way for way in ways if nodes[way[1]] != partner[node]]:
            way = rng.pick([way for way in choices if links[nodes[way[1]]] == 1] or choices)
            left -= 1 + (links[nodes[way[1]]] == 1)
            for cell in way:
                links[nodes[cell]] += 1
            extra.append(way)
    return extra


def _rolls(rng: Rng) -> Iterator[int]:
    """Return an endless iterator of random integers below `FAIR`."""
    # A chain of lists: a generator's `next` would take twice as long for each number.
    return chain.from_iterable(rng.integers(0, FAIR - 1, BATCH).tolist() for _ in repeat(None))


CAPTIONS, FEWEST = 30, 512
"""The most captions for a maze, and the fewest ways per caption of a maze that is quickly made."""


@step(
    gives="floor rooms",
    depends_on={
        "newest straight": "texture=growing_tree",
        "min_clearing max_clearing": "clearings",
    },
    varies="corridor wall braid clearings",
)
def grow_maze(
    plan: Blueprint,
    rng: Rng,
    *,
    corridor: Side = 1,
    wall: Side = 1,
    texture: Literal["growing_tree", "spanning_tree", "minimum_tree"] = "growing_tree",
    newest: Share = 0.9,
    straight: Share = 0.3,
    braid: Share = 0.0,
    clearings: Share = 0.12,
    min_clearing: Positive = 2,
    max_clearing: Positive = 4,
) -> Iterator[str]:
    """Cover the map with a maze of corridors ``corridor`` tiles wide and ``wall`` tiles apart.

    The ``texture`` "growing_tree" winds; "spanning_tree" is uniform, with short side branches;
    "minimum_tree" has even shorter ones and is much faster. With chance ``newest`` a growing tree
    goes on from the cell reached last, which makes long corridors, else from a random one; with
    chance ``straight`` it keeps its direction. About a share ``clearings`` of the cells lies in
    clearings; 0 makes none. Clearings are ``min_clearing`` to ``max_clearing`` cells a side, each
    entered as if it were one cell. ``braid`` is the share of dead ends that get another way out;
    with 0 the maze is perfect: exactly one path joins any two cells.
    """
    shift = rng.below(corridor + wall), rng.below(corridor + wall)  # Or walls would always align.
    lattice = Lattice.fit(plan.width, plan.height, corridor, wall, shift)
    if lattice.count < 2:
        raise Rejected("no maze fits")
    nodes = list(range(lattice.count))
    for number, place in enumerate(_clearings(lattice, rng, clearings, min_clearing, max_clearing)):
        column, row, columns, rows = place
        for first in range(row * lattice.columns + column, lattice.count, lattice.columns)[:rows]:
            nodes[first : first + columns] = [lattice.count + number] * columns
        room = lattice.block(*place)
        plan.rooms.append(room)
        ground = plan.tiles[room.inner]
        ground[ground == Tile.WALL] = Tile.FLOOR
        yield f"Clearing {number + 1}: {columns} by {rows} cells"
    if plan.rooms:  # Number the nodes from 0 without gaps, in order.
        numbers: dict[int, int] = {}
        nodes = [numbers.setdefault(node, len(numbers)) for node in nodes]
    count = max(nodes) + 1 if plan.rooms else lattice.count
    batches: Iterable[Sequence[Pair] | Pairs]
    match texture:
        case "minimum_tree":
            least = minimum_tree(lattice, np.array(nodes) if plan.rooms else None, rng)
            batches = np.array_split(least, min(CAPTIONS, 1 + len(least) // FEWEST))
        case "growing_tree":
            tree = growing_tree(lattice, nodes, rng, newest=newest, straight=straight)
            batches = _in_batches(tree, count // CAPTIONS + 1)
        case "spanning_tree":
            batches = _in_batches(uniform_tree(lattice, nodes, rng), count // CAPTIONS + 1)
    opened: list[Sequence[Pair] | Pairs] = []
    for batch in batches:
        opened.append(batch)
        _open(plan, lattice, batch)
        yield f"{sum(map(len, opened))} of {count - 1} passages"
    if braid and (more := braids(lattice, nodes, np.concatenate(opened), rng, braid)):
        _open(plan, lattice, more)
        yield f"{pluralise(len(more), 'dead end')} opened"


def _in_batches(tree: Iterator[Pair], size: int) -> Iterator[list[Pair]]:
    while batch := list(islice(tree, size)):
        yield batch


def _open(plan: Blueprint, lattice: Lattice, ways: Sequence[Pair] | Pairs) -> None:
    """Turn the rock of ``ways`` to floor."""
    places, tiles = lattice.openings(ways, plan.width), plan.tiles.reshape(-1)
    tiles[places[tiles[places] == Tile.WALL]] = Tile.FLOOR


@lru_cache(maxsize=64)
def _way_shapes(short: int, long: int, stride: int) -> NDArray[np.intp]:
    """Return the tiles of a way down and of a way across from their corners, intp [2, tile].

    Rows are ``stride`` tiles apart.
    """
    sizes = (long, short), (short, long)
    return np.array([np.add.outer(np.arange(h) * stride, np.arange(w)).ravel() for h, w in sizes])


def _clearings(
    lattice: Lattice, rng: Rng, share: float, least: int, most: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yield (column, row, columns, rows) of clearings that are at least a cell apart.

    There is at least one, unless ``share`` is 0, which leaves the maze perfect.
    """
    if not share:
        return
    taken = [0] * lattice.rows
    fits = max(1, lattice.columns // 2), max(1, lattice.rows // 2)
    smallest = min(least, fits[0]) * min(least, fits[1])
    goal = int(lattice.count * share)
    covered = 0
    for _ in range(4 + goal):
        if covered and covered + smallest > goal:
            return
        columns, rows = (rng.between(min(least, fit), min(max(least, most), fit)) for fit in fits)
        column = rng.below(lattice.columns - columns + 1)
        row = rng.below(lattice.rows - rows + 1)
        if covered and covered + columns * rows > goal:
            continue
        around = (4 << columns) - 1 << column >> 1
        if any(line & around for line in taken[max(0, row - 1) : row + rows + 1]):
            continue
        for number in range(row, row + rows):
            taken[number] |= (1 << columns) - 1 << column
        covered += columns * rows
        yield column, row, columns, rows
