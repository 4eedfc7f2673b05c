"""Floor that is free to furnish, and what may stand on it without cutting the level in two."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Blueprint, Point
from procgen.placement.painting import TileName, interior, mask_of, occupied, walkable

PLAIN: tuple[TileName, ...] = (
    "floor",
    "tunnel",
    "road",
    "grass",
    "sand",
    "moss",
    "rubble",
    "carpet",
)
"""Ground that means nothing yet."""

ROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight neighbours (dx, dy), clockwise from the north."""


def _stays_joined(ring: int) -> bool:
    """Whether the open N, E, S and W of ``ring`` (bit i: `ROUND`[i] is open) hang together."""
    bits = [ring >> index & 1 for index in range(8)]
    gaps = sum(
        bits[index] and not (bits[index + 1] and bits[index + 2 & 7]) for index in (0, 2, 4, 6)
    )
    return gaps <= 1


JOINED = tuple(_stays_joined(ring) for ring in range(256))


def can_close(open_tiles: NDArray[np.bool_], x: int, y: int) -> bool:
    """Whether the tiles around (x, y), not on the border, stay joined once it is closed.

    Looks at the eight neighbours only, so it says no more often than it must, never too rarely.
    """
    ring = sum(int(open_tiles[y + dy, x + dx]) << bit for bit, (dx, dy) in enumerate(ROUND))
    return JOINED[ring]


def free_ground(plan: Blueprint) -> NDArray[np.bool_]:
    """Return where one can walk and nobody stands yet, as a new array [y, x]."""
    free = walkable(plan)
    for x, y in occupied(plan):
        free[y, x] = False
    return free


def furthest_free(plan: Blueprint, x: int, y: int) -> Point | None:
    """Return the free tile furthest from (x, y) on foot, the first in reading order, if any."""
    steps = distances(walkable(plan), x, y)
    steps[(steps == UNREACHED) | ~free_ground(plan)] = 0
    row, column = divmod(int(steps.argmax()), plan.width)
    return Point(column, row) if steps[row, column] else None


class FreeFloor:
    """The floor of a blueprint that nothing stands on yet.

    Nothing is put where somebody stands, and nothing solid next to a door or in the middle of
    a room. ``open`` is where one can walk and come to no harm.
    """

    def __init__(self, plan: Blueprint) -> None:
        self.tiles = plan.tiles
        self.open = plan.open
        self.free = mask_of(plan, PLAIN) & interior(plan)
        doors = mask_of(plan, ("door", "secret_door"))
        self.solid = self.free & ~ndimage.binary_dilation(doors, np.ones((3, 3), np.bool_))
        for room in plan.rooms:
            self.solid[room.center.y, room.center.x] = False
        self.mind(plan)

    def mind(self, plan: Blueprint) -> None:
        """Leave alone where somebody stands by now."""
        for x, y in occupied(plan):
            self.free[y, x] = self.solid[y, x] = False

    def lay(self, x: int, y: int, tile: int) -> bool:
        """Put something one can walk on at (x, y); return whether there was room."""
        if not self.free[y, x]:
            return False
        self._take(x, y, tile)
        return True

    def stand(self, x: int, y: int, tile: int) -> bool:
        """Put something to be walked round at (x, y); return whether that is still possible."""
        if not self.solid[y, x] or not can_close(self.open, x, y):
            return False
        self._take(x, y, tile)
        self.open[y, x] = False
        return True

    def _take(self, x: int, y: int, tile: int) -> None:
        self.tiles[y, x] = tile
        self.free[y, x] = self.solid[y, x] = False
