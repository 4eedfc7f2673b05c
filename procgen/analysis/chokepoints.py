"""The bones of a finished level: its dead ends, its loops, the tiles where it would fall apart."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from procgen.analysis.distances import distances, regions
from procgen.blueprint import Blueprint, Point

WALLED = np.iinfo(np.int32).max
Mask = NDArray[np.bool_]
Cells = NDArray[np.int32]
"""Tiles by their place in reading order: y * width + x."""


@dataclass(frozen=True)
class Chokepoint:
    """A tile without which ``cut`` others could not be reached from the start."""

    x: int
    y: int
    cut: int


@dataclass(frozen=True, eq=False)
class Structure:
    """What placement rules ask about a shape; everything is 4-connected but ``distance``.

    What is asked for is worked out only then, so ``walkable`` must stay as it is.
    ``order`` lists the start's region as a depth-first walk met it, so that all that lies
    behind a tile stands together: part number i, ``order[opens[i]:closes[i]]``, is cut off by
    the tile ``order[keeper[i]]``. Keepers ascend.
    """

    walkable: Mask
    start: Point
    order: Cells
    keeper: NDArray[np.int32]
    opens: NDArray[np.int32]
    closes: NDArray[np.int32]

    @cached_property
    def distance(self) -> NDArray[np.int32]:
        """Steps [y, x] from the start in 8 directions."""
        return distances(self.walkable, *self.start)

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """The regions, an array [y, x]."""
        return regions(self.walkable)[0]

    @cached_property
    def dead_ends(self) -> tuple[Point, ...]:
        """Every tile with a single way on, in reading order."""
        ys, xs = np.nonzero(dead_ends(self.walkable))
        return tuple(map(Point, xs.tolist(), ys.tolist()))

    @cached_property
    def loops(self) -> int:
        """How many independent loops there are."""
        return loops(self.walkable, int(self.labels.max(initial=0)))

    @cached_property
    def cuts(self) -> NDArray[np.int32]:
        """How many tiles each tile [y, x] cuts off from the start; 0 if it is no chokepoint.

        The start itself, if it is one, cuts off all but the largest part.
        """
        cuts = np.zeros(self.walkable.shape, np.int32)
        np.add.at(cuts.reshape(-1), self.order[self.keeper], self.closes - self.opens)
        return cuts

    @property
    def chokepoints(self) -> tuple[Chokepoint, ...]:
        """Every chokepoint, in reading order."""
        (ys, xs), cut = np.nonzero(self.cuts), self.cuts[self.cuts > 0]
        return tuple(map(Chokepoint, xs.tolist(), ys.tolist(), cut.tolist()))

    @property
    def largest_cut(self) -> int:
        """The most tiles behind one chokepoint."""
        return int(self.cuts.max(initial=0))

    def behind(self, x: int, y: int) -> Cells:
        """Return the cells that (x, y) cuts off, in reading order; none if it is no chokepoint."""
        if not self.cuts[y, x]:
            return np.zeros(0, np.int32)
        place = np.flatnonzero(self.order == y * self.walkable.shape[1] + x)[0]
        first, last = np.searchsorted(self.keeper, [place, place + 1])
        parts = zip(self.opens[first:last], self.closes[first:last], strict=True)
        return np.sort(np.concatenate([self.order[opens:closes] for opens, closes in parts]))

    def sealed(self) -> NDArray[np.int32]:
        """Return the size of the smallest part with each tile that one tile seals, int32 [y, x]."""
        sizes = np.zeros(len(self.order), np.int32)
        for opens, closes in sorted(zip(self.opens.tolist(), self.closes.tolist(), strict=True)):
            sizes[opens:closes] = closes - opens  # the parts within are still to come
        field = np.zeros(self.walkable.size, np.int32)
        field[self.order] = sizes
        return field.reshape(self.walkable.shape)


def neighbours(walkable: Mask) -> NDArray[np.uint8]:
    """Return how many of each tile's 4 neighbours are ``walkable[y, x]``, as uint8 [y, x]."""
    count = np.zeros(walkable.shape, np.uint8)
    count[1:] += walkable[:-1]
    count[:-1] += walkable[1:]
    count[:, 1:] += walkable[:, :-1]
    count[:, :-1] += walkable[:, 1:]
    return count


def dead_ends(walkable: Mask) -> Mask:
    """Return the walkable tiles with one walkable 4-neighbour."""
    ends: Mask = walkable & (neighbours(walkable) == 1)
    return ends


def loops(walkable: Mask, parts: int = 1) -> int:
    """Return the number of independent loops of a shape in so many ``parts``.

    By the Euler characteristic: parts - vertices + edges - unit squares.
    """
    across = walkable[:, :-1] & walkable[:, 1:]
    down = walkable[:-1] & walkable[1:]
    squares = across[:-1] & across[1:]
    vertices, edges = np.count_nonzero(walkable), np.count_nonzero(across) + np.count_nonzero(down)
    return int(parts - vertices + edges - np.count_nonzero(squares))


def analyse(walkable: Mask, start: tuple[int, int]) -> Structure:
    """Return the structure of ``walkable[y, x]`` as seen from the walkable tile ``start``."""
    return Structure(walkable, Point(*start), *_cut_off_parts(walkable, start))


def _cut_off_parts(
    walkable: Mask, start: tuple[int, int]
) -> tuple[Cells, NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return ``order``, ``keeper``, ``opens`` and ``closes`` of `Structure`.

    (Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973: what lies below
    a tile in a depth-first tree is cut off by it unless an edge leads back above the tile.)
    """
    width, wide = walkable.shape[1], walkable.shape[1] + 2
    padded = np.zeros((len(walkable) + 2, wide), np.bool_)
    padded[1:-1, 1:-1] = walkable
    walk, parent = _depth_first(padded, (start[1] + 1) * wide + start[0] + 1)
    number = np.full(padded.size, WALLED, np.int32)
    number[walk] = np.arange(len(walk), dtype=np.int32)
    around = [number[walk + step] for step in (1, -1, wide, -wide)]
    highest = np.minimum.reduce(around).tolist()
    size = [1] * len(walk)
    for place in range(len(walk) - 1, 0, -1):
        up = parent[place]
        size[up] += size[place]
        if highest[place] < highest[up]:  # noqa: PLR1730 (min takes twice as long)
            highest[up] = highest[place]
    parents, sizes = np.array(parent, np.int32), np.array(size, np.int32)
    sealed = np.array(highest, np.int32) >= parents
    sealed[0] = False
    branches = np.flatnonzero(sealed & (parents == 0))
    if len(branches):
        sealed[branches[sizes[branches].argmax()]] = False
    opens = np.flatnonzero(sealed).astype(np.int32)
    opens = opens[np.argsort(parents[opens], kind="stable")]
    order = (walk // wide - 1) * width + walk % wide - 1
    return order.astype(np.int32), parents[opens], opens, opens + sizes[opens]


def _depth_first(padded: Mask, root: int) -> tuple[NDArray[np.int64], list[int]]:
    """Return the cells of ``padded`` in depth-first order from ``root``, and each one's parent.

    Parents are places in that order, the root's its own.
    """
    wide = padded.shape[1]
    fresh = bytearray(padded.tobytes())
    fresh[root] = 0
    walk, parent, path = [root], [0], [0]
    cell = root
    while True:
        if fresh[cell + wide]:
            cell += wide
        elif fresh[cell + 1]:
            cell += 1
        elif fresh[cell - wide]:
            cell -= wide
        elif fresh[cell - 1]:
            cell -= 1
        else:
            path.pop()
            if not path:
                return np.array(walk, np.int64), parent
            cell = walk[path[-1]]
            continue
        fresh[cell] = 0
        parent.append(path[-1])
        path.append(len(walk))
        walk.append(cell)


@dataclass(frozen=True, eq=False)
class Pocket:
    """A part of the level behind its ``gate``: ``cells`` y * width + x, in reading order."""

    gate: Point
    cells: Cells


def pockets(structure: Structure, least: int, most: int) -> list[Pocket]:
    """Return the innermost pockets of ``least`` to ``most`` tiles, by gate in reading order.

    Innermost: none lies in another, and none holds a smaller one of at least ``least`` tiles.
    """
    width = structure.walkable.shape[1]
    sizes = structure.closes - structure.opens
    large = np.flatnonzero(sizes >= least)
    large = large[np.argsort(structure.opens[large], kind="stable")]
    following = np.append(structure.opens[large][1:], structure.order.size)
    inner = large[following >= structure.closes[large]]
    inner = inner[sizes[inner] <= most]
    gates = structure.order[structure.keeper[inner]]
    found = []
    for part, gate in sorted(zip(inner.tolist(), gates.tolist(), strict=True), key=_by_gate):
        cells = structure.order[structure.opens[part] : structure.closes[part]]
        found.append(Pocket(Point(gate % width, gate // width), np.sort(cells)))
    return found


def _by_gate(found: tuple[int, int]) -> tuple[int, int]:
    return found[1], found[0]


def deepest(structure: Structure, cells: Cells) -> Point:
    """Return the tile among ``cells`` furthest from the start; the first in reading order."""
    steps = structure.distance.ravel()[cells]
    row, column = divmod(int(cells[steps.argmax()]), structure.walkable.shape[1])
    return Point(column, row)


def structure_of(plan: Blueprint) -> Structure | None:
    """Return the structure of ``plan`` as seen from its start; None if it has none to stand on."""
    walkable = plan.open
    if plan.start is None or not walkable[plan.start.y, plan.start.x]:
        return None
    return analyse(walkable, plan.start)
