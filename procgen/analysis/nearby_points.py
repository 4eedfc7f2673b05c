"""Points in square cells: the nearest of many is found without looking at most of them."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import product

from procgen.analysis.distances import UNREACHED

CELL = 32
"""The side of a cell, in tiles."""


class NearbyPoints:
    """Points in the order in which they were added, by the cell they lie in."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
        self._number = 0

    def add(self, x: int, y: int) -> None:
        """Add the point (x, y)."""
        self._cells[x // CELL, y // CELL].append((x, y, self._number))
        self._number += 1

    def nearest(self, x: int, y: int, length: Callable[[int, int], int] = max) -> tuple[int, int]:
        """Return the distance of the point nearest to (x, y), and the number of the first such.

        The distance is the ``length`` of the tiles across and down, no less than their `max`. It
        is `UNREACHED`, and the number -1, if there is no point.
        """
        best, ring = (UNREACHED, -1), 0
        # All points beyond the rings looked at are further away than these are wide.
        while self._number and best[0] > (ring - 1) * CELL:
            for dx, dy in _ring(ring):
                for across, down, number in self._cells.get((x // CELL + dx, y // CELL + dy), ()):
                    best = min(best, (length(abs(across - x), abs(down - y)), number))
            ring += 1
        return best


@cache
def _ring(radius: int) -> list[tuple[int, int]]:
    """Return the cells that are ``radius`` cells away, a diagonal step counted as one."""
    square = product(range(-radius, radius + 1), repeat=2)
    return [(dx, dy) for dx, dy in square if max(abs(dx), abs(dy)) == radius]
