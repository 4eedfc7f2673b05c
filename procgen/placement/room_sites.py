"""Room sites: rooms, areas behind chokepoints and clearings that a room type can be given to."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import isqrt

import numpy as np
import scipy
from numpy.typing import NDArray

from entities.terrain import Mask
from procgen.analysis.chokepoints import Cells, Structure, chokepoint_areas
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Blueprint, Point, RectangularRoom, scale_of
from procgen.rng import Rng

SLACK = 3
"""A site is on the way to the exit if going through it costs at most this many extra steps."""

WIDEST = 3
"""The largest radius of a clearing, in tiles."""
CLEARINGS = 8
"""The number of clearings looked for on a map of `STANDARD_AREA`."""
PORTION = 512
"""Candidates for clearings that are tested at once; in all, each is tested a few times."""


@dataclass(frozen=True, eq=False)
class RoomSite:
    """A place that can become a treasury, a lair, a shrine, ...

    ``cells`` are its walkable tiles, y * ``map_width`` + x, from the one nearest the start to the
    ``deepest``, which is ``distance`` steps from it; ``box`` is a rectangle around most of them;
    ``sealed`` tells whether a single tile cuts off the site and little else, ``on_way`` whether it
    lies between start and exit.
    """

    cells: Cells
    map_width: int
    box: RectangularRoom
    distance: int
    sealed: bool
    on_way: bool

    @cached_property
    def spots(self) -> tuple[Point, ...]:
        """The tiles as points, from near the start to far."""
        ys, xs = np.divmod(self.cells, self.map_width)
        return tuple(map(Point, xs.tolist(), ys.tolist()))

    @property
    def area(self) -> int:
        """The number of walkable tiles."""
        return len(self.cells)

    @property
    def shorter(self) -> int:
        """The shorter side of the box."""
        return min(self.box.width, self.box.height)

    @cached_property
    def filled(self) -> int:
        """The shorter side of the box if the site fills three quarters of it, or else 0."""
        return self.shorter if 4 * self.area >= 3 * self.box.area else 0

    @property
    def deepest(self) -> Point:
        """The tile furthest from the start."""
        return self.spots[-1]

    @cached_property
    def middle(self) -> Point:
        """The tile nearest to the middle of the box, on a tie the first by x, then by y."""
        ys, xs = np.divmod(self.cells, self.map_width)
        distance = abs(xs - self.box.center.x) + abs(ys - self.box.center.y)
        best = np.lexsort((ys, xs, distance))[0]
        return Point(int(xs[best]), int(ys[best]))


def find_sites(
    plan: Blueprint, structure: Structure, rng: Rng, *, least: int, most: int
) -> list[RoomSite]:
    """Return the sites of ``least`` to ``most`` tiles that hold neither start nor exit.

    Rooms come first, in their order, then areas behind chokepoints that share no tile with those
    and, on a map without rooms, the widest clearings. No tile belongs to two sites.
    """
    free = structure.distance < UNREACHED
    for point in (plan.start, plan.exit):
        if point:
            free[point.y, point.x] = False
    finder = _Finder(free, structure.distance < UNREACHED, least, most)
    for room in plan.rooms:
        finder.try_room(room)
    for area in chokepoint_areas(structure, least, most):
        finder.try_cells(area.cells, None)
    if not plan.rooms:
        finder.try_clearings(rng)
    return _described(finder.found, structure, plan.exit)


def sites_in(
    structure: Structure, boxes: Iterable[RectangularRoom], *, least: int, most: int
) -> list[RoomSite]:
    """Return as sites the ``boxes`` in which ``least`` to ``most`` tiles can be reached.

    ``sealed`` and ``on_way`` are False: to compute them would take longer than all the rest.
    """
    reached = structure.distance < UNREACHED
    finder = _Finder(reached.copy(), reached, least, most)
    for box in boxes:
        finder.try_room(box)
    return _described(finder.found, structure, None)


Ground = tuple[Cells, RectangularRoom | None]
"""The tiles of a site in reading order, and its room or clearing."""


class _Finder:
    def __init__(self, free: Mask, reached: Mask, least: int, most: int) -> None:
        self.free, self.reached, self.least, self.most = free, reached, least, most
        self.found: list[Ground] = []
        self.numbers = np.arange(free.size, dtype=np.int32).reshape(free.shape)

    def try_room(self, room: RectangularRoom) -> None:
        inner = room.inner
        self.try_cells(self.numbers[inner][self.reached[inner]], room)

    def try_cells(self, cells: Cells, room: RectangularRoom | None) -> None:
        """Add the site made of ``cells`` if its size fits and all of them are free."""
        free, size = self.free.reshape(-1), len(cells)
        if self.least <= size <= self.most and np.count_nonzero(free.take(cells)) == size:
            free[cells] = False
            self.found.append((cells, room))

    def try_clearings(self, rng: Rng) -> None:
        """Add squares of free floor, the widest first, none within two tiles of another."""
        free, width = self.free.reshape(-1), self.free.shape[1]
        reach = scipy.ndimage.distance_transform_cdt(self.free, metric="chessboard").ravel()
        # A square of more than `most` tiles is no site, but would still use up its ground.
        reach = np.minimum(reach, min(WIDEST, (isqrt(self.most) - 1) // 2) + 1)
        order = np.flatnonzero(free & ((2 * reach - 1) ** 2 >= self.least))
        order = np.array(rng.shuffled(order.tolist()), np.intp)
        order = order[np.argsort(-reach[order], kind="stable")]
        corner, first = order - (reach[order] - 1) * (width + 1), 0
        for _ in range(CLEARINGS * scale_of(free.size)):
            # In portions: what did not fit once never will, since less and less is free.
            for at in range(first, len(order), PORTION):
                fits = free[order[at : at + PORTION]] & free[corner[at : at + PORTION]]
                if fits.any():
                    first = at + int(fits.argmax())
                    break
            else:
                return
            (y, x), side = divmod(int(order[first]), width), int(reach[order[first]]) - 1
            self.try_room(RectangularRoom(x - side, y - side, 2 * side + 1, 2 * side + 1))
            top, west = max(0, y - side - 2), max(0, x - side - 2)
            self.free[top : y + side + 3, west : x + side + 3] = False


def _described(grounds: list[Ground], structure: Structure, goal: Point | None) -> list[RoomSite]:
    """Return the sites on ``grounds``; all are measured at once, which takes a third of the time.

    Without a ``goal``, ``sealed`` and ``on_way`` are False.
    """
    if not grounds:
        return []
    sizes = np.array([len(part) for part, _ in grounds])
    cells = np.concatenate([part for part, _ in grounds])
    ends = sizes.cumsum()
    begins, site = ends - sizes, np.repeat(np.arange(len(grounds)) << 32, sizes)
    order = (site + structure.distance.take(cells)).argsort(kind="stable")
    map_width, sealed = structure.walkable.shape[1], np.zeros(len(grounds), np.bool_)
    on_way = sealed
    if goal:
        seals = np.sort(site + structure.sealed().take(cells)) - site
        seal = (seals[begins + (sizes - 1) // 2] + seals[begins + sizes // 2]) // 2
        sealed = (seal > 0) & (seal <= 2 * sizes)
        on_way = np.minimum.reduceat(detours(structure, goal).take(cells), begins) <= SLACK
    boxes = [room or _box(cells, map_width) for cells, room in grounds]
    cells = cells[order]
    distance = structure.distance.take(cells[ends - 1])
    facts = (row.tolist() for row in (begins, ends, distance, sealed, on_way))
    return [
        RoomSite(cells[begin:end], map_width, box, *rest)
        for box, begin, end, *rest in zip(boxes, *facts, strict=True)
    ]


def _box(cells: Cells, map_width: int) -> RectangularRoom:
    xs, top, bottom = cells % map_width, int(cells[0]) // map_width, int(cells[-1]) // map_width
    left = int(xs.min())
    return RectangularRoom(left, top, int(xs.max()) - left + 1, bottom - top + 1)


def detours(structure: Structure, goal: Point) -> NDArray[np.int32]:
    """Return how many steps longer the path from the start to ``goal`` is through each tile.

    The array is int32 [y, x], `UNREACHED` on unreachable tiles.
    """
    back = distances(structure.walkable, *goal)
    shortest = int(structure.distance[goal.y, goal.x])
    reached = (back < UNREACHED) & (structure.distance < UNREACHED)
    extra = np.full(back.shape, UNREACHED, np.int32)
    extra[reached] = back[reached] + structure.distance[reached] - shortest
    return extra
