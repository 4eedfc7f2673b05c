"""Points to which steps add, and the nearest of them to any place."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from procgen.analysis.distances import UNREACHED

Lengths = NDArray[np.int64]


class NearbyPoints:
    """Points, numbered in the order in which they were added."""

    def __init__(self) -> None:
        self._points = np.zeros((2, 0), np.int64)

    def add(self, x: int, y: int) -> None:
        """Add the point (x, y)."""
        self._points = np.append(self._points, [[x], [y]], axis=1)

    def nearest(
        self, x: int, y: int, length: Callable[[Lengths, Lengths], Lengths] = np.maximum
    ) -> tuple[int, int]:
        """Return the distance and the number of the point nearest to (x, y), on a tie the first.

        ``length`` gives the distances for tiles across and down. Without any points, the distance
        is `UNREACHED` and the number -1.
        """
        if not self._points.size:
            return UNREACHED, -1
        steps = length(*np.abs(self._points - [[x], [y]]))
        number = int(steps.argmin())
        return int(steps[number]), number
