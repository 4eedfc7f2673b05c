"""Routes of tunnels: straight, L-shaped, winding, or the cheapest (Dijkstra)."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, CostMap, regions, with_neighbours
from procgen.blueprint import Blueprint, Point, tunnel_between
from procgen.rng import Rng

Route = Literal["straight", "elbow", "winding", "cheapest"]
Ground = NDArray[np.int32]
Box = tuple[slice, slice]
Place = tuple[int, int]

MARGIN = 8
"""Tiles around the box of the two ends that are searched first, before the whole map."""

SIZES = 32
"""Maps to search are a multiple of so many tiles wide and high."""


class Costs(NamedTuple):
    """The cost of one step of a tunnel by kind of tile; 0 forbids it.

    ``beside`` is rock that touches a room. Tunnels follow existing ones if those cost less than
    rock, and go round rooms if those cost more.
    """

    rock: int = 4
    tunnel: int = 1
    room: int = 12
    beside: int = 9


DEFAULT_COSTS = Costs()


def step_costs(plan: Blueprint, costs: Costs) -> Ground:
    """Return the cost of a step onto each tile, int32 [y, x], 0 for forbidden.

    Tiles that are neither open nor rock are forbidden, and so is the map's border.
    """
    tiles, passable = plan.tiles, plan.open
    tunnel = (tiles == Tile.TUNNEL) | (tiles == Tile.DOOR) | (tiles == Tile.SECRET_DOOR)
    room = passable & ~tunnel
    beside = with_neighbours(room)
    field = np.zeros(tiles.shape, np.int32)
    field[tiles == Tile.WALL] = costs.rock
    field[(tiles == Tile.WALL) & beside] = costs.beside
    field[tunnel] = costs.tunnel
    field[room] = costs.room
    field[[0, -1], :] = 0
    field[:, [0, -1]] = 0
    return field


def stepped_line(start: Place, end: Place) -> list[Point]:
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


class TunnelFinder:
    """Finds and digs tunnels on one blueprint, each aware of those dug before it.

    Rooms are the regions at the time of creation; a tunnel may leave its two end rooms at any
    tile. ``bends`` is the extra cost of the hardest rock for winding tunnels.
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
            self.maps: dict[tuple[int, ...], CostMap] = {}

    def find(self, start: Place, end: Place, *, shortcut: bool = False) -> list[Point]:
        """Return the route from ``start`` to ``end``, both included; empty if there is none.

        A ``shortcut`` gains little from older tunnels. A route within `MARGIN` of the box of its
        ends is preferred, because a search of the whole map for each tunnel would be slow.
        """
        if self.route == "straight":
            return stepped_line(start, end)
        if self.route == "elbow":
            return list(tunnel_between(start, end, horizontal_first=self.rng.chance(0.5)))
        upright_first = self.rng.chance(0.5)
        rows, columns = self.ground.shape
        for box in (_box(self.ground, start, end), np.s_[0:rows, 0:columns]):
            field = self._costs_of(box, start, end, shortcut=shortcut)
            if way := cheapest_path(field, box, start, end, self.maps, upright_first=upright_first):
                return way
        return []

    def dig(self, way: list[Point]) -> int:
        """Turn the rock on ``way`` to tunnel; return the number of tiles dug."""
        if not way:
            return 0
        tiles, rock, dug = self.plan.tiles, int(Tile.WALL), 0
        for x, y in way:
            if tiles[y, x] == rock:
                tiles[y, x] = Tile.TUNNEL
                dug += 1
                if self.route in ("winding", "cheapest"):
                    self.ground[y, x] = self.costs.tunnel
        return dug

    def _costs_of(self, box: Box, start: Place, end: Place, *, shortcut: bool) -> Ground:
        field = self.ground[box].copy()
        if shortcut:
            field[field == self.costs.tunnel] = max(1, self.costs.rock - 1)
        rooms = self.rooms[box]
        for x, y in (start, end):
            if own := self.rooms[y, x]:
                field[rooms == own] = 1
        if self.route == "winding":
            hardness = np.arange(256, dtype=np.int32) * self.bends >> 8
            np.add(field, hardness[self.rng.noise(*field.shape)], out=field, where=field > 0)
        return field


def _box(field: Ground, start: Place, end: Place) -> Box:
    (x1, x2), (y1, y2) = (sorted(pair) for pair in zip(start, end, strict=True))
    rows = slice(max(0, y1 - MARGIN), min(field.shape[0], y2 + MARGIN + 1))
    return rows, slice(max(0, x1 - MARGIN), min(field.shape[1], x2 + MARGIN + 1))


def cheapest_path(
    field: Ground,
    box: Box,
    start: Place,
    end: Place,
    maps: dict[tuple[int, ...], CostMap] | None = None,
    *,
    upright_first: bool = False,
) -> list[Point]:
    """Return the cheapest path from ``start`` to ``end``, with as few turns as ties allow.

    ``field`` are the step costs in ``box``. Rolls down a Dijkstra map of the distance to ``end``:
    that map is unique, and ties between neighbours are broken here, so the path does not depend
    on how the library orders its queue. What is kept in ``maps`` saves the next search time.
    """
    # Few sizes, each with a closed row and column to spare: one step off the field leads there.
    shape = tuple(side // SIZES * SIZES + SIZES for side in field.shape)
    maps = {} if maps is None else maps
    if shape not in maps:
        maps[shape] = CostMap(shape)
    ground, left, top, wide = maps[shape], box[1].start, box[0].start, shape[1]
    ground.cost[:] = 0
    ground.cost[: field.shape[0], : field.shape[1]] = field
    (x, y), goal = (start[0] - left, start[1] - top), (end[1] - top, end[0] - left)
    cost, heights = ground.cost.item, ground.distances_to(goal, (y, x)).item
    place = y * wide + x
    height = heights(place)
    if height == UNREACHED:
        return []
    courses = [wide, -wide, 1, -1] if upright_first else [1, -1, wide, -wide]
    way = [place]
    while height:
        height -= cost(place)
        if heights(place + courses[0]) != height:
            course = next(step for step in courses[1:] if heights(place + step) == height)
            courses.insert(0, courses.pop(courses.index(course)))
        place += courses[0]
        way.append(place)
    return [Point(left + place % wide, top + place // wide) for place in way]
