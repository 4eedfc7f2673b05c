"""Tunnels by pathfinding: all rooms connected at the least cost, and a few loops."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile
from procgen.analysis.distances import regions, with_neighbours
from procgen.blueprint import Blueprint, dig
from procgen.carving.region_links import cheapest_links
from procgen.placement.painting import interior
from procgen.rng import Rng
from procgen.step_registry import Positive, Share, Weight, step


@step(needs="rooms")
def cheapest_tunnels(
    plan: Blueprint,
    rng: Rng,
    *,
    extra: Share = 0.1,
    rock: Positive = 4,
    beside: Positive = 9,
    bends: Weight = 0,
) -> Iterator[str]:
    """Connect all rooms by the cheapest tunnels through rock.

    A step costs ``rock``, or ``beside`` where the rock touches open ground. ``bends`` is the most
    that is added to a step at random: then tunnels wind, as if they followed the softest rock. A
    share ``extra`` of the pairs of neighbouring rooms that need no tunnel of their own gets one.
    (Dijkstra's algorithm from all rooms at once, then Kruskal's: `cheapest_links`.)
    """
    labels, count = regions(plan.open)
    homes = [labels.item(room.center[::-1]) for room in plan.rooms]
    labels[~np.isin(labels, homes)] = 0
    for number, room in enumerate(plan.rooms, count + 1):
        x, y = room.center
        labels[y, x] = labels[y, x] or number
    wall = plan.tiles == Tile.WALL
    cost = np.where(with_neighbours(plan.open), beside, rock).astype(np.int32)
    if bends:
        hardness = np.arange(256, dtype=np.int32) * bends >> 8
        cost += hardness[rng.noise(*cost.shape)]
    cost[plan.open] = 1
    cost[~((wall | plan.open) & interior(plan))] = 0
    for link in cheapest_links(labels, cost, rng, extra):
        if dug := dig(plan, link.tiles):
            yield f"Tunnel, {dug} long"
