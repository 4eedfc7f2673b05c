"""Dead ends: corridors that lead nowhere are given back to the rock."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile
from procgen.blueprint import Blueprint
from procgen.registry import Count, Share, step
from procgen.rng import Rng

CAPTIONS = 20


@step(needs="floor")
def remove_dead_ends(
    plan: Blueprint, rng: Rng, *, share: Share = 1.0, rounds: Count = 1000
) -> Iterator[str]:
    """Fill a ``share`` of the dead ends, each from its tip back to where the way forks.

    At most ``rounds`` tiles of each are filled. Rooms stay, and ground where somebody stands.
    """
    tips = _dead_ends(plan)
    chosen = sorted(rng.shuffled(tips)[: int(share * len(tips) + 0.5)])
    pace = max(1, len(chosen) // CAPTIONS)
    ground = bytearray(plan.open.tobytes())
    kept = bytes(_kept(plan))
    filled = 0
    for number, tip in enumerate(chosen, 1):
        for place in _way_back(ground, kept, plan.width, tip, rounds):
            ground[place] = 0
            plan.tiles.flat[place] = Tile.WALL
            filled += 1
        if number % pace == 0:
            yield f"{number} dead ends removed, {filled} tiles filled"


def _dead_ends(plan: Blueprint) -> list[int]:
    """Return the places y * width + x, not on the border, with but one open neighbour of four."""
    ground = plan.open
    ways = np.zeros(ground.shape, np.uint8)
    ways[1:-1, 1:-1] = (
        ground[:-2, 1:-1].astype(np.uint8) + ground[2:, 1:-1] + ground[1:-1, :-2] + ground[1:-1, 2:]
    )
    places: list[int] = np.flatnonzero((ways == 1) & ground).tolist()
    return places


def _kept(plan: Blueprint) -> bytearray:
    """Return what must not be filled, a byte for each tile: border, rooms, taken ground."""
    kept = np.ones(plan.tiles.shape, np.bool_)
    kept[1:-1, 1:-1] = False
    for room in plan.rooms:
        kept[room.inner] = True
    for x, y in [(spawn.x, spawn.y) for spawn in plan.spawns]:
        kept[y, x] = True
    for point in (plan.start, plan.exit):
        if point:
            kept[point.y, point.x] = True
    return bytearray(kept.tobytes())


def _way_back(ground: bytearray, kept: bytes, width: int, tip: int, most: int) -> Iterator[int]:
    """Yield the places from ``tip`` on as long as each, the last one filled, is a dead end."""
    place = tip
    for _ in range(most):
        ways = [place + step for step in (-width, 1, width, -1) if ground[place + step]]
        if kept[place] or len(ways) != 1:
            return
        yield place
        place = ways[0]
