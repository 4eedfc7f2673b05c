"""Dig a laid-out mission: rooms of any shape within their cells, corridors, and their crossings.

Every lattice cell keeps a line of rock to its right and below, and only a crossing is dug through
it: so rooms in adjacent cells stay separate unless the mission connects them.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from msgspec.structs import replace

from entities.terrain import Tile
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Blueprint, Point, Rejected, dig, dig_tunnel, tunnel_between
from procgen.carving.room_shapes import SHAPES
from procgen.mission import Mission, MissionEdge
from procgen.missions.layout import UNFIT, Cell, Layout, Rect, sides
from procgen.rng import Rng

Span = tuple[int, int]
"""First tile and number of tiles of a column or row of the lattice."""
Spans = tuple[list[Span], list[Span]]

NARROWEST = 3
STRETCH = 4
"""The tiles by which a cell may exceed the smallest size, where the mission leaves space."""
WINDOW = 3
"""The most tiles of a window along the wall."""
NEVER = 99
"""A number of steps greater than any distance to floor."""
DEEPEST = 7
"""The most steps from floor to floor straight across the water of a window."""


def lattice_spans(side: int, count: int, cell: int, rng: Rng, times: int = 1) -> list[Span]:
    """Return ``count`` columns (or rows) of a lattice across a map of ``side`` tiles.

    Each has ``times`` x ``cell`` tiles or, where there is space, on average up to ``times`` x
    `STRETCH` more. Widths vary, or every level would have its walls at the same places.
    """
    tiles = min(side - 1 - count, count * (cell + STRETCH) * times)
    spare = side - 1 - count - tiles
    widths = [tiles // count + (n < tiles % count) for n in range(count)]
    least = max(NARROWEST, min(widths) - 2)
    for giver, taker in zip(rng.shuffled(range(count)), rng.shuffled(range(count)), strict=True):
        moved = max(0, min(rng.between(0, 3), widths[giver] - least))
        if giver != taker:
            widths[giver] -= moved
            widths[taker] += moved
    begin = 1 + rng.between(spare // 4, spare - spare // 4)
    starts = np.cumsum([begin, *(width + 1 for width in widths)]).tolist()
    return list(zip(starts, widths, strict=False))


class Carver:
    """Digs one mission into ``plan``; ``mission`` holds the places of what is dug so far."""

    def __init__(
        self,
        plan: Blueprint,
        mission: Mission,
        layout: Layout,
        spans: Spans,
        rng: Rng,
        rough: float,
    ) -> None:
        self.plan, self.mission, self.layout, self.rng = plan, mission, layout, rng
        self.rough = rough
        self.columns, self.rows = spans
        # Corridors bend at one point of each cell, with the same x in a whole column and the same y
        # in a whole row, so that corridors through several cells stay straight.
        self.bend_x = [first + rng.between(1, max(1, tiles - 2)) for first, tiles in self.columns]
        self.bend_y = [first + rng.between(1, max(1, tiles - 2)) for first, tiles in self.rows]
        self.owner = np.zeros(plan.tiles.shape, np.int32)
        plan.regions = self.owner
        self.crossings: set[tuple[int, int]] = set()

    def rooms(self, weights: dict[str, int], inset: int) -> Iterator[str]:
        """Dig the rooms in the order of the mission."""
        rooms = list(self.mission.rooms)
        for number, room in enumerate(rooms):
            x, y, width, height = self._box(self.layout.rects[number])
            kind = self.rng.weighted(weights) if any(weights.values()) else "rectangle"
            wide, high = (
                max(min(side, NARROWEST), side - self.rng.between(0, inset))
                for side in (width, height)
            )
            shape = SHAPES[kind](self.rng, wide, high)
            left = x + self.rng.between(0, width - shape.width)
            top = y + self.rng.between(0, height - shape.height)
            shape.build(self.plan, left, top)
            self.owner[top : top + shape.height, left : left + shape.width][shape.mask] = number + 1
            box = left, top, shape.width, shape.height
            rooms[number] = replace(room, box=box, anchor=self.plan.rooms[-1].center)
            self.mission = replace(self.mission, rooms=tuple(rooms))
            yield f"{room.name}: {kind}, {shape.width} by {shape.height}"

    def ways(self) -> Iterator[str]:
        """Dig every way, windows last."""
        edges = list(self.mission.edges)
        for number in sorted(range(len(edges)), key=lambda n: edges[n].gate == "window"):
            edge = edges[number]
            if edge.gate == "window":
                place = self._window(edge)
            elif self.layout.routes[number]:
                place = self._corridor(edge, self.layout.routes[number])
            else:
                place = self._doorway(edge)
            edges[number] = replace(edge, place=place)
            self.mission = replace(self.mission, edges=tuple(edges))
            start, end = (self.mission.rooms[n].name for n in (edge.start, edge.end))
            yield f"From {start} to {end}: {edge.gate}"

    def _box(self, rect: Rect) -> tuple[int, int, int, int]:
        """Return left, top, width and height in tiles of a rectangle of cells."""
        (left, _), (right, wide) = self.columns[rect[0]], self.columns[rect[0] + rect[2] - 1]
        (top, _), (bottom, high) = self.rows[rect[1]], self.rows[rect[1] + rect[3] - 1]
        return left, top, right + wide - left, bottom + high - top

    def _shared(self, edge: MissionEdge) -> list[tuple[Point, tuple[int, int]]]:
        """Return the wall tiles between two adjacent rooms, each with the direction to the second.

        They are in random order, without tiles on the line of rock between two cells of a room.
        """
        rect, neighbour = self.layout.rects[edge.start], self.layout.rects[edge.end]
        x, y, width, height = neighbour
        walls = []
        for (cx, cy), (ox, oy) in sides(rect):
            if not (x <= cx < x + width and y <= cy < y + height):
                continue
            dx, dy = cx - ox, cy - oy
            if dx:
                wall = self.columns[max(cx, ox)][0] - 1
                first, tiles = self.rows[cy]
                walls += [(Point(wall, row), (dx, 0)) for row in range(first, first + tiles)]
            else:
                wall = self.rows[max(cy, oy)][0] - 1
                first, tiles = self.columns[cx]
                walls += [(Point(col, wall), (0, dy)) for col in range(first, first + tiles)]
        return self.rng.shuffled(walls)

    def _depth(self, place: Point, direction: tuple[int, int], room: int, most: int = NEVER) -> int:
        """Return the steps, below ``most``, from ``place`` to the floor of ``room``, or `NEVER`."""
        (x, y), (dx, dy) = place, direction
        for steps in range(1, most):
            x, y = x + dx, y + dy
            if not self.plan.inside(x, y):
                break
            if self.owner[y, x] == room + 1:
                return steps
            if self.plan.tiles[y, x] != Tile.WALL or self.owner[y, x]:
                break
        return NEVER

    def _doorway(self, edge: MissionEdge) -> Point:
        """Connect two adjacent rooms where the least rock lies between their floors."""
        best = 5 * NEVER
        for at, direction in self._shared(edge):
            price = 2 * NEVER * self._is_crowded(at)
            for way, room in (((-direction[0], -direction[1]), edge.start), (direction, edge.end)):
                price += self._depth(at, way, room, min(NEVER, best - price))
            if price < best:
                best, place, (dx, dy) = price, at, direction
            if best == 2:  # Floor on both sides: nothing is better.
                break
        self._cross(place)
        self._lead_in(place, (-dx, -dy), edge.start)
        self._lead_in(place, (dx, dy), edge.end)
        if edge.gate == "drop":  # A ledge, and the tile before it is the brink to jump from.
            x, y = place
            self.plan.tiles[y, x], self.plan.tiles[y - dy, x - dx] = Tile.LEDGE, Tile.BRINK
        return place

    def _is_crowded(self, place: Point) -> bool:
        """Return True if a crossing lies beside ``place``, so that two doors would touch."""
        x, y = place
        return any((x + dx, y + dy) in self.crossings for dx in (-1, 0, 1) for dy in (-1, 0, 1))

    def _cross(self, place: Point) -> None:
        self.crossings.add(place)
        dig(self.plan, [place])

    def _lead_in(self, place: Point, direction: tuple[int, int], room: int) -> None:
        """Dig from a crossing to the floor of ``room``: straight on, or with a bend to its core."""
        steps = self._depth(place, direction, room)
        if steps < NEVER:
            (x, y), (dx, dy) = place, direction
            dig(self.plan, [(x + n * dx, y + n * dy) for n in range(1, steps)])
            return
        anchor = self.mission.rooms[room].anchor
        assert anchor
        first = place.x + direction[0], place.y + direction[1]
        for x, y in tunnel_between(first, anchor, horizontal_first=bool(direction[0])):
            if self.owner[y, x] == room + 1:
                return
            dig(self.plan, [(x, y)])

    def _corridor(self, edge: MissionEdge, route: list[Cell]) -> Point:
        """Dig a corridor through the cells of ``route``; return where it leaves the first room."""
        begin = self._mouth(edge.start, route[0])
        end = self._mouth(edge.end, route[-1])
        bends = [Point(self.bend_x[x], self.bend_y[y]) for x, y in route]
        line = [begin[0], *bends, end[0]]
        for corner, next_corner in pairwise(line):
            dig_tunnel(self.plan, corner, next_corner, horizontal_first=True)
        for cell in route if self.rough else ():
            self._roughen(cell)
        for (place, direction), room in ((begin, edge.start), (end, edge.end)):
            self._cross(place)
            self._lead_in(place, direction, room)
        return begin[0]

    def _roughen(self, cell: Cell) -> None:
        """Dig rock beside the corridor in ``cell``, each tile with chance ``rough``.

        Tiles on the lines of rock between cells stay, or corridors would merge.
        """
        (x, wide), (y, high) = self.columns[cell[0]], self.rows[cell[1]]
        ground = self.plan.tiles[y : y + high, x : x + wide]
        rim = with_neighbours(ground != Tile.WALL, diagonal=False) & (ground == Tile.WALL)
        ground[rim & (self.rng.random_bytes(high, wide) < int(self.rough * 256))] = Tile.TUNNEL

    def _mouth(self, room: int, cell: Cell) -> tuple[Point, tuple[int, int]]:
        """Return the wall tile between ``room`` and a corridor cell, and the direction inwards."""
        x, y = cell
        inner = next(inner for outer, inner in sides(self.layout.rects[room]) if outer == cell)
        dx, dy = inner[0] - x, inner[1] - y
        if dx:
            return Point(self.columns[max(x, inner[0])][0] - 1, self.bend_y[y]), (dx, 0)
        return Point(self.bend_x[x], self.rows[max(y, inner[1])][0] - 1), (0, dy)

    def _window(self, edge: MissionEdge) -> Point:
        """Turn rock between two rooms into water, up to `WINDOW` tiles wide; return a wall tile."""
        spots = [at for at in self._shared(edge) if not self._is_crowded(at[0])]
        if not spots:
            names = " to ".join(self.mission.rooms[n].name for n in (edge.start, edge.end))
            raise Rejected(f"{UNFIT}: no view from {names}")
        views = {}
        for (x, y), (dx, dy) in spots:
            back = self._depth(Point(x, y), (-dx, -dy), edge.start)
            ahead = self._depth(Point(x, y), (dx, dy), edge.end)
            if back + ahead <= DEEPEST:
                views[Point(x, y)] = [(x + n * dx, y + n * dy) for n in range(1 - back, ahead)]
        if not views:  # No floor faces floor: dig from both sides up to a single tile of water.
            place, (dx, dy) = spots[0]
            self._lead_in(place, (-dx, -dy), edge.start)
            self._lead_in(place, (dx, dy), edge.end)
            views[place] = [place]
        first = next(iter(views))
        near = sorted(views, key=lambda at: abs(at.x - first.x) + abs(at.y - first.y))
        for x, y in near[:WINDOW]:
            if abs(x - first.x) + abs(y - first.y) < WINDOW:
                dig(self.plan, views[Point(x, y)], Tile.WATER)
        return first
