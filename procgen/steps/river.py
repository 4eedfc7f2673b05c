"""Rivers of water or fire, from one side of the map to the other."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from procgen.analysis import regions
from procgen.blueprint import Blueprint, Point
from procgen.furnishing.ground import Paint, kept, tile_named
from procgen.registry import Share, Side, step
from procgen.rng import Rng
from procgen.ways.flooding import cross_again, flood, line_banks, parted

LONGEST = 4
"""After so many corners for each tile of the map's width and height a river strays no more."""


@step(needs="floor")
def river(
    plan: Blueprint,
    rng: Rng,
    *,
    rivers: Annotated[int, Meta(ge=0, le=50)] = 1,
    width: Side = 3,
    bend: Share = 0.3,
    liquid: Paint = "water",
    bank: Paint = "shallows",
    banks: Share = 0.5,
    bridge: Paint = "bridge",
    ford: Paint = "shallows",
    fords: Share = 0.4,
) -> Iterator[str]:
    """Let ``rivers`` of ``liquid`` run from side to side, through rock and floor alike.

    Their number holds for an 80x45 map, longer maps in proportion. A course is found by midpoint
    displacement, each half straying up to ``bend`` of its length to either side, but never so
    far that it gets no shorter; it is at most ``width`` tiles wide. A share ``banks`` of the
    floor along it turns to ``bank``. Where the river parts the level a ``bridge`` or, in a share
    ``fords`` of cases, a ``ford`` leads across the narrowest place. A river that spares nothing
    is undone.
    """
    width = max(1, min(width, min(plan.width, plan.height) // 8))
    for number in range(1, rivers * max(1, (plan.width + plan.height) // 125) + 1):
        before, _ = regions(plan.open)
        tiles = plan.tiles.copy()
        bed = _bed(plan, rng, _course(plan, rng, bend), width)
        deep = flood(plan, bed, tile_named(liquid))
        yield f"River {number} breaks through"
        line_banks(plan.tiles, deep, kept(plan), rng, tile_named(bank), banks)
        ways = cross_again(
            plan, rng, deep, bridge=tile_named(bridge), ford=tile_named(ford), fords=fords
        )
        if parted(plan, before) or not plan.open.any():
            plan.tiles[:] = tiles
            yield f"River {number} would part the level, and dries up"
        elif ways:
            yield f"River {number} crossed in {ways} places"


def _course(plan: Blueprint, rng: Rng, bend: float) -> list[Point]:
    """Return the corners of a winding line between two opposite sides, at most 3 tiles apart."""
    last_x, last_y = plan.width - 1, plan.height - 1
    if rng.below(plan.width + plan.height) < plan.width:
        ends = Point(0, rng.between(0, last_y)), Point(last_x, rng.between(0, last_y))
    else:
        ends = Point(rng.between(0, last_x), 0), Point(rng.between(0, last_x), last_y)
    course = list(ends)
    longest = LONGEST * (plan.width + plan.height)
    while True:
        finer = course[:1]
        for one, other in pairwise(course):
            span = max(abs(other.x - one.x), abs(other.y - one.y))
            if span > 3:
                stray = min(int(span * bend), span // 2 - 1) if len(course) < longest else 0
                x = (one.x + other.x) // 2 + rng.between(-stray, stray)
                y = (one.y + other.y) // 2 + rng.between(-stray, stray)
                finer.append(Point(min(max(x, 0), last_x), min(max(y, 0), last_y)))
            finer.append(other)
        if len(finer) == len(course):
            return course
        course = finer


def _bed(plan: Blueprint, rng: Rng, course: list[Point], width: int) -> NDArray[np.bool_]:
    """Return the tiles of a river along ``course``, now narrower, now wider."""
    bed = np.zeros(plan.tiles.shape, np.bool_)
    across = rng.between(1, width)
    for one, other in pairwise(course):
        across = min(max(across + rng.between(-1, 1), min(2, width)), width)
        steps = max(abs(other.x - one.x), abs(other.y - one.y), 1)
        for n in range(steps + 1):
            x = one.x + (2 * n * (other.x - one.x) + steps) // (2 * steps) - across // 2
            y = one.y + (2 * n * (other.y - one.y) + steps) // (2 * steps) - across // 2
            bed[max(y, 0) : y + across, max(x, 0) : x + across] = True
    return bed
