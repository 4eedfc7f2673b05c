"""Monster placement: by room, by density, in packs, or by region."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from entities.wording import did_you_mean, pluralise
from procgen.analysis.distances import UNREACHED, distances
from procgen.analysis.nearby_points import NearbyPoints
from procgen.blueprint import Blueprint, Spawn
from procgen.placement.monster_placement import (
    KINDS,
    free_tiles,
    pack_members,
    pick_kind,
    place_pack,
    sample_tiles,
)
from procgen.rng import Rng
from procgen.step_registry import Count, Density, Positive, Share, Tiles, step


def _check_first(values: Any) -> None:
    if values.first and values.first not in creature_kinds():
        hint = did_you_mean(values.first, creature_kinds())
        raise ValueError(f"first: there is no monster {values.first[:60]!r}{hint}")


@step(needs="rooms start exit", gives="creatures", check=_check_first)
def monsters_in_rooms(
    plan: Blueprint, rng: Rng, *, rooms: Count = 5, each: Count = 1, first: str = ""
) -> Iterator[str]:
    """Place ``each`` monsters of this depth in each of ``rooms`` rooms, starting with the second.

    On the first depth all of them are of the kind ``first``, if that is not empty.
    """
    free, before = free_tiles(plan), len(plan.spawns)
    for room in plan.rooms[1 : rooms + 1]:
        for dx, dy in sample_tiles(free[room.inner], rng, each):
            kind = first if first and plan.depth == 1 else pick_kind(plan, rng)
            plan.spawns.append(Spawn(kind, room.x + dx, room.y + dy))
            free[room.y + dy, room.x + dx] = False  # Rooms may overlap.
    if number := len(plan.spawns) - before:
        yield f"{pluralise(number, 'monster')} placed"


@step(needs="floor start exit", gives="creatures")
def monsters_by_density(
    plan: Blueprint, rng: Rng, *, per_100: Density = 1.0, deeper: Share = 0.05, at_least: Count = 3
) -> Iterator[str]:
    """Scatter monsters of this depth out of sight of the start.

    There are ``per_100`` monsters for every hundred tiles of floor, and ``deeper`` of that number
    more with every depth, up to three times as many. There are at least ``at_least`` if they fit.
    """
    free = free_tiles(plan)
    number = max(at_least, int(plan.open.sum() * population(plan, per_100, deeper)))
    left = number
    for place in sample_tiles(free, rng, number):
        if left <= 0:
            break
        kinds = pack_members(rng, pick_kind(plan, rng))[:left]
        left -= place_pack(plan, free, rng, place, kinds=kinds)
    yield f"{pluralise(number - left, 'monster')} placed"


@step(needs="rooms start exit", gives="creatures")
def monsters_per_tile_of_room(
    plan: Blueprint, rng: Rng, *, per_tile: Share = 0.05, pack: Positive = 1
) -> Iterator[str]:
    """Place ``per_tile`` monsters for every tile of the rooms but the first, in packs of few kinds.

    One in ``pack`` rooms has ``pack`` times as many, the others none. A fraction of a monster is
    the chance of one more. No monster stands in view of the start, or on a trap.
    """
    free = free_tiles(plan) & (plan.tiles != Tile.TRAP)
    for number, room in enumerate(plan.rooms[1:], 2):
        due = room.area * per_tile * pack * rng.chance(1 / pack)
        creatures = int(due) + rng.chance(due - int(due))
        places = sample_tiles(free[room.inner], rng, creatures)
        for kind, (dx, dy) in zip(_companions(plan, rng, len(places), 0.3), places, strict=True):
            free[room.y + dy, room.x + dx] = False
            plan.spawns.append(Spawn(kind, room.x + dx, room.y + dy))
        if places:
            yield f"Monsters in room {number}: {len(places)}"


TRIES = 8
BLOCK = 16


def population(plan: Blueprint, per_100: float, deeper: float) -> float:
    """Return the monsters per tile: ``per_100`` on 100, ``deeper`` more each depth, at most 3x."""
    return per_100 / 100 * min(3.0, 1 + deeper * (plan.depth - 1))


@step(needs="floor start exit", gives="creatures")
def monsters_clumped(
    plan: Blueprint,
    rng: Rng,
    *,
    per_100: Density = 0.8,
    deeper: Share = 0.05,
    pack: Positive = 4,
    spread: Tiles = 12,
    strangers: Share = 0.2,
    at_least: Count = 3,
) -> Iterator[str]:
    """Place monsters in packs out of sight of the start rather than evenly.

    There are as many as `monsters_by_density` places with the same ``per_100``, ``deeper`` and
    ``at_least``. Near the start monsters are alone; at the far end of the level packs have ``pack``
    to twice ``pack`` minus one members. Packs keep ``spread`` tiles apart if they can. A pack is of
    one kind, except for a share ``strangers`` of its members.
    """
    assert plan.start
    steps = distances(plan.open, *plan.start).ravel()
    free = free_tiles(plan)
    cells = np.flatnonzero(free.ravel() & (steps < UNREACHED))
    if not len(cells):
        return
    furthest = max(1, int(steps[cells].max()))
    left = max(at_least, int(plan.open.sum() * population(plan, per_100, deeper)))
    homes, misses = NearbyPoints(), 0
    while left and misses < TRIES * TRIES:
        x, y = _home(cells, homes, plan.width, rng, spread)
        size = 1 + int(steps[y * plan.width + x]) * rng.between(pack - 1, 2 * pack - 2) // furthest
        kinds = _companions(plan, rng, min(left, size), strangers)
        settled = place_pack(plan, free, rng, (x, y), kinds=kinds)
        left -= settled
        misses += not settled
        if settled:
            homes.add(x, y)
            yield f"A pack of {settled} monsters" if settled > 1 else "A lone monster"


def _home(
    cells: NDArray[np.intp], homes: NearbyPoints, width: int, rng: Rng, spread: int
) -> tuple[int, int]:
    """Return a random place, ``spread`` tiles from all ``homes`` if `TRIES` draws find one."""
    for _ in range(TRIES):
        y, x = divmod(int(cells[rng.below(len(cells))]), width)
        if homes.nearest(x, y)[0] >= spread:
            break
    return x, y


def _companions(plan: Blueprint, rng: Rng, number: int, strangers: float) -> list[str]:
    """Return ``number`` kinds of monsters that stay together.

    They are of one kind and its escort, except for a share of ``strangers``. Kinds that live alone
    stay single here too: the next monster is of a new random kind.
    """
    kind, members = pick_kind(plan, rng), list[str]()
    while len(members) < number:
        members += pack_members(rng, kind)
        sociable = creature_kinds()[kind].traits.pack[1] > 1
        if not sociable or rng.branch(KINDS).chance(strangers):
            kind = pick_kind(plan, rng)
    return members[:number]


@step(needs="floor start exit", gives="creatures")
def monsters_by_region(
    plan: Blueprint,
    rng: Rng,
    *,
    per_100: Density = 0.8,
    deeper: Share = 0.05,
    empty: Share = 0.3,
    crowded: Share = 0.2,
    strangers: Share = 0.2,
    at_least: Count = 3,
) -> Iterator[str]:
    """Give each region monsters of one kind: some regions are empty, some crowded.

    Regions are those the level was made from, otherwise its rooms, otherwise squares. A share
    ``empty`` of the regions has no monsters. A share ``crowded`` of the others has three times the
    usual number, that of `monsters_by_density` with ``per_100``, ``deeper`` and ``at_least``. A
    share ``strangers`` of the monsters is of another kind than the region's.
    """
    owner = np.where(free_tiles(plan), _regions(plan), 0).ravel()
    cells = np.argsort(owner, kind="stable")
    numbers, sizes = np.unique(owner, return_counts=True)
    rate = population(plan, per_100, deeper)
    settled = 0
    ends = np.cumsum(sizes).tolist()
    for number, size, end in zip(numbers.tolist(), sizes.tolist(), ends, strict=True):
        if not number or rng.chance(empty):
            continue
        due = size * rate * (3 if rng.chance(crowded) else 1)
        count = min(size, int(due) + rng.chance(due - int(due)))
        homes = rng.shuffled(cells[end - size : end].tolist())[:count]
        for kind, cell in zip(_companions(plan, rng, count, strangers), homes, strict=True):
            plan.spawns.append(Spawn(kind, cell % plan.width, cell // plan.width))
        settled += count
    for x, y in sample_tiles(free_tiles(plan), rng, max(0, at_least - settled)):
        plan.spawns.append(Spawn(pick_kind(plan, rng), x, y))
        settled += 1
    if settled:
        yield f"{pluralise(settled, 'monster')} placed, region by region"


def _regions(plan: Blueprint) -> NDArray[np.int64]:
    """Return the number of each tile's region, or room or square, int64 [y, x]; 0 between rooms."""
    if plan.regions is not None and plan.regions.any():
        return plan.regions.astype(np.int64) + 1 - min(0, int(plan.regions.min()))
    field = np.zeros(plan.tiles.shape, np.int64)
    if plan.rooms:
        for number, room in enumerate(plan.rooms, 1):
            field[room.inner] = number
        return field
    ys, xs = np.arange(plan.height) // BLOCK, np.arange(plan.width) // BLOCK
    field[:] = 1 + ys[:, None] * (plan.width // BLOCK + 1) + xs
    return field
