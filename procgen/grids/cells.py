"""Who is nearest: the cells of a Voronoi diagram, in whole numbers."""

from collections.abc import Iterator
from math import isqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Metric = Literal["euclidean", "manhattan", "chebyshev"]

BLOCK = 16
"""Side of the squares of tiles that are compared with the same few sites."""


def apart(metric: Metric, dx: NDArray[np.int64], dy: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how far (``dx``, ``dy``) is: steps, or squared tiles for "euclidean"."""
    if metric == "euclidean":
        return dx * dx + dy * dy
    across, down = np.abs(dx), np.abs(dy)
    return across + down if metric == "manhattan" else np.maximum(across, down)


def nearest_site(
    width: int, height: int, sites: NDArray[np.int64], metric: Metric
) -> NDArray[np.int32]:
    """Return the index of the nearest of ``sites`` (rows of x, y) for every tile [y, x].

    Of equally near ones the first wins. Each block of tiles asks only the sites that could be
    nearest to one of them, so the work grows with the map, not with map times sites.
    """
    owner = np.zeros((height, width), np.int32)
    for left, top in _blocks(width, height):
        near = _candidates(sites, left + BLOCK // 2, top + BLOCK // 2, metric)
        xs = np.arange(left, min(width, left + BLOCK))
        ys = np.arange(top, min(height, top + BLOCK))
        dx = xs[None, None, :] - sites[near, 0][:, None, None]
        dy = ys[None, :, None] - sites[near, 1][:, None, None]
        owner[top : top + BLOCK, left : left + BLOCK] = near[apart(metric, dx, dy).argmin(axis=0)]
    return owner


def _blocks(width: int, height: int) -> Iterator[tuple[int, int]]:
    for top in range(0, height, BLOCK):
        for left in range(0, width, BLOCK):
            yield left, top


def _candidates(sites: NDArray[np.int64], x: int, y: int, metric: Metric) -> NDArray[np.intp]:
    """Return, in order, the sites that may be nearest to a tile of the block around (x, y).

    A tile lies at most the block's half diagonal away from its middle, so a site more than
    twice that further off than the nearest one is never nearest.
    """
    away = apart(metric, sites[:, 0] - x, sites[:, 1] - y)
    least = int(away.min())
    if metric == "euclidean":
        return np.flatnonzero(away <= (isqrt(least) + 1 + 2 * BLOCK) ** 2)
    return np.flatnonzero(away <= least + 2 * BLOCK)
