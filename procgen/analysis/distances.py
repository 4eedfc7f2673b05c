"""Questions about a finished shape: what is joined, how far is it."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from tcod.path import Pathfinder, SimpleGraph

UNREACHED = np.iinfo(np.int32).max
BEYOND = np.iinfo(np.uint8).max
"""What `bitboard_distances` says of a tile that is further than they go, or cut off."""
FEW = 1 << 13
"""On so many tiles rings are the fastest way to all distances, if none is too long for them."""
DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""The eight steps (dx, dy): north, east, south, west, then the diagonals clockwise."""
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.bool_)
"""A tile and its 4-neighbours; labels come sooner if scipy need not draw it first."""
SQUARE = np.ones((3, 3), np.bool_)
"""A tile and its 8 neighbours."""


def regions(open_tiles: NDArray[np.bool_]) -> tuple[NDArray[np.int32], int]:
    """Label the 4-connected regions of ``open_tiles[y, x]``.

    Returns the labels (int32, 0 where closed, 1 and up in reading order) and their count.
    """
    labels, count = ndimage.label(open_tiles, CROSS)
    return labels.astype(np.int32, copy=False), int(count)


def distances(
    open_tiles: NDArray[np.bool_], x: int, y: int, *, diagonal: bool = True
) -> NDArray[np.int32]:
    """Return the steps from (x, y) to every tile of ``open_tiles[y, x]``, as int32 [y, x].

    Where no way leads it is `UNREACHED`.
    One step costs 1 in each of 8 directions, or of 4 if not ``diagonal``.
    """
    if diagonal and open_tiles.size <= FEW:
        steps = bitboard_distances(open_tiles, x, y, BEYOND - 1)
        if not (steps == BEYOND - 1).any():
            return np.where(steps < BEYOND, steps, np.full_like(steps, UNREACHED, np.int32))
    field = np.full(open_tiles.shape, UNREACHED, np.int32)
    field[y, x] = 0
    return dijkstra(field, open_tiles.astype(np.int8), diagonal=diagonal)


def bitboard_distances(
    open_tiles: NDArray[np.bool_], x: int, y: int, most: int
) -> NDArray[np.uint8]:
    """Return `distances` of up to ``most`` steps, below `BEYOND`, and `BEYOND` elsewhere.

    The array is uint8 [y, x].
    Much faster than those: all tiles together are one integer, a bit each, so that one step on
    from all that has been reached is a few shifts. A column of rock ends each row, so that no
    step leads around the edge.
    """
    height, width = open_tiles.shape
    row = width + 1
    tiles = np.zeros((height, row), np.bool_)
    tiles[:, :width] = open_tiles
    ground = int.from_bytes(np.packbits(tiles, bitorder="little").tobytes(), "little")
    size = (tiles.size + 7) // 8
    inside = 1 << (y * row + x)
    flood = [inside.to_bytes(size, "little")]
    while len(flood) <= most:
        wider = inside | inside << 1 | inside >> 1
        wider = (wider | wider << row | wider >> row) & ground | inside
        if wider == inside:
            break
        inside = wider
        flood.append(inside.to_bytes(size, "little"))
    bits = np.frombuffer(b"".join(flood), np.uint8).reshape(len(flood), size)
    times = np.unpackbits(bits, axis=1, count=tiles.size, bitorder="little").sum(0, np.uint8)
    steps = np.where(times, len(flood) - times, BEYOND).astype(np.uint8)
    return steps.reshape(height, row)[:, :width]


def reachable(open_tiles: NDArray[np.bool_], x: int, y: int) -> NDArray[np.bool_]:
    """Return the tiles that steps in 8 directions lead to from (x, y), itself among them."""
    labels, _ = ndimage.label(open_tiles, SQUARE)
    here: NDArray[np.bool_] = labels == labels[y, x]
    return here & open_tiles


def dijkstra(
    field: NDArray[np.int32], cost: NDArray[np.integer], *, diagonal: bool = False
) -> NDArray[np.int32]:
    """Return the least cost of coming to every tile from where ``field`` is 0 (Dijkstra's).

    ``field`` is `UNREACHED` elsewhere; ``cost[y, x]`` is the price of entering a tile, 0 for
    never. (Not by tcod's dijkstra2d, which in 21.2 keeps 4 kB with every call.)
    """
    finder = Pathfinder(SimpleGraph(cost=cost, cardinal=1, diagonal=int(diagonal)))
    finder.distance[:] = field
    finder.rebuild_frontier()
    finder.resolve()
    return np.array(finder.distance)


def furthest_tile(open_tiles: NDArray[np.bool_], x: int, y: int) -> tuple[int, int]:
    """Return the (x, y) of the tile of ``open_tiles[y, x]`` furthest from (x, y) on foot.

    Of several it is the first in reading order.
    """
    steps = distances(open_tiles, x, y)
    steps[steps == UNREACHED] = -1
    row, column = divmod(int(steps.argmax()), steps.shape[1])
    return column, row
