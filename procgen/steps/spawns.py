"""Who lives here: wishes for creatures, by room or by density."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray
from tcod import libtcodpy
from tcod.map import compute_fov

from entities.kinds import weights_at
from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint, Spawn
from procgen.registry import Count, step
from procgen.rng import Rng

SIGHT = 12


@step(needs="rooms start exit")
def monsters_in_rooms(
    plan: Blueprint, rng: Rng, *, rooms: Count = 5, each: Count = 1
) -> Iterator[str]:
    """Put ``each`` creatures of this depth into the first ``rooms`` rooms after the start's."""
    free = _free(plan)
    number = 0
    for room in plan.rooms[1 : rooms + 1]:
        for dx, dy in _sample(free[room.inner], rng, each):
            kind = rng.weighted(weights_at(plan.depth))
            plan.spawns.append(Spawn(kind, room.x + dx, room.y + dy))
            number += 1
    if number:
        yield f"{number} creatures move in"


@step(needs="floor start exit")
def monsters_by_density(
    plan: Blueprint,
    rng: Rng,
    *,
    per_100: Annotated[float, Meta(ge=0)] = 1.0,
    deeper: Annotated[float, Meta(ge=0)] = 0.05,
    at_least: Count = 3,
) -> Iterator[str]:
    """Scatter creatures of this depth out of sight of the start.

    ``per_100`` of them for every hundred tiles of floor, and ``deeper`` of that number more
    with every depth, up to three times as many; never fewer than ``at_least`` if they fit.
    """
    free = _free(plan)
    share = per_100 / 100 * min(3.0, 1 + deeper * (plan.depth - 1))
    number = max(at_least, int(plan.open.sum() * share))
    for x, y in _sample(free, rng, number):
        plan.spawns.append(Spawn(rng.weighted(weights_at(plan.depth)), x, y))
    yield f"{len(plan.spawns)} creatures move in"


def _free(plan: Blueprint) -> NDArray[np.bool_]:
    """Return where a creature may be put: open, unoccupied, out of sight of the start."""
    free: NDArray[np.bool_] = terrain().walkable[plan.tiles] & (plan.tiles != Tile.DOOR)
    if plan.start:
        x, y = plan.start
        left, top = max(0, x - SIGHT), max(0, y - SIGHT)
        window = np.s_[top : y + SIGHT + 1, left : x + SIGHT + 1]
        free[window] &= ~compute_fov(
            terrain().transparent[plan.tiles[window]],
            (y - top, x - left),
            radius=SIGHT,
            algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST,
        )
    for x, y in [(spawn.x, spawn.y) for spawn in plan.spawns] + [p for p in [plan.exit] if p]:
        free[y, x] = False
    return free


def _sample(free: NDArray[np.bool_], rng: Rng, number: int) -> list[tuple[int, int]]:
    """Return up to ``number`` different (x, y) among the ``free`` tiles."""
    cells = np.flatnonzero(free).tolist()
    width = free.shape[1]
    chosen: dict[int, None] = {}
    for _ in range(min(number, len(cells))):
        index = rng.below(len(cells))
        cells[index], cells[-1] = cells[-1], cells[index]
        chosen[cells.pop()] = None
    return [(cell % width, cell // width) for cell in chosen]
