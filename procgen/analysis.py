"""Questions about a finished shape: what is joined, how far is it."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from tcod.path import dijkstra2d, maxarray

UNREACHED = np.iinfo(np.int32).max
DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""The eight steps (dx, dy): north, east, south, west, then the diagonals clockwise."""


def regions(open_tiles: NDArray[np.bool_]) -> tuple[NDArray[np.int32], int]:
    """Label the 4-connected regions of ``open_tiles[y, x]``.

    Returns the labels (int32, 0 where closed, 1 and up in reading order) and their count.
    """
    labels, count = ndimage.label(open_tiles)
    return labels.astype(np.int32, copy=False), int(count)


def distances(
    open_tiles: NDArray[np.bool_], x: int, y: int, *, diagonal: bool = True
) -> NDArray[np.int32]:
    """Return the steps from (x, y) to every tile, `UNREACHED` where no way leads.

    One step costs 1 in each of 8 directions, or of 4 if not ``diagonal``.
    """
    field = maxarray(open_tiles.shape, dtype=np.int32)
    field[y, x] = 0
    dijkstra2d(field, open_tiles.astype(np.int8), 1, 1 if diagonal else None, out=field)
    return field


def furthest(open_tiles: NDArray[np.bool_], x: int, y: int) -> tuple[int, int]:
    """Return the (x, y) of the tile furthest from (x, y) on foot; the first in reading order."""
    steps = distances(open_tiles, x, y)
    steps[steps == UNREACHED] = -1
    row, column = divmod(int(steps.argmax()), steps.shape[1])
    return column, row
