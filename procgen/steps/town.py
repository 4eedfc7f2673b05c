"""A town from outside: the meadows, the wall, the gates and the road that leads in."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, one_of, terrain
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.furnishing.ground import TileName, taken, where
from procgen.registry import Count, Share, Side, step
from procgen.rng import Rng

MEADOW = (Tile.GRASS, Tile.FOREST)
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))


@step(gives="leaves")
def enclose_town(
    plan: Blueprint,
    rng: Rng,
    *,
    outskirts: Count = 3,
    least: Side = 28,
    trees: Share = 0.15,
) -> Iterator[str]:
    """Leave a ring of rock for a town wall; what lies within becomes the only leaf.

    Outside it ``outskirts`` tiles of meadow run round the map, a share ``trees`` of them
    wooded, unless a side of the map is under ``least`` tiles: then its border is the wall.
    """
    depth = outskirts if min(plan.width, plan.height) >= least else 0
    rock = plan.tiles == Tile.WALL
    meadow = np.zeros_like(rock)
    if depth:
        meadow[1:-1, 1:-1] = True
        meadow[1 + depth : -1 - depth, 1 + depth : -1 - depth] = False
        wooded = rng.noise(plan.height, plan.width) < int(trees * 256 + 0.5)
        plan.tiles[meadow & rock] = Tile.GRASS
        plan.tiles[meadow & rock & wooded] = Tile.FOREST
    edge = depth + 1 if depth else 0
    wall = RectangularRoom(edge, edge, plan.width - 2 * edge, plan.height - 2 * edge)
    town = RectangularRoom(edge + 1, edge + 1, wall.width - 2, wall.height - 2)
    if min(town.width, town.height) < 1:
        raise Rejected("no place for a town")
    if depth >= 2:
        for x, y in _corners(wall):
            tower = np.s_[y - 1 : y + 2, x - 1 : x + 2]
            plan.tiles[tower][rock[tower]] = Tile.WALL
    plan.leaves = [town]
    yield f"A town of {town.width} by {town.height} is marked out"


def _corners(wall: RectangularRoom) -> list[Point]:
    right, bottom = wall.x + wall.width - 1, wall.y + wall.height - 1
    return [Point(x, y) for y in (wall.y, bottom) for x in (wall.x, right)]


@step(needs="floor")
def open_gates(plan: Blueprint, rng: Rng, *, gates: Count = 3) -> Iterator[str]:
    """Break up to ``gates`` gates, one on a side, through a wall between street and meadow.

    Where a street leads straight up to the wall, if any does; the road goes on to the edge of
    the map.
    """
    built = 0
    for dx, dy in rng.shuffled(SIDES):
        if built == gates:
            return
        places = _gate_places(plan, dx, dy)
        if not places:
            continue
        x, y = rng.pick(places)
        while plan.inside(x, y):
            if not terrain().walkable[plan.tiles[y, x]] or plan.tiles[y, x] in MEADOW:
                plan.tiles[y, x] = Tile.ROAD
            x, y = x + dx, y + dy
        built += 1
        yield f"Gate {built}"


def _gate_places(plan: Blueprint, dx: int, dy: int) -> list[Point]:
    """Return the wall tiles with meadow before them and street behind, the best ones only."""
    tiles = plan.tiles

    def shifted(steps: int) -> NDArray[np.uint8]:
        return np.roll(tiles, (-dy * steps, -dx * steps), (0, 1))

    outside = one_of(MEADOW)[shifted(1)]
    gate = (tiles == Tile.WALL) & outside & (shifted(-1) == Tile.ROAD)
    gate[[0, -1], :] = False
    gate[:, [0, -1]] = False
    approach = gate & (shifted(-2) == Tile.ROAD) & (shifted(-3) == Tile.ROAD)
    chosen = approach if approach.any() else gate
    return [Point(x, y) for y, x in np.argwhere(chosen).tolist()]


@step(needs="floor", gives="start")
def start_at_edge(
    plan: Blueprint, rng: Rng, *, on: tuple[TileName, ...] = ("road",)
) -> Iterator[str]:
    """Put the start as near to the map's edge as can be, ``on`` these tiles if there are any."""
    free = terrain().walkable[plan.tiles] & (plan.tiles != Tile.DOOR)
    for x, y in taken(plan):
        free[y, x] = False
    chosen = free & where(plan, on)
    ys, xs = np.nonzero(chosen if chosen.any() else free)
    if not len(ys):
        raise Rejected("no place for the start")
    depth = np.minimum(np.minimum(xs, plan.width - 1 - xs), np.minimum(ys, plan.height - 1 - ys))
    nearest = np.flatnonzero(depth == depth.min())
    index = int(nearest[rng.below(len(nearest))])
    plan.start = Point(int(xs[index]), int(ys[index]))
    yield "Start at the edge of the map"
