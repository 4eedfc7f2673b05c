"""What rooms are furnished with, and which rooms, against twins that go spot by spot."""

from itertools import product

import pytest

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.analysis.chokepoints import structure_of
from procgen.blueprint import Blueprint, Point
from procgen.placement.lairs import place_guards, place_lair
from procgen.placement.room_sites import find_sites
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.steps import room_types as types
from support.blueprints import run, text
from support.by_definition import EIGHT
from support.step_twins import assert_alike, open_ground


def level(seed, size=(60, 44)):
    plan = Blueprint.solid(*size)
    run("binary_space_partition", plan, seed, min_leaf=6 + seed % 3, rounds=6)
    run("loose_rooms_in_leaves", plan, seed, smallest=0.7)
    run("join_adjacent_leaves", plan, seed, loops=0.2)
    run("doors", plan, seed)
    spots = sorted(spot for spot in open_ground(plan) if plan.tiles[spot[::-1]] == Tile.FLOOR)
    plan.start, plan.exit = Point(*spots[4]), Point(*spots[-6])
    return plan


def first_of(put, spots, tile, wanted):
    done = 0
    for x, y in spots:
        if done < wanted:
            done += bool(put(x, y, tile))
    return done


def slow_treasury(floor, site, rng):
    heaps = min(5, 2 + len(site.spots) // 25)
    spots = rng.shuffled(site.spots[-max(heaps, len(site.spots) // 3) :])
    return first_of(floor.place_walkable, spots, Tile.TREASURE, heaps)


def slow_traps(floor, site, rng):
    floor.place_walkable(*site.deepest, Tile.TREASURE)
    number = sorted((3, len(site.spots) // 6, 9))[1]
    return first_of(floor.place_blocking, rng.shuffled(site.spots), Tile.TRAP, number)


def slow_shrine(floor, site, rng):
    x, y = site.middle
    if not floor.place_walkable(x, y, Tile.SHRINE):
        return 0
    for dx, dy in EIGHT:
        floor.place_walkable(x + dx, y + dy, Tile.CARPET)
    for dx, dy in product((-2, 2), repeat=2):
        if inside(site.box, x + dx, y + dy):
            floor.place_blocking(x + dx, y + dy, Tile.STATUE)
    return 1


def inside(box, x, y):
    return 0 <= x - box.x < box.width and 0 <= y - box.y < box.height


def rim_of(box, x, y):
    """Return how many tiles (x, y) is from the nearest side of ``box``."""
    return min(x - box.x, box.x + box.width - 1 - x, y - box.y, box.y + box.height - 1 - y)


def slow_library(floor, site, rng):
    box, shelves = site.box, 0
    if rng.chance(0.4):
        for x, y in site.spots:
            shelves += rim_of(box, x, y) == 0 and floor.place_blocking(x, y, Tile.SHELF)
        for x, y in site.spots:
            if rim_of(box, x, y) > 1:
                floor.place_walkable(x, y, Tile.CARPET)
        return shelves
    lying, (a, b) = box.width >= box.height, box.center
    for x, y in sorted(site.spots):
        if (x == a) if lying else (y == b):
            floor.place_walkable(x, y, Tile.CARPET)
        elif ((y - box.y) if lying else (x - box.x)) % 2 == 1 and inside(box, x, y):
            shelves += floor.place_blocking(x, y, Tile.SHELF)
    return shelves


def slow_garden(floor, site, rng):
    planted, reach = 0, 2 if min(site.box.width, site.box.height) > 6 else 1
    for x, y in site.spots:
        roll = rng.below(100)
        tile = Tile.FOREST if roll < 12 else Tile.GRASS if roll < 80 else None
        if abs(x - site.middle[0]) + abs(y - site.middle[1]) <= reach:
            tile = Tile.SHALLOWS
        planted += tile is not None and floor.place_walkable(x, y, tile)
    return planted


def slow_hall(floor, site, rng):
    box, gap, pillars = site.box, rng.between(2, 3), 0
    for x, y in site.spots:
        ends = [(x - box.x, box.x + box.width - 1 - x), (y - box.y, box.y + box.height - 1 - y)]
        along, across = ends if box.width >= box.height else ends[::-1]
        inset = 1 if sum(across) < 7 else 2
        if min(across) == inset and min(along) % gap == 1:
            pillars += floor.place_blocking(x, y, Tile.PILLAR)
        elif abs(across[0] - across[1]) <= 1 and min(along) > 0:
            floor.place_walkable(x, y, Tile.CARPET)
    return pillars


TWINS = [
    ("treasures", "treasury", slow_treasury, "A treasury"), ("lairs", None, None, "A lair"),
    ("shrines", "shrine", slow_shrine, "A shrine"),
    ("libraries", "library", slow_library, "A library"),
    ("guards", None, None, "A guard room"), ("traps", "trap_room", slow_traps, "A trap"),
    ("gardens", "garden", slow_garden, "A garden"), ("halls", "hall", slow_hall, "A hall"),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_every_room_is_furnished_as_the_twin_does(seed):
    plan, number = level(seed), 0
    sites = find_sites(plan, structure_of(plan), Rng(seed), least=4, most=400)
    for _, name, twin, _ in TWINS:
        for site in sites if name else ():
            number += 1
            one, other = Blueprint(plan.tiles.copy()), Blueprint(plan.tiles.copy())
            done = getattr(types, name)(FreeFloor(one), site, Rng(number))
            assert done == twin(FreeFloor(other), site, Rng(number)), name
            assert text(one) == text(other), name
    assert number > 50


def slow_types(plan, rng, *, least, most, choice, missing, **counts):
    structure = structure_of(plan)
    sites, told = find_sites(plan, structure, rng, least=least, most=most), []
    floor = FreeFloor(plan)

    def square(site, side):
        box = site.box
        full = len(site.spots) / (box.width * box.height) >= 0.75
        return min(box.width, box.height) >= side and full

    def secluded(site):
        return site.sealed, site.distance

    def modest(site):
        return not site.on_way, -abs(len(site.spots) - 35)

    def large(site):
        return len(site.spots), site.distance

    rules = {
        "treasures": (lambda site: not site.on_way, secluded),
        "lairs": (lambda site: not site.on_way, secluded),
        "shrines": (lambda site: square(site, 3), modest),
        "libraries": (lambda site: square(site, 5), modest),
        "guards": (
            lambda site: site.on_way and len(site.spots) > 11,
            lambda site: (site.distance, len(site.spots)),
        ),
        "traps": (lambda site: square(site, 3), secluded),
        "gardens": (lambda site: square(site, 4), large),
        "halls": (lambda site: square(site, 5), large),
    }
    for name, _, furnish, caption in TWINS:
        suits, best = rules[name]
        left = counts[name] * plan.scale
        fitting = sorted(filter(suits, sites), key=best, reverse=True)
        left = min(left, len(fitting))
        while left:
            left -= 1
            if rng.chance(missing):
                continue
            site = rng.pick(fitting[:choice])
            fitting.remove(site)
            sites.remove(site)
            if name == "lairs":
                size = min(6, 3 + site.distance // 30)
                floor.place_walkable(*site.deepest, Tile.TREASURE)
                done = place_lair(plan, rng, site.deepest, structure.distance, size=size)
            elif name == "guards":
                done = place_guards(plan, floor, site, rng, rng.between(2, 4))
            else:
                done = furnish(floor, site, rng)
            if done:
                floor.exclude_occupied(plan)
                told.append(f"{caption}, {pluralise(site.distance, 'step')} from the start")
    return told


@pytest.mark.parametrize(
    ("number", "sizes", "choice"),
    [(1, (9, 200), 3), (3, (4, 60), 1), (0, (9, 90), 2), (2, (6, 30), 9)],
)
def test_rooms_get_their_types_as_the_twin_says(number, sizes, choice):
    for seed in range(4):
        counts = {name: number for name, *_ in TWINS}
        for size in ((60, 44), (90, 82)) if seed == 0 else ((50, 36),):
            assert_alike(
                types.room_types, slow_types, level(seed, size), seed, least=sizes[0],
                most=sizes[1], choice=choice, missing=(0, 0.2, 0.6, 0)[seed], **counts,
            )  # fmt: skip
