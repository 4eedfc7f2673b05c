"""Where a shape would fall apart, and how much each such tile cuts off: counted, not listed.

Few tiles need a look of their own: what can be walked around hangs together with what is beside
it, and of a corridor either all tiles cut or none. What is left is a small graph.
"""

from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from procgen.analysis.bitboard import Bitboard, Mask
from procgen.analysis.distances import CROSS, distances

Nodes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A shape as a graph that is seen from a start.

    ``nodes`` gives for every place of the silhouette the node it belongs to, 0 for none;
    ``sizes`` are their tiles.
    ``single`` gives for nodes of one tile how many others it cuts off; ``bridges`` for corridors
    without another way how many tiles lie beyond the last of theirs. ``whole`` is whether
    all of it can be reached.
    """

    nodes: Nodes
    sizes: list[int]
    single: dict[int, int]
    bridges: dict[int, int]
    whole: bool

    @property
    def chokepoints(self) -> int:
        """How many tiles cut others off."""
        corridors = (self.sizes[node] - (not beyond) for node, beyond in self.bridges.items())
        return len(self.single) + sum(corridors)

    @property
    def largest_cut(self) -> int:
        """The most tiles that one cuts off."""
        corridors = (beyond + self.sizes[node] - 1 for node, beyond in self.bridges.items())
        return max(chain(self.single.values(), corridors), default=0)


def cut_sizes(walkable: Mask, start: tuple[int, int]) -> NDArray[np.int32]:
    """Return how many tiles each tile of ``walkable[y, x]`` cuts off from ``start``, 0 if none.

    The same as `procgen.measure.structure.Structure.cuts`, sooner.
    """
    shape = Bitboard.of(walkable)
    found = skeleton(shape, start)
    nodes = shape.trimmed(found.nodes)
    cuts = np.zeros(len(found.sizes), np.int32)
    cuts[list(found.single)] = list(found.single.values())
    sizes: NDArray[np.int32] = cuts[nodes]
    if found.bridges:
        beyond = np.full(len(cuts), -1, np.int32)
        beyond[list(found.bridges)] = list(found.bridges.values())
        along = beyond[nodes] >= 0
        lanes, steps = nodes[along], distances(walkable, *start, diagonal=False)[along]
        last = np.zeros(len(cuts), np.int32)
        np.maximum.at(last, lanes, steps)
        sizes[along] = beyond[lanes] + last[lanes] - steps
    return sizes


def skeleton(shape: Bitboard, start: tuple[int, int]) -> Skeleton:
    """Return the skeleton of ``shape`` as seen from its tile ``start``."""
    tight, narrow = shape.pinched()
    narrow |= shape.dead_ends()
    # The start cuts off in a way of its own, so it is a node of its own.
    here = shape.at(*start) & shape.bits
    narrow &= ~here
    tight = (tight | here) & ~narrow
    wide = shape.bits & ~(tight | narrow)
    nodes, blobs = ndimage.label(shape.field(wide), CROSS)
    lanes, corridors = ndimage.label(shape.field(narrow), CROSS)
    flat = np.where(lanes, lanes + np.int32(blobs), nodes).ravel()
    singles = shape.places(tight)
    first = blobs + corridors + 1
    flat[singles] = np.arange(first, first + len(singles), dtype=np.int32)
    sizes = np.bincount(flat, minlength=first + len(singles)).tolist()
    sides = [_beside(flat, shape, wide, narrow, step) for step in (1, shape.wide)]
    ways = _ways(sides, len(sizes))
    cut, reached = _cut_off(ways, sizes, int(flat[shape.place(*start)]))
    return Skeleton(
        flat,
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
    """Return the nodes on both sides of wherever two nodes touch, so many places apart."""
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
    walk, parent = _depth_first(ways, root)
    number = [-1] * len(sizes)
    for place, node in enumerate(walk):
        number[node] = place
    highest = number.copy()
    whole, cut, branches = sizes.copy(), [0] * len(sizes), [0]
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


def _depth_first(ways: list[list[int]], root: int) -> tuple[list[int], list[int]]:
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
