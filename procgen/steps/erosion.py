"""Erosion: time gnaws at the edge between rock and floor."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from entities.terrain import Tile
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import EIGHT, interior, stands, where
from procgen.registry import Count, Share, step
from procgen.rng import Rng
from procgen.steps.automaton import rock_around

ROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
PHASES = ((0, 0), (1, 1), (0, 1), (1, 0))

Mask = NDArray[np.bool_]


@step(needs="floor")
def erode_edges(
    plan: Blueprint,
    rng: Rng,
    *,
    rounds: Count = 2,
    chance: Share = 0.4,
    survive: Count = 6,
    birth: Count = 5,
    rubble: Share = 0.4,
) -> Iterator[str]:
    """Wear walls down and silt corners up, without ever parting anything.

    Each round, rock beside open ground with fewer than ``survive`` rock tiles among its 8
    neighbours crumbles with this ``chance``, and bare floor with at least ``birth`` is filled
    with rock. A share ``rubble`` of what crumbles is left lying. What is next to a door stays
    as it is, and so does ground where somebody stands. (The cellular automaton of
    procgen/steps/automaton.py, held to the edges.)
    """
    doors = ndimage.binary_dilation(where(plan, ("door", "secret_door")), EIGHT)
    free = interior(plan) & ~doors
    for x, y in stands(plan):
        free[y, x] = False
    for turn in range(1, rounds + 1):
        dice = rng.noise(plan.height, plan.width)
        struck = free & (dice < int(chance * 256 + 0.5))
        crumbled = _crumble(plan, struck, survive)
        lies = rng.noise(plan.height, plan.width) < int(rubble * 256 + 0.5)
        plan.tiles[crumbled] = np.where(lies, Tile.RUBBLE, Tile.FLOOR)[crumbled]
        silted = _silt(plan, struck & ~crumbled, birth)
        yield f"Round {turn}: {int(crumbled.sum())} tiles crumble, {silted} silt up"


def _crumble(plan: Blueprint, struck: Mask, survive: int) -> Mask:
    """Return the rock among ``struck`` that gives way: little behind it, open ground beside it."""
    rock = plan.tiles == Tile.WALL
    ground = where(plan, ("floor", "tunnel", "rubble"))
    beside = ndimage.binary_dilation(ground)
    crumbled: Mask = struck & rock & beside & (rock_around(rock) < survive)
    return crumbled


def _silt(plan: Blueprint, struck: Mask, birth: int) -> int:
    """Fill the floor among ``struck`` that has much rock around it; return how many tiles.

    A tile is filled only if the open ground around it hangs together without it. One tile of
    every two by two is looked at at a time, so that none is judged by a neighbour that goes too.
    """
    filled = 0
    floor = where(plan, ("floor", "tunnel", "rubble"))
    for dy, dx in PHASES:
        around = rock_around(plan.tiles == Tile.WALL)
        doomed = np.zeros_like(struck)
        doomed[dy::2, dx::2] = (struck & floor & (around >= birth))[dy::2, dx::2]
        doomed &= _spare(plan.open)
        plan.tiles[doomed] = Tile.WALL
        filled += int(doomed.sum())
    return filled


def _spare(open_tiles: Mask) -> Mask:
    """Return the tiles whose open neighbours, one at least, stay joined if they are closed."""
    height, width = open_tiles.shape
    padded = np.pad(open_tiles, 1).astype(np.int8)
    ring = [padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] for dx, dy in ROUND]
    arcs = np.zeros(open_tiles.shape, np.int8)
    for side in (0, 2, 4, 6):
        arcs += ring[side] * (1 - ring[side + 1] * ring[side + 2 & 7])
    spare: Mask = arcs == 1
    return spare
