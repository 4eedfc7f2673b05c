"""Wave function collapse: a whole map in the manner of a small drawn one."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from procgen.blueprint import Blueprint, Rejected
from procgen.furnishing.ground import for_area, interior, stands
from procgen.registry import Count, step
from procgen.rng import Rng
from procgen.wfc.canvas import Canvas
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
    keep: Literal["nothing", "shape"] = "nothing",
    frame: Count = 0,
    patches: Count = 20,
    restarts: Count = 1,
    otherwise: Literal["reject", "leave"] = "reject",
) -> Iterator[str]:
    """Fill the map so that each of its 3x3 windows is found in a sample map.

    ``turns`` and ``mirrors`` let the sample be seen turned and mirrored. With ``keep`` "shape"
    what can be walked on stays so, and what cannot does too, so that a second pass only changes
    what things are made of. With a ``frame`` above 0 the tile that frames the sample stands
    nowhere but along the edge of the map, at most so many tiles deep. Where nothing fits, the
    neighbourhood is solved anew, up to ``patches`` times on an 80x45 map; then the whole map is,
    up to ``restarts`` times; then the build is rejected or, if ``otherwise`` is "leave", the few
    tiles where nothing fits stay as they were.
    (Gumin's WaveFunctionCollapse, 2016.)
    """
    lore = sample(sample_map, turns=turns, mirrors=mirrors)
    canvas = Canvas(lore, plan.tiles)
    if frame:
        inside = np.zeros(plan.tiles.shape, np.bool_)
        inside[frame:-frame, frame:-frame] = True
        closed = [tile for tile in lore.closed if tile != lore.patterns.edge]
        canvas.allow(inside, (*lore.walkable, *closed))
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
