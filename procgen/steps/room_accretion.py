"""Room accretion (Brogue): rooms attached one by one, each behind a door of an older one."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from entities.terrain import Tile
from procgen.analysis.bitboard import overlaps, pack_rows, widened
from procgen.analysis.distances import Mask
from procgen.blueprint import Blueprint, Rejected
from procgen.carving.room_shapes import RoomShape, random_shape
from procgen.rng import Rng
from procgen.step_registry import Few, Positive, Share, Side, Weight, step

ROCK = int(Tile.WALL)
COURSES = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west: the course opposite to ``n`` is ``n ^ 2``."""


class DoorSite(NamedTuple):
    """A place for a door: the rock at (x, y), and the course that leads away from the floor."""

    x: int
    y: int
    course: int


class Design(NamedTuple):
    """A room yet to be attached: everything is relative to the left upper corner of its shape.

    ``rows`` are the bits of its mask, ``hallway`` the tiles (x, y) of a way in, ``sites`` the
    doors it offers, ``mates[n]`` those that can be laid upon a site of course ``n``.
    """

    shape: RoomShape
    rows: Sequence[int]
    hallway: Sequence[tuple[int, int]]
    sites: Sequence[DoorSite]
    mates: Sequence[Sequence[DoorSite]]


def design(shape: RoomShape, rng: Rng, hallway: int = 0, *, bent: bool = False) -> Design:
    """Return a design of ``shape``, entered through a ``hallway`` of that many tiles if not 0.

    Who enters a ``bent`` hallway does so from its side.
    """
    rows, sites, mates = _outline(shape.mask.tobytes(), shape.width)
    if not hallway:
        return Design(shape, rows, [], sites, mates)
    x, y, course = rng.pick(sites)
    dx, dy = COURSES[course]
    way = [(x + n * dx, y + n * dy) for n in range(hallway)]
    x, y = way[-1]
    courses = (course ^ 1, course ^ 3) if bent else (course,)
    entrances = [DoorSite(x + COURSES[turn][0], y + COURSES[turn][1], turn) for turn in courses]
    return Design(shape, rows, way, sites, _mates(entrances))


def _mates(doors: Sequence[DoorSite]) -> list[list[DoorSite]]:
    return [[door for door in doors if door.course == course ^ 2] for course in range(4)]


@lru_cache(maxsize=512)
def _outline(
    mask: bytes, width: int
) -> tuple[Sequence[int], Sequence[DoorSite], Sequence[Sequence[DoorSite]]]:
    """Return the rows, the sites and the mates of a mask: half of all rooms are plain."""
    tiles = np.frombuffer(mask, np.bool_).reshape(-1, width)
    sites = door_sites(tiles)
    return pack_rows(tiles), sites, _mates(sites)


def door_sites(mask: Mask) -> list[DoorSite]:
    """Return the places around ``mask`` where a door would look straight away from the room.

    On each of the four sides they are at what juts out furthest thereabouts: where it is flat,
    or, on a side that nowhere is, anywhere.
    """
    height, width = mask.shape
    found = []
    for course, view in enumerate((mask.T, mask[:, ::-1], mask.T[:, ::-1], mask)):
        inset = [width + height, *view.argmax(axis=1).tolist(), width + height]
        around = list(zip(inset, inset[1:], inset[2:], strict=False))
        lines = [n for n, (one, here, other) in enumerate(around) if one == here == other]
        for n in lines or [n for n, (a, here, b) in enumerate(around) if here <= min(a, b)]:
            out = inset[n + 1]
            x, y = ((n, out - 1), (width - out, n), (n, height - out), (out - 1, n))[course]
            found.append(DoorSite(x, y, course))
    return found


class RoomAccretion:
    """A level that grows room by room, and knows the rock that is still free."""

    def __init__(self, plan: Blueprint) -> None:
        self.plan, (self.height, self.width) = plan, plan.tiles.shape
        edge = 1 | 1 << plan.width - 1
        rows = widened(pack_rows(plan.tiles != Tile.WALL))
        self.blocked = [row | edge for row in rows]
        self.blocked[0] = self.blocked[-1] = (1 << plan.width) - 1
        self.sites = list(self._standing_sites())
        self.regions = plan.regions = np.zeros(plan.tiles.shape, np.int32)

    def _standing_sites(self) -> Iterator[DoorSite]:
        """Yield the sites around what was open before anything grew."""
        ground = np.pad(self.plan.open, 1)
        rock = np.pad(self.plan.tiles == Tile.WALL, 1)[1:-1, 1:-1]
        rock[[0, -1]] = rock[:, [0, -1]] = False
        for course, (dx, dy) in enumerate(COURSES):
            behind = np.roll(ground, (dy, dx), (0, 1))[1:-1, 1:-1]
            ys, xs = np.nonzero(behind & rock)
            for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
                yield DoorSite(x, y, course)

    def begin(self, room: Design, rng: Rng) -> bool:
        """Build the first room anywhere; return whether there is space for it."""
        spare_x = self.plan.width - room.shape.width - 1
        spare_y = self.plan.height - room.shape.height - 1
        if spare_x < 1 or spare_y < 1:
            return False
        x, y = rng.between(1, spare_x), rng.between(1, spare_y)
        fits = self._fits(room, x, y)
        if fits:
            self._build(room, x, y)
        return fits

    def attach(self, room: Design, rng: Rng, tries: int) -> bool:
        """Build ``room`` behind a door to what exists; return whether one of ``tries`` sites fits.

        A site whose rock was taken meanwhile is forgotten.
        """
        sites, blocked = self.sites, self.blocked
        for roll in rng.integers(0, 2**31 - 1, tries).tolist():
            if not (count := len(sites)):
                return False
            index = roll % count
            x, y, course = site = sites[index]
            dx, dy = COURSES[course]
            if blocked[y + dy] >> x + dx & 1:
                sites[index] = sites[-1]
                sites.pop()
                continue
            if not (doors := room.mates[course]):
                continue
            door_x, door_y, _ = doors[roll // count % len(doors)]
            if self._fits(room, x - door_x, y - door_y) and self._walled(site):
                self._build(room, x - door_x, y - door_y)
                self._open(x, y, Tile.FLOOR)
                return True
        return False

    def _fits(self, room: Design, x: int, y: int) -> bool:
        """Return True if ``room`` with its corner at (x, y) keeps a wall all around."""
        height, width = room.shape.mask.shape
        if not (0 < x < self.width - width and 0 < y < self.height - height):
            return False
        if overlaps(self.blocked, room.rows, x, y):
            return False
        for dx, dy in room.hallway:
            if not self.plan.inside(x + dx, y + dy) or self.blocked[y + dy] >> x + dx & 1:
                return False
        return True

    def _walled(self, site: DoorSite) -> bool:
        """Return True if a door at ``site`` would hang between two walls."""
        dx, dy = COURSES[site.course]
        tiles, (x, y, _) = self.plan.tiles, site
        return all(
            tiles.item(place) == ROCK for place in ((y, x), (y + dx, x + dy), (y - dx, x - dy))
        )

    def _build(self, room: Design, x: int, y: int) -> None:
        shape = room.shape
        shape.build(self.plan, x, y)
        part = self.regions[y : y + shape.height, x : x + shape.width]
        part[shape.mask] = len(self.plan.rooms)
        wide = widened([0, *(row << 1 for row in room.rows), 0])
        for n, row in enumerate(wide, y - 1):
            self.blocked[n] |= row << x - 1
        for dx, dy in room.hallway:
            self._open(x + dx, y + dy, Tile.TUNNEL)
        right, bottom = self.width - 1, self.height - 1
        self.sites += [
            DoorSite(x + dx, y + dy, course)
            for dx, dy, course in room.sites
            if 0 < x + dx < right and 0 < y + dy < bottom
        ]

    def _open(self, x: int, y: int, tile: int) -> None:
        self.plan.tiles[y, x] = tile
        for n in (y - 1, y, y + 1):
            self.blocked[n] |= 7 << x - 1


CAPTIONS = 60
SHAPES = ("rectangle", "circle", "cross", "ring", "hall", "chunky", "cave")


@step(
    gives="floor rooms regions",
    depends_on={
        "large_min": "large",
        "large_max": "large",
        "hallway_min": "hallways",
        "hallway_max": "hallways",
        "bent": "hallways",
    },
    varies="rooms max_side large hallways",
)
def attach_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    rooms: Positive = 40,
    patience: Positive = 25,
    tries: Positive = 50,
    min_side: Side = 3,
    max_side: Side = 9,
    large: Few = 4,
    large_min: Side = 11,
    large_max: Side = 19,
    hallways: Share = 0.35,
    hallway_min: Side = 3,
    hallway_max: Side = 9,
    bent: Share = 0.2,
    rectangle: Weight = 4,
    circle: Weight = 2,
    cross: Weight = 3,
    ring: Weight = 1,
    hall: Weight = 1,
    chunky: Weight = 2,
    cave: Weight = 2,
) -> Iterator[str]:
    """Grow a level from one room: design another, look for a wall where it can be attached.

    Ends with ``rooms`` rooms (on an 80x45 map; larger ones get their share more), or when
    ``patience`` designs in a row found no place at ``tries`` sites each. Sides are ``min_side`` to
    ``max_side``; every other design is great, until there were ``large`` of those, and has sides of
    ``large_min`` to ``large_max``. A share ``hallways`` of the designs is entered through a hallway
    of ``hallway_min`` to ``hallway_max`` tiles, a share ``bent`` of these from its side.
    ``rectangle``, ``circle``, ``cross``, ``ring``, ``hall``, ``chunky`` and ``cave`` are the
    weights of the shapes in the mix. (Brogue's accretion.)
    """
    mix = (rectangle, circle, cross, ring, hall, chunky, cave)
    weights = dict(zip(SHAPES, mix, strict=True))
    shares = plan.scale
    pace = max(1, rooms * shares // CAPTIONS)
    growth = RoomAccretion(plan)
    attached = designs = failures = 0
    standing = bool(growth.sites)
    while failures < patience and attached < rooms * shares:
        designs += 1
        great = designs % 2 == 0 and designs <= 2 * large * shares
        sides = (large_min, large_max) if great else (min_side, max_side)
        kind, shape = random_shape(weights, rng, sides, plan)
        length = rng.between(hallway_min, max(hallway_min, hallway_max))
        hallway = length if rng.chance(hallways) and standing else 0
        room = design(shape, rng, hallway, bent=rng.chance(bent))
        if not (growth.attach(room, rng, tries) if standing else growth.begin(room, rng)):
            failures += 1
            continue
        standing, failures = True, 0
        attached += 1
        if (attached - 1) % pace == 0:
            yield f"Room {attached}: {kind}, {shape.width} by {shape.height}"
    if not plan.rooms:
        raise Rejected("no room found a place")
