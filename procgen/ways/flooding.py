"""Floods that spare the level: what they part is joined again by fords and bridges."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from entities.terrain import terrain
from procgen.analysis import regions
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import EIGHT, Mask, interior, kept, passable, still_whole
from procgen.rng import Rng
from procgen.ways.joining import cheapest_ways


def flood(plan: Blueprint, wet: Mask, liquid: int) -> Mask:
    """Turn the ``wet`` tiles to ``liquid`` where nothing must stay; return which did.

    A liquid that can be walked on, such as ice, spares the map's border.
    """
    deep = wet & ~kept(plan)
    if passable(liquid):
        deep &= interior(plan)
    plan.tiles[deep] = liquid
    return deep


def line_banks(
    tiles: NDArray[np.uint8], deep: Mask, fixed: Mask, rng: Rng, bank: int, share: float
) -> None:
    """Turn a ``share`` of the walkable ground that touches ``deep`` to ``bank``, in ``tiles``.

    All arrays may be the same window of a map; what is ``fixed`` stays. A ``bank`` that cannot
    be walked would wall the place in, and is left out.
    """
    if not terrain().walkable[bank]:
        return
    shore = ndimage.binary_dilation(deep, EIGHT) & ~deep & ~fixed & terrain().walkable[tiles]
    if share < 1:
        shore &= rng.noise(*deep.shape) < int(share * 256 + 0.5)
    tiles[shore] = bank


def cross_again(
    plan: Blueprint, rng: Rng, deep: Mask, *, bridge: int, ford: int, fords: float
) -> int:
    """Join over ``deep`` what lies parted, where it is narrowest; return how many ways it took.

    A straight way is a ``bridge``, or with chance ``fords`` a ``ford``; a bent one is a ford.
    """
    labels, count = regions(plan.open)
    if count < 2:
        return 0
    cost = (deep & interior(plan)).astype(np.int32)
    cost[labels > 0] = 1
    crossings = 0
    for way in cheapest_ways(labels, cost, rng):
        straight = len({x for x, _ in way.tiles}) == 1 or len({y for _, y in way.tiles}) == 1
        low = rng.chance(fords) or not straight
        for x, y in way.tiles:
            plan.tiles[y, x] = ford if low else bridge
        crossings += 1
    return crossings


def parted(plan: Blueprint, before: NDArray[np.int32]) -> bool:
    """Whether what was one region ``before`` (labels [y, x]) now lies in several."""
    return not still_whole(before, plan.open)
