"""A spatial hash: points in square cells, to find the nearest without looking at most of them."""

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from itertools import product

from procgen.analysis.distances import UNREACHED

CELL = 32
"""The side of a cell, in tiles."""


class NearbyPoints:
    """Points by the cell they lie in, numbered in the order in which they were added."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
        self._number = 0

    def add(self, x: int, y: int) -> None:
        """Add the point (x, y)."""
        self._cells[x // CELL, y // CELL].append((x, y, self._number))
        self._number += 1

    def nearest(self, x: int, y: int, length: Callable[[int, int], int] = max) -> tuple[int, int]:
        """Return the distance and the number of the point nearest to (x, y), on a tie the first.

        ``length`` gives the distance for tiles across and down, and must be at least their `max`.
        Without any points, the distance is `UNREACHED` and the number -1.
        """
        best, ring = (UNREACHED, -1), 0
        # Points outside the rings searched so far are more than (ring - 1) * CELL away.
        while self._number and best[0] > (ring - 1) * CELL:
            for dx, dy in _ring(ring):
                for across, down, number in self._cells.get((x // CELL + dx, y // CELL + dy), ()):
                    best = min(best, (length(abs(across - x), abs(down - y)), number))
            ring += 1
        return best


@lru_cache(maxsize=16)
def _ring(radius: int) -> list[tuple[int, int]]:
    """Return the offsets (dx, dy) of the cells at a Chebyshev distance of ``radius`` cells."""
    square = product(range(-radius, radius + 1), repeat=2)
    return [(dx, dy) for dx, dy in square if max(abs(dx), abs(dy)) == radius]
