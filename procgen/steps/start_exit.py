"""A start and an exit that mean something: two niches at far ends of the level."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, one_of, terrain
from procgen.analysis import UNREACHED, distances, regions
from procgen.blueprint import Blueprint, Point, Rejected
from procgen.furnishing.spawning import in_sight
from procgen.measure.structure import dead_ends, neighbours
from procgen.registry import Share, step
from procgen.rng import Rng

MARKED = (Tile.DOOR, Tile.TRAP, Tile.TREASURE, Tile.SHRINE)


@step(needs="floor", gives="start exit")
def start_and_exit_apart(plan: Blueprint, rng: Rng, *, far: Share = 0.8) -> Iterator[str]:
    """Put start and exit into dead ends far apart; without any, into corners; else anywhere.

    One is at an end of the level (the niche furthest from a random tile), the other in a niche
    at least ``far`` as far from it as any tile is; a coin decides which of them is the start.
    Creatures that could see the start leave.
    """
    walkable = _largest_part(terrain().walkable[plan.tiles])
    free = walkable & ~one_of(MARKED)[plan.tiles]
    for spawn in plan.spawns:
        free[spawn.y, spawn.x] = False
    if np.count_nonzero(free) < 2:
        raise Rejected("no room for a start and an exit")
    ends = None
    for niches in (dead_ends(walkable) & free, _corners(walkable) & free, free):
        ends = ends or _two_ends(walkable, niches, rng, far)
    if ends is None:
        raise Rejected("no room for a start and an exit")
    if rng.chance(0.5):
        ends = ends[::-1]
    plan.start, plan.exit = ends
    seen = in_sight(plan, *plan.start)
    plan.spawns[:] = [spawn for spawn in plan.spawns if not seen[spawn.y, spawn.x]]
    yield "Start and exit at far ends"


def _largest_part(walkable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    labels, _ = regions(walkable)
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    largest: NDArray[np.bool_] = walkable & (labels == sizes.argmax())
    return largest


def _corners(walkable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the tiles with two walkable neighbours that are not opposite each other."""
    two: NDArray[np.bool_] = walkable & (neighbours(walkable) == 2)
    two[1:-1] &= ~(walkable[:-2] & walkable[2:])
    two[:, 1:-1] &= ~(walkable[:, :-2] & walkable[:, 2:])
    return two


def _two_ends(
    walkable: NDArray[np.bool_], niches: NDArray[np.bool_], rng: Rng, far: float
) -> tuple[Point, Point] | None:
    """Return two of ``niches`` far apart, or None if they all lie on one side of the level."""
    cells = np.flatnonzero(niches)
    if len(cells) < 2:
        return None
    open_cells = np.flatnonzero(walkable)
    middle = int(open_cells[rng.below(len(open_cells))])
    width = walkable.shape[1]
    steps = distances(walkable, middle % width, middle // width).ravel()[cells]
    first = int(cells[steps.argmax()])
    field = distances(walkable, first % width, first // width)
    limit = int(field[field < UNREACHED].max())
    steps = field.ravel()[cells]
    distant = cells[(steps >= far * limit) & (cells != first)]
    if not len(distant):
        return None
    last = int(distant[rng.below(len(distant))])
    return Point(first % width, first // width), Point(last % width, last // width)
