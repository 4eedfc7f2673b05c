"""Cracks that run through the whole level, and the few places where they can be crossed."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta

from procgen.analysis import regions
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import Paint, TileName, interior, kept, tile_named, uppermost, where
from procgen.noise.hills import Octaves, fractal_noise
from procgen.registry import Share, step
from procgen.rng import Rng
from procgen.ways.flooding import cross_again, flood, line_banks, parted


@step(needs="floor")
def fissures(
    plan: Blueprint,
    rng: Rng,
    *,
    scale: Annotated[float, Meta(gt=0, le=1)] = 0.06,
    octaves: Octaves = 1,
    share: Share = 0.03,
    liquid: Paint = "water",
    spare: tuple[TileName, ...] = (),
    bank: Paint = "rubble",
    banks: Share = 0.3,
    bridge: Paint = "bridge",
    ford: Paint = "rubble",
    fords: Share = 0.5,
) -> Iterator[str]:
    """Crack the map along winding lines that end nowhere, and fill the cracks with ``liquid``.

    The lines are where gradient noise (``octaves``, lattice ``scale``) passes through zero; they
    gape where it is flat, as far as a ``share`` of the map allows. They cut all but the tiles
    ``spare``. A share ``banks`` of the floor along them turns to ``bank``; where they part the
    level a ``bridge`` or, in a share ``fords`` of cases, a ``ford`` crosses the narrowest place.
    """
    before, _ = regions(plan.open)
    tiles = plan.tiles.copy()
    seed = rng.below(2**62)
    relief = fractal_noise(seed, 0, 0, plan.width, plan.height, scale=scale, octaves=octaves)
    cracks = uppermost(-np.abs(relief), interior(plan), share)
    cracks[1:-1, 1:-1] |= (relief[1:-1, 1:-1] > 0) != (relief[1:-1, 2:] > 0)
    cracks[1:-1, 1:-1] |= (relief[1:-1, 1:-1] > 0) != (relief[2:, 1:-1] > 0)
    cracks &= ~where(plan, spare)
    deep = flood(plan, cracks, tile_named(liquid))
    yield "The ground cracks"
    line_banks(plan.tiles, deep, kept(plan), rng, tile_named(bank), banks)
    ways = cross_again(
        plan, rng, deep, bridge=tile_named(bridge), ford=tile_named(ford), fords=fords
    )
    if parted(plan, before) or not plan.open.any():
        plan.tiles[:] = tiles
        yield "The cracks would part the level, and close"
    elif ways:
        yield f"The cracks can be crossed in {ways} places"
