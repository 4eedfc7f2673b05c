"""Outlines along the border of two kinds of ground: cliffs, beaches, shallows."""

from collections.abc import Iterator

import scipy

from entities.terrain import terrain
from entities.wording import pluralise
from procgen.analysis.distances import CROSS, regions, regions_intact, with_neighbours
from procgen.blueprint import Blueprint
from procgen.placement import painting
from procgen.rng import Rng
from procgen.step_registry import Share, Side, step


@step(needs="floor")
def outline(
    plan: Blueprint,
    rng: Rng,
    *,
    of: tuple[painting.TileName, ...] = ("wall",),
    to: painting.Paint = "edge",
    beside: tuple[painting.TileName, ...] = (),
    width: Side = 1,
    diagonal: bool = True,
    share: Share = 1.0,
) -> Iterator[str]:
    """Turn tiles of the kinds ``of`` that border tiles of the kinds ``beside`` into ``to``.

    If ``beside`` is empty, all walkable tiles count. The outline is made of ``width`` rings of
    tiles, each ring around the one before. With ``diagonal``, tiles that touch only at corners
    border too. A ``share`` of each ring's tiles changes: less than 1 makes a ragged line. Tiles
    that would disconnect the level, or open a pocket apart from it, stay.
    """
    tile = painting.tile_named(to)
    opens = painting.passable(tile)
    shore = painting.mask_of(plan, beside) if beside else painting.walkable(plan)
    may = painting.mask_of(plan, of) & ~painting.protected(plan, paint=tile) & ~shore
    if opens:
        may &= painting.interior(plan)
    for ring in range(1, width + 1):
        chosen = with_neighbours(shore, diagonal=diagonal) & may
        if share < 1:
            chosen &= rng.random_bytes(plan.height, plan.width) < int(share * 256 + 0.5)
        if opens:
            chosen &= scipy.ndimage.binary_propagation(plan.open, CROSS, mask=plan.open | chosen)
        elif not regions_intact(regions(plan.open)[0], plan.open & ~chosen):
            chosen &= ~plan.open  # Closing those would disconnect regions.
        if not chosen.any():
            return
        plan.tiles[chosen] = tile
        shore |= chosen
        may &= ~chosen
        turned = pluralise(int(chosen.sum()), "tile")
        yield f"Outline {ring}: {turned} turned to {terrain().kinds[tile].name}"
