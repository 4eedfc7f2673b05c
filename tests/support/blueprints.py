"""Blueprints drawn as text, and steps run on them."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.rng import Rng
from procgen.step_registry import all_steps

CHARS = {kind.char: number for number, kind in enumerate(terrain().kinds)}


def drawn_tiles(text: str) -> NDArray[np.uint8]:
    """Return the tiles [y, x] that ``text`` shows; what is no tile's character is floor."""
    return np.array(
        [[CHARS.get(char, Tile.FLOOR) for char in row] for row in text.split()], np.uint8
    )


def drawn(text: str, depth: int = 1) -> Blueprint:
    """Return the blueprint that ``text`` shows; '<' and '>' are start and exit on floor."""
    plan = Blueprint(drawn_tiles(text), depth)
    for y, row in enumerate(text.split()):
        if "<" in row:
            plan.start = Point(row.index("<"), y)
        if ">" in row:
            plan.exit = Point(row.index(">"), y)
    return plan


def text(plan: Blueprint) -> str:
    """Return the tiles of ``plan`` as lines of characters."""
    return "\n".join(terrain().text(plan.tiles))


def run(step: str | Callable, plan: Blueprint, seed: int = 1, **parameters) -> list[str]:
    """Let a step, by name or itself, change ``plan``; return its captions."""
    if callable(step):
        return list(step(plan, Rng(seed, "test"), **parameters))
    known = all_steps()[step]
    return list(known.run(plan, Rng(seed, step), known.parameters(**parameters)))


def with_rooms(*rooms, size=(40, 20)):
    plan = Blueprint.solid(*size)
    for room in rooms:
        plan.rooms.append(RectangularRoom(*room))
        plan.tiles[plan.rooms[-1].inner] = Tile.FLOOR
    return plan


def cave(seed=3, width=60, height=40):
    plan = Blueprint.solid(width, height)
    run("scatter_rock", plan, seed)
    run("cellular_automaton", plan, seed)
    run("join_by_passages", plan, seed)
    return plan


def count(plan):
    return regions(plan.open)[1]


def field(depth=1, width=62, height=42):
    """Return an open map of 40 by 60 tiles whose start lies walled off in a corner."""
    plan = Blueprint.solid(width, height)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    plan.depth, plan.start, plan.exit = depth, Point(1, 1), Point(width - 2, height - 2)
    plan.tiles[1:4, 3], plan.tiles[3, 1:4] = Tile.WALL, Tile.WALL
    plan.tiles[3, 2] = Tile.DOOR
    return plan
