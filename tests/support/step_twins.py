"""Steps held against twins: the same written out tile by tile, with the same draws."""

import copy
from itertools import product

import numpy as np

from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint, Point, Rejected
from procgen.rng import Rng
from support.blueprints import cave, run, text
from support.by_definition import FOUR, parts

SHAPE = ("rooms", "leaves", "start", "exit", "spawns", "mission")


def assert_alike(step, twin, plan, seed=1, **parameters):
    """Run ``step`` on ``plan`` and ``twin`` on a copy: they must leave the same blueprint.

    The twin returns its captions, or None where it does not say them. Return the blueprint, or
    None if both reject it.
    """
    other, rejected = copy.deepcopy(plan), []
    captions = told = None
    for number, (one, ground) in enumerate(((step, plan), (twin, other))):
        try:
            said = one(ground, Rng(seed, "test"), **parameters)
            if number:
                told = said
            else:
                captions = list(said)
        except Rejected:
            rejected.append(number)
    assert rejected in ([], [0, 1]), "one rejects what the other takes"
    unlike = [(x, y) for y, x in np.argwhere(plan.tiles != other.tiles).tolist()]
    assert not unlike, f"{text(plan)}\n{text(other)}\ndiffer at {unlike[:9]}"
    for name in SHAPE if not rejected else ():  # A level that is rejected is not looked at.
        assert getattr(plan, name) == getattr(other, name), name
    assert (plan.regions is None) == (other.regions is None)
    assert plan.regions is None or np.array_equal(plan.regions, other.regions)
    assert rejected or told is None or captions == told
    return None if rejected else plan


def walkable(plan, x, y):
    return bool(terrain().walkable[plan.tiles[y, x]])


def edge_of(plan, x, y):
    """Return how many tiles (x, y) is from the nearest border."""
    return min(x, y, plan.width - 1 - x, plan.height - 1 - y)


def rocky(plan, box):
    """Return True if every tile of ``box``, a room, is rock, and none on the map's border."""
    xs, ys = range(box.x, box.x + box.width), range(box.y, box.y + box.height)
    return all(edge_of(plan, x, y) > 0 and plan.tiles[y, x] == Tile.WALL for y in ys for x in xs)


def open_ground(plan):
    """Return the (x, y) of all passable tiles."""
    return {(x, y) for y, x in np.argwhere(plan.open).tolist()}


def can_shut(ground, closing):
    """Return True if what touches the tiles ``closing`` of ``ground`` stays joined without them."""
    shut = ground & closing
    left = ground - shut
    beside = {(x + dx, y + dy) for x, y in shut for dx, dy in FOUR} & left
    return not shut or sum(not beside.isdisjoint(part) for part in parts(left)) == 1


def still_joined(before, after):
    """Return True if no part of ``before`` lies in more than one part of ``after``."""
    now = parts(after)
    return all(sum(not part.isdisjoint(home) for part in now) <= 1 for home in parts(before))


def tiles_of(room):
    xs, ys = range(room.x, room.x + room.width), range(room.y, room.y + room.height)
    return set(product(xs, ys))


def mask_spots(mask):
    return {(x, y) for y, x in np.argwhere(mask).tolist()}


def widened(spots, by):
    around = list(product(range(-by, by + 1), repeat=2))
    return {(x + dx, y + dy) for x, y in spots for dx, dy in around}


def touching(ground):
    """Return the 8-connected parts of ``ground``, by the first tile in reading order."""
    left, found = set(ground), []
    for first in sorted(ground, key=lambda tile: tile[::-1]):
        if first in left:
            part, ring = set(), {first}
            while ring:
                part |= ring
                ring = {(x + a, y + b) for x, y in ring for a, b in product((-1, 0, 1), repeat=2)}
                ring = ring & left - part
            left -= part
            found.append(part)
    return found


def level(seed, *, rooms=True, depth=1, size=(44, 31)):
    """Return rooms joined by tunnels, or a cave, with start, exit, a door and a trap."""
    if rooms:
        plan = Blueprint.solid(*size)
        run("binary_space_partition", plan, seed, min_leaf=8)
        run("loose_rooms_in_leaves", plan, seed)
        run("join_rooms_in_order", plan, seed)
        run("doors", plan, seed)
    else:
        plan = cave(seed, *size)
    spots = sorted(spot for spot in open_ground(plan) if plan.tiles[spot[::-1]] != Tile.DOOR)
    plan.depth, plan.start, plan.exit = depth, Point(*spots[4]), Point(*spots[-6])
    plan.tiles[spots[len(spots) // 2][::-1]] = Tile.TRAP
    return plan
