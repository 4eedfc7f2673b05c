"""Ways without seams: what a wave left apart is joined in the manner of its sample."""

from collections.abc import Iterator

import numpy as np
from scipy import ndimage

from entities.terrain import Tile
from procgen.analysis import regions
from procgen.blueprint import Blueprint
from procgen.ground import EIGHT, Mask, interior, stands
from procgen.joining import cheapest_ways
from procgen.mending import open_way
from procgen.registry import Count, Share, Side, step
from procgen.rng import Rng
from procgen.wfc.canvas import Canvas
from procgen.wfc.lore import Lore
from procgen.wfc.samples import SampleName, sample

FURNITURE = (Tile.PILLAR, Tile.STATUE, Tile.SHELF)
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

    Regions of fewer than ``below`` tiles are filled first. The cheapest ways through what is
    closed are opened, where water costs ``over_water`` times as much as rock; ``more`` is the
    share of neighbouring regions that get a way beyond those needed. Everything up to ``reach``
    tiles from a way is then collapsed anew after the sample, with all that is open kept walkable;
    where nothing fits, in ``patches`` attempts for each way, it stays as it was dug.
    """
    lore = sample(sample_map, turns=turns, mirrors=mirrors)
    buried = _bury(plan, lore, below)
    if buried:
        yield f"{buried} small regions filled"
    labels, count = regions(plan.open)
    if count < 2:
        return
    cost = np.where(np.isin(plan.tiles, WET), over_water, 1).astype(np.int32)
    cost[~interior(plan)] = 0
    cost[labels > 0] = 1
    digs = Tile(min(lore.walkable, key=lambda tile: (tile != Tile.TUNNEL, tile)))
    dug = np.zeros(plan.tiles.shape, np.bool_)
    for number, way in enumerate(cheapest_ways(labels, cost, rng, more), 1):
        open_way(plan.tiles, way.tiles, digs)
        for x, y in way.tiles:
            dug[y, x] = True
        yield f"Way {number}: region {way.other} joined to region {way.one}"
    torn = _blend(plan, rng, lore, dug, reach, patches * number)
    yield f"The ways blend in, all but {torn} spots"


def _bury(plan: Blueprint, lore: Lore, below: int) -> int:
    """Fill small regions, and furniture that nobody can reach any more; return their number."""
    labels, count = regions(plan.open)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    small = sizes < below
    small[0] = False
    small[labels[plan.tiles == Tile.SECRET_DOOR]] = False
    for x, y in stands(plan):
        small[labels[y, x]] = False
    if count:
        small[1 + int(sizes[1:].argmax())] = False
    if small.any():
        plan.tiles[small[labels]] = lore.patterns.edge
        beside = ndimage.binary_dilation((labels > 0) & ~small[labels], EIGHT)
        plan.tiles[np.isin(plan.tiles, FURNITURE) & ~beside] = lore.patterns.edge
    return int(small.sum())


def _blend(plan: Blueprint, rng: Rng, lore: Lore, dug: Mask, reach: int, patches: int) -> int:
    """Collapse anew what lies near ``dug``; return at how many spots nothing fitted."""
    near = ndimage.binary_dilation(dug, EIGHT, iterations=reach) if reach else dug
    near = near & (dug | np.isin(plan.tiles, lore.patterns.windows)) & interior(plan)
    for x, y in stands(plan):
        near[y, x] = False
    was_open, as_dug = plan.open, plan.tiles.copy()
    canvas = Canvas(lore, plan.tiles)
    canvas.allow(was_open, lore.walkable)
    canvas.keep(~near)
    for _ in canvas.collapse(rng, patches=patches, tear=True):
        pass
    labels, count = regions(plan.open)
    pockets = np.ones(count + 1, np.bool_)
    pockets[labels[was_open]] = pockets[0] = False
    hollow = pockets[labels]
    plan.tiles[hollow] = as_dug[hollow]
    return canvas.torn
