"""Small things swallowed: scraps of land by what surrounds them, islands of rock by floor."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from entities.terrain import Tile
from procgen.analysis import regions
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import EIGHT, kept, walkable
from procgen.registry import Count, step
from procgen.rng import Rng


@step(needs="floor")
def sink_small_lands(plan: Blueprint, rng: Rng, *, below: Count = 10) -> Iterator[str]:
    """Let what surrounds it swallow every open region of fewer than ``below`` tiles.

    A scrap in the sea sinks, a hollow in the mountains fills: each of its tiles becomes the
    nearest closed tile's kind. The largest region always stays, and those somebody stands in.
    """
    labels, count = regions(plan.open)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    small = sizes < below
    small[0] = False
    small[1 + int(sizes[1:].argmax()) if count else 0] = False
    small[labels[kept(plan)]] = False
    scraps = small[labels]
    if not scraps.any():
        return
    _, nearest = ndimage.distance_transform_cdt(labels > 0, metric="taxicab", return_indices=True)
    plan.tiles[scraps] = plan.tiles[nearest[0], nearest[1]][scraps]
    yield f"{int(small.sum())} of {count} lands swallowed"


@step(needs="floor")
def fill_rock_islands(plan: Blueprint, rng: Rng, *, below: Count = 6) -> Iterator[str]:
    """Turn islands of rock of fewer than ``below`` tiles into floor, where floor encloses them.

    Rock hangs together at corners too. With ``below`` 0 nothing is filled.
    """
    islands = _enclosed_rock(plan)
    small = np.bincount(islands.ravel()) < below
    small[0] = False
    if small.any():
        plan.tiles[small[islands]] = Tile.FLOOR
        yield f"{int(small.sum())} islands of rock cleared away"


def _enclosed_rock(plan: Blueprint) -> NDArray[np.int32]:
    """Return labels of the rock that touches nothing but walkable tiles, 0 elsewhere."""
    rock = plan.tiles == Tile.WALL
    labels, count = ndimage.label(rock, EIGHT)
    touched = ndimage.binary_dilation(~rock & ~walkable(plan), EIGHT) & rock
    touched[[0, -1], :] |= rock[[0, -1], :]
    touched[:, [0, -1]] |= rock[:, [0, -1]]
    outer = np.zeros(count + 1, np.bool_)
    outer[labels[touched]] = True
    return np.where(outer[labels], 0, labels).astype(np.int32)
