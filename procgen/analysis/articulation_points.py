"""Articulation points of a map, and how many tiles each cuts off, on a compressed graph.

A depth-first search over all tiles is slow in Python. Most tiles need none: open areas that can be
walked around become one node, and of a corridor either all tiles cut or none, so it is one node
too. The search runs over the few nodes that remain (`skeleton`). Where the tiles behind each
articulation point are needed as well, `cut_off_parts` searches tile by tile.
"""

from dataclasses import dataclass
from itertools import chain

import numpy as np
import scipy
from numpy.typing import NDArray

from procgen.analysis.bitboard import Bitboard, Mask
from procgen.analysis.distances import CROSS

Nodes = NDArray[np.int32]
Parts = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]
WALLED = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A map as a graph of areas, corridors and single tiles, rooted at a start.

    ``sizes`` are the tiles of each node. ``single`` gives, for nodes of one tile, how many tiles
    that one cuts off; ``bridges``, for corridors that are the only connection, how many tiles lie
    beyond their end. ``whole`` tells whether everything can be reached from the start.
    """

    sizes: list[int]
    single: dict[int, int]
    bridges: dict[int, int]
    whole: bool

    @property
    def chokepoints(self) -> int:
        """The number of articulation points."""
        corridors = (self.sizes[node] - (not beyond) for node, beyond in self.bridges.items())
        return len(self.single) + sum(corridors)

    @property
    def largest_cut(self) -> int:
        """The most tiles that one articulation point cuts off."""
        corridors = (beyond + self.sizes[node] - 1 for node, beyond in self.bridges.items())
        return max(chain(self.single.values(), corridors), default=0)


def skeleton_of(shape: Bitboard, start: tuple[int, int]) -> Skeleton:
    """Return the graph of ``shape`` rooted at its tile ``start``."""
    tight, narrow = shape.pinched()
    # A corridor becomes one node, however long: the search meets few nodes, not every tile.
    narrow |= shape.dead_ends()
    # The root of the search follows a rule of its own, so the start is a node of its own.
    here = shape.at(*start) & shape.bits
    narrow &= ~here
    tight = (tight | here) & ~narrow
    wide = shape.bits & ~(tight | narrow)
    nodes, blobs = scipy.ndimage.label(shape.field(wide), CROSS)
    lanes, corridors = scipy.ndimage.label(shape.field(narrow), CROSS)
    flat = np.where(lanes, lanes + np.int32(blobs), nodes).ravel()
    singles = shape.places(tight)
    first = blobs + corridors + 1
    flat[singles] = np.arange(first, first + len(singles), dtype=np.int32)
    sizes = np.bincount(flat, minlength=first + len(singles)).tolist()
    sides = [_beside(flat, shape, wide, narrow, step) for step in (1, shape.wide)]
    ways = _ways(sides, len(sizes))
    cut, reached = _cut_off(ways, sizes, int(flat[shape.place(*start)]))
    return Skeleton(
        sizes,
        {node: cut[node] for node in range(first, len(sizes)) if cut[node]},
        {
            node: cut[node]
            for node in range(blobs + 1, first)
            if cut[node] or (len(ways[node]) == 1 and reached[node])
        },
        all(reached[1:]),
    )


def _beside(
    flat: Nodes, shape: Bitboard, wide: int, narrow: int, step: int
) -> tuple[list[int], list[int]]:
    """Return the pairs of nodes that touch across ``step`` bits, as two lists."""
    together = wide & wide >> step | narrow & narrow >> step
    places = shape.places(shape.bits & shape.bits >> step & ~together)
    return flat[places].tolist(), flat[places + step].tolist()


def _ways(sides: list[tuple[list[int], list[int]]], count: int) -> list[list[int]]:
    """Return for every node the nodes it touches, as often as it does."""
    ways: list[list[int]] = [[] for _ in range(count)]
    for ones, others in sides:
        for one, other in zip(ones, others, strict=True):
            ways[one].append(other)
            ways[other].append(one)
    return ways


def _cut_off(ways: list[list[int]], sizes: list[int], root: int) -> tuple[list[int], list[bool]]:
    """Return how many tiles each node cuts off from ``root``, and which nodes are reached.

    Of the root itself, all but the most. (Hopcroft and Tarjan, "Efficient algorithms for graph
    manipulation", 1973.)
    """
    walk, parent = _depth_first_nodes(ways, root)
    number = [-1] * len(sizes)
    for place, node in enumerate(walk):
        number[node] = place
    highest = number.copy()
    whole, cut, branches = sizes.copy(), [0] * len(sizes), [0]
    # Children before parents, without recursion: a level can be deeper than the stack.
    for node in reversed(walk[1:]):
        up, size, least = parent[node], whole[node], highest[node]
        for other in ways[node]:
            if number[other] < least:  # noqa: PLR1730 (min takes twice as long)
                least = number[other]
        whole[up] += size
        if up == root:
            branches.append(size)
        elif least >= number[up]:
            cut[up] += size
        if least < highest[up]:  # noqa: PLR1730
            highest[up] = least
    cut[root] = sum(branches) - max(branches)
    return cut, [place >= 0 for place in number]


def _depth_first_nodes(ways: list[list[int]], root: int) -> tuple[list[int], list[int]]:
    """Return the nodes in depth-first order from ``root``, and the parent of every node."""
    parent = [root] * len(ways)
    fresh = [True] * len(ways)
    walk: list[int] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if fresh[node]:
            fresh[node] = False
            walk.append(node)
            for other in ways[node]:
                if fresh[other]:
                    parent[other] = node
                    pending.append(other)
    return walk, parent


def cut_off_parts(walkable: Mask, start: tuple[int, int]) -> Parts:
    """Return ``order``, ``keeper``, ``opens`` and ``closes`` of a `Structure`.

    (Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973: what lies below
    a tile in a depth-first tree is cut off by it unless an edge leads back above the tile.)
    """
    width, wide = walkable.shape[1], walkable.shape[1] + 2
    padded = np.zeros((len(walkable) + 2, wide), np.bool_)
    padded[1:-1, 1:-1] = walkable
    walk, parent = _depth_first_tiles(padded, (start[1] + 1) * wide + start[0] + 1)
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


def _depth_first_tiles(padded: Mask, root: int) -> tuple[NDArray[np.int64], list[int]]:
    """Return the cells of ``padded`` in depth-first order from ``root``, and each one's parent.

    Parents are places in that order, the root's its own.
    """
    wide = padded.shape[1]
    fresh = bytearray(padded.tobytes())
    fresh[root] = 0
    walk, parent = [root], [0]
    cell, place = root, 0
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
            if not place:
                return np.array(walk, np.int64), parent
            place = parent[place]
            cell = walk[place]
            continue
        fresh[cell] = 0
        parent.append(place)
        place = len(walk)
        walk.append(cell)
