"""The walk to all keys, locks and the exit; distances to keys; and foreshadowed goals."""

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from entities.creature_kinds import HERO, creature_kinds
from entities.terrain import MECHANISMS, Tile, openable_mask, terrain
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import distances
from procgen.analysis.field_of_view import field_of_view

FORESHADOW = 20
"""A place that is seen at least this many steps before it is reached counts as foreshadowed."""

Place = tuple[int, int]


def key_walk(tiles: NDArray[np.uint8], start: Place, end: Place) -> tuple[int, int]:
    """Return the length of a walk over ``tiles[y, x]``, and its steps onto tiles walked before.

    The walk from ``start`` to ``end``, in 8 directions, opens every lock and always goes to the
    nearest goal. Any key opens a locked door, a mechanism its locks. Unreachable goals are skipped.
    """
    ground = Bitboard.of(terrain().walkable[tiles])
    keys, locks = (Bitboard.of(tiles == tile).bits for tile in (Tile.KEY, Tile.LOCKED_DOOR))
    mechanisms = {
        Bitboard.of(tiles == mechanism).bits: Bitboard.of(tiles == lock).bits
        for mechanism, lock in MECHANISMS.items()
        if (tiles == mechanism).any() and (tiles == lock).any()
    }
    place, keys_held, steps, again = start, 0, 0, 0
    seen = ground.at(*start)
    while True:
        shape = Bitboard(ground.bits | (locks if keys_held else 0), ground.width, ground.height)
        goals = (keys if locks else 0) | (locks if keys_held else 0) | sum(mechanisms)
        goal = shape.nearest(goals, place) or end
        for tile in shape.path(place, goal) or []:
            bit = shape.at(*tile)
            steps, again, seen = steps + 1, again + bool(seen & bit), seen | bit
        if goal == end:
            return steps, again
        place, bit = goal, shape.at(*goal)
        keys_held += 1 if keys & bit else -1 if locks & bit else 0
        opened = bit | mechanisms.pop(next((levers for levers in mechanisms if levers & bit), 0), 0)
        ground = Bitboard(ground.bits | opened, ground.width, ground.height)
        keys, locks = keys & ~bit, locks & ~bit


def key_distance(tiles: NDArray[np.uint8]) -> int:
    """Return the most steps from a lock to the nearest tile that opens it; 0 without locks.

    Every door counts as open, and every key as one for every locked door, as it is for the hero.
    """
    shape = Bitboard.of(openable_mask()[tiles])
    longest = 0
    for opener, lock in {Tile.KEY: Tile.LOCKED_DOOR, **MECHANISMS}.items():
        keys = Bitboard.of(tiles == opener).bits
        for y, x in np.argwhere(tiles == lock).tolist():
            layers = enumerate(shape.bfs_layers((x, y)))
            longest = max(longest, next((count for count, layer in layers if layer & keys), 0))
    return longest


def foreshadowed_goals(tiles: NDArray[np.uint8], start: Place, goals: list[Place]) -> int:
    """Return how many of ``goals`` the hero can see from a tile nearer to ``start``.

    Only tiles at least `FORESHADOW` steps from the goal count. Doors block sight, not steps.
    """
    open_tiles, transparent = openable_mask()[tiles], terrain().transparent[tiles]
    shape, reach, count = Bitboard.of(open_tiles), creature_kinds()[HERO].sight, 0
    for x, y in goals:
        window, seen = field_of_view(transparent, x, y, reach)
        visible = open_tiles[window] & seen
        nearby = sum(islice(shape.bfs_layers((x, y)), FORESHADOW))
        visible &= ~shape.trimmed(shape.field(nearby))[window]
        if visible.any():  # This is rare, so distances are computed only here.
            steps = distances(open_tiles, *start)
            count += bool((visible & (steps[window] < steps[y, x])).any())
    return count
