"""Furniture placement that never disconnects the level, by a test of the eight neighbours."""

from collections.abc import Sequence
from itertools import product

from entities.terrain import Mask, terrain
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Blueprint
from procgen.placement.painting import interior, mask_of, walkable

CLOCKWISE = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight neighbours (dx, dy), clockwise from the north."""


def _stays_joined(bits: Sequence[int]) -> bool:
    """Return True if the open N, E, S and W of the ring ``bits`` (as `CLOCKWISE`) connect."""
    return sum(bits[n] and not (bits[n + 1] and bits[n + 2 & 7]) for n in (0, 2, 4, 6)) <= 1


JOINED = {
    bytes(ring[n] for n in (7, 0, 1, 6, 8, 2, 5, 4, 3)): _stays_joined(ring[:8])
    for ring in product((0, 1), repeat=9)
}
"""By the bytes of a 3 by 3 window: True if its middle may be closed."""


def can_close(open_tiles: Mask, x: int, y: int) -> bool:
    """Return True if the neighbours of (x, y), not on the border, stay connected once it is closed.

    Looks at the eight neighbours only: it may refuse a tile with a longer path around it, but it
    never allows one that disconnects the level, and needs no flood fill for each pillar.
    """
    return JOINED[open_tiles[y - 1 : y + 2, x - 1 : x + 2].tobytes()]


def free_ground(plan: Blueprint) -> Mask:
    """Return the walkable, unoccupied tiles as a new bool array [y, x]."""
    return walkable(plan) & ~plan.occupied


class FreeFloor:
    """The floor of a blueprint that is still free for furniture, as masks [y, x].

    ``free`` are the tiles that may be replaced, ``may_block`` those of them that a blocking tile
    may replace: not next to a door or ledge, nor in the center of a room. ``open`` are passable.
    """

    def __init__(self, plan: Blueprint) -> None:
        self.tiles = plan.tiles
        self.open = plan.open
        self.free = terrain().plain.take(plan.tiles) & interior(plan)
        doors = mask_of(plan, ("door", "secret_door", "ledge"))
        self.may_block = self.free & ~with_neighbours(doors)
        for room in plan.rooms:
            self.may_block[room.center.y, room.center.x] = False
        for x, y in filter(None, (plan.start, plan.exit)):
            self.free[y, x] = self.may_block[y, x] = False
        self._spawns = 0
        self.exclude_occupied(plan)

    def exclude_occupied(self, plan: Blueprint) -> None:
        """Exclude the tiles of spawns added since the last call; start and exit do not move."""
        for _, x, y in plan.spawns[self._spawns :]:
            self.free[y, x] = self.may_block[y, x] = False
        self._spawns = len(plan.spawns)

    def place_walkable(self, x: int, y: int, tile: int) -> bool:
        """Place a walkable ``tile`` at (x, y); return whether it was free."""
        if not self.free[y, x]:
            return False
        self._take(x, y, tile)
        return True

    def place_blocking(self, x: int, y: int, tile: int) -> bool:
        """Place a blocking ``tile`` at (x, y) if it disconnects nothing; return success."""
        if not self.may_block[y, x] or not can_close(self.open, x, y):
            return False
        self._take(x, y, tile)
        self.open[y, x] = False
        return True

    def _take(self, x: int, y: int, tile: int) -> None:
        self.tiles[y, x] = tile
        self.free[y, x] = self.may_block[y, x] = False
