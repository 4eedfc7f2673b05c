"""Where the level begins and where it ends."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point, Rejected
from procgen.furnishing.footing import free_ground, furthest_free
from procgen.registry import step
from procgen.rng import Rng


@step(needs="rooms", gives="start")
def start_in_first_room(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the start in the centre of the first room."""
    place = plan.rooms[0].center if plan.rooms else None
    if place is None or not free_ground(plan)[place[::-1]]:
        raise Rejected("no room for the start")
    plan.start = place
    yield "Start in the first room"


@step(needs="floor", gives="start")
def start_anywhere(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the start on a random open tile."""
    ys, xs = np.nonzero(free_ground(plan) & (plan.tiles != Tile.DOOR))
    if not len(ys):
        raise Rejected("no place for the start")
    index = rng.below(len(ys))
    plan.start = Point(int(xs[index]), int(ys[index]))
    yield "Start"


@step(needs="rooms start", gives="exit")
def exit_in_last_room(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit in the centre of the last room, or far off if there is but one room."""
    assert plan.start
    last: Point | None = plan.rooms[-1].center if plan.rooms else plan.start
    if len(plan.rooms) < 2 or last == plan.start:
        last = furthest_free(plan, *plan.start)
    if last is None or not free_ground(plan)[last[::-1]]:
        raise Rejected("no room for the exit")
    plan.exit = last
    yield "Exit in the last room"


@step(needs="floor start", gives="exit")
def exit_furthest(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit on the tile furthest from the start on foot."""
    assert plan.start
    plan.exit = furthest_free(plan, *plan.start)
    if plan.exit is None:
        raise Rejected("no place for the exit")
    yield "Exit at the furthest point"
