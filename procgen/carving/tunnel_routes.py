"""Ways through rock: straight, with one bend, winding, or wherever the going is cheapest."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, dijkstra, regions
from procgen.blueprint import Blueprint, Point, tunnel_between
from procgen.rng import Rng

Route = Literal["straight", "elbow", "winding", "cheapest"]
Ground = NDArray[np.int32]
Box = tuple[slice, slice]

MARGIN = 8
"""How many tiles a way may stray out of the box that its two ends span, before it must."""

COURSES = ((1, 0), (-1, 0), (0, 1), (0, -1))


class Costs(NamedTuple):
    """What one step of a tunnel costs, by what it leads through; 0 forbids it.

    ``beside`` is rock that touches a room. An existing tunnel cheaper than rock is followed;
    rooms dearer than rock are gone round.
    """

    rock: int = 4
    tunnel: int = 1
    room: int = 12
    beside: int = 9


DEFAULT_COSTS = Costs()


def step_costs(plan: Blueprint, costs: Costs) -> Ground:
    """Return what a step onto each tile costs, as an array [y, x] of whole numbers, 0 for never.

    What is neither open nor rock is forbidden, and so is the map's border.
    """
    tiles, passable = plan.tiles, plan.open
    tunnel = (tiles == Tile.TUNNEL) | (tiles == Tile.DOOR) | (tiles == Tile.SECRET_DOOR)
    room = passable & ~tunnel
    beside = ndimage.binary_dilation(room, np.ones((3, 3), np.bool_))
    field = np.zeros(tiles.shape, np.int32)
    field[tiles == Tile.WALL] = costs.rock
    field[(tiles == Tile.WALL) & beside] = costs.beside
    field[tunnel] = costs.tunnel
    field[room] = costs.room
    field[[0, -1], :] = 0
    field[:, [0, -1]] = 0
    return field


def straight_line(start: tuple[int, int], end: tuple[int, int]) -> list[Point]:
    """Return the tiles of the line from ``start`` to ``end``, each a step N, E, S or W on."""
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


def l_shaped(start: tuple[int, int], end: tuple[int, int], rng: Rng) -> list[Point]:
    """Return the L-shaped way from ``start`` to ``end``; a coin decides which leg is first."""
    return list(tunnel_between(start, end, horizontal_first=rng.chance(0.5)))


class TunnelFinder:
    """Finds and digs ways on one blueprint, each aware of those dug before it.

    What is one room when this is made stays one: a way may leave its two end rooms wherever it
    likes. ``bends`` is how hard a winding way finds the hardest rock, in the unit of ``costs``.
    """

    def __init__(
        self,
        plan: Blueprint,
        rng: Rng,
        route: Route,
        *,
        costs: Costs = DEFAULT_COSTS,
        bends: int = 16,
    ) -> None:
        self.plan, self.rng, self.route = plan, rng, route
        self.costs, self.bends = costs, bends
        if route in ("winding", "cheapest"):
            self.ground = step_costs(plan, costs)
            self.rooms = regions(plan.open)[0]

    def find(
        self, start: tuple[int, int], end: tuple[int, int], *, shortcut: bool = False
    ) -> list[Point]:
        """Return the way from ``start`` to ``end``, both included; none if there is no way.

        A ``shortcut`` all but ignores what older tunnels offer. A way that keeps to the
        neighbourhood of its two ends is preferred to any other.
        """
        if self.route == "straight":
            return straight_line(start, end)
        if self.route == "elbow":
            return l_shaped(start, end, self.rng)
        upright_first = self.rng.chance(0.5)
        rows, columns = self.ground.shape
        for box in (_box(self.ground, start, end), np.s_[0:rows, 0:columns]):
            field = self._costs_of(box, start, end, shortcut=shortcut)
            if way := cheapest_path(field, box, start, end, upright_first=upright_first):
                return way
        return []

    def dig(self, way: list[Point]) -> int:
        """Turn the rock on ``way`` to tunnel; return how many tiles of it there were."""
        if not way:
            return 0
        xs, ys = np.array(way, np.intp).T
        rock = self.plan.tiles[ys, xs] == Tile.WALL
        self.plan.tiles[ys[rock], xs[rock]] = Tile.TUNNEL
        if self.route in ("winding", "cheapest"):
            self.ground[ys[rock], xs[rock]] = self.costs.tunnel
        return int(rock.sum())

    def _costs_of(
        self,
        box: Box,
        start: tuple[int, int],
        end: tuple[int, int],
        *,
        shortcut: bool,
    ) -> Ground:
        field = self.ground[box].copy()
        if shortcut:
            field[field == self.costs.tunnel] = max(1, self.costs.rock - 1)
        rooms = self.rooms[box]
        for x, y in (start, end):
            if own := self.rooms[y, x]:
                field[rooms == own] = 1
        if self.route == "winding":
            hardness = self.rng.noise(*field.shape).astype(np.int32) * self.bends >> 8
            field[field > 0] += hardness[field > 0]
        return field


def _box(field: Ground, start: tuple[int, int], end: tuple[int, int]) -> Box:
    (x1, x2), (y1, y2) = (sorted(pair) for pair in zip(start, end, strict=True))
    rows = slice(max(0, y1 - MARGIN), min(field.shape[0], y2 + MARGIN + 1))
    return rows, slice(max(0, x1 - MARGIN), min(field.shape[1], x2 + MARGIN + 1))


def cheapest_path(
    field: Ground,
    box: Box,
    start: tuple[int, int],
    end: tuple[int, int],
    *,
    upright_first: bool = False,
) -> list[Point]:
    """Return the way down the slope of the costs from ``start`` to ``end``, straight if it can.

    ``field`` is the part of the ground in ``box``. The slope (Dijkstra's) is the same whoever
    computes it; only ties leave a choice, and those are decided here.
    """
    left, top = box[1].start, box[0].start
    goal = np.full(field.shape, UNREACHED, np.int32)
    goal[end[1] - top, end[0] - left] = 0
    slope = dijkstra(goal, field)
    heights = np.pad(slope, 1, constant_values=UNREACHED)
    x, y = start
    if heights[y - top + 1, x - left + 1] == UNREACHED:
        return []
    courses = [(0, 1), (0, -1), (1, 0), (-1, 0)] if upright_first else [*COURSES]
    way = [Point(x, y)]
    while height := int(heights[y - top + 1, x - left + 1]):
        rest = height - int(field[y - top, x - left])
        for course in courses:
            dx, dy = course
            if heights[y + dy - top + 1, x + dx - left + 1] == rest:
                break
        courses.remove(course)
        courses.insert(0, course)
        x, y = x + dx, y + dy
        way.append(Point(x, y))
    return way
