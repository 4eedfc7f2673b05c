"""Maps at random, and what slow twins of procgen ask about them tile by tile."""

from itertools import product

import numpy as np

from entities.terrain import Tile
from procgen.blueprint import Blueprint

FOUR = ((1, 0), (-1, 0), (0, 1), (0, -1))


def speckled(seed, share=0.6, width=19, height=14):
    """Return a plan of rock and floor at random, the border included."""
    rng = np.random.default_rng(seed)
    plan = Blueprint.solid(width, height)
    plan.tiles[rng.random(plan.tiles.shape) < share] = Tile.FLOOR
    return plan


def cells(plan):
    return product(range(plan.width), range(plan.height))


def is_open(plan, x, y):
    return 0 <= x < plan.width and 0 <= y < plan.height and plan.tiles[y, x] != Tile.WALL


def parts(ground):
    """Return the 4-connected parts of ``ground``, a set of places, each as a set."""
    left, found = set(ground), []
    while left:
        part, ring = set(), {left.pop()}
        while ring:
            part |= ring
            left -= ring
            ring = {(x + dx, y + dy) for x, y in ring for dx, dy in FOUR} & left
        found.append(part)
    return found
