"""Streets: a town cut into blocks, the first cuts wide, the last ones narrow."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.registry import Count, Side, step
from procgen.rng import Rng


@step(needs="leaves", gives="floor leaves regions")
def lay_streets(
    plan: Blueprint,
    rng: Rng,
    *,
    avenues: Count = 2,
    avenue: Side = 2,
    lane: Side = 1,
    min_block: Side = 7,
    max_block: Side = 15,
) -> Iterator[str]:
    """Cut every leaf into blocks by streets, until none is longer than ``max_block``.

    A lane runs round each leaf. The first ``avenues`` rounds of cuts are ``avenue`` tiles wide,
    the others ``lane``; no block gets narrower than ``min_block``. What remains between the
    streets are the new leaves, and each is a region.
    """
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    plots = []
    for leaf in plan.leaves:
        inner = _inset(leaf, lane)
        if min(inner.width, inner.height) > 0:
            for strip in _ring(leaf, lane):
                _pave(plan, strip)
            plots.append((inner, 0))
            yield "A lane all round"
    blocks: list[RectangularRoom] = []
    laid = 0
    while plots:
        plot, cuts = plots.pop(0)
        width = avenue if cuts < avenues else lane
        parts = _cut(plot, width, min_block, max_block, rng)
        if not parts:
            blocks.append(plot)
            plan.regions[plot.inner] = len(blocks)
            continue
        block, street, next_block = parts
        _pave(plan, street)
        plots += [(block, cuts + 1), (next_block, cuts + 1)]
        laid += 1
        if laid % plan.scale == 0:
            yield "An avenue" if cuts < avenues else "A lane"
    plan.leaves = blocks


def _inset(leaf: RectangularRoom, by: int) -> RectangularRoom:
    return RectangularRoom(leaf.x + by, leaf.y + by, leaf.width - 2 * by, leaf.height - 2 * by)


def _ring(leaf: RectangularRoom, width: int) -> list[RectangularRoom]:
    """Return the four strips of this ``width`` along the inside of ``leaf``."""
    x, y, right, bottom = leaf.x, leaf.y, leaf.x + leaf.width - width, leaf.y + leaf.height - width
    return [
        RectangularRoom(x, y, leaf.width, width),
        RectangularRoom(x, bottom, leaf.width, width),
        RectangularRoom(x, y, width, leaf.height),
        RectangularRoom(right, y, width, leaf.height),
    ]


def _cut(
    plot: RectangularRoom, street: int, least: int, most: int, rng: Rng
) -> list[RectangularRoom]:
    """Return one part of ``plot``, the street across its longer side, the other part, if any."""
    upright = plot.width >= plot.height
    side = plot.width if upright else plot.height
    if side <= most or side < 2 * least + street:
        return []
    far = max(least, min(side - street - least, side * 2 // 3))
    at = rng.between(min(max(least, side // 3), far), far)
    x, y = plot.x, plot.y
    parts = ((0, at), (at, street), (at + street, side - street - at))
    if upright:
        return [RectangularRoom(x + from_, y, span, plot.height) for from_, span in parts]
    return [RectangularRoom(x, y + from_, plot.width, span) for from_, span in parts]


def _pave(plan: Blueprint, street: RectangularRoom) -> None:
    """Turn the rock of ``street`` to paving; the map's border stays."""
    left, top = max(1, street.x), max(1, street.y)
    right = min(plan.width - 1, street.x + street.width)
    bottom = min(plan.height - 1, street.y + street.height)
    ground = plan.tiles[top:bottom, left:right]
    ground[ground == Tile.WALL] = Tile.ROAD
