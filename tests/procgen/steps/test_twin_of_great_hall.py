"""A great hall against its twin: walls, doors, carpet, statues and pillars tile by tile."""

from itertools import product

import pytest

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.placement.safe_placement import FreeFloor
from procgen.steps.great_hall import great_hall
from support.by_definition import cells, parts
from support.step_twins import assert_alike


def slow_hall(plan, rng, *, width, height, spacing):
    sides = []
    for span, share in ((plan.width, width), (plan.height, height)):
        side = min(max(5, int(span * share)), span - 6)
        side -= (span + side) % 2
        sides.append(side)
    wide, high = sides
    if wide < 4 or high < 4:
        raise Rejected("")
    hall = RectangularRoom((plan.width - wide) // 2, (plan.height - high) // 2, wide, high)
    before = {(x, y) for x, y in cells(plan) if plan.open[y, x]}
    doors = []
    for dx, dy, wall in hall.walls():
        run_of = []
        for x, y in [*wall, (-1, -1)]:
            if (x + dx, y + dy) in before and (x, y) != (-1, -1):
                run_of.append((x, y))
            elif run_of:
                doors.append(run_of[len(run_of) // 2])
                run_of = []
    ys, xs = range(hall.y, hall.y + high), range(hall.x, hall.x + wide)
    marks = set(plan.marks)
    for x, y in set(product(range(xs[0] - 1, xs[-1] + 2), range(ys[0] - 1, ys[-1] + 2))) - marks:
        inside = x in xs and y in ys
        tile = Tile.DOOR if (x, y) in doors else Tile.FLOOR if inside else Tile.WALL
        plan.tiles[y, x] = tile
    now = {(x, y) for x, y in cells(plan) if plan.open[y, x]}
    joined = parts(now)
    assert all(sum(bool(part & home) for part in joined) <= 1 for home in parts(before))
    plan.rooms = [hall, *(room for room in plan.rooms if not hall.grown(1).contains(*room.center))]
    floor = FreeFloor(plan)
    middle = [x for x in xs if abs(x + x - xs[0] - xs[-1]) <= 1]
    for y, x in product(ys[1:], middle):
        floor.place_walkable(x, y, Tile.SHRINE if y == ys[1] else Tile.CARPET)
    if wide >= len(middle) + 8:
        for edge, out in ((middle[0], -1), (middle[-1], 1)):
            for y in ys[1:3]:
                floor.place_walkable(edge + out, y, Tile.CARPET)
            floor.place_blocking(edge + 3 * out, ys[1], Tile.STATUE)
    rows = list(ys[2:-2:spacing])
    shift = (ys[-1] - 2 - rows[-1]) // 2 if rows else 0
    pillars = 0
    for n in range(2, (wide - len(middle)) // 2 - 1, spacing):
        for x in (xs[n], xs[-1 - n]):
            for y in rows:
                pillars += floor.place_blocking(x, y + shift, Tile.PILLAR)
    return [
        f"A hall of {wide} by {high} with {pluralise(len(doors), 'door')}",
        f"{pluralise(pillars, 'pillar')}, a carpet and a shrine",
    ]


@pytest.mark.parametrize("spacing", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("size", "width", "height"),
    [((40, 31), 0.22, 0.55), ((45, 30), 0.5, 0.5), ((11, 12), 0.9, 0.0), ((10, 10), 1.0, 1.0),
     ((9, 20), 0.5, 0.5), ((20, 9), 0.5, 0.5), ((31, 41), 0.6, 0.4)],
)  # fmt: skip
def test_a_great_hall_is_built_as_its_twin_does(size, width, height, spacing):
    for ring in range(4):
        plan = Blueprint.solid(*size)
        plan.tiles[1:-1, 1:-1] = Tile.FLOOR
        if ring:
            plan.tiles[2:-2, 2:-2] = Tile.WALL
        if ring == 2:
            plan.tiles[:, size[0] // 2] = Tile.FLOOR
        if ring == 3:
            plan.tiles[2 : size[1] // 2, 2 : size[0] // 2] = Tile.MOSS
        plan.start = (
            Point(size[0] // 2, size[1] // 2) if plan.open[size[1] // 2, size[0] // 2] else None
        )
        plan.rooms = [RectangularRoom(1, 1, 3, 3), RectangularRoom(size[0] // 2, 3, 3, size[1] - 6)]
        assert_alike(great_hall, slow_hall, plan, ring, width=width, height=height, spacing=spacing)
