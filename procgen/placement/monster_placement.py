"""Placement of monsters: free tiles, random choices of tile and kind, packs that stay together."""

from collections.abc import Callable

import numpy as np

from entities.creature_kinds import IMMOBILE, CreatureKind, Hiding, creature_kinds, spawn_weights
from entities.terrain import OPENERS, Mask, Tile, terrain, tile_mask
from procgen.analysis.distances import bitboard_distances
from procgen.analysis.field_of_view import visible_from
from procgen.blueprint import WHOLE_MAP, Blueprint, Spawn, Window, mask_at, window_around
from procgen.rng import Rng

Suits = Callable[[CreatureKind], bool]
SIGHT, PACK_RADIUS = 12, 3
KINDS = "creatures"
"""The branch of a step's random stream that kinds of creature are drawn from."""


def in_sight(plan: Blueprint, x: int, y: int) -> Mask:
    """Return the tiles seen from (x, y), no further than `SIGHT`."""
    window, left, top = window_around(x, y, SIGHT)
    seen = np.zeros(plan.tiles.shape, np.bool_)
    seen[window] = visible_from(terrain().transparent[plan.tiles[window]], x - left, y - top, SIGHT)
    return seen


def free_tiles(plan: Blueprint, window: Window = WHOLE_MAP) -> Mask:
    """Return where a monster may be placed: walkable, unoccupied, out of sight of the start.

    The array is bool [y, x], False outside ``window``. Doors, keys and mechanisms stay free.
    """
    walkable = terrain().walkable
    places = walkable & ~tile_mask((Tile.DOOR, *OPENERS))[: len(walkable)]
    free = np.zeros(plan.tiles.shape, np.bool_)
    free[window] = places[plan.tiles[window]]
    if plan.start:
        free[window] &= ~in_sight(plan, *plan.start)[window]
    return free & ~mask_at(plan.marks, free.shape)


def sample_tiles(free: Mask, rng: Rng, number: int) -> list[tuple[int, int]]:
    """Return up to ``number`` different (x, y) among the ``free`` tiles."""
    cells = np.flatnonzero(free).tolist()
    chosen: list[tuple[int, int]] = []
    for _ in range(min(number, len(cells))):
        index = rng.below(len(cells))
        cells[index], cells[-1] = cells[-1], cells[index]
        y, x = divmod(cells.pop(), free.shape[1])
        chosen.append((x, y))
    return chosen


def is_steady(kind: CreatureKind) -> bool:
    """Return True for a ``kind`` that neither hides nor keeps away from the hero."""
    return kind.behaviour in ("hunter", "shooter") and kind.traits.hides is Hiding.NOWHERE


def pick_kind(plan: Blueprint, rng: Rng, deeper: int = 0, suits: Suits | None = None) -> str:
    """Return a random kind of creature that ``suits``, for the depth ``deeper`` levels below.

    None from further down is rooted or hides: it would be no match for its place. Weights are those
    of the depth, changed by those of the blueprint. Kinds are drawn from a branch of ``rng``,
    because the number of draws depends on data/creatures.toml.
    """
    kinds, percents = creature_kinds(), plan.spawn_percents
    usual = spawn_weights(plan.depth + deeper)
    weights = {kind: n * percents.get(kind, 100) // 100 for kind, n in usual.items()}
    for kind, extra in plan.spawn_weights.items():
        weights[kind] = weights.get(kind, 0) + extra
    if deeper:
        active = (it for it in weights if kinds[it].behaviour not in IMMOBILE)
        weights = {it: weights[it] for it in active if kinds[it].traits.hides is Hiding.NOWHERE}
    if suits:
        weights = {it: n for it, n in weights.items() if suits(kinds[it])}
    return rng.branch(KINDS).weighted(weights if any(weights.values()) else dict(usual))


def pack_members(rng: Rng, kind: str) -> list[str]:
    """Return the kinds of a pack: ``kind``, others of it and its escort, in random numbers."""
    rng = rng.branch(KINDS)
    traits = creature_kinds()[kind].traits
    members = [kind] * rng.between(*traits.pack)
    for other, (low, high) in traits.escort.items():
        members += [other] * rng.between(low, high)
    return members


def place_pack(
    plan: Blueprint, free: Mask | None, rng: Rng, at: tuple[int, int], kinds: list[str]
) -> int:
    """Place a monster of each of ``kinds`` within `PACK_RADIUS` steps of ``at``; return how many.

    The first stands nearest to ``at``. Their tiles are cleared in ``free``, by default those near.
    """
    x, y = at
    window, left, top = window_around(x, y, PACK_RADIUS)
    free = free_tiles(plan, window) if free is None else free
    if len(kinds) == 1 and free[y, x]:
        plan.spawns.append(Spawn(kinds[0], x, y))
        free[y, x] = False
        return 1
    walkable = terrain().walkable[plan.tiles[window]]
    steps = bitboard_distances(walkable, x - left, y - top, PACK_RADIUS).ravel().tolist()
    near = [cell for cell in np.flatnonzero(free[window]).tolist() if steps[cell] <= PACK_RADIUS]
    settled = list(zip(kinds, sorted(rng.shuffled(near), key=steps.__getitem__), strict=False))
    for kind, cell in settled:
        dy, dx = divmod(cell, walkable.shape[1])
        plan.spawns.append(Spawn(kind, left + dx, top + dy))
        free[top + dy, left + dx] = False
    return len(settled)
