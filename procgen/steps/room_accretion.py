"""Room accretion (Brogue): rooms attached one by one, each by a door to an older one."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from entities.terrain import Tile
from procgen.analysis.bitboard import pack_rows
from procgen.analysis.distances import CARDINALS, with_neighbours
from procgen.blueprint import Blueprint, Rejected
from procgen.carving.room_shapes import SHAPES, RoomShape, random_shape
from procgen.placement.painting import interior
from procgen.rng import Dice, Rng
from procgen.step_registry import Few, Positive, Share, Side, Weight, step

ROCK = int(Tile.WALL)

DoorSite = tuple[int, int, int]
"""The rock (x, y) for a door, and its way out, number ``n`` in `CARDINALS`; ``n ^ 2`` leads in."""


class Design(NamedTuple):
    """A room to be attached, in coordinates relative to the upper left corner of its shape.

    ``hallway`` are the tiles (x, y) of a way in, ``sites`` the doors it offers, ``doors`` those it
    can be entered by. ``box`` is the least and the largest x and y of shape and hallway.
    """

    shape: RoomShape
    hallway: Sequence[tuple[int, int]]
    sites: Sequence[DoorSite]
    doors: Sequence[DoorSite]
    box: tuple[int, int, int, int]

    def bits(self, wide: int) -> int:
        """Return the tiles of shape and hallway as one integer, from the corner of the box on.

        Rows are ``wide`` bits apart.
        """
        left, _, top, _ = self.box
        bits = 0
        for row in reversed(self.shape.rows):
            bits = bits << wide | row
        bits <<= -left - top * wide
        for x, y in self.hallway:
            bits |= 1 << (y - top) * wide + x - left
        return bits


def design(shape: RoomShape, rng: Rng, hallway: int, *, bent: bool) -> Design:
    """Return a design of ``shape``, entered through a ``hallway`` of that many tiles if not 0.

    A ``bent`` hallway is entered from its side.
    """
    sites = door_sites(shape.rows, shape.width)
    right, bottom = shape.width - 1, shape.height - 1
    if not hallway:
        return Design(shape, [], sites, sites, (0, right, 0, bottom))
    x, y, direction = rng.pick(sites)
    dx, dy = CARDINALS[direction]
    way = [(x + n * dx, y + n * dy) for n in range(hallway)]
    x, y = way[-1]
    box = min(x, 0), max(x, right), min(y, 0), max(y, bottom)
    directions = (direction ^ 1, direction ^ 3) if bent else (direction,)
    entrances = [(x + CARDINALS[turn][0], y + CARDINALS[turn][1], turn) for turn in directions]
    return Design(shape, way, sites, entrances, box)


@lru_cache(maxsize=512)  # Half of all rooms are plain, so shapes recur.
def door_sites(rows: tuple[int, ...], width: int) -> list[DoorSite]:
    """Return the places around a room for doors that open straight away from it.

    On each of the four sides they lie where the outline is flat, or, if it is flat nowhere, at
    tiles that stand out at least as far as those beside them. Bit ``x`` of ``rows[y]`` is floor.
    """
    height, sites = len(rows), list[DoorSite]()
    lefts = [(row & -row).bit_length() - 1 for row in rows]
    rights = [width - row.bit_length() for row in rows]
    views = _first_rows(rows, width), rights, _first_rows(rows[::-1], width), lefts
    for direction, (view, limit) in enumerate(zip(views, (0, width, height, 0), strict=True)):
        inset = [width + height, *view, width + height]
        around = list(zip(inset, inset[1:], inset[2:], strict=False))
        lines = [n for n, (a, here, b) in enumerate(around) if a == here == b]
        for n in lines or [n for n, (a, here, b) in enumerate(around) if here <= min(a, b)]:
            out = limit - inset[n + 1] if limit else inset[n + 1] - 1
            sites.append((out, n, direction) if direction & 1 else (n, out, direction))
    return sites


def _first_rows(rows: Sequence[int], width: int) -> list[int]:
    """Return the number of the first of ``rows`` with floor in each column."""
    first_rows, unseen = [0] * width, (1 << width) - 1
    for number, row in enumerate(rows):
        fresh = row & unseen
        unseen ^= fresh
        while fresh:
            first_rows[fresh.bit_length() - 1] = number
            fresh ^= 1 << fresh.bit_length() - 1
    return first_rows


BAND = 16
"""Rows per integer: a shift copies all of it, so with all rows each test would copy the map."""


class RoomAccretion:
    """A level that grows room by room, with a bitmap of the rock that is still free.

    The tile (x, y) has the place ``y * width + x``; ``blocked`` holds a bit for each, in bands of
    ``span`` places, so that one shift lays a whole room over them.
    """

    def __init__(self, plan: Blueprint) -> None:
        self.plan, (self.height, self.width) = plan, plan.tiles.shape
        closed = ~interior(plan) | with_neighbours(plan.tiles != Tile.WALL)
        self.span = BAND * self.width
        bands = (closed[top : top + BAND].reshape(1, -1) for top in range(0, self.height, BAND))
        self.blocked = [pack_rows(band)[0] for band in bands]
        self.sites: list[list[tuple[int, int]]] = list(self._standing_sites())
        self.regions = plan.regions = np.zeros(plan.tiles.shape, np.int32)

    def _standing_sites(self) -> Iterator[list[tuple[int, int]]]:
        """Yield for each direction the door sites around what was open at first."""
        ground, rock = self.plan.open, (self.plan.tiles == Tile.WALL) & interior(self.plan)
        for dx, dy in CARDINALS:
            ys, xs = np.nonzero(np.roll(ground, (dy, dx), (0, 1)) & rock)
            yield list(zip(xs.tolist(), ys.tolist(), strict=True))

    def begin(self, room: Design, rng: Rng) -> bool:
        """Build the first room at a random place; return whether there is space for it."""
        spare_x = self.plan.width - room.shape.width - 1
        spare_y = self.plan.height - room.shape.height - 1
        if spare_x < 1 or spare_y < 1:
            return False
        x, y = rng.between(1, spare_x), rng.between(1, spare_y)
        fits = self._is_free(room.bits(self.width), y * self.width + x)
        if fits:
            self._build(room, x, y)
        return fits

    def attach(self, room: Design, dice: Dice, tries: int) -> bool:
        """Build ``room`` behind a door of the level; return whether one of ``tries`` sites fits.

        A site with less than two tiles of free rock beyond it is removed.
        """
        blocked, span, wide = self.blocked, self.span, self.width
        doors, rolls = room.doors, dice.rolls
        bits, (left, right, top, bottom) = room.bits(wide), room.box
        for roll in islice(rolls, tries):
            number, index = divmod(roll, len(doors))
            door_x, door_y, direction = doors[index]
            if not (sites := self.sites[direction ^ 2]):
                continue
            index = number % len(sites)
            site_x, site_y = sites[index]
            dx, dy = CARDINALS[direction]
            near = (site_y - dy) * wide + site_x - dx
            far = near - dy * wide - dx
            if blocked[near // span] >> near % span & 1 or blocked[far // span] >> far % span & 1:
                sites[index] = sites[-1]
                sites.pop()
                continue
            x, y = site_x - door_x, site_y - door_y
            if (
                x + left > 0 < y + top
                and x + right < wide - 1
                and y + bottom < self.height - 1
                and self._is_free(bits, (y + top) * wide + x + left)
                and self._walled(site_x, site_y, direction)
            ):
                self._build(room, x, y)
                self.plan.tiles[site_y, site_x] = Tile.FLOOR
                self._block(1, site_y * wide + site_x)
                return True
        return False

    def _is_free(self, bits: int, place: int) -> bool:
        """Return True if none of ``bits``, laid at ``place``, is blocked."""
        band, start = divmod(place, self.span)
        bits <<= start
        while bits:
            if bits & self.blocked[band]:
                return False
            bits >>= self.span
            band += 1
        return True

    def _block(self, bits: int, place: int) -> None:
        """Block ``bits``, laid at ``place``, and the 8 neighbours of each."""
        ahead = self.width + 1  # Or neighbours to the north and west would be shifted out.
        band, start = divmod(place - ahead, self.span)
        bits = _grown(bits << ahead, self.width) << start
        while bits:
            self.blocked[band] |= bits & (1 << self.span) - 1
            bits >>= self.span
            band += 1

    def _walled(self, x: int, y: int, direction: int) -> bool:
        """Return True if a door at (x, y) would be between two walls."""
        (dx, dy), tiles = CARDINALS[direction], self.plan.tiles
        places = (y, x), (y + dx, x + dy), (y - dx, x - dy)
        return all(tiles.item(place) == ROCK for place in places)

    def _build(self, room: Design, x: int, y: int) -> None:
        shape = room.shape
        shape.build(self.plan, x, y)
        part = self.regions[y : y + shape.height, x : x + shape.width]
        part[shape.mask] = len(self.plan.rooms)
        left, _, top, _ = room.box
        self._block(room.bits(self.width), (y + top) * self.width + x + left)
        for dx, dy in room.hallway:
            self.plan.tiles[y + dy, x + dx] = Tile.TUNNEL
        right, bottom = self.width - 1, self.height - 1
        for dx, dy, direction in room.sites:
            if 0 < x + dx < right and 0 < y + dy < bottom:
                self.sites[direction].append((x + dx, y + dy))


def _grown(bits: int, wide: int) -> int:
    """Return ``bits`` with their 8 neighbours, in rows of ``wide`` bits whose ends are free."""
    bits |= bits << 1 | bits >> 1
    return bits | bits << wide | bits >> wide


CAPTIONS = 60


@step(
    gives="floor rooms regions",
    depends_on={"large_min large_max": "large", "hallway_min hallway_max bent": "hallways"},
    varies="rooms max_side large hallways",
)
def attach_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    rooms: Positive = 40,
    patience: Positive = 25,
    tries: Positive = 32,
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
    """Grow a level from one room: design another, find a wall where it can be attached, and repeat.

    Growth ends with ``rooms`` rooms on an 80x45 map, a whole multiple on larger ones. It ends
    earlier when ``patience`` designs in a row find no place. A design is tried at ``tries`` sites.
    The sides of a room are ``min_side`` to ``max_side`` tiles. Every other design is large, up to
    ``large`` of them on an 80x45 map, a whole multiple on larger ones. Large designs have sides
    of ``large_min`` to ``large_max`` tiles. A share ``hallways`` of the designs is entered through
    a hallway of ``hallway_min`` to ``hallway_max`` tiles. A share ``bent`` of the hallways is
    entered from the side. ``rectangle``, ``circle``, ``cross``, ``ring``, ``hall``, ``chunky`` and
    ``cave`` are the weights of the shapes in the mix. (Brogue's accretion.)
    """
    mix = (rectangle, circle, cross, ring, hall, chunky, cave)
    weights = dict(zip(SHAPES, mix, strict=True))
    shares = plan.scale
    pace = max(1, rooms * shares // CAPTIONS)
    growth, dice = RoomAccretion(plan), Dice(rng)
    attached = designs = failures = 0
    standing = any(growth.sites)
    while failures < patience and attached < rooms * shares:
        designs += 1
        great = designs % 2 == 0 and designs <= 2 * large * shares
        sides = (large_min, large_max) if great else (min_side, max_side)
        kind, shape = random_shape(weights, rng, sides, plan)
        length = rng.between(hallway_min, max(hallway_min, hallway_max))
        hallway = length if rng.chance(hallways) and standing else 0
        room = design(shape, rng, hallway, bent=rng.chance(bent))
        if not (growth.attach(room, dice, tries) if standing else growth.begin(room, rng)):
            failures += 1
            continue
        standing, failures = True, 0
        attached += 1
        if (attached - 1) % pace == 0:
            yield f"Room {attached}: {kind}, {shape.width} by {shape.height}"
    if not plan.rooms:
        raise Rejected("no room fits")
