"""Articulation points of a map, and how many tiles each cuts off, on a compressed graph.

A depth-first search over all tiles is slow in Python, and most tiles do not need one: an open area
where every tile can be walked around becomes one node, and so does a corridor, since either all of
its tiles are articulation points or none is. The search runs over the few nodes that remain.
"""

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from entities.terrain import Mask
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import CROSS, MOST_STEPS, bit_distances

Nodes = NDArray[np.int32]


class CutOffParts(NamedTuple):
    """The parts of a map that single tiles cut off from a start.

    ``order`` lists the tiles of the start's region, as y * width + x, in depth-first order, so that
    all tiles behind a chokepoint are consecutive: part i, ``order[opens[i]:closes[i]]``, is cut off
    by the tile ``order[cut_point[i]]``. ``cut_point`` is in ascending order.
    """

    order: Nodes
    cut_point: Nodes
    opens: Nodes
    closes: Nodes


class _Graph(NamedTuple):
    """A map as a graph of areas, corridors and tiles, and a depth-first tree from ``walk[0]``.

    ``nodes`` gives the node of each bit of the bitboard, 0 for none. Nodes up to ``blobs`` are
    areas, those from ``first`` on single tiles, those between them corridors. ``sides`` are the
    bits where two nodes touch, with the step in bits from one to the other. For each node,
    ``degree`` is its number of edges, ``discovery`` its place in the walk, -1 if unreached,
    ``total`` the number of tiles in its subtree, and ``low_link`` the least ``discovery`` of all
    nodes that the edges of the subtree lead to.
    """

    nodes: Nodes
    sizes: Nodes
    blobs: int
    first: int
    sides: list[tuple[NDArray[np.intp], int]]
    degree: NDArray[np.intp]
    walk: Nodes
    parent: Nodes
    discovery: Nodes
    total: Nodes
    low_link: Nodes


def _graph_of(shape: Bitboard, start: tuple[int, int]) -> _Graph:
    """Return the graph of ``shape``, with the depth-first tree and low-links from ``start``."""
    tight, narrow = shape.locally_separating()
    # A corridor becomes one node, however long: the search meets few nodes, not every tile.
    narrow |= shape.dead_ends()
    # The root of a depth-first search needs a separate rule, so the start is a separate node.
    start_bit = shape.at(*start) & shape.bits
    narrow &= ~start_bit
    tight = (tight | start_bit) & ~narrow
    wide = shape.bits & ~(tight | narrow)
    # Labelling both maps at once, one below the other, takes two thirds of the time.
    below = narrow << (shape.height + 2) * shape.stride
    both = Bitboard(wide | below, shape.width, 2 * shape.height + 2)
    labels, first = scipy.ndimage.label(both.field(both.bits), CROSS)
    areas, lanes = labels.reshape(2, -1)
    flat, blobs, first = areas + lanes, int(areas.max()), first + 1
    singles = shape.places(tight)
    flat[singles] = np.arange(first, first + len(singles), dtype=np.int32)
    sizes = np.bincount(flat, minlength=first + len(singles)).astype(np.int32)
    sides, edges = [], []
    for step in (1, shape.stride):
        together = wide & wide >> step | narrow & narrow >> step
        places = shape.places(shape.bits & shape.bits >> step & ~together)
        sides.append((places, step))
        edges.append((flat[places], flat[places + step]))
    ones, others = np.concatenate(edges, 1)
    # Each edge is listed in both directions; sorted by tail, those of a node are consecutive.
    tails, heads = np.array([ones, others]).T.ravel(), np.array([others, ones]).T.ravel()
    degree = np.bincount(tails, minlength=len(sizes))
    neighbours, stops = heads[tails.argsort(kind="stable")].tolist(), degree.cumsum().tolist()
    walk, parent = _depth_first_nodes(neighbours, stops, int(flat[shape.place(*start)]))
    discovery = np.full(len(sizes), -1, np.int32)
    discovery[walk] = np.arange(len(walk), dtype=np.int32)
    low = discovery.copy()
    np.minimum.at(low, tails, discovery[heads])
    least, total = low.tolist(), sizes.tolist()
    # Children before parents, without recursion: a level can be deeper than the stack.
    for node in reversed(walk[1:]):
        up = parent[node]
        total[up] += total[node]
        if least[node] < least[up]:  # noqa: PLR1730 (min takes twice as long)
            least[up] = least[node]
    order, above, tiles, low = (np.array(row, np.int32) for row in (walk, parent, total, least))
    return _Graph(flat, sizes, blobs, first, sides, degree, order, above, discovery, tiles, low)


def _depth_first_nodes(
    neighbours: list[int], stops: list[int], root: int
) -> tuple[list[int], list[int]]:
    """Return the nodes in depth-first order from ``root``, and the parent of every node.

    The neighbours of node n are ``neighbours[stops[n - 1] : stops[n]]``.
    """
    parent = [root] * len(stops)
    fresh = [True] * len(stops)
    walk: list[int] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if fresh[node]:
            fresh[node] = False
            walk.append(node)
            for other in neighbours[stops[node - 1] : stops[node]]:
                if fresh[other]:
                    parent[other] = node
                    pending.append(other)
    return walk, parent


def cut_off_parts(walkable: Mask, start: tuple[int, int]) -> CutOffParts:
    """Return the parts of ``walkable[y, x]`` that single tiles cut off from the tile ``start``.

    The order is that of the graph's depth-first tree, with corridors from their near end. A node
    cuts off a subtree below it unless an edge leads from there to a node above it. (Hopcroft and
    Tarjan, "Efficient algorithms for graph manipulation", 1973.)
    """
    shape = Bitboard.of(walkable)
    graph = _graph_of(shape, start)
    blobs, sizes, walk = graph.blobs, graph.sizes, graph.walk
    root, begin = walk[0], np.zeros_like(sizes)
    begin[walk] = np.cumsum(sizes[walk]) - sizes[walk]
    close = begin + graph.total
    nodes, above = walk[1:], graph.parent[walk[1:]]
    sealed = graph.low_link[nodes] >= graph.discovery[above]
    branches = nodes[above == root]
    if len(branches):
        sealed[nodes == branches[(close - begin)[branches].argmax()]] = False
    # In a corridor that is the only way, each tile but the last also cuts off the rest of it.
    lanes = np.concatenate([above[sealed], walk[graph.degree[walk] == 1]])
    lanes = lanes[(lanes > blobs) & (lanes < graph.first)]
    rest = sizes[lanes] - 1
    along = np.arange(rest.sum(), dtype=np.int32)
    along += np.repeat(begin[lanes] - np.cumsum(rest, dtype=np.int32) + rest, rest)
    sealed &= above > blobs
    cut_point = np.concatenate([(begin + sizes - 1)[above[sealed]], along])
    opens = np.concatenate([begin[nodes[sealed]], along + 1])
    closes = np.concatenate([close[nodes[sealed]], np.repeat(close[lanes], rest)])
    order = np.lexsort((opens, cut_point))
    return CutOffParts(_tiles_in_order(shape, graph), cut_point[order], opens[order], closes[order])


def _tiles_in_order(shape: Bitboard, graph: _Graph) -> Nodes:
    """Return the tiles, as y * width + x, in the order of their nodes in the walk.

    The tiles of a corridor start at the end where the walk entered it.
    """
    nodes, parent, stride = graph.nodes, graph.parent, shape.stride
    doors = np.zeros(len(nodes), np.bool_)
    for places, step in graph.sides:
        ones, others = nodes[places], nodes[places + step]
        doors[places[parent[ones] == others]] = True
        doors[places[parent[others] == ones] + step] = True
    lanes = (nodes > graph.blobs) & (nodes < graph.first)
    inside, entrances = (
        int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")
        for mask in (lanes, doors & lanes)
    )
    steps = bit_distances(inside, entrances, stride, shape.height + 2, diagonal=False)
    discovery: Nodes = graph.discovery[nodes]
    cells = np.flatnonzero((nodes > 0) & (discovery >= 0))
    # Sorting by a single number takes a third of the time of np.lexsort.
    sort_keys = discovery[cells] * np.int64(MOST_STEPS + 2) + steps[cells]
    cells = cells[sort_keys.argsort(kind="stable")]
    return (cells - stride - cells // stride + 1).astype(np.int32)
