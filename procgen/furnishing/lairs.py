"""Lairs and guard rooms: who keeps together, and what gives them away."""

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point
from procgen.furnishing.footing import Floorspace
from procgen.furnishing.omens import scatter_omens, send_minions
from procgen.furnishing.sites import Site
from procgen.furnishing.spawning import free_tiles, pick_kind, settle_pack
from procgen.rng import Rng


def settle_lair(
    plan: Blueprint,
    rng: Rng,
    den: Point,
    from_start: NDArray[np.int32],
    *,
    size: int,
    deeper: int = 2,
    reach: int = 14,
    dense: float = 0.4,
    minions: int = 2,
) -> int:
    """Settle ``size`` creatures at ``den``; return how many, 0 if there was no room.

    Their leader comes from ``deeper`` levels below. Bones, stains and ``minions`` on the last
    ``reach`` steps of the way tell of them (see `scatter_omens` for ``dense``).
    """
    kinds = [pick_kind(plan, rng, deeper)] + [pick_kind(plan, rng) for _ in range(size - 1)]
    settled = settle_pack(plan, free_tiles(plan), rng, den, kinds=kinds)
    if settled:
        scatter_omens(plan, rng, den, from_start, reach=reach, dense=dense)
        send_minions(plan, rng, den, from_start, reach=reach, number=minions)
    return settled


def post_guards(plan: Blueprint, floor: Floorspace, site: Site, rng: Rng, size: int) -> int:
    """Pave ``site`` and post ``size`` creatures of one kind in its middle; return how many."""
    kind = pick_kind(plan, rng)
    settled = settle_pack(plan, free_tiles(plan), rng, site.middle, kinds=[kind] * size)
    if settled:
        for spot in site.spots:
            floor.lay(*spot, Tile.ROAD)
    return settled
