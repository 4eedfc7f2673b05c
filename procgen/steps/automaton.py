"""Caves by cellular automaton."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import taken
from procgen.registry import Count, Share, step
from procgen.rng import Rng
from procgen.ways.carve import close_border


@step(gives="floor")
def scatter_rock(plan: Blueprint, rng: Rng, *, rock: Share = 0.45) -> Iterator[str]:
    """Open the map, leaving each tile rock with chance ``rock`` (in steps of 1/256)."""
    solid = rng.noise(plan.height, plan.width) < int(rock * 256 + 0.5)
    solid &= ~_held(plan)
    plan.tiles[:] = np.where(solid, Tile.WALL, Tile.FLOOR)
    close_border(plan)
    yield f"Rock scattered over {rock:.0%} of the map"


@step(needs="floor")
def cellular_automaton(
    plan: Blueprint,
    rng: Rng,
    *,
    rounds: Count = 5,
    birth: Count = 5,
    survive: Count = 5,
) -> Iterator[str]:
    """Smooth rock and floor by majority rule.

    Each round, floor with at least ``birth`` rock tiles among its 8 neighbours turns to rock,
    and rock with fewer than ``survive`` turns to floor; outside the map counts as rock. With a
    ``birth`` of 9 nothing closes and lone rock opens: the rule that only smooths.
    (Johnson, Yannakakis and Togelius, "Cellular automata for real-time generation of
    infinite cave levels", 2010, for the idea of playing with both thresholds.) Nobody who
    stands there already is buried.
    """
    rock, held = plan.tiles == Tile.WALL, _held(plan)
    for turn in range(1, rounds + 1):
        around = rock_around(rock)
        rock = np.where(rock, around >= survive, around >= birth) & ~held
        plan.tiles[:] = np.where(rock, Tile.WALL, Tile.FLOOR)
        close_border(plan)
        yield f"Generation {turn}"


def _held(plan: Blueprint) -> NDArray[np.bool_]:
    """Return where somebody stands."""
    held = np.zeros(plan.tiles.shape, np.bool_)
    for x, y in taken(plan):
        held[y, x] = True
    return held


def rock_around(rock: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return how many of each tile's 8 neighbours are ``rock[y, x]``, which all outside is."""
    padded = np.pad(rock, 1, constant_values=True).astype(np.uint8)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    sums: NDArray[np.uint8] = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] - rock
    return sums
