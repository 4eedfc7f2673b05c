"""Monsters and ways down of a chunk: more dangerous the further it is from the centre."""

import numpy as np

from entities.terrain import Tile, Tiles, terrain, tile_mask
from procgen.blueprint import Blueprint, Spawn
from procgen.chunk import SIDE
from procgen.placement.monster_placement import pick_kind, place_pack, sample_tiles
from procgen.position_hash import position_random

DEEPEST = 24
"""The highest danger."""
PACKS = (65, 80)
PACK = (1, 1, 1, 2, 2, 3)
WAYS_DOWN = (3, 5)
HOME = 40
"""Distance from the start of the world within which no monster is placed."""
NEAR_HOME = np.s_[64:-64, 64:-64]
"""The middle of the first chunk, where its ways down lie."""
NO_HOME = (Tile.SHALLOWS, Tile.REEDS, Tile.DOOR, Tile.ENTRANCE, Tile.BRIDGE)


def chunk_danger(cx: int, cy: int) -> int:
    """Return the depth whose monsters live in a chunk."""
    return min(1 + max(abs(cx), abs(cy)), DEEPEST)


def spawn_monsters(seed: int, cx: int, cy: int, plan: Blueprint) -> tuple[Spawn, ...]:
    """Place packs of monsters all over the chunk of ``plan``; return them and those of its sites.

    All are on walkable tiles, at most one per tile.
    """
    rng = position_random(seed, "life", cx, cy)
    free = terrain().walkable[plan.tiles] & ~tile_mask(NO_HOME)[plan.tiles] & ~plan.occupied
    for at in sample_tiles(free, rng, rng.between(*PACKS)):
        kinds = [pick_kind(plan, rng)] * rng.pick(PACK)
        place_pack(plan, free, rng, at, kinds=kinds)
    if (cx, cy) == (0, 0):
        middle = SIDE // 2
        plan.spawns = [s for s in plan.spawns if max(abs(s.x - middle), abs(s.y - middle)) > HOME]
    by_place = {(s.x, s.y): s for s in plan.spawns if terrain().walkable[plan.tiles[s.y, s.x]]}
    return tuple(by_place.values())


def add_ways_down(seed: int, cx: int, cy: int, tiles: Tiles) -> None:
    """Turn a few floor tiles into ways down; in the first chunk, they are near the start."""
    part = tiles if cx or cy else tiles[NEAR_HOME]
    rng = position_random(seed, "way down", cx, cy)
    for x, y in sample_tiles(part == Tile.FLOOR, rng, rng.between(*WAYS_DOWN)):
        part[y, x] = Tile.ENTRANCE
