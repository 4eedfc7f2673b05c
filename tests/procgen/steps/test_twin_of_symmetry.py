"""Mirrored maps against a twin that copies tile by tile."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.carving.region_links import connect_parts, open_link
from procgen.steps.symmetry import symmetry
from support.by_definition import cells, speckled
from support.step_twins import assert_alike, edge_of, walkable


def walks(tiles, x, y):
    return walkable(Blueprint(tiles), x, y)


class SlowMirror:
    """The part that is kept of a map, by its place in the map turned so that it lies upper left."""

    def __init__(self, plan, axis, flip_x, flip_y):
        self.plan, self.axis = plan, axis
        self.flip_x, self.flip_y = flip_x, flip_y
        self.wide = plan.width if axis == "horizontal" else -(-plan.width // 2)
        self.high = -(-plan.height // 2) if axis in ("horizontal", "both") else plan.height

    def turned(self, x, y):
        x = self.plan.width - 1 - x if self.flip_x else x
        return x, self.plan.height - 1 - y if self.flip_y else y

    def source(self, x, y):
        """Return the kept place, turned, that the place (x, y), turned, is the image of."""
        if x >= self.wide:
            x = self.plan.width - 1 - x
            y = self.plan.height - 1 - y if self.axis == "rotate" else y
        return x, self.plan.height - 1 - y if y >= self.high else y

    def holds(self, spot):
        x, y = self.turned(*spot)
        return x < self.wide and y < self.high

    def floor(self):
        return sum(
            self.holds(spot) and bool(self.plan.open[spot[::-1]]) for spot in cells(self.plan)
        )

    def cut(self, field):
        """Return the kept part of ``field`` [y, x], turned."""
        part = np.empty((self.high, self.wide), field.dtype)
        for y, x in product(range(self.high), range(self.wide)):
            part[y, x] = field[self.turned(x, y)[::-1]]
        return part

    def spread(self, part, field):
        for spot in cells(self.plan):
            x, y = self.source(*self.turned(*spot))
            field[spot[::-1]] = part[y, x]

    def images(self, rooms):
        """Return the kept parts of ``rooms``, joined with their images where they meet."""
        width, height, found = self.plan.width, self.plan.height, []
        for room in rooms:
            ends = [self.turned(room.x, room.y)]
            ends.append(self.turned(room.x + room.width - 1, room.y + room.height - 1))
            (x1, x2), (y1, y2) = (sorted(side) for side in zip(*ends, strict=True))
            x2, y2 = min(x2, self.wide - 1), min(y2, self.high - 1)
            if x1 > x2 or y1 > y2:
                continue
            if self.axis in ("vertical", "both") and x2 == self.wide - 1:
                x2 = width - 1 - x1
            if self.axis in ("horizontal", "both") and y2 == self.high - 1:
                y2 = height - 1 - y1
            across, down = (width - 1 - x2, width - 1 - x1), (height - 1 - y2, height - 1 - y1)
            shapes = [((x1, x2), (y1, y2))]
            if self.axis == "rotate":
                shapes.append((across, down))
            if self.axis in ("vertical", "both"):
                shapes.append((across, (y1, y2)))
            if self.axis in ("horizontal", "both"):
                shapes.append(((x1, x2), down))
            if self.axis == "both":
                shapes.append((across, down))
            for xs, ys in shapes:
                a, b = self.turned(xs[0], ys[0]), self.turned(xs[1], ys[1])
                left, top = min(a[0], b[0]), min(a[1], b[1])
                one = RectangularRoom(left, top, abs(a[0] - b[0]) + 1, abs(a[1] - b[1]) + 1)
                found += [] if one in found else [one]
        return found


def slow_symmetry(plan, rng, *, axis):
    if plan.width < 5 or plan.height < 5 or not plan.open.any():
        return []
    flips = (False, True) if axis in ("horizontal", "both") else (False,)
    turns = (False, True) if axis != "horizontal" else (False,)
    choices = [SlowMirror(plan, axis, x, y) for y in flips for x in turns]
    best = choices[0]
    for mirror in choices[1:]:
        worth = [
            (bool(plan.start) and one.holds(plan.start), one.floor()) for one in (mirror, best)
        ]
        best = mirror if worth[0] > worth[1] else best
    part, wide, high = best.cut(plan.tiles), best.wide, best.high
    for x, y in plan.marks:
        a, b = best.source(*best.turned(x, y))
        if not walks(part, a, b):
            part[b, a] = plan.tiles[y, x]
    inner = np.zeros(plan.tiles.shape, np.bool_)
    for x, y in cells(plan):
        inner[y, x] = edge_of(plan, x, y) > 0
    allowed = best.cut(inner)
    if axis == "rotate" and plan.width % 2:
        for y in range(high // 2):
            upper, lower = part[y, -1], part[high - 1 - y, -1]
            kept = (
                upper
                if walks(part, wide - 1, y) or not walks(part, wide - 1, high - 1 - y)
                else lower
            )
            part[y, -1] = part[high - 1 - y, -1] = kept
        allowed[:, -1] = False
    pieces = connect_parts(part, allowed, rng)
    ground = [(x, y) for y, x in product(range(high), range(wide)) if walks(part, x, y)]
    if not ground:
        raise Rejected("")
    if axis == "rotate":
        last = {y for x, y in ground if x == wide - 1}
        if not any(high - 1 - y in last for y in last):
            x, y = min(ground, key=lambda at: 2 * (wide - 1 - at[0]) + abs(2 * at[1] - high + 1))
            open_link(part, [(a, y) for a in range(x, wide)])
            ends = sorted((y, high - 1 - y))
            open_link(part, [(wide - 1, b) for b in range(ends[0], ends[1] + 1)])
    if axis in ("vertical", "both") and all(x < wide - 1 for x, _ in ground):
        x, y = max(ground, key=lambda at: at[0])
        open_link(part, [(a, y) for a in range(x, wide)])
    if axis in ("horizontal", "both") and all(y < high - 1 for _, y in ground):
        x, y = max(ground, key=lambda at: at[1])
        open_link(part, [(x, b) for b in range(y, high)])
    best.spread(part, plan.tiles)
    if plan.regions is not None:
        best.spread(best.cut(plan.regions), plan.regions)
    rooms = [room for room in best.images(plan.rooms) if walkable(plan, *room.center)]
    if plan.rooms and not rooms:
        raise Rejected("")
    plan.rooms, plan.leaves = rooms, best.images(plan.leaves)
    joined = [f"{pluralise(pieces, 'part')} of one side connected"] if pieces > 1 else []
    return [*joined, f"Mirrored: {axis}"]


@pytest.mark.parametrize("axis", ["vertical", "horizontal", "both", "rotate"])
@pytest.mark.parametrize("size", [(15, 11), (16, 12), (9, 14), (5, 5), (4, 9), (9, 4), (6, 6)])
def test_a_map_is_mirrored_as_the_twin_does(axis, size):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        plan = speckled(seed, (0.1, 0.3, 0.6, 0.05)[seed % 4], *size)
        plan.tiles[[0, -1]] = plan.tiles[:, [0, -1]] = Tile.WALL
        plan.tiles[rng.random(plan.tiles.shape) < 0.05] = Tile.DOOR
        plan.regions = rng.integers(0, 9, plan.tiles.shape).astype(np.int32) if seed % 2 else None
        for _ in range(seed):
            x, y, wide, high = rng.integers(0, 4, 4).tolist()
            x, y = x * (size[0] - 1) // 4, y * (size[1] - 1) // 4
            room = RectangularRoom(x, y, min(wide + 1, size[0] - x), min(high + 1, size[1] - y))
            plan.rooms.append(room)
            plan.leaves.append(room)
        ground = np.argwhere(plan.open).tolist()
        if seed % 3 and ground:
            y, x = ground[seed % len(ground)]
            plan.start, plan.spawns = Point(x, y), [Spawn("rat", *ground[-1][::-1])]
        assert_alike(symmetry, slow_symmetry, plan, seed, axis=axis)
