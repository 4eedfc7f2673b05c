"""The blueprint: a level while steps build it, with rooms, regions, mission and spawns."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, openable_mask
from procgen.mission import Mission

STANDARD_AREA = 80 * 45
"""The area in tiles that numbers in recipes are meant for; larger maps get more in proportion."""


def scale_of(area: int) -> int:
    """Return how many times `STANDARD_AREA` fits into ``area`` tiles, at least 1."""
    return max(1, area // STANDARD_AREA)


class Point(NamedTuple):
    """The position of a tile: x to the right, y down."""

    x: int
    y: int


@lru_cache(1 << 14)
def cached_point(x: int, y: int) -> Point:
    """Return ``Point(x, y)`` from a cache, in a third of the time: events need many."""
    return Point(x, y)


class Spawn(NamedTuple):
    """A monster of ``kind`` to be placed at (x, y) when the level is entered."""

    kind: str
    x: int
    y: int


Window = tuple[slice, slice]
"""A part of a map, as an index [y, x]."""
WHOLE_MAP: Window = (slice(None), slice(None))


def window_around(x: int, y: int, reach: int) -> tuple[Window, int, int]:
    """Return the window of all tiles up to ``reach`` away from (x, y), and its left and top.

    Its slices may extend beyond the right and lower edges of the map, where NumPy clips them.
    """
    left, top = max(0, x - reach), max(0, y - reach)
    return np.s_[top : y + reach + 1, left : x + reach + 1], left, top


def mask_at(points: Iterable[tuple[int, int]], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return a new bool array [y, x] of ``shape`` that is True at ``points``, each an (x, y)."""
    found = np.zeros(shape, np.bool_)
    for x, y in points:
        found[y, x] = True
    return found


@dataclass(frozen=True)
class RectangularRoom:
    """A room by its floor: left, top, width and height in tiles, walls not counted."""

    x: int
    y: int
    width: int
    height: int

    @cached_property
    def center(self) -> Point:
        """The middle tile; rounds to the upper left."""
        return Point(self.x + (self.width - 1) // 2, self.y + (self.height - 1) // 2)

    @cached_property
    def text(self) -> str:
        """The four numbers, separated by commas."""
        return f"{self.x},{self.y},{self.width},{self.height}"

    @property
    def inner(self) -> tuple[slice, slice]:
        """The floor as an index into ``tiles[y, x]``."""
        return slice(self.y, self.y + self.height), slice(self.x, self.x + self.width)

    @property
    def area(self) -> int:
        """The number of floor tiles."""
        return self.width * self.height

    def contains(self, x: int, y: int) -> bool:
        """Return True if (x, y) is floor of this room."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def walls(self) -> list[tuple[int, int, list[Point]]]:
        """Return for each side its direction (dx, dy) and the tiles beyond it, without corners."""
        right, bottom = self.x + self.width, self.y + self.height
        columns, rows = range(self.x, right), range(self.y, bottom)
        return [
            (0, -1, [Point(x, self.y - 1) for x in columns]),
            (0, 1, [Point(x, bottom) for x in columns]),
            (-1, 0, [Point(self.x - 1, y) for y in rows]),
            (1, 0, [Point(right, y) for y in rows]),
        ]

    def grown(self, by: int) -> "RectangularRoom":
        """Return the room with every side moved outwards."""
        return RectangularRoom(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def halves(self, upright: bool, at: int, gap: int = 0) -> list["RectangularRoom"]:
        """Return the two parts beside a line, left and right if ``upright``, else above and below.

        The first is ``at`` tiles long, the line ``gap`` tiles wide; with -1 the parts overlap by 1.
        """
        x, y, width, height, end = self.x, self.y, self.width, self.height, at + gap
        if upright:
            return [
                RectangularRoom(x, y, at, height),
                RectangularRoom(x + end, y, width - end, height),
            ]
        return [RectangularRoom(x, y, width, at), RectangularRoom(x, y + end, width, height - end)]


def paste_clipped(onto: NDArray[Any], part: NDArray[Any], x: int, y: int) -> None:
    """Copy ``part`` [y, x, ...] ``onto`` a map or picture: its corner at (x, y), clipped."""
    bottom, right = max(0, y + part.shape[0]), max(0, x + part.shape[1])
    window = onto[max(0, y) : bottom, max(0, x) : right]
    window[:] = part[max(0, -y) :, max(0, -x) :][: window.shape[0], : window.shape[1]]


def bounding_box(mask: NDArray[np.bool_]) -> RectangularRoom | None:
    """Return the smallest rectangle around the set tiles of ``mask[y, x]``, None without any."""
    ys, xs = (np.flatnonzero(mask.any(axis)).tolist() for axis in (1, 0))
    return RectangularRoom(xs[0], ys[0], xs[-1] - xs[0] + 1, ys[-1] - ys[0] + 1) if ys else None


class Rejected(Exception):
    """An attempt that cannot become a level; the message is the reason. The builder tries again."""


class TileGrid:
    """A base class for everything with a map ``tiles[y, x]``; it gives the size."""

    tiles: NDArray[np.uint8]

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.tiles.shape[0])

    def contains(self, x: int, y: int) -> bool:
        """Return True if (x, y) is on the map."""
        height, width = self.tiles.shape
        return bool(0 <= x < width and 0 <= y < height)

    def within_border(self, box: RectangularRoom, border: int = 1) -> RectangularRoom:
        """Return the part of ``box`` at least ``border`` tiles from the edge of the map."""
        left, top = max(border, box.x), max(border, box.y)
        right = min(self.width - border, box.x + box.width)
        bottom = min(self.height - border, box.y + box.height)
        return RectangularRoom(left, top, right - left, bottom - top)


@dataclass
class Blueprint(TileGrid):
    """The record that every step of a recipe changes in turn.

    ``tiles[y, x]`` are `Tile` numbers (uint8). ``rooms`` are rectangles of floor; ``leaves``
    the cells of a partition of the map; ``regions[y, x]`` (int32) the number of the region of
    each tile, 0 for none; ``mission`` the graph that the level follows, if there is one. Steps
    declare which of these they produce (``gives``) and read (``needs``). Of each kind of creature,
    ``spawn_percents`` is how much of its weight at the depth it has here, 100 by default, and
    ``spawn_weights`` what is added; ``structure`` is what `structure_of` found last.
    """

    tiles: NDArray[np.uint8]
    depth: int = 1
    rooms: list[RectangularRoom] = field(default_factory=list)
    leaves: list[RectangularRoom] = field(default_factory=list)
    regions: NDArray[np.int32] | None = None
    start: Point | None = None
    exit: Point | None = None
    spawns: list[Spawn] = field(default_factory=list)
    mission: Mission | None = None
    spawn_percents: Mapping[str, int] = field(default_factory=dict)
    spawn_weights: dict[str, int] = field(default_factory=dict)
    structure: object = None

    @classmethod
    def solid(cls, width: int, height: int, depth: int = 1) -> "Blueprint":
        """Return a blueprint of solid rock."""
        return cls(np.full((height, width), Tile.WALL, np.uint8), depth)

    @property
    def scale(self) -> int:
        """The map's area as a multiple of `STANDARD_AREA`, rounded down, at least 1."""
        return scale_of(self.tiles.size)

    @property
    def open(self) -> NDArray[np.bool_]:
        """Passable tiles, secret and locked doors included, as a new array [y, x]."""
        return openable_mask().take(self.tiles)

    @property
    def marks(self) -> list[tuple[int, int]]:
        """The places (x, y) of start, exit and spawns."""
        ends = [point for point in (self.start, self.exit) if point]
        return [*ends, *[spawn[1:] for spawn in self.spawns]]

    @property
    def occupied(self) -> NDArray[np.bool_]:
        """The tiles of start, exit and spawns, as a new array [y, x]."""
        return mask_at(self.marks, self.tiles.shape)

    def inside(self, x: int, y: int) -> bool:
        """Return True if (x, y) is on the map and not on its border."""
        return bool(0 < x < self.tiles.shape[1] - 1 and 0 < y < self.tiles.shape[0] - 1)

    def digest(self) -> str:
        """Return 16 hex digits of the shape: tiles, rooms, regions, mission, start and exit.

        Spawns do not count, so that a new kind of creature does not change the digest of a shape.
        """
        state = blake2b(self.tiles.tobytes(), digest_size=8)
        rooms = [room.text for room in (*self.rooms, *self.leaves)]
        marks = [f"{p.x},{p.y}" if p else "-" for p in (self.start, self.exit)]
        state.update(" ".join([f"{self.width}x{self.height}", *rooms, *marks]).encode())
        if self.regions is not None:
            state.update(self.regions.tobytes())
        if self.mission is not None:
            state.update(self.mission.summary.encode())
        return state.hexdigest()


def tunnel_between(
    start: tuple[int, int], end: tuple[int, int], *, horizontal_first: bool
) -> Iterator[Point]:
    """Yield the tiles of an L-shaped tunnel from ``start`` to ``end``, both included."""
    (x1, y1), (x2, y2) = start, end
    corner = (x2, y1) if horizontal_first else (x1, y2)
    yield from stepped_line(start, corner)
    yield from stepped_line(corner, end)[1:]


def stepped_line(start: tuple[int, int], end: tuple[int, int]) -> list[Point]:
    """Return the tiles of a line from ``start`` to ``end`` that takes steps N, E, S or W only."""
    (x, y), (x2, y2) = start, end
    dx, dy = abs(x2 - x), abs(y2 - y)
    across, down = 1 if x2 > x else -1, 1 if y2 > y else -1
    way = [Point(x, y)]
    gone_x = gone_y = 0
    while gone_x < dx or gone_y < dy:
        if (2 * gone_x + 1) * dy < (2 * gone_y + 1) * dx:
            gone_x, x = gone_x + 1, x + across
        else:
            gone_y, y = gone_y + 1, y + down
        way.append(Point(x, y))
    return way


def dig(plan: Blueprint, points: Iterable[tuple[int, int]], tile: int = Tile.TUNNEL) -> int:
    """Turn those of ``points`` that are rock into ``tile``; return how many there were."""
    tiles, rock, dug = plan.tiles, int(Tile.WALL), 0
    for x, y in points:
        if tiles[y, x] == rock:
            tiles[y, x] = tile
            dug += 1
    return dug


def dig_tunnel(
    plan: Blueprint, start: tuple[int, int], end: tuple[int, int], *, horizontal_first: bool
) -> int:
    """Dig the tunnel that `tunnel_between` yields; return how many tiles were rock.

    Each straight part is set as one slice: going tile by tile takes ten times as long.
    """
    dug, corner = 0, (end[0], start[1]) if horizontal_first else (start[0], end[1])
    for (x1, y1), (x2, y2) in ((start, corner), (corner, end)):
        part = plan.tiles[min(y1, y2) : max(y1, y2) + 1, min(x1, x2) : max(x1, x2) + 1]
        rock = part == Tile.WALL
        dug += int(np.count_nonzero(rock))
        part[rock] = Tile.TUNNEL
    return dug


def close_border(plan: Blueprint) -> None:
    """Turn the outermost row and column on each side into wall."""
    plan.tiles[:: plan.height - 1] = Tile.WALL
    plan.tiles[:, :: plan.width - 1] = Tile.WALL
