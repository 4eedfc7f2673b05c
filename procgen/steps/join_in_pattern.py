"""Ways without seams: what a wave left apart is joined in the manner of its sample."""

from collections.abc import Iterator

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy import ndimage

from entities.terrain import Tile, one_of
from procgen.analysis import regions
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import EIGHT, Mask, interior, stands
from procgen.registry import Count, Share, Side, step
from procgen.rng import Rng
from procgen.ways.joining import cheapest_ways
from procgen.ways.mending import open_way
from procgen.wfc.canvas import Canvas
from procgen.wfc.lore import Lore
from procgen.wfc.samples import SampleName, sample

FURNITURE = (Tile.PILLAR, Tile.STATUE, Tile.SHELF)
DOORS = (Tile.DOOR, Tile.SECRET_DOOR)
CROSS = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.uint8)
DEAR = (Tile.SECRET_DOOR, Tile.TREASURE, Tile.SHRINE)
GOOD_PART = 8
"""A region of more than one part in so many of what is open is not small, however small."""
WET = (Tile.WATER, Tile.LAVA)


@step(needs="floor")
def join_in_pattern(
    plan: Blueprint,
    rng: Rng,
    *,
    sample_map: SampleName = "chambers",
    turns: bool = True,
    mirrors: bool = True,
    below: Count = 12,
    over_water: Side = 4,
    more: Share = 0.0,
    reach: Count = 2,
    patches: Count = 3,
) -> Iterator[str]:
    """Join all regions by ways that look as if the sample map had shown them.

    Regions of fewer than ``below`` tiles are filled first, if they are no good part of all that
    is open. The cheapest ways through what is
    closed are opened, where water costs ``over_water`` times as much as rock; ``more`` is the
    share of neighbouring regions that get a way beyond those needed. Everything up to ``reach``
    tiles from a way is then collapsed anew after the sample, with all that is open kept walkable;
    where nothing fits, in ``patches`` attempts for each way, it stays as it was dug.
    """
    if regions(plan.open)[1] < 2:
        return
    lore = sample(sample_map, turns=turns, mirrors=mirrors)
    buried = _bury(plan, lore, below)
    if buried:
        yield f"{buried} small regions filled"
    labels, count = regions(plan.open)
    if count < 2:
        return
    cost = np.where(one_of(WET)[plan.tiles], 2 * over_water, 2).astype(np.int32)
    cost += 2 * _awkward(labels > 0, 3) + _awkward(labels > 0, 5)
    cost[~interior(plan)] = 0
    cost[labels > 0] = 1
    digs = min(lore.walkable, key=lambda tile: (tile != Tile.TUNNEL, tile))
    dug = np.zeros(plan.tiles.shape, np.bool_)
    for number, way in enumerate(cheapest_ways(labels, cost, rng, more), 1):
        open_way(plan.tiles, way.tiles, digs)
        for x, y in way.tiles:
            dug[y, x] = True
        if number % plan.scale == 0:
            yield f"Way {number}: region {way.other} joined to region {way.one}"
    if not dug.any():
        return
    torn = _blend(plan, rng, lore, dug, reach, patches * number)
    yield f"The ways blend in, all but {torn} spots"


def _bury(plan: Blueprint, lore: Lore, below: int) -> int:
    """Fill small regions, doors that led there, furniture out of reach; return their number."""
    labels, count = regions(plan.open)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    small = sizes < min(below, int(sizes[1:].sum()) // GOOD_PART)
    small[0] = False
    small[labels[one_of(DEAR)[plan.tiles]]] = False
    for x, y in stands(plan):
        small[labels[y, x]] = False
    if count:
        small[1 + int(sizes[1:].argmax())] = False
    if small.any():
        left = (labels > 0) & ~small[labels]
        ways = ndimage.convolve(left.astype(np.uint8), CROSS, mode="constant")
        stopped = one_of(DOORS)[plan.tiles] & (ways < 2)
        beside = ndimage.binary_dilation(left, EIGHT)
        stranded = one_of(FURNITURE)[plan.tiles] & ~beside
        plan.tiles[small[labels] | stopped | stranded] = lore.patterns.edge
    return int(small.sum())


def _awkward(open_tiles: Mask, length: int) -> Mask:
    """Return where rock is neither deep nor part of a wall straight for ``length`` tiles."""
    padded = np.pad(open_tiles, length // 2).astype(np.uint8)
    fair = np.zeros(open_tiles.shape, np.bool_)
    for ground, here in ((padded, fair), (padded.T, fair.T)):
        rows = sliding_window_view(ground, length, axis=1).sum(2)
        rows = rows[length // 2 - 1 : len(rows) - length // 2 + 1]
        straight = (rows[1:-1] == 0) & (rows[:-2] % length == 0) & (rows[2:] % length == 0)
        np.logical_or(here, straight, out=here)
    return ~fair


def _blend(plan: Blueprint, rng: Rng, lore: Lore, dug: Mask, reach: int, patches: int) -> int:
    """Collapse anew what lies near ``dug``; return at how many spots nothing fitted."""
    near = ndimage.binary_dilation(dug, EIGHT, iterations=reach) if reach else dug
    near = near & (dug | one_of((*lore.walkable, *lore.closed))[plan.tiles]) & interior(plan)
    for x, y in stands(plan):
        near[y, x] = False
    rim = reach + lore.patterns.size - 1
    (top, bottom), (left, right) = ((int(at.min()), int(at.max())) for at in np.nonzero(dug))
    window = np.s_[max(0, top - rim) : bottom + rim + 1, max(0, left - rim) : right + rim + 1]
    was_open, as_dug = plan.open, plan.tiles.copy()
    canvas = Canvas(lore, plan.tiles[window])
    canvas.allow(was_open[window], lore.walkable)
    canvas.keep(~near[window])
    for _ in canvas.collapse(rng, patches=patches, tear=True):
        pass
    labels, count = regions(plan.open)
    pockets = np.ones(count + 1, np.bool_)
    pockets[labels[was_open]] = pockets[0] = False
    hollow = pockets[labels]
    plan.tiles[hollow] = as_dug[hollow]
    return canvas.torn
