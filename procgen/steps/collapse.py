"""Wave function collapse: a whole map in the manner of a small drawn one."""

from collections.abc import Iterator
from itertools import product
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from procgen.blueprint import Blueprint, Point, Rejected
from procgen.furnishing.ground import for_area, interior, stands
from procgen.registry import Count, step
from procgen.rng import Rng
from procgen.wfc.canvas import Canvas
from procgen.wfc.lore import Lore
from procgen.wfc.samples import SampleName, sample
from procgen.wfc.wave import Contradiction

STAGES = 5


@step(gives="floor")
def collapse(
    plan: Blueprint,
    rng: Rng,
    *,
    sample_map: SampleName = "chambers",
    turns: bool = True,
    mirrors: bool = True,
    pace: Annotated[int, Meta(ge=1, le=3)] = 2,
    keep: Literal["nothing", "shape"] = "nothing",
    frame: Count = 0,
    foothold: Count = 0,
    patches: Count = 20,
    restarts: Count = 1,
    otherwise: Literal["reject", "leave"] = "reject",
) -> Iterator[str]:
    """Fill the map so that each of its 3x3 windows is found in a sample map.

    ``turns`` and ``mirrors`` let the sample be seen turned and mirrored. What is decided on are
    windows ``pace`` tiles apart, each overlapping the next by two, so that every 3x3 window lies
    whole in one of them: larger ones know more of the sample and leave less to decide. With
    ``keep`` "shape" what can be walked on stays so, and what cannot does too, so that a second
    pass only changes what things are made of. With a ``frame`` above 0 the tile that frames the
    sample stands nowhere but along the edge of the map, up to so many tiles deep on each side.
    With a ``foothold`` above 0 some tile of every square of so many tiles can be walked on, so
    that no large part of the map, nor the whole of a small one, stays solid.
    Where nothing fits, the neighbourhood is solved anew, up to ``patches`` times on an 80x45
    map; then the whole map is, up to ``restarts`` times; then the build is rejected or, if
    ``otherwise`` is "leave", the few tiles where nothing fits stay as they were.
    (Gumin's WaveFunctionCollapse, 2016.)
    """
    lore = sample(sample_map, turns=turns, mirrors=mirrors, pace=pace)
    canvas = Canvas(lore, plan.tiles)
    if frame:
        _frame(canvas, lore, rng, frame)
    if foothold:
        for x, y in _footholds(plan, rng, foothold):
            canvas.allow_at(x, y, lore.walkable)
    if keep == "shape":
        canvas.allow(plan.open, lore.walkable)
        canvas.allow(~plan.open, lore.closed)
    for x, y in stands(plan):
        canvas.allow_at(x, y, lore.walkable)
    canvas.allow(~interior(plan), (lore.patterns.edge,))
    painting = canvas.collapse(
        rng,
        patches=for_area(plan, patches),
        restarts=restarts,
        tear=otherwise == "leave",
        stages=STAGES,
    )
    try:
        for number, _ in enumerate(painting, 1):
            yield f"The wave collapses, stage {number}"
    except Contradiction:
        if otherwise == "reject":
            raise Rejected("wave contradiction") from None
        yield "The wave contradicts itself: all stays as it was"
        return
    yield f"The wave has collapsed, {canvas.patches} spots solved anew"


def _frame(canvas: Canvas, lore: Lore, rng: Rng, deepest: int) -> None:
    """Draw how deep the framing tile stands on each side; let it stand nowhere else.

    Nothing is said of the corners within: a sample may round them.
    """
    height, width = canvas.tiles.shape
    deep = [rng.between(1, max(1, min(deepest, side // 2 - 1))) for side in (height, width) * 2]
    top, left, bottom, right = deep[0], deep[1], height - deep[2], width - deep[3]
    inside = np.zeros((height, width), np.bool_)
    inside[top:bottom, left:right] = True
    canvas.allow(~inside, (lore.patterns.edge,))
    inside[np.ix_((top, bottom - 1), (left, right - 1))] = False
    others = [tile for tile in lore.closed if tile != lore.patterns.edge]
    canvas.allow(inside, (*lore.walkable, *others))


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
