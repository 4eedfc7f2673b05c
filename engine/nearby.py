"""Looking for the way without looking at all there is: the cost is that of what is near.

A search in a window of the map finds what one on the whole map would, as long as what it finds is
no further off than the window reaches; if it is not, the window grows.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game_map import GameMap
from procgen.analysis import UNREACHED, distances
from procgen.blueprint import Point

FIRST, GROWTH = 48, 3
"""How far the first window reaches, and how many times further each that follows."""

Mask = NDArray[np.bool_]


class Around(NamedTuple):
    """A window of a map: its upper left tile, how far it reaches for certain, and its slices."""

    left: int
    top: int
    reach: int
    box: tuple[slice, slice]


def windows(game_map: GameMap, x: int, y: int) -> Iterator[Around]:
    """Yield ever wider windows around (x, y), the last of which is the whole map."""
    reach = FIRST
    while True:
        left, top = max(0, x - reach), max(0, y - reach)
        right, bottom = min(game_map.width, x + reach + 1), min(game_map.height, y + reach + 1)
        whole = right - left == game_map.width and bottom - top == game_map.height
        yield Around(left, top, UNREACHED if whole else reach, np.s_[top:bottom, left:right])
        if whole:
            return
        reach *= GROWTH


def nearest(ground: Mask, wanted: Mask, around: Around, x: int, y: int) -> Point | None:
    """Return the place ``wanted`` that is the fewest steps from (x, y), by the map's places.

    Both masks are of the window. None if none is so near that it must be the nearest.
    """
    steps = distances(ground, x - around.left, y - around.top)
    steps[~wanted] = UNREACHED
    row, column = divmod(int(steps.argmin()), steps.shape[1])
    found = int(steps[row, column])
    if found == UNREACHED or found > around.reach:
        return None
    return Point(column + around.left, row + around.top)
