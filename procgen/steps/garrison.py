"""A garrison: creatures in every room but the first, as many as its floor can feed."""

from collections.abc import Iterator

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Spawn
from procgen.furnishing.spawning import free_tiles, pick_kind, sample
from procgen.registry import Share, step
from procgen.rng import Rng


@step(needs="rooms start exit")
def monsters_per_tile_of_room(
    plan: Blueprint, rng: Rng, *, per_tile: Share = 0.05
) -> Iterator[str]:
    """Settle ``per_tile`` creatures for every tile of each room but the first.

    What is left of a creature after counting a room's tiles is tossed for, so that small rooms
    get their share; nobody stands in view of the start, or on a trap.
    """
    free = free_tiles(plan) & (plan.tiles != Tile.TRAP)
    for number, room in enumerate(plan.rooms[1:], 2):
        due = room.area * per_tile
        creatures = int(due) + rng.chance(due - int(due))
        places = sample(free[room.inner], rng, creatures)
        for dx, dy in places:
            x, y = room.x + dx, room.y + dy
            free[y, x] = False
            plan.spawns.append(Spawn(pick_kind(plan, rng), x, y))
        if places:
            yield f"{len(places)} creatures in room {number}"
