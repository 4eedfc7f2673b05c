"""Corridors between rooms against twins that dig tile by tile."""

from itertools import pairwise, product

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint
from procgen.carving.region_links import adjacent_pairs, spanning_tree
from procgen.steps.corridors import cardinal_corridors, join_adjacent_leaves, join_rooms_in_order
from support.blueprints import run, with_rooms
from support.step_twins import (
    assert_alike,
    edge_of,
    tiles_of,
    walkable,
)


def line(one, other):
    """Return the tiles of a straight line, both ends included."""
    (ax, ay), (bx, by) = one, other
    xs, ys = range(min(ax, bx), max(ax, bx) + 1), range(min(ay, by), max(ay, by) + 1)
    return set(product(xs, ys))


def bent(one, other, *, sideways):
    corner = (other[0], one[1]) if sideways else (one[0], other[1])
    return line(one, corner) | line(corner, other)


def slow_dig(plan, way):
    rock = [(x, y) for x, y in way if plan.tiles[y, x] == Tile.WALL]
    for x, y in rock:
        plan.tiles[y, x] = Tile.TUNNEL
    return len(rock)


def slow_order(plan, rng, *, horizontal_first, nearest):
    told, centers = [], [room.center for room in plan.rooms]
    pairs = list(pairwise(centers))
    if nearest:
        pairs = []
        for number, (x, y) in enumerate(centers[1:], 1):
            near = min(centers[:number], key=lambda spot: abs(spot[0] - x) + abs(spot[1] - y))
            pairs.append((near, (x, y)))
    for number, (one, other) in enumerate(pairs, 1):
        if slow_dig(plan, bent(one, other, sideways=rng.chance(horizontal_first))):
            told.append(f"Room {number + 1} joined to an earlier one")
    return told


@pytest.mark.parametrize("nearest", [False, True])
@pytest.mark.parametrize("horizontal", [0.0, 0.5, 1.0])
def test_rooms_are_joined_in_order_as_the_twin_does(nearest, horizontal):
    for seed in range(6):
        spots = np.random.default_rng(seed).integers(1, 20, (seed * 2, 4)).tolist()
        rooms = [(x, y, 2 + a % 7, 2 + b % 6) for x, y, a, b in spots]
        plan = with_rooms(*rooms, size=(30, 30))
        plan.tiles[12, ::2] = Tile.WATER
        assert_alike(
            join_rooms_in_order, slow_order, plan, seed, horizontal_first=horizontal,
            nearest=nearest,
        )  # fmt: skip


def slow_joining(plan, rng, *, loops):
    owner = np.full(plan.tiles.shape, -1, np.int32)
    for number, leaf in enumerate(plan.leaves):
        for x, y in tiles_of(leaf):
            owner[y, x] = number
    home = {}
    for room in plan.rooms:
        home.setdefault(int(owner[room.center[::-1]]), room)
    home.pop(-1, None)
    pairs = [pair for pair in adjacent_pairs(owner) if set(pair) <= home.keys()]
    tree, rest = spanning_tree(rng.shuffled(pairs))
    ways, told = 0, []

    def span(part, axis):
        start = (part.x, part.y)[axis]
        return start, start + (part.width, part.height)[axis] - 1

    for pair in tree + [pair for pair in rest if rng.chance(loops)]:
        one, other = pair
        leaves = plan.leaves[one], plan.leaves[other]
        abreast = any(span(a, 0)[1] + 1 == span(b, 0)[0] for a, b in (leaves, leaves[::-1]))
        axis = 0 if abreast else 1
        if span(leaves[0], axis) > span(leaves[1], axis):
            one, other = other, one
        rooms = home[one], home[other]
        ours = [span(part, 1 - axis) for part in (plan.leaves[one], plan.leaves[other], *rooms)]
        for wanted in (ours[2:], (*ours[:2], ours[2]), (*ours[:2], ours[3]), ours[:2]):
            low, high = max(one[0] for one in wanted), min(one[1] for one in wanted)
            if low <= high:
                break
        place = rng.between(low, high)
        leave, enter = (sorted((place, *rows))[1] for rows in ours[2:])
        edge = span(plan.leaves[other], axis)[0]
        stops = [(span(rooms[0], axis)[1] + 1, leave), (edge - 1, leave), (edge - 1, place)]
        stops += [(edge, place), (edge, enter), (span(rooms[1], axis)[0] - 1, enter)]
        way = line(stops[0], stops[1]) | line(stops[1], stops[2])
        way |= line(stops[3], stops[4]) | line(stops[4], stops[5])
        way = {spot[::-1] if axis else spot for spot in way}
        if slow_dig(plan, {spot for spot in way if edge_of(plan, *spot) > 0}):
            if ways % plan.scale == 0:
                told.append(f"Leaf {pair[0] + 1} joined to leaf {pair[1] + 1}")
            ways += 1
    return told


@pytest.mark.parametrize(("loops", "margin"), [(0.35, 1), (0.0, 0), (1.0, 2)])
@pytest.mark.parametrize("size", [(50, 36), (100, 75)])
def test_adjacent_leaves_are_joined_as_the_twin_does(loops, margin, size):
    for seed in range(4):
        plan = Blueprint.solid(*size)
        run("binary_space_partition", plan, seed, min_leaf=7 + seed)
        run("loose_rooms_in_leaves", plan, seed, margin=margin)
        plan.rooms = [room for number, room in enumerate(plan.rooms) if number % 9 != 4]
        plan.rooms.append(plan.rooms[0])
        plan.leaves = [leaf for number, leaf in enumerate(plan.leaves) if number % 11 != 7]
        assert_alike(join_adjacent_leaves, slow_joining, plan, seed, loops=loops)


def slow_cardinal(plan, rng, *, most, skipped):
    rooms, joined, told, dug, met = plan.rooms, [0] * len(plan.rooms), [], 0, set()
    for one, other, upright in sights(rooms):
        if {one, other} in met:
            continue
        met = [*met, {one, other}]
        if rng.chance(skipped) or joined[one] >= most or joined[other] >= most:
            continue
        joined[one] += 1
        joined[other] += 1
        if upright:
            (first, last), (low, high) = between(rooms, one, other, "y", "x")
        else:
            (first, last), (low, high) = between(rooms, one, other, "x", "y")
        course = range(first, last + 1)
        best = []
        for place in range(low, high + 1):
            way = [(place, n) if upright else (n, place) for n in course]
            shut = any(
                not walkable(plan, x, y) and plan.tiles[y, x] not in (Tile.WALL, Tile.SECRET_DOOR)
                for x, y in way
            )
            if not shut:
                aside = [[(x - upright, y - (not upright)), (x + upright, y + (not upright))]
                         for x, y in way]  # fmt: skip
                touch = [[plan.tiles[spot[::-1]] != Tile.WALL for spot in pair] for pair in aside]
                brushes = any(a and b for one_, other_ in pairwise(touch)
                              for a, b in zip(one_, other_, strict=True))  # fmt: skip
                best.append((brushes, abs(2 * place - low - high), place, way))
        if best and slow_dig(plan, min(best)[3]):
            if dug % max(1, len(rooms) // 60) == 0:
                told.append(f"Corridor from room {one + 1} to room {other + 1}")
            dug += 1
    return told


def span_of(room, axis):
    start, length = (room.x, room.width) if axis == "x" else (room.y, room.height)
    return start, start + length - 1


def between(rooms, one, other, along, across):
    ends = sorted(span_of(rooms[n], along) for n in (one, other))
    sides = [span_of(rooms[n], across) for n in (one, other)]
    return (ends[0][1] + 1, ends[1][0] - 1), (max(a for a, _ in sides), min(b for _, b in sides))


def sights(rooms):
    """Yield (room, room it sees, upright), looking north, east, south and west."""
    for one, way in product(range(len(rooms)), range(4)):
        upright, forward = way % 2 == 0, way in (1, 2)
        along, across = ("y", "x") if upright else ("x", "y")
        mine, aside, seen = span_of(rooms[one], along), span_of(rooms[one], across), []
        for other, room in enumerate(rooms):
            low, high = span_of(room, across)
            there = span_of(room, along)
            gap = there[0] - mine[1] - 1 if forward else mine[0] - there[1] - 1
            if low <= aside[1] and high >= aside[0] and gap >= 0:
                seen.append((gap, other))
        if seen:
            yield one, min(seen)[1], upright


@pytest.mark.parametrize(("most", "skipped"), [(4, 0.1), (1, 0.0), (2, 0.5), (9, 0.0)])
def test_straight_corridors_are_dug_as_the_twin_does(most, skipped):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        number = 70 * 2 if seed == 7 else 12
        spots = rng.integers(1, 30, (number, 2)).tolist()
        sides = rng.integers(1, 3 if seed == 7 else 7, (number, 2)).tolist()
        rooms = [(*spot, *side) for spot, side in zip(spots, sides, strict=True)]
        plan = with_rooms(*rooms, size=(40, 40))
        plan.tiles[8, ::3], plan.tiles[22, ::5] = Tile.WATER, Tile.SECRET_DOOR
        assert_alike(cardinal_corridors, slow_cardinal, plan, seed, most=most, skipped=skipped)
