"""Wave function collapse: a whole map in the style of a small sample map."""

from collections.abc import Iterator
from itertools import product
from typing import Literal

import numpy as np
import scipy

from entities.terrain import Mask, Tile, tile_mask
from procgen.analysis.distances import regions, with_neighbours
from procgen.blueprint import Blueprint, Point, Rejected
from procgen.carving.region_links import cheapest_links, open_link
from procgen.placement.painting import interior, reserved, scaled_to_area
from procgen.rng import Rng
from procgen.step_registry import AreaOrNone, Count, Positive, Share, Tiles, step
from procgen.wfc.constraints import Constraints
from procgen.wfc.samples import Pace, SampleName, Scale, sample
from procgen.wfc.wave import Contradiction
from procgen.wfc.wfc_map import WfcMap

STAGES = 5


@step(gives="floor")
def wave_function_collapse(
    plan: Blueprint,
    rng: Rng,
    *,
    sample_map: SampleName = "chambers",
    turns: bool = True,
    mirrors: bool = True,
    pace: Pace = 2,
    scale: Scale = 1,
    keep: Literal["nothing", "shape"] = "nothing",
    frame: Tiles = 0,
    foothold: AreaOrNone = 0,
    patches: Count = 20,
    restarts: Count = 1,
    otherwise: Literal["reject", "leave"] = "reject",
) -> Iterator[str]:
    """Fill the map so that each of its 3x3 windows is found in a sample map.

    ``sample_map`` names a drawing in data/samples, or with ~ one of your own; ``turns`` and
    ``mirrors`` let it be seen turned and mirrored, and at a ``scale`` above 1 each of its tiles is
    a square of so many. What is decided on are windows ``pace`` tiles apart, each overlapping the
    next by two, so that every 3x3 window lies whole in one of them: larger ones know more of the
    sample and leave less to decide. With ``keep`` "shape" what can be walked on stays so, and what
    cannot does too, so that a second pass only changes materials. With a ``frame`` above 0 the tile
    that frames the sample stands nowhere but along the edge of the map, up to so many tiles deep on
    each side. With a ``foothold`` above 0 some tile of every square of so many tiles can be walked
    on, so that no large part of the map, nor the whole of a small one, stays solid. Where nothing
    fits, the neighbourhood is solved anew, up to ``patches`` times on an 80x45 map; then the whole
    map is, up to ``restarts`` times; then the build is rejected or, if ``otherwise`` is "leave",
    the few tiles where nothing fits stay as they were. (Gumin's WaveFunctionCollapse, 2016.)
    """
    constraints = sample(sample_map, turns=turns, mirrors=mirrors, pace=pace)
    canvas = WfcMap(constraints, plan.tiles if scale == 1 else plan.tiles[::scale, ::scale].copy())
    if frame:
        _frame(canvas, constraints, rng, -(-frame // scale))
    if foothold:
        for x, y in _footholds(plan, rng, foothold):
            canvas.allow_at(x // scale, y // scale, constraints.walkable)
    _spare(canvas, plan, scale, shape=keep == "shape")
    painting = canvas.collapse(
        rng,
        patches=scaled_to_area(plan, patches),
        restarts=restarts,
        tear=otherwise == "leave",
        stages=STAGES,
    )
    try:
        for number, _ in enumerate(painting, 1):
            _enlarge(canvas, plan, scale)
            yield f"The wave collapses, stage {number}"
    except Contradiction:
        if otherwise == "reject":
            raise Rejected("wave contradiction") from None
        yield "The wave contradicts itself: all stays as it was"
        return
    _enlarge(canvas, plan, scale)
    yield f"The wave has collapsed, {canvas.patches} spots solved anew"


def _spare(canvas: WfcMap, plan: Blueprint, scale: int, *, shape: bool) -> None:
    """Keep the border closed and what is reserved open; with ``shape`` all that is open or not."""
    known = canvas.constraints
    if shape:
        walked = _squares(plan.open, scale)
        canvas.allow(walked, known.walkable)
        canvas.allow(~walked, known.closed)
    canvas.allow(_squares(reserved(plan), scale), known.walkable)
    canvas.allow(_squares(~interior(plan), scale), (known.patterns.edge,))


def _squares(where: Mask, scale: int) -> Mask:
    """Return which squares of ``scale`` by ``scale`` tiles have any of ``where``."""
    rows = np.logical_or.reduceat(where, range(0, len(where), scale), 0)
    found: Mask = np.logical_or.reduceat(rows, range(0, where.shape[1], scale), 1)
    return found


def _enlarge(canvas: WfcMap, plan: Blueprint, scale: int) -> None:
    """Show each tile of a smaller ``canvas`` as a square of the map."""
    if scale > 1:
        rows = canvas.tiles.repeat(scale, 0)[: plan.height]
        plan.tiles[:] = rows.repeat(scale, 1)[:, : plan.width]


def _frame(canvas: WfcMap, constraints: Constraints, rng: Rng, deepest: int) -> None:
    """Draw how deep the framing tile stands on each side; let it stand nowhere else.

    Nothing is said of the corners within: a sample may round them.
    """
    height, width = canvas.tiles.shape
    deep = [rng.between(1, max(1, min(deepest, side // 2 - 1))) for side in (height, width) * 2]
    top, left, bottom, right = deep[0], deep[1], height - deep[2], width - deep[3]
    inside = np.zeros((height, width), np.bool_)
    inside[top:bottom, left:right] = True
    canvas.allow(~inside, (constraints.patterns.edge,))
    inside[np.ix_((top, bottom - 1), (left, right - 1))] = False
    others = [tile for tile in constraints.closed if tile != constraints.patterns.edge]
    canvas.allow(inside, (*constraints.walkable, *others))


def _footholds(plan: Blueprint, rng: Rng, apart: int) -> Iterator[Point]:
    """Yield a random place in the middle of each square, as many of them as find room."""
    sides = plan.width - 2, plan.height - 2
    columns, rows = (max(1, side // apart) for side in sides)
    for row, column in product(range(rows), range(columns)):
        middles = (
            1 + (2 * rank + 1) * side // (2 * number)
            for rank, number, side in zip((column, row), (columns, rows), sides, strict=True)
        )
        x, y = (middle + rng.between(-(apart // 4), apart // 4) for middle in middles)
        yield Point(min(max(x, 1), sides[0]), min(max(y, 1), sides[1]))


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
    below: AreaOrNone = 12,
    over_water: Positive = 4,
    more: Share = 0.0,
    patches: Count = 3,
) -> Iterator[str]:
    """Join all regions by ways that look as if the sample map had shown them.

    ``sample_map`` names a drawing in data/samples, or with ~ one of your own; ``turns`` and
    ``mirrors`` let it be seen turned and mirrored. Regions of fewer than ``below`` tiles are filled
    first, if they are no good part of all that is open. The cheapest ways through what is closed
    are opened, where water costs ``over_water`` times as much as rock; ``more`` is the share of
    neighbouring regions that get a way beyond those needed. What the sample does not show is then
    collapsed anew, with all that is open kept walkable; where nothing fits, in ``patches`` attempts
    for each way, it stays as it was dug.
    """
    if regions(plan.open)[1] < 2:
        return
    constraints = sample(sample_map, turns=turns, mirrors=mirrors)
    buried = _bury(plan, constraints, below)
    if buried:
        yield f"{buried} small regions filled"
    labels, count = regions(plan.open)
    if count < 2:
        return
    cost = np.where(tile_mask(WET)[plan.tiles], 2 * over_water, 2).astype(np.int32)
    cost += 2 * _awkward(labels > 0, 3) + _awkward(labels > 0, 5)
    cost[~interior(plan)] = 0
    digs = min(constraints.walkable, key=lambda tile: (tile != Tile.TUNNEL, tile))
    dug = np.zeros(plan.tiles.shape, np.bool_)
    for number, way in enumerate(cheapest_links(labels, cost, rng, more), 1):
        open_link(plan.tiles, way.tiles, digs)
        for x, y in way.tiles:
            dug[y, x] = True
        if number % plan.scale == 0:
            yield f"Way {number}: region {way.other} joined to region {way.one}"
    if not dug.any():
        return
    torn = _blend(plan, rng, constraints, dug, patches * number)
    yield f"The ways blend in, all but {torn} spots"


def _bury(plan: Blueprint, constraints: Constraints, below: int) -> int:
    """Fill small regions, doors that led there, furniture out of reach; return their number."""
    labels, count = regions(plan.open)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    small = sizes < min(below, int(sizes[1:].sum()) // GOOD_PART)
    small[0] = False
    small[labels[tile_mask(DEAR)[plan.tiles] | reserved(plan)]] = False
    if count:
        small[1 + int(sizes[1:].argmax())] = False
    if small.any():
        left = (labels > 0) & ~small[labels]
        ways = scipy.ndimage.convolve(left.astype(np.uint8), CROSS, mode="constant")
        stopped = tile_mask(DOORS)[plan.tiles] & (ways < 2)
        beside = with_neighbours(left)
        stranded = tile_mask(FURNITURE)[plan.tiles] & ~beside
        plan.tiles[small[labels] | stopped | stranded] = constraints.patterns.edge
    return int(small.sum())


def _awkward(open_tiles: Mask, length: int) -> Mask:
    """Return where rock is neither deep nor part of a wall straight for ``length`` tiles."""
    padded = np.pad(open_tiles, length // 2).astype(np.uint8)
    fair = np.zeros(open_tiles.shape, np.bool_)
    for ground, here in ((padded, fair.T), (padded.T, fair)):
        shifted = [ground[n : n + len(here.T)] for n in range(length)]
        rows = np.add.reduce(shifted, dtype=np.uint8).T
        rows = rows[length // 2 - 1 : len(rows) - length // 2 + 1]
        straight = (rows[1:-1] == 0) & (rows[:-2] % length == 0) & (rows[2:] % length == 0)
        np.logical_or(here, straight, out=here)
    return ~fair


def _blend(plan: Blueprint, rng: Rng, constraints: Constraints, dug: Mask, patches: int) -> int:
    """Collapse anew what lies near ``dug``; return at how many spots nothing fitted."""
    near = constraints.strange(plan.tiles, dug) & interior(plan) & ~reserved(plan)
    near &= dug | tile_mask((*constraints.walkable, *constraints.closed))[plan.tiles]
    if not near.any():
        return 0
    rim = constraints.patterns.size - 1
    (top, bottom), (left, right) = ((int(at.min()), int(at.max())) for at in np.nonzero(near))
    window = np.s_[max(0, top - rim) : bottom + rim + 1, max(0, left - rim) : right + rim + 1]
    was_open, as_dug = plan.open, plan.tiles.copy()
    canvas = WfcMap(constraints, plan.tiles[window])
    canvas.allow(was_open[window], constraints.walkable)
    canvas.keep(~near[window])
    for _ in canvas.collapse(rng, patches=patches, tear=True):
        pass
    labels, count = regions(plan.open)
    pockets = np.ones(count + 1, np.bool_)
    pockets[labels[was_open]] = pockets[0] = False
    hollow = pockets[labels]
    plan.tiles[hollow] = as_dug[hollow]
    return canvas.unsolved
