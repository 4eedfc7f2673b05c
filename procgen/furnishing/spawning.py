"""Who may stand where: free tiles, random choices among them, packs that stay together."""

import numpy as np
from numpy.typing import NDArray
from tcod import libtcodpy
from tcod.map import compute_fov

from entities.kinds import creatures, weights_at
from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint, Spawn
from procgen.rng import Rng

SIGHT = 12


def in_sight(plan: Blueprint, x: int, y: int) -> NDArray[np.bool_]:
    """Return the tiles seen from (x, y), no further than `SIGHT`."""
    left, top = max(0, x - SIGHT), max(0, y - SIGHT)
    window = np.s_[top : y + SIGHT + 1, left : x + SIGHT + 1]
    seen = np.zeros(plan.tiles.shape, np.bool_)
    seen[window] = compute_fov(
        terrain().transparent[plan.tiles[window]],
        (y - top, x - left),
        radius=SIGHT,
        algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST,
    )
    return seen


def free_tiles(plan: Blueprint) -> NDArray[np.bool_]:
    """Return where a creature may be put: open, unoccupied, out of sight of the start.

    The array is bool [y, x].
    """
    free: NDArray[np.bool_] = terrain().walkable[plan.tiles] & (plan.tiles != Tile.DOOR)
    if plan.start:
        free &= ~in_sight(plan, *plan.start)
    for x, y in [(spawn.x, spawn.y) for spawn in plan.spawns] + [p for p in [plan.exit] if p]:
        free[y, x] = False
    return free


def sample(free: NDArray[np.bool_], rng: Rng, number: int) -> list[tuple[int, int]]:
    """Return up to ``number`` different (x, y) among the ``free`` tiles."""
    cells = np.flatnonzero(free).tolist()
    width = free.shape[1]
    chosen: dict[int, None] = {}
    for _ in range(min(number, len(cells))):
        index = rng.below(len(cells))
        cells[index], cells[-1] = cells[-1], cells[index]
        chosen[cells.pop()] = None
    return [(cell % width, cell // width) for cell in chosen]


def pick_kind(plan: Blueprint, rng: Rng, deeper: int = 0) -> str:
    """Return a kind of creature at home ``deeper`` levels below this one."""
    return rng.weighted(weights_at(plan.depth + deeper))


def company(rng: Rng, kind: str) -> list[str]:
    """Return one of ``kind`` and those of its pack and its escort who come along."""
    habits = creatures()[kind].habits
    found = [kind] * rng.between(*habits.pack)
    for other, (low, high) in habits.escort.items():
        found += [other] * rng.between(low, high)
    return found


def settle_pack(
    plan: Blueprint,
    free: NDArray[np.bool_],
    rng: Rng,
    at: tuple[int, int],
    *,
    kinds: list[str],
    reach: int = 3,
) -> int:
    """Settle a creature of each of ``kinds`` near ``at`` on foot; return how many found room.

    The first stands nearest to ``at``; none stands more than ``reach`` steps off. ``free``
    loses the tiles they take.
    """
    x, y = at
    left, top = max(0, x - reach), max(0, y - reach)
    window = np.s_[top : y + reach + 1, left : x + reach + 1]
    steps = _steps_near(terrain().walkable[plan.tiles[window]], x - left, y - top, reach)
    cells = np.flatnonzero(free[window] & (steps <= reach))
    if not len(cells):
        return 0
    cells = cells[np.array(rng.shuffled(range(len(cells))), np.intp)]
    cells = cells[np.argsort(steps.ravel()[cells], kind="stable")].tolist()
    settled = list(zip(kinds, cells, strict=False))
    for kind, cell in settled:
        dy, dx = divmod(cell, steps.shape[1])
        plan.spawns.append(Spawn(kind, left + dx, top + dy))
        free[top + dy, left + dx] = False
    return len(settled)


def _steps_near(open_tiles: NDArray[np.bool_], x: int, y: int, reach: int) -> NDArray[np.int64]:
    """Return the steps from (x, y) to the tiles up to ``reach`` off, and more for all others.

    On a window this small a few floods by hand are ready before a path finder is.
    """
    height, width = open_tiles.shape
    here = np.zeros((height + 2, width + 2), np.bool_)
    here[y + 1, x + 1] = True
    steps = np.full(open_tiles.shape, reach + 1)
    steps[y, x] = 0
    for step in range(1, reach + 1):
        rows = here[:-2] | here[1:-1] | here[2:]
        here[1:-1, 1:-1] = (rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]) & open_tiles
        steps[here[1:-1, 1:-1] & (steps > step)] = step
    return steps
