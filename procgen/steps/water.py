"""Lakes that never cut the level in two."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from procgen.analysis import regions
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import Mask, Paint, for_area, kept, may_close, tile_named
from procgen.registry import Count, Share, Side, step
from procgen.rng import Rng
from procgen.steps.automaton import rock_around
from procgen.ways.flooding import line_banks

ROUNDS = 5
"""Rounds of smoothing that turn a scatter of drops into a lake."""


@step(needs="floor")
def lakes(
    plan: Blueprint,
    rng: Rng,
    *,
    number: Count = 4,
    smallest: Side = 5,
    largest: Side = 16,
    tries: Side = 12,
    on_floor: Share = 0.4,
    liquid: Paint = "water",
    shore: Paint = "shallows",
    shores: Share = 0.8,
) -> Iterator[str]:
    """Pour lakes of ``liquid`` where all that stays dry is still one region.

    ``number`` of them on an 80x45 map, others in proportion; each fits in a box ``smallest``
    to ``largest`` tiles wide (a third of the map at most) and is tried at ``tries`` places. At
    least a share ``on_floor`` of it lies on open ground, the rest dissolves rock. A share
    ``shores`` of the floor around it turns to ``shore``.
    (Blobs by automaton and the veto by flood fill as in Brogue.)
    """
    poured = 0
    open_tiles, fixed = plan.open, kept(plan)
    most = min(largest, min(plan.width, plan.height) // 3)
    for _ in range(for_area(plan, number)):
        blob = _blob(rng, rng.between(min(smallest, most), most))
        place = _place(open_tiles, fixed, rng, blob, tries, on_floor)
        if place is None:
            continue
        x, y = place
        around = np.s_[y - 1 : y + blob.shape[0] + 1, x - 1 : x + blob.shape[1] + 1]
        deep = np.pad(blob, 1) & ~fixed[around]
        plan.tiles[around][deep] = tile_named(liquid)
        open_tiles[around] &= ~deep
        line_banks(plan.tiles[around], deep, fixed[around], rng, tile_named(shore), shores)
        poured += 1
        yield f"Lake {poured}: {int(deep.sum())} tiles deep"


def _blob(rng: Rng, width: int) -> Mask:
    """Return a rounded shape at most ``width`` wide and about three quarters as high."""
    height = max(2, (width * 3 + 3) // 4)
    solid = np.zeros((height + 2, width + 2), np.bool_)
    solid[1:-1, 1:-1] = rng.noise(height, width) < 141
    for _ in range(ROUNDS):
        around = rock_around(solid)
        solid[1:-1, 1:-1] = np.where(solid, around >= 4, around >= 5)[1:-1, 1:-1]
    labels, count = regions(solid)
    if not count:
        return np.ones((2, 2), np.bool_)
    largest = labels == 1 + int(np.bincount(labels.ravel())[1:].argmax())
    filled: NDArray[np.bool_] = ndimage.binary_fill_holes(largest)
    rows, columns = np.nonzero(filled)
    return filled[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def _place(
    open_tiles: Mask, fixed: Mask, rng: Rng, blob: Mask, tries: int, on_floor: float
) -> tuple[int, int] | None:
    """Return where the left upper corner of ``blob`` may lie, or None if nowhere was found."""
    height, width = blob.shape
    last_x, last_y = open_tiles.shape[1] - 1 - width, open_tiles.shape[0] - 1 - height
    if last_x < 1 or last_y < 1:
        return None
    enough = on_floor * int(blob.sum())
    for _ in range(tries):
        x, y = rng.between(1, last_x), rng.between(1, last_y)
        box = np.s_[y : y + height, x : x + width]
        if (open_tiles[box] & blob).sum() < enough:
            continue
        if may_close(open_tiles, (x, y), blob & ~fixed[box]):
            return x, y
    return None
