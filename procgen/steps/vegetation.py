"""Steps that scatter grass, moss, bones, rubble and a few trees."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Mask, terrain
from entities.wording import pluralise
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Blueprint
from procgen.gradient_noise import noise_octaves
from procgen.placement import painting
from procgen.rng import Rng
from procgen.step_registry import Area, Share, Tiles, step


@step(needs="floor", varies="share", depends_on={"within": "beside"})
def scatter(
    plan: Blueprint,
    rng: Rng,
    *,
    tile: painting.Paint = "grass",
    on: tuple[painting.TileName, ...] = ("floor",),
    share: Share = 0.1,
    patch: Area = 1,
    ragged: Share = 0.0,
    beside: tuple[painting.TileName, ...] = (),
    within: Tiles = 1,
) -> Iterator[str]:
    """Turn a ``share`` of the tiles ``on`` into ``tile``, singly or in patches.

    ``patch`` is about how many tiles across a patch is; 1 scatters single tiles. A share ``ragged``
    of a patch's tiles stays as it was. With ``beside`` only tiles up to ``within`` steps from one
    of those change; 0 counts as 1. A ``tile`` that cannot be walked on is only placed on closed
    ground, or on open ground where the hero can walk all around it. Closed ground is never opened.
    Start, exit, spawns and fixtures stay.
    """
    kind = painting.tile_named(tile)
    may = painting.mask_of(plan, on) & ~painting.protected(plan, paint=kind) & (plan.tiles != kind)
    if beside:
        near = painting.mask_of(plan, beside)
        for _ in range(max(1, within)):
            near = with_neighbours(near)
        may &= near
    if painting.passable(kind):
        may &= plan.open
    chosen = _patches(plan, rng, may, share, patch)
    if ragged:
        chosen &= rng.random_bytes(plan.height, plan.width) >= int(ragged * 256 + 0.5)
    if not painting.passable(kind):
        chosen = _clear(plan.open, chosen)
    if chosen.any():
        plan.tiles[chosen] = kind
        yield f"{pluralise(int(chosen.sum()), 'tile')} of {terrain().kinds[kind].name}"


def _patches(plan: Blueprint, rng: Rng, may: Mask, share: float, patch: int) -> Mask:
    """Return a ``share`` of the tiles ``may``: at random, or in patches where noise is highest."""
    if patch == 1:
        low = rng.random_bytes(plan.height, plan.width)
        fine = rng.random_bytes(plan.height, plan.width)
        return may & (low * np.uint16(256) + fine < int(share * 65536 + 0.5))
    size = plan.width, plan.height
    # Unclipped: of many tiles with the same highest value, none could be left out.
    *_, relief = noise_octaves(rng.below(2**62), 0, 0, *size, scale=0.5 / patch, octaves=1)
    return painting.highest_share(relief, may, share)


def _clear(open_tiles: Mask, chosen: Mask) -> Mask:
    """Return the ``chosen`` tiles that block no path: closed before, or with open ground around.

    Of chosen tiles that touch each other, only the first in reading order is kept.
    """
    roomy = chosen & ~with_neighbours(~open_tiles)
    roomy[[0, -1]] = roomy[:, [0, -1]] = False
    stand = chosen & ~open_tiles
    taken = np.zeros_like(chosen)
    for y, x in np.argwhere(roomy).tolist():
        if not taken[y - 1 : y + 2, x - 1 : x + 2].any():
            taken[y, x] = True
    return stand | taken
