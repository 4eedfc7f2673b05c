"""Where the level begins and where it ends."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile, terrain
from procgen.analysis import furthest
from procgen.blueprint import Blueprint, Point
from procgen.registry import step
from procgen.rng import Rng


@step(needs="rooms", gives="start")
def start_in_first_room(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the start in the centre of the first room."""
    plan.start = plan.rooms[0].center
    yield "Start in the first room"


@step(needs="floor", gives="start")
def start_anywhere(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the start on a random open tile."""
    ys, xs = np.nonzero(terrain().walkable[plan.tiles] & (plan.tiles != Tile.DOOR))
    index = rng.below(len(ys))
    plan.start = Point(int(xs[index]), int(ys[index]))
    yield "Start"


@step(needs="rooms start", gives="exit")
def exit_in_last_room(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit in the centre of the last room, or far off if there is but one room."""
    assert plan.start
    last = plan.rooms[-1].center
    if len(plan.rooms) > 1 and last != plan.start:
        plan.exit = last
    else:
        plan.exit = Point(*furthest(terrain().walkable[plan.tiles], *plan.start))
    yield "Exit in the last room"


@step(needs="floor start", gives="exit")
def exit_furthest(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit on the tile furthest from the start on foot."""
    assert plan.start
    plan.exit = Point(*furthest(terrain().walkable[plan.tiles], *plan.start))
    yield "Exit at the furthest point"
