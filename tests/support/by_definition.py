"""Rubble to try steps on, plain loops over tiles, neighbours and parts; a map's loops counted."""

from itertools import product

import numpy as np

from entities.terrain import Tile
from procgen.blueprint import Blueprint
from support.blueprints import run

FOUR = ((0, -1), (1, 0), (0, 1), (-1, 0))
EIGHT = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]


def rubble(width=40, height=25, rock=0.5, seed=1):
    """Return a map of rock and floor at random, hardly connected."""
    plan = Blueprint.solid(width, height)
    run("scatter_rock", plan, seed, rock=rock)
    return plan


def neighbours(plan, x, y, around=EIGHT):
    """Return the tiles around (x, y); beyond the map there is rock."""
    inside = plan.width, plan.height
    places = [(x + dx, y + dy) for dx, dy in around]
    return [
        int(plan.tiles[b, a]) if 0 <= a < inside[0] and 0 <= b < inside[1] else int(Tile.WALL)
        for a, b in places
    ]


def steps_from(ground, place):
    """Return the steps in 8 directions from ``place`` to all that can be reached on ``ground``."""
    found, ring, number = {place: 0}, {place}, 0
    while ring:
        number += 1
        near = {(x + dx, y + dy) for x, y in ring for dx, dy in EIGHT}
        ring = (near & ground) - found.keys()
        found |= dict.fromkeys(ring, number)
    return found


def speckled(seed, share=0.6, width=19, height=14):
    """Return a map of rock and floor at random, the border included."""
    rng = np.random.default_rng(seed)
    plan = Blueprint.solid(width, height)
    plan.tiles[rng.random(plan.tiles.shape) < share] = Tile.FLOOR
    return plan


def cells(plan):
    return product(range(plan.width), range(plan.height))


def is_open(plan, x, y):
    return 0 <= x < plan.width and 0 <= y < plan.height and plan.tiles[y, x] != Tile.WALL


def places(mask):
    """Return the (x, y) of the tiles of ``mask`` (bool [y, x])."""
    return {(x, y) for y, x in np.argwhere(mask).tolist()}


def parts(ground):
    """Return the 4-connected parts of ``ground``, a mask or a set of (x, y), each as a set."""
    left = set(ground) if isinstance(ground, set) else places(ground)
    found = []
    while left:
        part = stack = {left.pop()}
        while stack:
            stack = {(x + dx, y + dy) for x, y in stack for dx, dy in FOUR} & left
            part = part | stack
            left -= stack
        found.append(part)
    return found


def count_loops(walkable, parts=1):
    """Return the number of independent loops of a map of ``parts`` regions.

    By the Euler characteristic: parts - vertices + edges - unit squares.
    """
    across = walkable[:, :-1] & walkable[:, 1:]
    down = walkable[:-1] & walkable[1:]
    squares = across[:-1] & across[1:]
    vertices, edges = np.count_nonzero(walkable), np.count_nonzero(across) + np.count_nonzero(down)
    return int(parts - vertices + edges - np.count_nonzero(squares))


def cells_behind(structure, x, y):
    """Return the cells that (x, y) cuts off, in reading order; none if it is no chokepoint."""
    if not structure.cuts[y, x]:
        return []
    place = np.flatnonzero(structure.parts.order == y * structure.walkable.shape[1] + x)[0]
    first, last = np.searchsorted(structure.parts.cut_point, [place, place + 1])
    parts = zip(structure.parts.opens[first:last], structure.parts.closes[first:last], strict=True)
    return sorted(
        cell for opens, closes in parts for cell in structure.parts.order[opens:closes].tolist()
    )
