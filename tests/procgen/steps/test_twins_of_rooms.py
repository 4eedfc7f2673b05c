"""Chambers, shaped rooms and attached rooms against twins that go tile by tile."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.carving.region_links import spanning_tree
from procgen.carving.room_shapes import random_shape
from procgen.rng import Dice
from procgen.steps.chambers import chambers_in_regions, pierce_walls
from procgen.steps.room_accretion import attach_rooms, door_sites
from procgen.steps.shaped_rooms import SHAPES, shaped_rooms
from support.blueprints import run, with_rooms
from support.by_definition import EIGHT, FOUR, cells, parts
from support.step_twins import assert_alike, edge_of, mask_spots, open_ground, widened

MIX = dict(zip(SHAPES, (3, 2, 2, 1, 1, 2, 2), strict=True))


def in_order(ground):
    """Return the parts of ``ground`` by their first tile in reading order."""
    return sorted(parts(ground), key=lambda part: min(spot[::-1] for spot in part))


def thirds(number, most):
    """Return after which of ``number`` things there is a caption, if there are ``most``."""
    groups = min(number, most)
    ends = [number // groups + (n < number % groups) for n in range(groups)]
    return [sum(ends[: n + 1]) for n in range(groups)]


def slow_chambers(plan, rng, *, least):
    owner = plan.regions
    inside = {
        (x, y)
        for x, y in cells(plan)
        if edge_of(plan, x, y)
        and owner[y, x] > 0
        and owner[y, x] == owner[y, x + 1] == owner[y + 1, x] == owner[y + 1, x + 1]
    }
    inside -= {
        (x, y) for x, y in inside if (x - 1, y + 1) in inside and owner[y, x] != owner[y + 1, x - 1]
    }
    rooms = [part for part in in_order(inside) if len(part) >= least]
    if not rooms:
        raise Rejected("")
    for room in rooms:
        for x, y in room:
            if plan.tiles[y, x] == Tile.WALL:
                plan.tiles[y, x] = Tile.FLOOR
        squares = []
        for x, y in room:
            side = 0
            while all(
                (x + dx, y + dy) in room for dx, dy in product(range(-side, side + 1), repeat=2)
            ):
                side += 1
            squares.append((-side, y, x))
        side, y, x = min(squares)
        plan.rooms.append(RectangularRoom(x + side + 1, y + side + 1, -2 * side - 1, -2 * side - 1))
    return [f"Chamber {number} of {len(rooms)}" for number in thirds(len(rooms), 40)]


@pytest.mark.parametrize(("area", "least"), [(90, 12), (30, 0), (12, 4), (60, 400), (8, 1)])
def test_chambers_are_hollowed_out_as_their_twin_does(area, least):
    for seed in range(3):
        plan = Blueprint.solid(36, 27)
        run("voronoi_cells", plan, seed, area=area)
        plan.tiles[6:9, 4:20] = Tile.WATER
        plan.regions[15:18, 10:14] = 0
        assert_alike(chambers_in_regions, slow_chambers, plan, seed, least=least)


def slow_piercing(plan, rng, *, loops, doors, thickness):
    labels = {spot: n for n, part in enumerate(in_order(open_ground(plan)), 1) for spot in part}
    if len(set(labels.values())) < 2:
        return []
    gaps = {}
    for thick, (dx, dy) in product(range(1, thickness + 1), ((1, 0), (0, 1))):
        for y, x in product(range(plan.height), range(plan.width)):
            way = [(x + n * dx, y + n * dy) for n in range(thick + 2)]
            rock = all(plan.contains(*spot) and plan.tiles[spot[::-1]] == 0 for spot in way[1:-1])
            ends = labels.get(way[0], 0), labels.get(way[-1], 0)
            if rock and all(ends) and ends[0] != ends[1]:
                gaps.setdefault(tuple(sorted(ends)), []).append(way[1:-1])
    tree, rest = spanning_tree(rng.shuffled(sorted(gaps)))
    chosen = tree + [pair for pair in rest if rng.chance(loops)]
    told, firsts = [], []
    for number, pair in enumerate(chosen, 1):
        least = min(map(len, gaps[pair]))
        way = rng.pick([way for way in gaps[pair] if len(way) == least])
        for x, y in way:
            plan.tiles[y, x] = Tile.FLOOR
        firsts.append(way[0])
        if number % (len(chosen) // 40 + 1) == 0:
            told.append(f"Gap {number} of {len(chosen)}")
    hung = []
    for x, y in firsts:
        north, east, south, west = (plan.tiles[y + dy, x + dx] == Tile.WALL for dx, dy in FOUR)
        if rng.chance(doors) and (north, east, south, west) in ((0, 1, 0, 1), (1, 0, 1, 0)):
            hung.append((x, y))
    for x, y in hung:
        plan.tiles[y, x] = Tile.DOOR
    return [*told, pluralise(len(hung), "door")] if hung else told


@pytest.mark.parametrize(
    ("loops", "doors", "thickness"), [(0.3, 0.25, 2), (1.0, 1.0, 1), (0.0, 0.7, 3), (0.6, 0.0, 9)]
)
@pytest.mark.parametrize("size", [(36, 27), (70, 50), (4, 30), (30, 4)])
def test_walls_are_pierced_as_their_twin_does(loops, doors, thickness, size):
    for seed in range(2):
        plan = Blueprint.solid(*size)
        run("voronoi_cells", plan, seed, area=30 if size[1] > 4 else 9)
        run("chambers_in_regions", plan, seed, least=1)
        plan.tiles[size[1] // 2, : size[0] // 3] = Tile.WALL
        plan.tiles[:3, size[0] // 2] = Tile.WATER
        given = {"loops": loops, "doors": doors, "thickness": thickness}
        assert_alike(pierce_walls, slow_piercing, plan, seed, **given)
    assert_alike(pierce_walls, slow_piercing, with_rooms((2, 2, 5, 5)), **given)


def slow_shapes(plan, rng, *, rooms, per_area, tries, insist, gap, min_side, max_side, **large):
    size = plan.width * plan.height
    share, large_min, large_max = large["large"], large["large_min"], large["large_max"]
    weights = {name: large[name] for name in SHAPES}
    wished = min(rooms * max(1, size // per_area), size // 8)
    near = widened({(x, y) for x, y in cells(plan) if plan.tiles[y, x] != Tile.WALL}, gap)
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    told, placed = [], 0

    def fits(shape, x, y):
        return not any((x + dx, y + dy) in near for dx, dy in mask_spots(shape.mask))

    for turn in range(wished):
        sides = (large_min, large_max) if turn < share * wished else (min_side, max_side)
        kind, shape = random_shape(weights, rng, sides, plan)
        spare = plan.width - shape.width - 1, plan.height - shape.height - 1
        place = None
        if min(spare) >= 1:
            spots = ([rng.between(1, most) for most in spare] for _ in range(tries))
            place = next((spot for spot in spots if fits(shape, *spot)), None)
        most = max_side
        while insist and place is None and most >= min_side:
            kind, shape = random_shape(weights, rng, (min_side, most), plan)
            rows, columns = range(1, plan.height - shape.height), range(1, plan.width - shape.width)
            floor = mask_spots(shape.mask)
            free = [
                (x, y) for y in rows for x in columns
                if not any((x + dx, y + dy) in near for dx, dy in floor)
            ]  # fmt: skip
            place = rng.pick(free) if free else None
            most -= 1
        if place is None:
            continue
        x, y = place
        shape.build(plan, x, y)
        placed += 1
        for dx, dy in mask_spots(shape.mask):
            plan.regions[y + dy, x + dx] = placed
        near |= widened({(x + dx, y + dy) for dx, dy in mask_spots(shape.mask)}, gap)
        if (placed - 1) % max(1, wished // 60) == 0:
            told.append(f"Room {placed}: {kind}, {shape.width} by {shape.height}")
    if not plan.rooms:
        raise Rejected("")
    return told


@pytest.mark.parametrize(
    ("rooms", "insist", "gap", "sides", "large"),
    [
        (9, False, 2, (4, 8), 0.15), (30, True, 1, (3, 5), 0.1), (20, False, 0, (2, 4), 0.0),
        (14, True, 3, (3, 9), 0.5), (200, False, 0, (1, 2), 0.01),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [(40, 28), (12, 11), (6, 20)])
def test_shaped_rooms_are_placed_as_the_twin_does(rooms, insist, gap, sides, large, size):
    for seed in range(2):
        plan = Blueprint.solid(*size)
        plan.tiles[3, 2:5] = Tile.WATER
        assert_alike(
            shaped_rooms, slow_shapes, plan, seed, rooms=rooms, per_area=560, tries=6,
            insist=insist, gap=gap, min_side=sides[0], max_side=sides[1], large=large,
            large_min=7, large_max=11, **MIX,
        )  # fmt: skip


class SlowGrowth:
    """The rooms attached so far, the tiles where nothing may come, and the sites of doors."""

    def __init__(self, plan):
        self.plan = plan
        self.blocked = {
            (x, y) for x, y in cells(plan)
            if not edge_of(plan, x, y)
            or any(plan.contains(x + dx, y + dy) and plan.tiles[y + dy, x + dx] != Tile.WALL
                   for dx, dy in (*EIGHT, (0, 0)))
        }  # fmt: skip
        self.sites = [
            [
                (x, y) for y, x in product(range(plan.height), range(plan.width))
                if edge_of(plan, x, y) > 0 and plan.tiles[y, x] == Tile.WALL
                and plan.open[y - dy, x - dx]
            ]
            for dx, dy in FOUR
        ]  # fmt: skip
        plan.regions = np.zeros(plan.tiles.shape, np.int32)

    def fits(self, shape, hall, x, y):
        floor = {(x + dx, y + dy) for dx, dy in mask_spots(shape.mask)}
        way = {(x + dx, y + dy) for dx, dy in hall}
        right, bottom = x + shape.width, y + shape.height
        return (
            x > 0 < y and right < self.plan.width and bottom < self.plan.height
            and self.blocked.isdisjoint(floor | way)
            and all(edge_of(self.plan, *spot) > 0 for spot in way)
        )  # fmt: skip

    def build(self, shape, hall, sites, x, y):
        shape.build(self.plan, x, y)
        floor = {(x + dx, y + dy) for dx, dy in mask_spots(shape.mask)}
        for a, b in floor:
            self.plan.regions[b, a] = len(self.plan.rooms)
        self.blocked |= widened(floor, 1)
        for dx, dy in hall:
            self.open(x + dx, y + dy, Tile.TUNNEL)
        for dx, dy, course in sites:
            if edge_of(self.plan, x + dx, y + dy) > 0:
                self.sites[course].append((x + dx, y + dy))

    def open(self, x, y, tile):
        self.plan.tiles[y, x] = tile
        self.blocked |= widened({(x, y)}, 1)

    def attach(self, shape, hall, sites, doors, dice, tries):
        for _ in range(tries):
            roll = dice.below(2**40)
            a, b, course = doors[roll % len(doors)]
            dx, dy = FOUR[course]
            fronts = self.sites[FOUR.index((-dx, -dy))]
            if not fronts:
                continue
            number = roll // len(doors) % len(fronts)
            x, y = fronts[number]
            if {(x - dx, y - dy), (x - 2 * dx, y - 2 * dy)} & self.blocked:
                fronts[number] = fronts[-1]
                fronts.pop()
                continue
            walls = (x, y), (x + dy, y + dx), (x - dy, y - dx)
            walled = all(self.plan.tiles[spot[::-1]] == Tile.WALL for spot in walls)
            if walled and self.fits(shape, hall, x - a, y - b):
                self.build(shape, hall, sites, x - a, y - b)
                self.open(x, y, Tile.FLOOR)
                return True
        return False


def slow_accretion(plan, rng, *, rooms, patience, tries, min_side, max_side, large, **more):
    growth, told = SlowGrowth(plan), []
    weights = {name: more[name] for name in SHAPES}
    standing, attached, designs, failures = any(growth.sites), 0, 0, 0
    dice = Dice(rng)
    while failures < patience and attached < rooms * plan.scale:
        designs += 1
        great = designs % 2 == 0 and designs <= 2 * large * plan.scale
        sides = (more["large_min"], more["large_max"]) if great else (min_side, max_side)
        kind, shape = random_shape(weights, rng, sides, plan)
        least = more["hallway_min"]
        length = rng.between(least, max(least, more["hallway_max"]))
        if not rng.chance(more["hallways"]) or not standing:
            length = 0
        bends = rng.chance(more["bent"])
        sites, hall = door_sites(shape.rows, shape.width), []
        doors = sites
        if length:
            x, y, course = rng.pick(sites)
            dx, dy = FOUR[course]
            hall = [(x + n * dx, y + n * dy) for n in range(length)]
            x, y = hall[-1]
            turns = [(course + 1) % 4, (course - 1) % 4] if bends else [course]
            if bends:
                turns = [course ^ 1, course ^ 3]
            doors = [(x + FOUR[turn][0], y + FOUR[turn][1], turn) for turn in turns]
        if standing:
            fine = growth.attach(shape, hall, sites, doors, dice, tries)
        else:
            spare = plan.width - shape.width - 1, plan.height - shape.height - 1
            fine = min(spare) >= 1
            if fine:
                x, y = (rng.between(1, most) for most in spare)
                fine = growth.fits(shape, hall, x, y)
                if fine:
                    growth.build(shape, hall, sites, x, y)
        failures += 1
        if fine:
            standing, failures = True, 0
            attached += 1
            if (attached - 1) % max(1, rooms * plan.scale // 60) == 0:
                told.append(f"Room {attached}: {kind}, {shape.width} by {shape.height}")
    if not plan.rooms:
        raise Rejected("")
    return told


@pytest.mark.parametrize(
    ("rooms", "sides", "large", "hallways", "bent"),
    [
        (40, (3, 9), 4, 0.35, 0.2), (200, (2, 4), 0, 1.0, 1.0), (9, (3, 6), 2, 0.0, 0.0),
        (60, (1, 3), 1, 0.6, 0.5),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [(60, 40), (13, 11), (8, 26)])
def test_rooms_are_attached_as_the_twin_does(rooms, sides, large, hallways, bent, size):
    for seed in range(2):
        plan = Blueprint.solid(*size)
        if seed:
            plan.tiles[4:6, 3:5] = Tile.MOSS
            plan.tiles[:4, 4], plan.tiles[9, 2:5] = Tile.FLOOR, Tile.WATER
        assert_alike(
            attach_rooms, slow_accretion, plan, seed, rooms=rooms, patience=9, tries=12,
            min_side=sides[0], max_side=sides[1], large=large, large_min=8, large_max=12,
            hallways=hallways, hallway_min=2, hallway_max=5, bent=bent, **MIX,
        )  # fmt: skip
