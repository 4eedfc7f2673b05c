"""How many steps it is to a place, worked out only as far around it as somebody asks."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from procgen.analysis import UNREACHED, distances

REACHES = (20, 40, 80)
"""How far a distance map goes from its place, in tiles: at first, and as others ask further."""
REACH = REACHES[-1]
"""How far it goes at most."""


class Field(Protocol):
    """Steps to a place, or away from one, from the tiles around it."""

    def at(self, x: int, y: int) -> int:
        """Return the steps from (x, y), `UNREACHED` if too far or cut off."""


class Flight(NamedTuple):
    """A field that is whole: ``steps[y - top, x - left]``."""

    left: int
    top: int
    steps: NDArray[np.int32]

    def at(self, x: int, y: int) -> int:
        """Return the steps from (x, y), `UNREACHED` if too far or cut off."""
        row, column = y - self.top, x - self.left
        height, width = self.steps.shape
        if 0 <= row < height and 0 <= column < width:
            return int(self.steps[row, column])
        return UNREACHED


class Approach:
    """Steps to (x, y), worked out only as far as somebody asks.

    ``ground`` is where one can walk within `REACH` of it, (left, top) its corner. What is asked
    is answered as if all of that had been worked out at once: no way of so few steps as a part
    is wide around the place leads out of that part.
    """

    def __init__(self, x: int, y: int, left: int, top: int, ground: NDArray[np.bool_]) -> None:
        self._x, self._y = x - left, y - top
        self._left, self._top = left, top
        self._ground = ground
        self._widths = iter(REACHES)
        self._widen()

    def _widen(self) -> None:
        """Work out a wider part, up to all there is."""
        reach = next(self._widths)
        left, top = max(0, self._x - reach), max(0, self._y - reach)
        part = self._ground[top : self._y + reach + 1, left : self._x + reach + 1]
        self._part = Flight(left, top, distances(part, self._x - left, self._y - top))
        self._certain = UNREACHED if part.shape == self._ground.shape else reach

    def at(self, x: int, y: int) -> int:
        """Return the steps from (x, y), `UNREACHED` if too far or cut off."""
        row, column = y - self._top, x - self._left
        height, width = self._ground.shape
        if not (0 <= row < height and 0 <= column < width):
            return UNREACHED
        steps = self._part.at(column, row)
        while steps > self._certain and self._ground[row, column]:
            self._widen()
            steps = self._part.at(column, row)
        return steps
