"""Where a shape would fall apart, and how much each such tile cuts off: counted, not listed."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Mask = NDArray[np.bool_]

AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The eight neighbours (dy, dx) in a circle; every other one, from the first, is orthogonal."""


def pinched(walkable: Mask) -> Mask:
    """Return the walkable tiles whose 4-neighbours do not all hang together around them.

    Only such a tile can be a chokepoint: whoever is not pinched can be walked around.
    """
    padded = np.pad(walkable, 1)
    height, width = walkable.shape
    near = [padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] for dy, dx in AROUND]
    gaps = np.zeros(walkable.shape, np.uint8)
    sides = np.zeros(walkable.shape, np.uint8)
    for turn in range(0, 8, 2):
        corner, following = near[turn + 1], near[(turn + 2) % 8]
        sides += near[turn]
        gaps += near[turn] & ~(corner & following)
    tight: Mask = walkable & (gaps > 1) & (sides > 1)
    return tight


def cut_sizes(walkable: Mask, start: tuple[int, int]) -> NDArray[np.int32]:
    """Return how many tiles each tile of ``walkable[y, x]`` cuts off from ``start``, 0 if none.

    The same as `procgen.measure.structure.Structure.cuts`, sooner: what hangs together without any
    pinched tile becomes one node of a graph, and only that graph is walked.
    """
    tight = pinched(walkable)
    blobs, count = ndimage.label(walkable & ~tight)
    ys, xs = np.nonzero(tight)
    nodes = np.pad(blobs.astype(np.int32) - 1, 1, constant_values=-1)
    nodes[ys + 1, xs + 1] = np.arange(count, count + len(ys), dtype=np.int32)
    beside = [nodes[ys + 1 + dy, xs + 1 + dx] for dy, dx in AROUND[::2]]
    sizes = [*np.bincount(blobs.ravel(), minlength=count + 1)[1:].tolist(), *[1] * len(ys)]
    root = int(nodes[start[1] + 1, start[0] + 1])
    cut = _cut_off(np.stack(beside), count, sizes, root)
    found = np.zeros(walkable.shape, np.int32)
    found[ys, xs] = cut[count:]
    return found


def _cut_off(beside: NDArray[np.int32], blobs: int, sizes: list[int], root: int) -> list[int]:
    """Return what each node cuts off from ``root``; of the root itself, all but the most.

    Nodes are so many ``blobs``, then the pinched tiles; ``beside[side, tile]`` are those around
    each pinched tile, -1 where there is none. (Hopcroft and Tarjan, "Efficient algorithms for
    graph manipulation", 1973.)
    """
    walk, parent = _depth_first(beside, blobs, len(sizes), root)
    number = np.full(len(sizes) + 1, len(sizes), np.int32)
    number[walk] = np.arange(len(walk))
    least = number[:-1].copy()
    least[blobs:] = number[beside].min(axis=0, initial=len(sizes))
    for around in beside:
        blob = (around >= 0) & (around < blobs)
        np.minimum.at(least, around[blob], number[blobs:-1][blob])
    highest, numbers = least.tolist(), number.tolist()
    whole, cut, branches = sizes.copy(), [0] * len(sizes), [0]
    for node in reversed(walk[1:]):
        up, size = parent[node], whole[node]
        whole[up] += size
        if up == root:
            branches.append(size)
        elif highest[node] >= numbers[up]:
            cut[up] += size
        if highest[node] < highest[up]:  # noqa: PLR1730 (min takes twice as long)
            highest[up] = highest[node]
    cut[root] = sum(branches) - max(branches)
    return cut


def _depth_first(
    beside: NDArray[np.int32], blobs: int, count: int, root: int
) -> tuple[list[int], list[int]]:
    """Return the nodes in depth-first order from ``root``, and the parent of every node."""
    ways: list[list[int]] = [[] for _ in range(blobs)]
    ways += beside.T.tolist()
    sides, tiles = np.nonzero((beside >= 0) & (beside < blobs))
    for blob, tile in zip(beside[sides, tiles].tolist(), tiles.tolist(), strict=True):
        ways[blob].append(blobs + tile)
    parent = [root] * (count + 1)
    # The last stands for "no node": taken from the start.
    fresh = [True] * count + [False]
    walk: list[int] = []
    pending = [root]
    while pending:
        node = pending.pop()
        # Along a corridor nothing is put aside: what was found last is gone to at once.
        while fresh[node]:
            fresh[node] = False
            walk.append(node)
            onward = -1
            for other in ways[node]:
                if fresh[other]:
                    parent[other] = node
                    if onward >= 0:
                        pending.append(onward)
                    onward = other
            node = onward
    return walk, parent
