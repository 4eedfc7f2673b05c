"""Room sites: rooms, cut-off pockets and clearings that a room type can be given to."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from procgen.analysis.chokepoints import Cells, Structure, pockets
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Blueprint, Point, RectangularRoom, scale_of
from procgen.rng import Rng

SLACK = 3
"""A site is on the way to the exit if going through it costs at most this many extra steps."""

WIDEST = 3
"""The largest radius of a clearing, in tiles."""

CLEARINGS = 8
"""The number of clearings looked for on a map of `STANDARD_AREA`."""


@dataclass(frozen=True, eq=False)
class RoomSite:
    """A place that can become a treasury, a lair, a shrine, ...

    ``cells`` are its walkable tiles, y * ``wide`` + x, from the one nearest the start to the
    ``deepest``, which is ``distance`` steps from it; ``box`` is a rectangle around most of them;
    ``sealed`` tells whether a single tile cuts off the site and little else, ``on_way`` whether it
    lies between start and exit.
    """

    cells: Cells
    wide: int
    box: RectangularRoom
    distance: int
    sealed: bool
    on_way: bool

    @cached_property
    def spots(self) -> tuple[Point, ...]:
        """The tiles as points, from near the start to far."""
        ys, xs = np.divmod(self.cells, self.wide)
        return tuple(map(Point, xs.tolist(), ys.tolist()))

    @property
    def area(self) -> int:
        """The number of walkable tiles."""
        return len(self.cells)

    @property
    def shorter(self) -> int:
        """The shorter side of the box."""
        return min(self.box.width, self.box.height)

    @property
    def deepest(self) -> Point:
        """The tile furthest from the start."""
        return self.spots[-1]

    @property
    def middle(self) -> Point:
        """The tile nearest to the middle of the box."""
        x, y = self.box.center
        return min(self.spots, key=lambda spot: (abs(spot.x - x) + abs(spot.y - y), spot))


def find_sites(
    plan: Blueprint, structure: Structure, rng: Rng, *, least: int, most: int
) -> list[RoomSite]:
    """Return the sites of ``least`` to ``most`` tiles that hold neither start nor exit.

    Rooms first, in their order, then pockets that are no part of one; where there are no
    rooms also the widest clearings. No tile belongs to two sites.
    """
    free = structure.distance < UNREACHED
    for point in (plan.start, plan.exit):
        if point:
            free[point.y, point.x] = False
    finder = _Finder(plan, structure, free, least, most)
    for room in plan.rooms:
        finder.try_room(room)
    for pocket in pockets(structure, least, most):
        finder.try_cells(pocket.cells)
    if not plan.rooms:
        finder.try_clearings(rng)
    return finder.found


class _Finder:
    def __init__(
        self, plan: Blueprint, structure: Structure, free: NDArray[np.bool_], least: int, most: int
    ) -> None:
        self.free, self.least, self.most = free, least, most
        self.found: list[RoomSite] = []
        self.reached = structure.distance < UNREACHED
        self.numbers = np.arange(free.size, dtype=np.int32).reshape(free.shape)
        self.steps, self.seals = structure.distance.ravel(), structure.sealed().ravel()
        self.through = np.full(free.size, UNREACHED, np.int32)
        if plan.exit:
            self.through = detours(structure, plan.exit).ravel()

    def try_room(self, room: RectangularRoom) -> None:
        self.try_cells(self.numbers[room.inner][self.reached[room.inner]], room)

    def try_cells(self, cells: Cells, room: RectangularRoom | None = None) -> None:
        """Add the site made of ``cells`` if its size fits and all of them are free."""
        free = self.free.reshape(-1)
        if not self.least <= len(cells) <= self.most or not free.take(cells).all():
            return
        free[cells] = False
        steps, wide = self.steps.take(cells), self.free.shape[1]
        order = steps.argsort(kind="stable")
        seals = self.seals.take(cells)
        seals.sort()
        seal = int(seals[(len(cells) - 1) // 2] + seals[len(cells) // 2]) // 2
        self.found.append(
            RoomSite(
                cells=cells[order],
                wide=wide,
                box=room or _box(cells, wide),
                distance=int(steps[order[-1]]),
                sealed=0 < seal <= 2 * len(cells),
                on_way=int(self.through.take(cells).min()) <= SLACK,
            )
        )

    def try_clearings(self, rng: Rng) -> None:
        """Add squares of free floor, the widest first, none within two tiles of another."""
        reach = scipy.ndimage.distance_transform_cdt(self.free, metric="chessboard")
        reach = np.minimum(reach, WIDEST + 1)
        order = np.array(rng.shuffled(range(reach.size)), np.intp)
        order = order[np.argsort(-reach.ravel()[order], kind="stable")]
        order = order[(2 * reach.ravel()[order] - 1) ** 2 >= self.least]
        left = CLEARINGS * scale_of(self.free.size)
        for cell in order.tolist():
            y, x = divmod(cell, reach.shape[1])
            if not left:
                return
            side = int(reach[y, x]) - 1
            if self.free[y, x] and self.free[y - side, x - side]:
                left -= 1
                self.try_room(RectangularRoom(x - side, y - side, 2 * side + 1, 2 * side + 1))
                top, west = max(0, y - side - 2), max(0, x - side - 2)
                self.free[top : y + side + 3, west : x + side + 3] = False


def detours(structure: Structure, goal: Point) -> NDArray[np.int32]:
    """Return how many steps longer the path from the start to ``goal`` is through each tile.

    The array is int32 [y, x], `UNREACHED` on unreachable tiles.
    """
    back = distances(structure.walkable, *goal)
    there = int(structure.distance[goal.y, goal.x])
    reached = (back < UNREACHED) & (structure.distance < UNREACHED)
    extra = np.full(back.shape, UNREACHED, np.int32)
    extra[reached] = back[reached] + structure.distance[reached] - there
    return extra


def _box(cells: Cells, wide: int) -> RectangularRoom:
    ys, xs = np.divmod(cells, wide)
    left, top = int(xs.min()), int(ys.min())
    return RectangularRoom(left, top, int(xs.max()) - left + 1, int(ys.max()) - top + 1)
