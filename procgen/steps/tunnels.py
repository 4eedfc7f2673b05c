"""Corridors from room to room."""

from collections.abc import Iterator
from itertools import pairwise

from procgen.blueprint import Blueprint
from procgen.registry import Share, step
from procgen.rng import Rng
from procgen.ways.carve import dig, tunnel_between


@step(needs="rooms")
def join_rooms_in_order(
    plan: Blueprint, rng: Rng, *, horizontal_first: Share = 0.5
) -> Iterator[str]:
    """Join each room to the one before it by an L-shaped tunnel between their centres.

    ``horizontal_first`` is the share of tunnels that leave the earlier room sideways.
    """
    for number, (room, following) in enumerate(pairwise(plan.rooms), 1):
        sideways = rng.chance(horizontal_first)
        if dig(plan, tunnel_between(room.center, following.center, horizontal_first=sideways)):
            yield f"Tunnel {number}: room {number} to room {number + 1}"
