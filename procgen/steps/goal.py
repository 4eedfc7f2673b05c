"""A goal worth the way: the exit at a shrine, or in the room furthest off."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile, terrain
from procgen.analysis import UNREACHED, distances
from procgen.blueprint import Blueprint, Point, Rejected
from procgen.furnishing.footing import free_ground, furthest_free
from procgen.registry import step
from procgen.rng import Rng


@step(needs="floor", gives="exit")
def exit_at_shrine(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit before the first shrine in reading order; without one, anywhere."""
    free = free_ground(plan) & (plan.tiles != Tile.DOOR)
    if not free.any():
        raise Rejected("no place for the exit")
    shrines = np.argwhere(plan.tiles == Tile.SHRINE)
    if len(shrines):
        y, x = shrines[0].tolist()
        before = [Point(x + dx, y + dy) for dx, dy in ((0, 1), (0, 0), (1, 0), (-1, 0), (0, -1))]
        choices = [point for point in before if free[point.y, point.x]]
        if choices:
            plan.exit = choices[0]
            yield "Exit before the shrine"
            return
    places = np.argwhere(free)
    y, x = places[rng.below(len(places))].tolist()
    plan.exit = Point(x, y)
    yield "Exit"


@step(needs="rooms start", gives="exit")
def exit_in_furthest_room(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit in the centre of the room furthest from the start on foot."""
    assert plan.start
    steps = distances(terrain().walkable[plan.tiles], *plan.start)
    steps[(steps == UNREACHED) | ~free_ground(plan)] = 0
    centers = [room.center for room in plan.rooms]
    best = max(centers, key=lambda place: int(steps[place[::-1]]), default=plan.start)
    if not steps[best[::-1]]:
        raise Rejected("no room for the exit")
    plan.exit = best
    yield "Exit in the furthest room"


@step(needs="floor exit", gives="start")
def start_furthest(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the start on the tile furthest from the exit on foot."""
    assert plan.exit
    plan.start = furthest_free(plan, *plan.exit)
    if plan.start is None:
        raise Rejected("no place for the start")
    yield "Start at the furthest point"
