"""Tunnels that find their own way: all rooms joined at the least cost, and a few rings closed."""

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
    """Join all rooms by the cheapest tunnels through rock.

    A step costs ``rock``, or ``beside`` where the rock touches a room, and up to ``bends`` more, at
    random: then tunnels wind, as if they followed the softest rock. Of the neighbouring rooms that
    need no tunnel of their own a share ``extra`` gets one. (Dijkstra from all rooms at once, then
    Kruskal: `cheapest_links`.)
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
