"""Lairs and guard rooms, and foreshadowing: bones, stains and lone monsters on the way there."""

import numpy as np
from numpy.typing import NDArray

from entities.creature_kinds import creature_kinds
from entities.terrain import Mask, Tile, terrain, tile_mask
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Blueprint, Point, Spawn, Window, window_around
from procgen.placement.monster_placement import (
    free_tiles,
    is_steady,
    pick_kind,
    place_pack,
    sample_tiles,
)
from procgen.placement.painting import Paint, TileName, passable, protected, tile_named
from procgen.placement.room_sites import RoomSite
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng

StepMap = NDArray[np.int32]
"""The steps from the start to each tile, [y, x]."""
BARE: tuple[TileName, ...] = ("floor", "tunnel")
"""Ground that is repainted around a lair."""

SLACK = 3
ASIDE = 3


def scatter_signs(
    plan: Blueprint,
    rng: Rng,
    source: Point,
    from_start: StepMap,
    *,
    reach: int,
    dense: float,
    ground: Paint = "rubble",
) -> int:
    """Foreshadow ``source`` by bones and stains within ``reach`` steps; return their number.

    ``from_start[y, x]`` are the steps from the level's start. Tiles on a shortest path from there
    are covered most, a share ``dense`` of them beside the source and fewer further away; other
    tiles a third as often. Bones lie near the source, stains further out. ``ground``, if it is
    walkable, replaces half of the bare floor within a third of ``reach``.
    """
    window, steps, ways = _around(plan, source, reach, from_start)
    nearness = np.clip(reach - steps, 0, reach)
    odds = nearness * int(dense * 256) // np.where(ways, reach, reach * ASIDE)
    tiles = plan.tiles[window]
    plain = terrain().plain[tiles] & ~protected(plan, window, paint=Tile.BONES)
    height, width = tiles.shape
    roll = rng.random_bytes(height, width)
    bare = tile_mask(tuple(map(tile_named, BARE)))[tiles] & plain & (3 * steps <= reach)
    bare &= passable(tile_named(ground))
    tiles[bare & (rng.random_bytes(height, width) < 128)] = tile_named(ground)
    hit = plain & (roll < odds)
    bony = rng.random_bytes(height, width).astype(np.int32) * reach < nearness * 224
    tiles[hit] = np.where(bony, Tile.BONES, Tile.STAIN)[hit]
    return int(np.count_nonzero(hit))


def place_minions(
    plan: Blueprint, rng: Rng, source: Point, from_start: StepMap, *, reach: int, number: int
) -> int:
    """Place up to ``number`` lone monsters on the way to ``source``; return how many."""
    window, steps, ways = _around(plan, source, reach, from_start)
    free = free_tiles(plan, window)[window] & ways & (3 * steps > reach)
    left, top = window[1].start, window[0].start
    posted = sample_tiles(free, rng, number)
    for x, y in posted:
        plan.spawns.append(Spawn(pick_kind(plan, rng), left + x, top + y))
    return len(posted)


def _around(
    plan: Blueprint, source: Point, reach: int, from_start: StepMap
) -> tuple[Window, StepMap, Mask]:
    """Return the window of ``reach`` tiles around ``source``, and each tile's steps to it.

    The third are the tiles of the window on a shortest path from the start, or one nearly as short.
    """
    window, left, top = window_around(*source, reach)
    walkable = terrain().walkable[plan.tiles[window]]
    steps = np.minimum(distances(walkable, source.x - left, source.y - top), reach + 1)
    total = int(from_start[source.y, source.x])
    longest = total + SLACK if total < UNREACHED else -1
    return window, steps, (from_start[window] <= longest - steps) & (steps <= reach)


def place_lair(
    plan: Blueprint,
    rng: Rng,
    den: Point,
    from_start: StepMap,
    size: int,
    *,
    deeper: int = 2,
    reach: int = 14,
    dense: float = 0.4,
    minions: int = 2,
) -> int:
    """Place ``size`` monsters at ``den``; return how many, 0 if there was no room.

    They are of one kind but for their leader, from ``deeper`` levels below. Bones, stains and
    ``minions`` on the last ``reach`` steps of the way foreshadow them (``dense``: `scatter_signs`).
    """
    follower = pick_kind(plan, rng, suits=lambda it: is_steady(it) and it.traits.pack[1] > 1)
    kinds = [pick_kind(plan, rng, deeper), *[follower] * (size - 1)]
    settled = place_pack(plan, None, rng, den, kinds=kinds)
    if settled:
        scatter_signs(plan, rng, den, from_start, reach=reach, dense=dense)
        place_minions(plan, rng, den, from_start, reach=reach, number=minions)
    return settled


def place_guards(plan: Blueprint, floor: FreeFloor, site: RoomSite, rng: Rng, size: int) -> int:
    """Pave ``site`` and place ``size`` monsters of one kind in its middle; return how many.

    Kinds that live alone are two at most: four ogres behind a door would kill any hero.
    """
    kind = pick_kind(plan, rng, suits=lambda it: is_steady(it) and it.traits.doors)
    size = size if creature_kinds()[kind].traits.pack[1] > 1 else min(size, 2)
    settled = place_pack(plan, None, rng, site.middle, kinds=[kind] * size)
    for spot in site.spots if settled else ():
        floor.place_walkable(*spot, Tile.ROAD)
    return settled
