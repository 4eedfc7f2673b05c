"""A fortress against its twin: the same built tile by tile on a canvas with the gate below."""

from itertools import product

import numpy as np
import pytest
import scipy

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.steps.fortress import fortress
from support.step_twins import assert_alike, walkable


class Canvas:
    """A map with its gate below, whose right half shows what the left does; and its rooms."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.tiles = np.zeros((height, width), np.uint8)
        self.rooms = []

    def fill(self, left, top, right, bottom, tile):
        for y, x in product(range(top, bottom + 1), range(left, right + 1)):
            if 0 <= x < self.width and 0 <= y < self.height:
                self.tiles[y, x] = tile

    def walled(self, left, top, right, bottom):
        """Build a room with these walls, and its image."""
        for one, other in ((left, right), (self.width - 1 - right, self.width - 1 - left)):
            self.fill(one, top, other, bottom, Tile.WALL)
            self.fill(one + 1, top + 1, other - 1, bottom - 1, Tile.FLOOR)

    def listed(self, left, top, right, bottom):
        self.rooms.append((left + 1, top + 1, right - 1, bottom - 1))

    def listed_twice(self, left, top, right, bottom):
        self.listed(left, top, right, bottom)
        self.listed(self.width - 1 - right, top, self.width - 1 - left, bottom)

    def both(self, x, y, tile):
        self.tiles[y, x] = self.tiles[y, self.width - 1 - x] = tile


def slow_parts(box, rng, least, most):
    left, top, right, bottom = box
    wide, high = right - left - 1, bottom - top - 1
    across = rng.chance(0.5) if wide == high else wide > high
    side = max(wide, high)
    if side <= 2 * least or (side <= most and rng.chance(0.5)):
        return [box]
    cut = 1 + rng.between(least, side - 1 - least)
    if across:
        halves = (left, top, left + cut, bottom), (left + cut, top, right, bottom)
    else:
        halves = (left, top, right, top + cut), (left, top + cut, right, bottom)
    return [*slow_parts(halves[0], rng, least, most), *slow_parts(halves[1], rng, least, most)]


def slow_halls(left, top, right, bottom, least):
    """Cut the spine into a small room at the back and halls of about equal size."""
    inside, boxes = bottom - top - 1, []
    if inside >= 4 * (least + 1):
        boxes = [(left, top, right, top + least + 2)]
        top, inside = top + least + 2, inside - least - 2
    number = max(1, (inside + 19) // 20)
    each = (inside - number + 1) // number
    for _ in range(number - 1):
        boxes.append((left, top, right, top + each + 1))
        top += each + 1
    return [*boxes, (left, top, right, bottom)]


def slow_keep(canvas, keep, rng, least, most, doors, straight):
    k_left, k_top, k_right, k_bottom = keep
    axis = sorted({(canvas.width - 1) // 2, canvas.width // 2})
    hall = max(least, min(15, 3 * (k_right - k_left - 1) // 10))
    left = (canvas.width - hall) // 2 - 1
    if left - k_left <= least:
        left = k_left
    halls = slow_halls(left, k_top, canvas.width - 1 - left, k_bottom, least)
    wing = []
    if left > k_left:
        wing = slow_parts((k_left, k_top, left, k_bottom), rng, least, most)
    owner = {}
    for number, (x1, y1, x2, y2) in enumerate([*halls, *wing], 1):
        canvas.walled(x1, y1, x2, y2)
        for spot in product(range(x1 + 1, x2), range(y1 + 1, y2)):
            owner[spot] = number
    for box in wing:
        canvas.listed_twice(*box)
    for x1, y1, x2, y2 in halls[::-1]:
        canvas.listed(x1, y1, x2, y2)
        canvas.fill(axis[0], y1 + 1, axis[-1], y2 - 1, Tile.CARPET)
        wide, high = x2 - x1 - 1, y2 - y1 - 1
        if wide >= 5 and high in (4, 5):
            canvas.both(x1 + 2, y1 + 1, Tile.STATUE)
        if wide >= 7 and high >= 6:
            for y in range(y1 + 2, y2 - 1, 3):
                canvas.both(x1 + 2, y, Tile.PILLAR)
    told = [f"A keep of {pluralise(len(halls) + 2 * len(wing), 'room')}"]
    aside = 1 if wing and len(halls) > 1 and not rng.chance(straight) else 0
    for *_, y in halls[aside:]:
        canvas.fill(axis[0], y, axis[-1], y, Tile.DOOR)
    ways = {}
    for dx, dy in ((1, 0), (0, 1)):
        for y, x in product(range(canvas.height), range(axis[-1] + 1)):
            one, other = owner.get((x - dx, y - dy), 0), owner.get((x + dx, y + dy), 0)
            if x + dx <= axis[-1] and one and other and one != other:
                ways.setdefault((one, other), []).append((x, y))
    if aside:
        ways.pop((1, 2), None)
    group = {number: number for number in owner.values()}
    for number in range(1 + aside, len(halls) + 1):
        group[number] = 1 + aside
    for one, other in rng.shuffled(sorted(ways)):
        apart = group[one] != group[other]
        if apart or rng.chance(doors):
            canvas.both(*rng.pick(ways[one, other]), Tile.DOOR)
        if apart:
            old = group[other]
            group = {key: group[one] if of == old else of for key, of in group.items()}
    return [*told, "Doors"]


def slow_wilderness(canvas, rng):
    high, wide = canvas.height, canvas.width
    noise = rng.random_bytes(high, wide).astype(np.int32)
    thick = scipy.ndimage.uniform_filter(noise * 16, 5, mode="nearest")
    for y, x in product(range(high), range(wide)):
        tile = Tile.FOREST if thick[y, x] > 2240 else Tile.RUBBLE if noise[y, x] < 4 else Tile.GRASS
        border = x in (0, wide - 1) or y in (0, high - 1)
        canvas.tiles[y, x] = Tile.MOUNTAIN if border else tile


def slow_walls(canvas, curtain, *, towers):
    (left, top, right, bottom), wide, high = curtain, canvas.width, canvas.height
    canvas.fill(left, top, right, bottom, Tile.WALL)
    canvas.fill(left + 1, top + 1, right - 1, bottom - 1, Tile.ROAD)
    axis = (wide - 1) // 2, wide // 2
    if towers:
        towers = [(left - 2, y - 2, left + 2, y + 2) for y in (top, bottom)]
        for tower in [*towers, (axis[0] - 5, bottom - 2, axis[0] - 1, bottom + 2)]:
            canvas.walled(*tower)
            canvas.listed_twice(*tower)
        canvas.both(left + 2, top + 1, Tile.DOOR)
        canvas.both(left + 2, bottom - 1, Tile.DOOR)
        canvas.both(axis[0] - 3, bottom - 2, Tile.DOOR)
    for x in set(axis):
        for y in range(bottom + 1, high - 1):
            wet = canvas.tiles[y, x] == Tile.WATER
            canvas.tiles[y, x] = Tile.BRIDGE if wet else Tile.ROAD
        canvas.tiles[bottom, x] = Tile.DOOR


def slow_ward(canvas, curtain, rng, moat, breach):
    left, top, right, bottom = curtain
    dice = rng.random_bytes(bottom - top - 1, right - left - 1)
    for y, x in np.argwhere(dice < 40).tolist():
        if canvas.tiles[top + 1 + y, left + 1 + x] == Tile.ROAD:
            canvas.tiles[top + 1 + y, left + 1 + x] = Tile.GRASS
    if moat and rng.chance(breach):
        span, first = rng.between(2, 4), top + 5
        first = rng.between(first, max(first, bottom - 8))
        columns = range(left - 2 - moat, left + 2)
        if rng.chance(0.5):
            columns = range(right - 1, right + 3 + moat)
        for y, x in product(range(first, min(first + span, bottom - 3)), columns):
            if canvas.tiles[y, x] in (Tile.WATER, Tile.WALL):
                wet = canvas.tiles[y, x] == Tile.WATER
                canvas.tiles[y, x] = Tile.SHALLOWS if wet else Tile.RUBBLE


def slow_fortress(plan, rng, *, wild, moat, ward, least, most, doors, breach, straight, vary):
    turn = rng.below(4)
    wide, high = (plan.height, plan.width) if turn % 2 else (plan.width, plan.height)
    if wide < 11 or high < 11:
        raise Rejected("")
    margins = [
        max(2, min(rng.varied(int(side * wild), vary), (side - 7) // 2))
        for side in (wide, high, high)
    ]
    left, top, low = margins
    right, bottom = wide - 1 - left, high - 1 - low
    courts = [max(2, rng.varied(ward, vary)) if vary else ward for _ in range(3)]
    keep = left + courts[0] + 1, top + courts[1] + 1, right - courts[0] - 1
    keep = *keep, bottom - max(2 * courts[2], ward + 3)
    least_margin = min(margins)
    warded = right - left > 20 and bottom - top > 20 and least_margin > 3
    warded = warded and keep[2] - keep[0] > 5 and keep[3] - keep[1] > 5
    moat = max(0, min(moat, least_margin - 4)) if warded else 0
    canvas = Canvas(wide, high)
    plan.rooms = []
    slow_wilderness(canvas, rng)
    told = ["Grass and trees"]
    out = 2 if warded else 0
    if moat:
        by = out + moat
        canvas.fill(left - by, top - by, right + by, bottom + by, Tile.WATER)
    slow_walls(canvas, (left, top, right, bottom), towers=warded)
    told.append(f"A curtain wall{' and a moat' * bool(moat)}")
    if warded:
        slow_ward(canvas, (left, top, right, bottom), rng, moat, breach)
        told.append("The ward")
    chosen = keep if warded else (left, top, right, bottom)
    told += slow_keep(canvas, chosen, rng, least, most, doors, straight)
    plan.tiles[:] = np.rot90(canvas.tiles, turn)
    for x, y in plan.marks:
        if not walkable(plan, x, y):
            plan.tiles[y, x] = Tile.FLOOR
    for x1, y1, x2, y2 in canvas.rooms:
        shown = np.zeros((high, wide), np.bool_)
        shown[y1 : y2 + 1, x1 : x2 + 1] = True
        ys, xs = np.nonzero(np.rot90(shown, turn))
        x, y = int(xs.min()), int(ys.min())
        plan.rooms.append(RectangularRoom(x, y, int(xs.max()) - x + 1, int(ys.max()) - y + 1))
    return told


@pytest.mark.parametrize(
    ("wild", "moat", "ward", "sides", "vary"),
    [
        (0.14, 2, 4, (3, 9), 0.0), (0.2, 1, 2, (2, 5), 0.5), (0.0, 3, 3, (4, 4), 0.0),
        (0.12, 9, 6, (3, 6), 1.0), (0.4, 2, 1, (1, 3), 0.0), (0.1, 0, 2, (5, 12), 0.3),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [(80, 45), (41, 44), (60, 60), (24, 31), (11, 13), (10, 30)])
def test_a_fortress_is_built_as_its_twin_does(size, wild, moat, ward, sides, vary):
    for seed in range(3):
        plan = Blueprint.solid(*size)
        plan.rooms = [RectangularRoom(2, 2, 2, 2)]
        plan.start, plan.spawns = Point(1, 4), [Spawn("rat", size[0] // 2, y) for y in range(9)]
        assert_alike(
            fortress, slow_fortress, plan, seed, wild=wild, moat=moat, ward=ward, least=sides[0],
            most=sides[1], doors=0.3, breach=0.9, straight=0.4, vary=vary,
        )  # fmt: skip


@pytest.mark.parametrize("side", range(28, 34))
def test_a_fortress_just_large_enough_has_a_ward(side):
    for wild, ward in product((3, 4, 5), (1, 2, 3, 4, 5)):
        plan = Blueprint.solid(side, side + 5)
        assert_alike(
            fortress, slow_fortress, plan, side, wild=(wild + 0.5) / side, moat=1, ward=ward,
            least=3, most=7, doors=0.5, breach=1.0, straight=0.5, vary=0.0,
        )  # fmt: skip
