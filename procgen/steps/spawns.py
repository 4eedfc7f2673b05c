"""Who lives here: wishes for creatures, by room or by density."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from entities.kinds import creatures
from procgen.blueprint import Blueprint, Rejected, Spawn
from procgen.furnishing.spawning import company, free_tiles, pick_kind, sample, settle_pack
from procgen.registry import Count, step
from procgen.rng import Rng


@step(needs="rooms start exit")
def monsters_in_rooms(
    plan: Blueprint, rng: Rng, *, rooms: Count = 5, each: Count = 1, first: str = ""
) -> Iterator[str]:
    """Put ``each`` creatures of this depth into the first ``rooms`` rooms after the start's.

    On the first depth they are all of the kind ``first``, if that is not empty.
    """
    if first and first not in creatures():
        raise Rejected("no creature of that name")
    free = free_tiles(plan)
    number = 0
    for room in plan.rooms[1 : rooms + 1]:
        for dx, dy in sample(free[room.inner], rng, each):
            kind = first if first and plan.depth == 1 else pick_kind(plan, rng)
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
    free = free_tiles(plan)
    share = per_100 / 100 * min(3.0, 1 + deeper * (plan.depth - 1))
    number = max(at_least, int(plan.open.sum() * share))
    left = number
    for place in sample(free, rng, number):
        if left <= 0:
            break
        kinds = company(rng, pick_kind(plan, rng))[:left]
        left -= settle_pack(plan, free, rng, place, kinds=kinds)
    yield f"{len(plan.spawns)} creatures move in"
