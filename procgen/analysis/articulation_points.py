"""Articulation points of a map, and how many tiles each cuts off, on a compressed graph.

A depth-first search over all tiles is slow in Python. Most tiles need none: open areas that can be
walked around become one node, and of a corridor either all tiles cut or none, so it is one node
too. The search runs over the few nodes that remain.
"""

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from procgen.analysis.bitboard import Bitboard, Mask
from procgen.analysis.distances import CROSS, times_reached

Nodes = NDArray[np.int32]
Parts = tuple[Nodes, Nodes, Nodes, Nodes]


class _Graph(NamedTuple):
    """A map as a graph of areas, corridors and tiles, and a depth-first tree from ``walk[0]``.

    ``nodes`` gives the node of each bit of the bitboard, 0 for none. Those up to ``blobs`` are
    areas, those from ``first`` on single tiles, and corridors lie between. ``sides`` are the bits
    where two nodes touch, each with the step from one to the other. By node, ``ends`` are its
    neighbours, ``number`` its place in the walk, -1 if unreached, ``whole`` the tiles of its
    subtree, and ``highest`` the least number that an edge of the subtree leads to.
    """

    nodes: Nodes
    sizes: list[int]
    blobs: int
    first: int
    sides: list[tuple[NDArray[np.intp], int]]
    ends: list[list[int]]
    walk: list[int]
    parent: list[int]
    number: list[int]
    whole: list[int]
    highest: list[int]


def _graph_of(shape: Bitboard, start: tuple[int, int]) -> _Graph:
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
    sides, ends = [], [list[int]() for _ in sizes]
    for step in (1, shape.wide):
        together = wide & wide >> step | narrow & narrow >> step
        places = shape.places(shape.bits & shape.bits >> step & ~together)
        sides.append((places, step))
        for one, other in zip(flat[places].tolist(), flat[places + step].tolist(), strict=True):
            ends[one].append(other)
            ends[other].append(one)
    walk, parent = _depth_first_nodes(ends, int(flat[shape.place(*start)]))
    number = [-1] * len(sizes)
    for place, node in enumerate(walk):
        number[node] = place
    highest, whole = number.copy(), sizes.copy()
    # Children before parents, without recursion: a level can be deeper than the stack.
    for node in reversed(walk[1:]):
        up, least = parent[node], highest[node]
        for other in ends[node]:
            if number[other] < least:  # noqa: PLR1730 (min takes twice as long)
                least = number[other]
        highest[node] = least
        whole[up] += whole[node]
        if least < highest[up]:  # noqa: PLR1730
            highest[up] = least
    return _Graph(flat, sizes, blobs, first, sides, ends, walk, parent, number, whole, highest)


def _depth_first_nodes(ends: list[list[int]], root: int) -> tuple[list[int], list[int]]:
    """Return the nodes in depth-first order from ``root``, and the parent of every node."""
    parent = [root] * len(ends)
    fresh = [True] * len(ends)
    walk: list[int] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if fresh[node]:
            fresh[node] = False
            walk.append(node)
            for other in ends[node]:
                if fresh[other]:
                    parent[other] = node
                    pending.append(other)
    return walk, parent


def cut_off_parts(walkable: Mask, start: tuple[int, int]) -> Parts:
    """Return ``order``, ``keeper``, ``opens`` and ``closes`` of a `Structure`.

    The order is that of the graph's depth-first tree, the tiles of a corridor from its near end.
    What lies below a node is cut off by it unless an edge leads back above that node. (Hopcroft
    and Tarjan, "Efficient algorithms for graph manipulation", 1973.)
    """
    shape = Bitboard.of(walkable)
    graph = _graph_of(shape, start)
    root, blobs, sizes = graph.walk[0], graph.blobs, np.array(graph.sizes, np.int32)
    walk, parent = np.array(graph.walk, np.int32), np.array(graph.parent, np.int32)
    number, highest = np.array(graph.number, np.int32), np.array(graph.highest, np.int32)
    begin = np.zeros_like(sizes)
    begin[walk] = np.cumsum(sizes[walk]) - sizes[walk]
    close = begin + np.array(graph.whole, np.int32)
    nodes, above = walk[1:], parent[walk[1:]]
    sealed = highest[nodes] >= number[above]
    branches = nodes[above == root]
    if len(branches):
        sealed[nodes == branches[(close - begin)[branches].argmax()]] = False
    # Of a corridor that is the only way, each tile but the last cuts off the rest of it as well.
    dead_ends = np.array([node for node in graph.walk if len(graph.ends[node]) == 1], np.int32)
    lanes = np.concatenate([above[sealed], dead_ends])
    lanes = lanes[(lanes > blobs) & (lanes < graph.first)]
    rest = sizes[lanes] - 1
    along = np.arange(rest.sum(), dtype=np.int32)
    along += np.repeat(begin[lanes] - np.cumsum(rest, dtype=np.int32) + rest, rest)
    sealed &= above > blobs
    keeper = np.concatenate([(begin + sizes - 1)[above[sealed]], along])
    opens = np.concatenate([begin[nodes[sealed]], along + 1])
    closes = np.concatenate([close[nodes[sealed]], np.repeat(close[lanes], rest)])
    order = np.lexsort((opens, keeper))
    tiles = _tiles_in_order(shape, graph, parent, number)
    return tiles, keeper[order], opens[order], closes[order]


def _tiles_in_order(shape: Bitboard, graph: _Graph, parent: Nodes, number: Nodes) -> Nodes:
    """Return the tiles, y * width + x, by their nodes' places in the walk.

    The tiles of a corridor follow one another from the end that the walk entered by.
    """
    nodes, wide = graph.nodes, shape.wide
    doors = np.zeros(len(nodes), np.bool_)
    for places, step in graph.sides:
        ones, others = nodes[places], nodes[places + step]
        doors[places[parent[ones] == others]] = True
        doors[places[parent[others] == ones] + step] = True
    lanes = (nodes > graph.blobs) & (nodes < graph.first)
    inside, flood = (
        int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")
        for mask in (lanes, doors & lanes)
    )
    floods = [0]
    while flood != floods[-1]:
        floods.append(flood)
        flood |= (flood << 1 | flood >> 1 | flood << wide | flood >> wide) & inside
    early = times_reached(floods, len(nodes))
    cells = np.flatnonzero((nodes > 0) & (number[nodes] >= 0))
    cells = cells[np.lexsort((len(floods) - early[cells], number[nodes[cells]]))]
    return (cells - wide - cells // wide + 1).astype(np.int32)
