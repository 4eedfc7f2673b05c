"""Rubble to try steps on, and plain loops over its neighbours and parts."""

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


def parts(ground):
    """Return the 4-connected parts of ``ground`` (bool [y, x]), each as a set of (x, y)."""
    left = {(x, y) for y, x in np.argwhere(ground).tolist()}
    found = []
    while left:
        part = stack = {left.pop()}
        while stack:
            stack = {(x + dx, y + dy) for x, y in stack for dx, dy in FOUR} & left
            part = part | stack
            left -= stack
        found.append(part)
    return found
