"""Bridges, passes and winding tunnels: one way over whatever parts the land."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile
from procgen.analysis import regions
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import Paint, interior, tile_named
from procgen.registry import Count, Share, step
from procgen.rng import Rng
from procgen.ways.joining import Way, cheapest_ways

FINE = 16
"""What one unit of cost is in the sums, so that wandering can be a fraction of it."""


@step(needs="floor")
def join_by_passages(
    plan: Blueprint,
    rng: Rng,
    *,
    rock: Count = 3,
    mountain: Count = 3,
    water: Count = 2,
    lava: Count = 3,
    wander: Count = 0,
    wide: Share = 0.0,
    more: Share = 0.0,
    through_rock: Paint = "tunnel",
    over_mountain: Paint = "rubble",
    over_water: Paint = "bridge",
) -> Iterator[str]:
    """Join all open regions by the cheapest ways through rock and hills, over water and lava.

    ``rock``, ``mountain``, ``water`` and ``lava`` are the costs of crossing one such tile, 0
    for never. ``wander`` adds up to that much more to each tile at random, so that ways wind;
    a share ``wide`` of their tiles is dug two tiles wide. ``more`` is the share of neighbouring
    regions that get a way beyond those needed. ``through_rock``, ``over_mountain`` and
    ``over_water`` are what crossed tiles become. (Dijkstra from all regions at once, then Kruskal.)
    """
    crossing = {
        Tile.WALL: (rock, tile_named(through_rock)),
        Tile.MOUNTAIN: (mountain, tile_named(over_mountain)),
        Tile.EDGE: (mountain, tile_named(over_mountain)),
        Tile.WATER: (water, tile_named(over_water)),
        Tile.LAVA: (lava, tile_named(over_water)),
    }
    labels, count = regions(plan.open)
    if count < 2:
        return
    price = np.zeros(256, np.int32)
    for tile, (worth, _) in crossing.items():
        price[tile] = worth * FINE
    cost = price[plan.tiles]
    bumps = rng.noise(plan.height, plan.width).astype(np.int32) * wander * FINE // 256
    cost[cost > 0] += bumps[cost > 0]
    cost[~interior(plan)] = 0
    cost[labels > 0] = 1
    becomes = {tile: way for tile, (_, way) in crossing.items()}
    for way in cheapest_ways(labels, cost, rng, more):
        _open(plan, way, becomes, rng, wide)
        yield f"Region {way.other} joined to region {way.one}"


def _open(plan: Blueprint, way: Way, becomes: dict[int, int], rng: Rng, wide: float) -> None:
    """Open the tiles of ``way``, and rock beside some of them."""
    for x, y in way.tiles:
        here = int(plan.tiles[y, x])
        plan.tiles[y, x] = becomes.get(here, here)
        if wide and rng.chance(wide):
            dx, dy = rng.pick(((1, 0), (0, 1)))
            if plan.inside(x + dx, y + dy) and plan.tiles[y + dy, x + dx] == Tile.WALL:
                plan.tiles[y + dy, x + dx] = becomes[Tile.WALL]
