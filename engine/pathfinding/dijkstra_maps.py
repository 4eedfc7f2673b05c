"""Dijkstra maps: steps to a place, computed lazily, cached for as long as the map is unchanged.

Most monsters are near their goal. A map over the whole level for each goal, each turn, was most of
the cost of a turn on a large level, so a map starts small and is widened only when a monster asks
for a tile outside it.
"""

from operator import itemgetter
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.state.game_map import GameMap
from entities.terrain import Tile
from procgen.analysis.distances import (
    BEYOND,
    DIRECTIONS,
    UNREACHED,
    bitboard_distances,
    dijkstra,
    distances,
)
from procgen.blueprint import Point

REACHES = (10, 20, 40, 80)
"""The radii to which an approach map is widened, in tiles."""
REACH = REACHES[-1]
"""The largest radius."""


class DistanceField(Protocol):
    """Steps to a place, or a safety map away from one."""

    def at(self, x: int, y: int) -> int:
        """Return the value at (x, y), `UNREACHED` if too far or cut off."""


class SafetyMap(NamedTuple):
    """A safety map as an array: ``steps[y - top, x - left]``, lowest where it is safest."""

    left: int
    top: int
    steps: NDArray[np.int32]

    def at(self, x: int, y: int) -> int:
        """Return the value at (x, y), `UNREACHED` if too far or cut off."""
        row, column = y - self.top, x - self.left
        height, width = self.steps.shape
        if 0 <= row < height and 0 <= column < width:
            return int(self.steps[row, column])
        return UNREACHED


class ApproachMap:
    """A Dijkstra map towards (x, y) that is widened lazily.

    ``ground`` is the walkable part of the window of `REACH` tiles, (left, top) its corner. Every
    answer is the same as if the whole window had been computed at once. That holds because a path
    of at most r steps cannot leave a window of radius r; longer values in a small window may be
    detours around its border, so they are not used (``_known``) and the window is widened instead.
    """

    def __init__(self, x: int, y: int, left: int, top: int, ground: NDArray[np.bool_]) -> None:
        self._x, self._y = x - left, y - top
        self._corner = left, top
        self._ground = ground
        self._reaches = iter(REACHES)
        self._widen()

    def at(self, x: int, y: int) -> int:
        """Return the value at (x, y), `UNREACHED` if too far or cut off."""
        row, column = y - self._top, x - self._left
        if 0 <= row < self._height and 0 <= column < self._width:
            steps: int = self._steps[row * self._width + column]
            if steps < self._known:
                return steps
        return self._further(x, y)

    def _further(self, x: int, y: int) -> int:
        """Return the steps from (x, y), which is beyond the computed part."""
        row, column = y - self._corner[1], x - self._corner[0]
        height, width = self._ground.shape
        inside = 0 <= row < height and 0 <= column < width
        if self._whole or not inside or not self._ground[row, column]:
            return UNREACHED
        self._widen()
        return self.at(x, y)

    def _widen(self) -> None:
        """Compute the next larger window, breadth first; in the end all of ``ground``."""
        reach = next(self._reaches, None)
        if reach is None:
            left = top = 0
            steps: NDArray[np.integer] = distances(self._ground, self._x, self._y)
        else:
            left, top = max(0, self._x - reach), max(0, self._y - reach)
            part = self._ground[top : self._y + reach + 1, left : self._x + reach + 1]
            steps = bitboard_distances(part, self._x - left, self._y - top, reach)
        self._whole = reach is None or not (steps == reach).any()
        self._known = UNREACHED if reach is None else BEYOND
        self._left, self._top = left + self._corner[0], top + self._corner[1]
        self._height, self._width = steps.shape
        self._steps = steps.ravel().tolist()


SAFETY_REACH = 20
"""The radius of a safety map, in tiles."""
DOOR = int(Tile.DOOR)
CACHE_SIZE = 256
"""The number of cached maps; the oldest goes first."""
WAYPOINT_BLOCK = 10
"""Every block of this many tiles square has one waypoint for wanderers, if it has ground."""
SAFETY_FACTOR = 12
"""Safety map factor in tenths, negative: Brogue's -1.2.

With -1 a fleeing monster runs into the nearest dead end; beyond that it may pass the hero to reach
a place that is much safer.
"""


Step = tuple[int, int, tuple[int, int]]
"""A step (dx, dy) and the place it leads to."""


class DijkstraMaps:
    """Dijkstra maps over ``game_map`` as it is now, made on demand.

    They depend on the map alone, never on what was asked before, so a restored game computes the
    same ones. ``doors`` says whether the walker opens doors. ``made`` counts the maps: keyframes
    use it as a measure of work.
    """

    def __init__(self, game_map: GameMap) -> None:
        self.map = game_map
        self.edits = game_map.edits
        self.made = 0
        self._fields: dict[tuple[int, int, bool, bool], DistanceField] = {}
        self._stops: dict[tuple[int, int], Point | None] = {}
        self._steps: dict[tuple[int, int, bool], list[Step]] = {}

    def to(self, x: int, y: int, *, doors: bool = True) -> DistanceField:
        """Return the steps to (x, y)."""
        return self._kept((x, y, doors, False))

    def away(self, x: int, y: int, *, doors: bool = True) -> DistanceField:
        """Return a safety map away from (x, y): lowest where it is safest."""
        return self._kept((x, y, doors, True))

    def stops(self, x: int, y: int, low: int, high: int) -> list[Point]:
        """Return waypoints ``low`` to ``high`` tiles from (x, y), in reading order."""
        last_row, last_column = (
            (self.map.height - 1) // WAYPOINT_BLOCK,
            (self.map.width - 1) // WAYPOINT_BLOCK,
        )
        rows = range(
            max(0, y - high) // WAYPOINT_BLOCK, min(last_row, (y + high) // WAYPOINT_BLOCK) + 1
        )
        columns = range(
            max(0, x - high) // WAYPOINT_BLOCK, min(last_column, (x + high) // WAYPOINT_BLOCK) + 1
        )
        found = [self._stop(column, row) for row in rows for column in columns]
        return [
            stop for stop in found if stop and low <= max(abs(stop.x - x), abs(stop.y - y)) <= high
        ]

    def free(self, x: int, y: int, *, doors: bool = True) -> list[Step]:
        """Return the steps from (x, y) to tiles without creature or fire, by `DIRECTIONS`."""
        steps = self._steps.get((x, y, doors))
        if steps is None:
            steps = self._steps[x, y, doors] = self._beside(x, y, doors)
        taken, fires = self.map.places, self.map.fires
        return [step for step in steps if step[2] not in taken and step[2] not in fires]

    def lowest_first(
        self, field: DistanceField, x: int, y: int, at_most: int, *, doors: bool = True
    ) -> list[tuple[int, int]]:
        """Return the free steps from (x, y) to values up to ``at_most``, the lowest first."""
        found = [(field.at(*there), dx, dy) for dx, dy, there in self.free(x, y, doors=doors)]
        found = [step for step in found if step[0] <= at_most and step[0] != UNREACHED]
        found.sort(key=itemgetter(0))
        return [(dx, dy) for _, dx, dy in found]

    def _beside(self, x: int, y: int, doors: bool) -> list[Step]:
        """Return the steps from (x, y) to walkable tiles, occupied or not."""
        steps = [(dx, dy, (x + dx, y + dy)) for dx, dy in DIRECTIONS]
        bears, tiles = self.map.walkable, self.map.tiles
        steps = [step for step in steps if self.map.contains(*step[2]) and bears[step[2][::-1]]]
        return [step for step in steps if doors or tiles[step[2][::-1]] != DOOR]

    def _stop(self, column: int, row: int) -> Point | None:
        """Return the waypoint of a block, None if it has no ground."""
        if (column, row) not in self._stops:
            self._stops[column, row] = _waypoint(
                self.map, column * WAYPOINT_BLOCK, row * WAYPOINT_BLOCK
            )
        return self._stops[column, row]

    def _kept(self, key: tuple[int, int, bool, bool]) -> DistanceField:
        field = self._fields.pop(key, None)
        if field is None:
            self.made += 1
            x, y, doors, away = key
            field = self._away(x, y, doors) if away else self._to(x, y, doors)
            if len(self._fields) >= CACHE_SIZE:
                del self._fields[next(iter(self._fields))]
        self._fields[key] = field
        return field

    def _window(
        self, x: int, y: int, doors: bool, reach: int = REACH
    ) -> tuple[int, int, NDArray[np.bool_]]:
        left, top = max(0, x - reach), max(0, y - reach)
        window = np.s_[top : y + reach + 1, left : x + reach + 1]
        ground = self.map.walkable[window]
        return left, top, ground if doors else ground & (self.map.tiles[window] != DOOR)

    def _to(self, x: int, y: int, doors: bool) -> DistanceField:
        return ApproachMap(x, y, *self._window(x, y, doors))

    def _away(self, x: int, y: int, doors: bool) -> DistanceField:
        left, top, ground = self._window(x, y, doors, SAFETY_REACH)
        near = distances(ground, x - left, y - top)
        field = np.where(near < UNREACHED, near * -SAFETY_FACTOR, UNREACHED).astype(np.int32)
        return SafetyMap(left, top, dijkstra(field, ground.astype(np.int8) * 10, diagonal=True))


def _waypoint(game_map: GameMap, left: int, top: int) -> Point | None:
    """Return the walkable tile nearest to the middle of a block.

    The map as it is decides, so nobody makes for a place that has become rock or water.
    """
    open_tiles = game_map.walkable[top : top + WAYPOINT_BLOCK, left : left + WAYPOINT_BLOCK]
    ys, xs = np.nonzero(open_tiles)
    if not len(ys):
        return None
    nearest = int(((ys - WAYPOINT_BLOCK // 2) ** 2 + (xs - WAYPOINT_BLOCK // 2) ** 2).argmin())
    return Point(left + int(xs[nearest]), top + int(ys[nearest]))
