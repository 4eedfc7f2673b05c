"""Levels for room types to furnish."""

import numpy as np

from procgen.blueprint import Blueprint, Point
from procgen.build import build
from procgen.recipes import find_recipe

CELL_BLOCK = """
    ##########################
    #<...........#.......#...#
    #............#.......#...#
    #............+.......+...#
    #............#.......#...#
    #............#.......#...#
    ######+###################
    #............#############
    #............#############
    #...........>#############
    #............#############
    ##########################
"""


def level_plan(recipe, seed, depth=4):
    """Return the blueprint of a built level without its inhabitants."""
    level = build(find_recipe(recipe).code(seed, depth))
    plan = Blueprint(level.tiles.copy(), depth, list(level.rooms))
    plan.start, plan.exit = level.start, level.exit
    return plan


def places(plan, tile):
    ys, xs = np.nonzero(plan.tiles == tile)
    return [Point(*spot) for spot in zip(xs.tolist(), ys.tolist(), strict=True)]
