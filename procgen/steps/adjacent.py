"""Corridors between neighbours: two leaves that share an edge, a way across it."""

from collections.abc import Iterator

import numpy as np

from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.registry import Share, step
from procgen.rng import Rng
from procgen.ways.carve import dig, tunnel_between
from procgen.ways.spanning import touching, tree_and_rest

Span = tuple[int, int]


@step(needs="leaves rooms")
def join_adjacent_leaves(plan: Blueprint, rng: Rng, *, loops: Share = 0.35) -> Iterator[str]:
    """Join the rooms of leaves that share an edge, straight across it where that can be.

    A random spanning tree of all such pairs is always dug, and each of the redundant pairs
    with chance ``loops``: 0 makes a tree, 1 joins all. A tunnel never enters a third leaf.
    """
    owner = np.full(plan.tiles.shape, -1, np.int32)
    for number, leaf in enumerate(plan.leaves):
        owner[leaf.inner] = number
    rooms: dict[int, RectangularRoom] = {}
    for room in plan.rooms:
        leaf_number = int(owner[room.center.y, room.center.x])
        if leaf_number >= 0:
            rooms.setdefault(leaf_number, room)
    pairs = [pair for pair in touching(owner) if pair[0] in rooms and pair[1] in rooms]
    tree, rest = tree_and_rest(rng.shuffled(pairs))
    chosen = tree + [pair for pair in rest if rng.chance(loops)]
    every = plan.scale
    ways = 0
    for one, other in chosen:
        way = _way(plan.leaves[one], rooms[one], plan.leaves[other], rooms[other], rng)
        if not dig(plan, [point for point in way if plan.inside(*point)]):
            continue
        ways += 1
        if (ways - 1) % every == 0:
            yield f"Leaf {one + 1} joined to leaf {other + 1}"


def _way(
    leaf: RectangularRoom,
    room: RectangularRoom,
    next_leaf: RectangularRoom,
    next_room: RectangularRoom,
    rng: Rng,
) -> Iterator[Point]:
    """Yield the tiles from ``room`` to ``next_room``, crossing the edge their leaves share."""
    if leaf.x + leaf.width == next_leaf.x or next_leaf.x + next_leaf.width == leaf.x:
        yield from _across(leaf, room, next_leaf, next_room, rng)
        return
    turned = _across(_turned(leaf), _turned(room), _turned(next_leaf), _turned(next_room), rng)
    for x, y in turned:
        yield Point(y, x)


def _turned(part: RectangularRoom) -> RectangularRoom:
    return RectangularRoom(part.y, part.x, part.height, part.width)


def _across(
    leaf: RectangularRoom,
    room: RectangularRoom,
    next_leaf: RectangularRoom,
    next_room: RectangularRoom,
    rng: Rng,
) -> Iterator[Point]:
    """Yield the way between leaves side by side; it turns only beside the edge."""
    if leaf.x > next_leaf.x:
        leaf, room, next_leaf, next_room = next_leaf, next_room, leaf, room
    shared = _overlap(_rows(leaf), _rows(next_leaf))
    choices = (
        _overlap(_rows(room), _rows(next_room)),
        _overlap(shared, _rows(room)),
        _overlap(shared, _rows(next_room)),
        shared,
    )
    low, high = next(rows for rows in choices if rows[0] <= rows[1])
    y = rng.between(low, high)
    leave, enter = (min(max(y, rows[0]), rows[1]) for rows in (_rows(room), _rows(next_room)))
    edge = next_leaf.x
    yield from tunnel_between((room.x + room.width, leave), (edge - 1, y), horizontal_first=True)
    yield from tunnel_between((edge, y), (next_room.x - 1, enter), horizontal_first=False)


def _rows(part: RectangularRoom) -> Span:
    return part.y, part.y + part.height - 1


def _overlap(one: Span, other: Span) -> Span:
    return max(one[0], other[0]), min(one[1], other[1])
