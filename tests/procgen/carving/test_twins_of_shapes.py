"""Shapes of rooms against twins drawn tile by tile."""

from itertools import product

import numpy as np
import pytest

from procgen.analysis.bitboard import pack_rows, unpack_rows
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.carving.room_shapes import SHAPES, disc, random_shape, with_square_core
from procgen.rng import Rng
from support.by_definition import EIGHT, parts
from support.step_twins import mask_spots, tiles_of

SIDES = list(product((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14), (1, 2, 3, 4, 5, 7, 8, 9, 11, 12)))


def slow_disc(width, height):
    """Return the tiles whose middle lies in the ellipse that fills a box."""
    return {
        (x, y)
        for x, y in product(range(width), range(height))
        if ((2 * x + 1 - width) * height) ** 2 + ((2 * y + 1 - height) * width) ** 2
        <= (width * height) ** 2
    }


def slow_core(floor, width, height):
    """Return the largest odd square of ``floor``, the one nearest the middle."""
    best = []
    for x, y in floor:
        reach = 0
        while {(x + dx, y + dy) for dx, dy in square(reach + 1)} <= floor:
            reach += 1
        best.append((-reach, abs(2 * x + 1 - width) + abs(2 * y + 1 - height), y, x))
    reach, _, y, x = min(best)
    return RectangularRoom(x + reach, y + reach, 1 - 2 * reach, 1 - 2 * reach)


def square(reach):
    return product(range(-reach, reach + 1), repeat=2)


def trimmed(floor):
    left, top = min(x for x, _ in floor), min(y for _, y in floor)
    return {(x - left, y - top) for x, y in floor}


def sides_of(floor):
    return max(x for x, _ in floor) + 1, max(y for _, y in floor) + 1


def slow_ring(rng, width, height):
    side = min(width, height)
    floor, walk = slow_disc(side, side), 3 if side <= 12 else 4
    hole = side - 2 * walk
    if side > 8:
        rim = (side - hole) // 2
        floor -= {(rim + x, rim + y) for x, y in slow_disc(hole, hole)}
    return floor, slow_core(floor, side, side), []


def slow_circle(rng, width, height):
    side = min(width, height)
    return slow_disc(side, side), slow_core(slow_disc(side, side), side, side), []


def slow_rectangle(rng, width, height):
    room = RectangularRoom(0, 0, width, height)
    return tiles_of(room), room, []


def slow_cross(rng, width, height):
    if width < 3 or height < 3:
        return slow_rectangle(rng, width, height)
    tall = rng.between(-(-height // 3), -(-height // 2))
    wide = rng.between(-(-width // 3), -(-width // 2))
    places = []
    for spare in (height - tall, width - wide):
        middle = spare < 2 or rng.chance(0.5)
        places.append(spare // 2 if middle else rng.between(1, spare - 1))
    lying = RectangularRoom(0, places[0], width, tall)
    standing = RectangularRoom(places[1], 0, wide, height)
    core = standing if standing.area > lying.area else lying
    return tiles_of(lying) | tiles_of(standing), core, []


def slow_hall(rng, width, height):
    if height > width:
        floor, core, pillars = slow_hall(rng, height, width)
        turned = RectangularRoom(core.y, core.x, core.height, core.width)
        return {spot[::-1] for spot in floor}, turned, [spot[::-1] for spot in pillars]
    room = RectangularRoom(0, 0, width, height)
    if width <= 8 or height <= 6:
        return tiles_of(room), room, []
    first = {0: 1, 1: 3, 2: 2}[width % 3]
    pillars = [(x, y) for y in (1, height - 2) for x in range(first, width - first, 3)]
    return tiles_of(room) - set(pillars), RectangularRoom(0, 2, width, height - 4), pillars


def slow_chunky(rng, width, height):
    if width < 5 or height < 5:
        return slow_circle(rng, width, height)
    wide, tall = -(-width // 2), -(-height // 2)
    corners = [((width - wide) // 2, (height - tall) // 2)]
    for _ in range(rng.between(3, 6)):
        x = rng.between(0, width - wide)
        corners.append((x, rng.between(0, height - tall)))
    disc_ = slow_disc(wide, tall)
    floor = trimmed({(x + dx, y + dy) for x, y in corners for dx, dy in disc_})
    return floor, slow_core(floor, *sides_of(floor)), []


def slow_cave(rng, width, height):
    dice = rng.random_bytes(height, width).tolist()
    box = set(product(range(width), range(height)))
    # As floor is what lives here, what is floor around each tile counts, and beyond is rock.
    floor = {(x, y) for x, y in box if dice[y][x] < 145}
    for _ in range(4):
        around = {(x, y): sum((x + dx, y + dy) in floor for dx, dy in EIGHT) for x, y in box}
        floor = {spot for spot in box if around[spot] >= (4 if spot in floor else 5)}
    chambers = sorted(parts(floor), key=lambda part: min(spot[::-1] for spot in part))
    largest = max(chambers, key=len, default=set())
    if 3 * len(largest) < width * height:
        return slow_circle(rng, width, height)
    floor = trimmed(largest)
    return floor, slow_core(floor, *sides_of(floor)), []


TWINS = {
    "rectangle": slow_rectangle, "circle": slow_circle, "ring": slow_ring, "cross": slow_cross,
    "hall": slow_hall, "chunky": slow_chunky, "cave": slow_cave,
}  # fmt: skip


@pytest.mark.parametrize("kind", TWINS)
def test_a_shape_is_drawn_as_its_twin_is(kind):
    for width, height in SIDES:
        for seed in range(3 if kind in ("cross", "chunky", "cave") else 1):
            shape = SHAPES[kind](Rng(seed, width, height), width, height)
            floor, core, pillars = TWINS[kind](Rng(seed, width, height), width, height)
            assert mask_spots(shape.mask) == floor, (width, height)
            assert shape.core == core
            assert list(shape.pillars) == pillars
            assert (shape.width, shape.height) == sides_of(floor)


def test_a_disc_and_its_core_are_those_of_their_twins():
    rng = np.random.default_rng(4)
    for width, height in SIDES:
        assert mask_spots(unpack_rows(disc(width, height), width)) == slow_disc(width, height)
        mask = rng.random((height, width)) < 0.85
        mask[0, 0] = True
        floor = trimmed(mask_spots(mask))
        shape = with_square_core(pack_rows(mask))
        assert mask_spots(shape.mask) == floor
        assert shape.core == slow_core(floor, *sides_of(floor))


@pytest.mark.parametrize("span", [4, 5, 9, 20])
@pytest.mark.parametrize("sides", [(3, 7), (1, 1), (6, 4)])
def test_sides_of_a_shape_are_drawn_as_its_twin_draws_them(span, sides):
    plan, drawn = Blueprint.solid(span, 2 * span), Rng(3, "test")
    weights = {"rectangle": 2, "circle": 0, "hall": 1}
    for _ in range(9):
        for given in (weights, dict.fromkeys(weights, 0)):
            seed = drawn.below(2**30)
            kind, shape = random_shape(given, Rng(seed), sides, plan)
            rng = Rng(seed)
            wanted = rng.weighted(given) if any(given.values()) else "rectangle"
            lengths = []
            for side in (span, 2 * span):
                most = max(1, min(sides[1], (side - 3) // 2))
                lengths.append(rng.between(min(sides[0], most), most))
            assert (kind, mask_spots(shape.mask)) == (wanted, TWINS[kind](rng, *lengths)[0])


@pytest.mark.parametrize("kind", TWINS)
def test_a_built_shape_opens_its_floor_and_lists_its_core(kind):
    shape = SHAPES[kind](Rng(1), 12, 9)
    plan = Blueprint.solid(20, 16)
    shape.build(plan, 3, 5)
    pillars = {(x + 3, y + 5) for x, y in shape.pillars}
    floor = {(x + 3, y + 5) for x, y in mask_spots(shape.mask)}
    assert mask_spots(plan.tiles != 0) == floor | pillars
    assert mask_spots(plan.open) == floor
    core = shape.core
    assert plan.rooms == [RectangularRoom(core.x + 3, core.y + 5, core.width, core.height)]
