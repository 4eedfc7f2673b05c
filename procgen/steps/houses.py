"""Houses: every block of a town divided wall to wall into houses with a door to the street."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile, terrain
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.rng import Rng
from procgen.step_registry import Share, Side, step

SMALLEST = 3
"""The smallest side of a house, walls included: a smaller house would have no inside."""


@step(needs="leaves", gives="floor rooms leaves regions")
def build_houses(
    plan: Blueprint,
    rng: Rng,
    *,
    least: Side = 5,
    most: Side = 9,
    grand: Share = 0.12,
    yards: Share = 0.12,
    second_door: Share = 0.25,
) -> Iterator[str]:
    """Divide each block that is still solid into houses that share walls, and hollow these out.

    Houses are ``least`` to about ``most`` tiles a side, walls included. Each house has a door to
    open ground around the block. A share ``grand`` of the blocks is one great house each. A share
    ``yards`` of the other plots is a walled garden with an open gate. ``second_door`` is the chance
    of a second door, on another side. The houses are the new leaves and regions.
    """
    least = max(SMALLEST, least)
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    houses: list[RectangularRoom] = []
    for number, block in enumerate(plan.leaves):
        if (plan.tiles[block.inner] != Tile.WALL).any():
            continue
        plots = [block] if rng.chance(grand) else _plots(block, least, most, rng)
        for plot in plots:
            room = plot.grown(-1)
            sides = _street_sides(plan, room) if min(room.width, room.height) > 0 else []
            if not sides:
                continue
            yard = plot is not block and rng.chance(yards)
            ground = plan.tiles[room.inner]
            ground[:] = Tile.GRASS if yard else Tile.FLOOR
            if yard:
                ground[rng.random_bytes(*ground.shape) < 40] = Tile.FOREST
            sides = rng.shuffled(sides)
            for side in sides[: 1 + rng.chance(second_door)]:
                x, y = rng.pick(side)
                plan.tiles[y, x] = Tile.GRASS if yard else Tile.DOOR
            plan.rooms.append(room)
            houses.append(plot)
            plan.regions[plot.inner] = len(houses)
        if number % plan.scale == 0:
            yield pluralise(len(houses), "house")
    if not houses:
        raise Rejected("no place for a house")
    plan.leaves = houses
    yield f"{pluralise(len(houses), 'house')} in all"


def _plots(block: RectangularRoom, least: int, most: int, rng: Rng) -> list[RectangularRoom]:
    """Return the plots of ``block``, each touching its edge; neighbours share a wall."""
    plots, finished = [block], []
    while plots:
        plot = plots.pop()
        halves: list[RectangularRoom] = []
        wider = plot.width >= plot.height
        for upright in (wider, not wider):  # The longer side, if that can be cut.
            side = plot.width if upright else plot.height
            if side > most and side >= 2 * least - 1:
                halves = plot.halves(upright, rng.between(least, side - least + 1), -1)
                break
        if halves and all(_on_edge(half, block) for half in halves):
            plots += halves
        else:
            finished.append(plot)
    return finished


def _on_edge(plot: RectangularRoom, block: RectangularRoom) -> bool:
    """Return True if ``plot`` touches the edge of ``block``, so a door can lead to a street."""
    inside, last = block.grown(-1), (plot.x + plot.width - 1, plot.y + plot.height - 1)
    return not (inside.contains(plot.x, plot.y) and inside.contains(*last))


def _street_sides(plan: Blueprint, room: RectangularRoom) -> list[list[Point]]:
    """Return, for each side of ``room``, the wall tiles where a door would lead outside."""
    walkable = terrain().walkable
    sides = []
    for dx, dy, wall in room.walls():
        places = [
            Point(x, y)
            for x, y in wall
            if plan.inside(x, y)
            and walkable[plan.tiles[y + dy, x + dx]]
            and plan.regions is not None
            and not plan.regions[y + dy, x + dx]
        ]
        if places:
            sides.append(places)
    return sides
