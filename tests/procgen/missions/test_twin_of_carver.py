"""A mission dug against its twin: the same rooms, corridors, doors and windows, tile by tile."""

from itertools import pairwise, product

import numpy as np
import pytest
from msgspec.structs import replace

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.carving.room_shapes import SHAPES
from procgen.missions.layout import lay_out, sides
from procgen.steps.mission_layout import lay_out_mission
from support.blueprints import run
from support.by_definition import FOUR
from support.step_twins import assert_alike, mask_spots

KINDS = ("rectangle", "circle", "cross", "ring", "hall", "chunky", "cave")


def slow_spans(side, count, cell, rng):
    """Return first tile and number of tiles of each column, with a line of rock after each."""
    room = side - 1 - count
    tiles = min(room, count * (cell + 4))
    spare, widths = room - tiles, [tiles // count] * count
    for number in range(tiles - sum(widths)):
        widths[number] += 1
    least = max(3, min(widths) - 2)
    givers, takers = rng.shuffled(range(count)), rng.shuffled(range(count))
    for giver, taker in zip(givers, takers, strict=True):
        moved = max(0, min(rng.between(0, 3), widths[giver] - least))
        widths[giver] -= moved
        widths[taker] += moved
    at, spans = 1 + rng.between(spare // 4, spare - spare // 4), []
    for width in widths:
        spans.append((at, width))
        at += width + 1
    return spans


class SlowCarver:
    """Digs a laid out mission with plain loops."""

    def __init__(self, plan, layout, spans, rng, rough):
        self.plan, self.mission, self.layout, self.rng = plan, plan.mission, layout, rng
        (self.columns, self.rows), self.rough = spans, rough
        self.bends = [
            [first + rng.between(1, max(1, tiles - 2)) for first, tiles in axis] for axis in spans
        ]
        plan.regions = self.owner = np.zeros(plan.tiles.shape, np.int32)
        self.crossed, self.told = [], []

    def dig_rooms(self, weights, inset):
        rooms = list(self.mission.rooms)
        for number, room in enumerate(rooms):
            x, y, wide, high = self.box(number)
            kind = self.rng.weighted(weights) if any(weights.values()) else "rectangle"
            size = [max(min(3, n), n - self.rng.between(0, inset)) for n in (wide, high)]
            shape = SHAPES[kind](self.rng, *size)
            x += self.rng.between(0, wide - shape.width)
            y += self.rng.between(0, high - shape.height)
            shape.build(self.plan, x, y)
            for dx, dy in mask_spots(shape.mask):
                self.owner[y + dy, x + dx] = number + 1
            middle = self.plan.rooms[-1].center
            rooms[number] = replace(room, box=(x, y, shape.width, shape.height), anchor=middle)
            self.told.append(f"{room.name}: {kind}, {shape.width} by {shape.height}")
        self.mission = replace(self.mission, rooms=tuple(rooms))

    def box(self, room):
        x, y, wide, high = self.layout.rects[room]
        left, top = self.columns[x][0], self.rows[y][0]
        right, bottom = sum(self.columns[x + wide - 1]), sum(self.rows[y + high - 1])
        return left, top, right - left, bottom - top

    def dig_ways(self):
        edges = list(self.mission.edges)
        for late in (False, True):
            for number, edge in enumerate(self.mission.edges):
                if (edge.gate == "window") != late:
                    continue
                route = self.layout.routes[number]
                if late:
                    place = self.window(edge)
                elif route:
                    place = self.corridor(edge, route)
                else:
                    place = self.doorway(edge)
                edges[number] = replace(edge, place=place)
                names = [self.mission.rooms[room].name for room in (edge.start, edge.end)]
                self.told.append(f"From {names[0]} to {names[1]}: {edge.gate}")
        self.mission = replace(self.mission, edges=tuple(edges))

    def walls(self, edge):
        """Return where both rooms meet: the tile of wall and the course from one to the other."""
        x, y, wide, high = self.layout.rects[edge.end]
        found = []
        for (cx, cy), (ox, oy) in sides(self.layout.rects[edge.start]):
            if (cx, cy) not in set(product(range(x, x + wide), range(y, y + high))):
                continue
            if cx != ox:
                first, tiles = self.rows[cy]
                wall = self.columns[max(cx, ox)][0] - 1
                found += [((wall, first + n), (cx - ox, 0)) for n in range(tiles)]
            else:
                first, tiles = self.columns[cx]
                wall = self.rows[max(cy, oy)][0] - 1
                found += [((first + n, wall), (0, cy - oy)) for n in range(tiles)]
        return self.rng.shuffled(found)

    def depth(self, place, course, room):
        (x, y), (dx, dy) = place, course
        for steps in range(1, 99):
            x, y = x + dx, y + dy
            if not (0 < x < self.plan.width - 1 and 0 < y < self.plan.height - 1):
                return 99
            if self.owner[y, x] == room + 1:
                return steps
            if self.owner[y, x] or self.plan.tiles[y, x] != Tile.WALL:
                return 99
        return 99

    def depths(self, edge, place, course):
        back = -course[0], -course[1]
        return self.depth(place, back, edge.start), self.depth(place, course, edge.end)

    def crowded(self, place):
        return any(max(abs(place[0] - x), abs(place[1] - y)) < 2 for x, y in self.crossed)

    def dig(self, spots, tile=Tile.TUNNEL):
        for x, y in spots:
            if self.plan.tiles[y, x] == Tile.WALL:
                self.plan.tiles[y, x] = tile

    def enter(self, place, course, room):
        (x, y), (dx, dy) = place, course
        steps = self.depth(place, course, room)
        if steps < 99:
            self.dig([(x + n * dx, y + n * dy) for n in range(1, steps)])
            return
        (x, y), (a, b) = (x + dx, y + dy), self.mission.rooms[room].anchor
        corner = (a, y) if dx else (x, b)
        for spot in [*straight((x, y), corner), *straight(corner, (a, b))[1:]]:
            if self.owner[spot[::-1]] == room + 1:
                return
            self.dig([spot])

    def doorway(self, edge):
        best = None
        for place, course in self.walls(edge):
            price = sum(self.depths(edge, place, course)) + (200 if self.crowded(place) else 0)
            if best is None or price < best[0]:
                best = price, place, course
        _, place, (dx, dy) = best
        self.crossed.append(place)
        self.dig([place])
        self.enter(place, (-dx, -dy), edge.start)
        self.enter(place, (dx, dy), edge.end)
        if edge.gate == "drop":
            self.plan.tiles[place[1], place[0]] = Tile.LEDGE
            self.plan.tiles[place[1] - dy, place[0] - dx] = Tile.BRINK
        return Point(*place)

    def corridor(self, edge, route):
        ends = self.mouth(edge.start, route[0]), self.mouth(edge.end, route[-1])
        bends = [(self.bends[0][x], self.bends[1][y]) for x, y in route]
        for one, other in pairwise([ends[0][0], *bends, ends[1][0]]):
            corner = other[0], one[1]
            self.dig([*straight(one, corner), *straight(corner, other)])
        for x, y in route if self.rough else []:
            (left, wide), (top, high) = self.columns[x], self.rows[y]
            cell = set(product(range(left, left + wide), range(top, top + high)))
            dug = {spot for spot in cell if self.plan.tiles[spot[::-1]] != Tile.WALL}
            dice = self.rng.random_bytes(high, wide)
            self.dig(
                (a, b) for a, b in cell
                if any((a + dx, b + dy) in dug for dx, dy in FOUR)
                and dice[b - top, a - left] < int(self.rough * 256)
            )  # fmt: skip
        for (place, course), room in zip(ends, (edge.start, edge.end), strict=True):
            self.crossed.append(place)
            self.dig([place])
            self.enter(place, course, room)
        return Point(*ends[0][0])

    def mouth(self, room, cell):
        (x, y), (ox, oy) = (
            cell,
            next(own for beside, own in sides(self.layout.rects[room]) if beside == cell),
        )
        if ox != x:
            return (self.columns[max(x, ox)][0] - 1, self.bends[1][y]), (ox - x, 0)
        return (self.bends[0][x], self.rows[max(y, oy)][0] - 1), (0, oy - y)

    def window(self, edge):
        views, walls = {}, [at for at in self.walls(edge) if not self.crowded(at[0])]
        for (x, y), (dx, dy) in walls:
            back, ahead = self.depths(edge, (x, y), (dx, dy))
            if back + ahead <= 7:
                views[x, y] = [(x + n * dx, y + n * dy) for n in range(1 - back, ahead)]
        if not walls:
            raise Rejected("")
        if not views:
            place, (dx, dy) = walls[0]
            self.enter(place, (-dx, -dy), edge.start)
            self.enter(place, (dx, dy), edge.end)
            views[place] = [place]
        a, b = next(iter(views))
        near = sorted(views, key=lambda spot: abs(spot[0] - a) + abs(spot[1] - b))
        for x, y in near[:3]:
            if abs(x - a) + abs(y - b) < 3:
                self.dig(views[x, y], Tile.WATER)
        return Point(a, b)


def straight(one, other):
    """Return the tiles from one to the other, in order, along a row or column."""
    (ax, ay), (bx, by) = one, other
    steps = max(abs(bx - ax), abs(by - ay))
    dx, dy = (bx > ax) - (bx < ax), (by > ay) - (by < ay)
    return [(ax + n * dx, ay + n * dy) for n in range(steps + 1)]


def slow_mission(plan, rng, *, cell, inset, longest, rough, **weights):
    plan.tiles[:], plan.rooms, plan.spawns = Tile.WALL, [], []
    plan.start = plan.exit = None
    lattice = tuple(max(1, (side - 1) // (cell + 1)) for side in (plan.width, plan.height))
    small, tall = [(1, 1), (2, 1), (1, 2)], [(1, 1), (2, 1), (1, 2), (2, 2)]
    sizes = []
    for number, room in enumerate(plan.mission.rooms):
        of = {
            "start": small, "key": small, "treasure": small, "garden": [(2, 2), (3, 2), (2, 3)],
            "hall": [(3, 2), (2, 2), (3, 1), (2, 3)], "lair": [(2, 2), (2, 1), (1, 2)],
        }.get(room.purpose, tall)  # fmt: skip
        ways = sum((edge.start == number) + (edge.end == number) for edge in plan.mission.edges)
        sizes.append([size for size in of if ways < 3 or size != (1, 1)])
    layout = lay_out(plan.mission, lattice, sizes, rng.branch("layout"), longest)
    columns, rows = layout.cropped()
    spans = [slow_spans(plan.width, columns, cell, rng), slow_spans(plan.height, rows, cell, rng)]
    carver = SlowCarver(plan, layout, spans, rng, rough)
    carver.dig_rooms(weights, inset)
    carver.dig_ways()
    plan.mission = carver.mission
    plan.start, plan.exit = (Point(*room.anchor) for room in plan.mission.rooms[:2])
    return carver.told


@pytest.mark.parametrize(
    ("cell", "inset", "longest", "rough", "weights"),
    [
        (4, 1, 6, 0.0, (6, 1, 2, 0, 2, 0, 0)), (5, 0, 8, 0.5, (2, 4, 0, 3, 0, 3, 0)),
        (6, 3, 4, 1.0, (0, 0, 0, 0, 0, 0, 0)), (3, 2, 9, 0.2, (1, 1, 1, 1, 1, 1, 6)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [(80, 45), (50, 60)])
def test_a_mission_is_dug_as_its_twin_does(cell, inset, longest, rough, weights, size):
    given = {"cell": cell, "inset": inset, "longest": longest, "rough": rough}
    dug = 0
    for seed in range(6):
        plan = Blueprint.solid(*size)
        run("main_path", plan, seed, least=2, most=4)
        run("cycles", plan, seed, least=1, most=3, nested=3)
        run("side_path", plan, seed, name="wing", rooms=2, rejoins=bool(seed % 2))
        run("lock_kinds", plan, seed)
        plan.tiles[4:9, 4:9], plan.spawns = Tile.FLOOR, [Spawn("rat", 5, 5)]
        plan.rooms, plan.start = [RectangularRoom(4, 4, 5, 5)], Point(6, 6)
        named = dict(zip(KINDS, weights, strict=True))
        dug += assert_alike(lay_out_mission, slow_mission, plan, seed, **given, **named) is not None
    assert dug
