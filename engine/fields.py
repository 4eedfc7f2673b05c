"""How many steps it is to a place, worked out only as far around it as somebody asks."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from procgen.analysis import BEYOND, UNREACHED, distances, rings

REACHES = (10, 20, 40, 80)
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
    is wide around the place leads out of that part, and longer ones are not believed.
    """

    def __init__(self, x: int, y: int, left: int, top: int, ground: NDArray[np.bool_]) -> None:
        self._x, self._y = x - left, y - top
        self._corner = left, top
        self._ground = ground
        self._reaches = iter(REACHES)
        self._widen()

    def at(self, x: int, y: int) -> int:
        """Return the steps from (x, y), `UNREACHED` if too far or cut off."""
        row, column = y - self._top, x - self._left
        if 0 <= row < self._height and 0 <= column < self._width:
            steps: int = self._steps[row * self._width + column]
            if steps < self._known:
                return steps
        return self._further(x, y)

    def _further(self, x: int, y: int) -> int:
        """Return the steps from (x, y), which is beyond what has been worked out."""
        row, column = y - self._corner[1], x - self._corner[0]
        height, width = self._ground.shape
        inside = 0 <= row < height and 0 <= column < width
        if self._whole or not inside or not self._ground[row, column]:
            return UNREACHED
        self._widen()
        return self.at(x, y)

    def _widen(self) -> None:
        """Work out a wider part: rings as far as they go, in the end all there is."""
        reach = next(self._reaches, None)
        if reach is None:
            left = top = 0
            steps: NDArray[np.integer] = distances(self._ground, self._x, self._y)
        else:
            left, top = max(0, self._x - reach), max(0, self._y - reach)
            part = self._ground[top : self._y + reach + 1, left : self._x + reach + 1]
            steps = rings(part, self._x - left, self._y - top, reach)
        self._whole = reach is None or not (steps == reach).any()
        self._known = UNREACHED if reach is None else BEYOND
        self._left, self._top = left + self._corner[0], top + self._corner[1]
        self._height, self._width = steps.shape
        self._steps = steps.ravel().tolist()
