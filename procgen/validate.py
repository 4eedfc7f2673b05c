"""Level invariants: connectivity, a closed border, reachable exit and keys; checked last."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Rejected


def broken_invariants(plan: Blueprint) -> Iterator[str]:
    """Yield a reason for each invariant that ``plan`` breaks.

    The border is closed; the passable tiles (secret and locked doors included) are one
    4-connected region; start, exit and monsters stand in it, each on a tile of its own; the path
    from start to exit needs no secret and no locked door. There is a key for every lock, and no
    key lies behind a lock.
    """
    open_tiles = plan.open
    border = (open_tiles[0], open_tiles[-1], open_tiles[:, 0], open_tiles[:, -1])
    if any(edge.any() for edge in border):
        yield "the border is open"
    _, count = regions(open_tiles)
    if count != 1:
        yield "no floor at all" if count == 0 else "the level is not in one piece"
    if plan.start is None or plan.exit is None:
        yield "start or exit is missing"
        return
    if plan.start == plan.exit:
        yield "start and exit are the same tile"
    stands = Counter([plan.start, plan.exit, *((spawn.x, spawn.y) for spawn in plan.spawns)])
    walkable = terrain().walkable[plan.tiles]
    if not all(_on_map(plan, x, y) and walkable[y, x] for x, y in stands):
        yield "start, exit or a spawn is not on walkable ground"
        return
    if any(stands[spawn.x, spawn.y] > 1 for spawn in plan.spawns):
        yield "two of start, exit and spawns share a tile"
    if (open_tiles != walkable).any():
        parts, _ = regions(walkable)
        if parts[plan.exit.y, plan.exit.x] != parts[plan.start.y, plan.start.x]:
            yield "the way to the exit needs a secret door"
    yield from _broken_locks(plan)


def _broken_locks(plan: Blueprint) -> Iterator[str]:
    """Yield a reason if a lock could stay shut: each needs a key that lies before all locks."""
    assert plan.start
    keys = plan.tiles == Tile.KEY
    locks = int((plan.tiles == Tile.LOCKED_DOOR).sum())
    if locks != int(keys.sum()):
        yield "there is not a key for every lock"
    elif locks:
        ground = terrain().walkable[plan.tiles] | (plan.tiles == Tile.SECRET_DOOR)
        parts, _ = regions(ground)
        if (parts[keys] != parts[plan.start.y, plan.start.x]).any():
            yield "a key lies behind a lock"


def _on_map(plan: Blueprint, x: int, y: int) -> bool:
    return 0 <= x < plan.width and 0 <= y < plan.height


def validate(plan: Blueprint) -> None:
    """Raise `Rejected` with the first broken invariant of ``plan``, if any."""
    if plan.tiles.dtype != np.uint8:
        raise TypeError("tiles must stay uint8")
    for reason in broken_invariants(plan):
        raise Rejected(reason)
