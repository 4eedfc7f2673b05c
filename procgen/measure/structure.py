"""The bones of a finished level: its dead ends, its loops, the tiles where it would fall apart."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from procgen.analysis import distances, regions
from procgen.blueprint import Point

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

    ``distance[y, x]`` are steps from the start in 8 directions, ``labels[y, x]`` the regions,
    ``cuts[y, x]`` how many tiles each tile cuts off from the start (0: not a chokepoint). The
    start itself, if it is one, cuts off all but the largest part.

    ``order`` lists the start's region as a depth-first walk met it, so that all that lies
    behind a tile stands together: part number i, ``order[opens[i]:closes[i]]``, is cut off by
    the tile ``order[keeper[i]]``. Keepers ascend.
    """

    walkable: Mask
    start: Point
    distance: NDArray[np.int32]
    labels: NDArray[np.int32]
    dead_ends: tuple[Point, ...]
    loops: int
    cuts: NDArray[np.int32]
    order: Cells
    keeper: NDArray[np.int32]
    opens: NDArray[np.int32]
    closes: NDArray[np.int32]

    @property
    def chokepoints(self) -> tuple[Chokepoint, ...]:
        """Every chokepoint, in reading order."""
        ys, xs = np.nonzero(self.cuts)
        cut = self.cuts[ys, xs].tolist()
        return tuple(map(Chokepoint, xs.tolist(), ys.tolist(), cut))

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
        """Return the size of the smallest part each tile lies in that one tile can seal, or 0.

        The array is int32 [y, x].
        """
        sizes = [0] * len(self.order)
        enclosing: list[tuple[int, int]] = [(len(self.order), 0)]
        ends = dict(zip(self.opens.tolist(), self.closes.tolist(), strict=True))
        for place in range(len(sizes)):
            while enclosing[-1][0] <= place:
                enclosing.pop()
            if place in ends:
                enclosing.append((ends[place], ends[place] - place))
            sizes[place] = enclosing[-1][1]
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
    labels, parts = regions(walkable)
    ys, xs = np.nonzero(dead_ends(walkable))
    order, keeper, opens, closes = _cut_off_parts(walkable, start)
    cuts = np.zeros(walkable.size, np.int32)
    np.add.at(cuts, order[keeper], closes - opens)
    return Structure(
        walkable=walkable,
        start=Point(*start),
        distance=distances(walkable, *start),
        labels=labels,
        dead_ends=tuple(map(Point, xs.tolist(), ys.tolist())),
        loops=loops(walkable, parts),
        cuts=cuts.reshape(walkable.shape),
        order=order,
        keeper=keeper,
        opens=opens,
        closes=closes,
    )


def _cut_off_parts(
    walkable: Mask, start: tuple[int, int]
) -> tuple[Cells, NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return ``order``, ``keeper``, ``opens`` and ``closes`` of `Structure`.

    (Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973: what lies below
    a tile in a depth-first tree is cut off by it unless an edge leads back above the tile.)
    """
    width = walkable.shape[1]
    wide = width + 2
    padded = np.pad(walkable, 1)
    walk, above = _depth_first(padded, (start[1] + 1) * wide + start[0] + 1)
    number = np.full(padded.size, WALLED, np.int32)
    number[walk] = np.arange(len(walk), dtype=np.int32)
    parent = number[above].tolist()
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


def _depth_first(padded: Mask, root: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells of ``padded`` in depth-first order from ``root``, and each one's parent."""
    wide = padded.shape[1]
    fresh = bytearray(padded.tobytes())
    above = [0] * padded.size
    above[root] = root
    walk = []
    pending = [root]
    while pending:
        cell = pending.pop()
        if not fresh[cell]:
            continue
        fresh[cell] = 0
        walk.append(cell)
        for other in (cell - 1, cell - wide, cell + 1, cell + wide):
            if fresh[other]:
                above[other] = cell
                pending.append(other)
    cells = np.array(walk, np.int64)
    return cells, np.array(above, np.int64)[cells]
