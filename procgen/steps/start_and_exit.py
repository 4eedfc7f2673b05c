"""Placement of start and exit."""

from collections.abc import Iterator
from itertools import product
from typing import Annotated

import numpy as np
from msgspec import Meta

from entities.terrain import Mask, Tile, terrain, tile_mask
from procgen.analysis.chokepoints import dead_ends, neighbours
from procgen.analysis.distances import UNREACHED, distances, regions
from procgen.blueprint import Blueprint, Point, Rejected
from procgen.carving.doorways import both_sides
from procgen.placement.monster_placement import in_sight, sample_tiles
from procgen.placement.safe_placement import free_ground
from procgen.rng import Rng
from procgen.step_registry import Share, step


@step(needs="rooms", gives="start")
def start_in_first_room(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the start in the centre of the first room."""
    place = plan.rooms[0].center if plan.rooms else None
    if place is None or not free_ground(plan)[place[::-1]]:
        raise Rejected("no room for the start")
    plan.start = place
    yield "Start in the first room"


@step(needs="rooms start", gives="exit")
def exit_in_last_room(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit in the centre of the last room, or at the furthest tile if there is only one."""
    assert plan.start
    last = plan.rooms[-1].center if len(plan.rooms) > 1 else plan.start
    if last == plan.start:
        last = furthest_free(plan, plan.start, "no room for the exit")
    if not free_ground(plan)[last[::-1]]:
        raise Rejected("no room for the exit")
    plan.exit = last
    yield "Exit in the last room"


@step(needs="floor start", gives="exit")
def exit_furthest(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit on the tile furthest from the start on foot."""
    assert plan.start
    plan.exit = furthest_free(plan, plan.start, "no place for the exit")
    yield "Exit at the furthest point"


@step(needs="floor", gives="exit")
def exit_at_shrine(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit in front of the first shrine in reading order, or anywhere if there is none."""
    free = free_ground(plan) & (plan.tiles != Tile.DOOR)
    if not free.any():
        raise Rejected("no place for the exit")
    shrines = np.argwhere(plan.tiles == Tile.SHRINE)
    if len(shrines):
        y, x = shrines[0].tolist()
        before = [Point(x + dx, y + dy) for dx, dy in ((0, 1), (0, 0), (1, 0), (-1, 0), (0, -1))]
        choices = [point for point in before if free[point.y, point.x]]
        if choices:
            plan.exit = choices[0]
            yield "Exit in front of the shrine"
            return
    plan.exit = Point(*sample_tiles(free, rng, 1)[0])
    yield "Exit"


@step(needs="rooms start", gives="exit")
def exit_in_furthest_room(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the exit in the room furthest from the start on foot, at the furthest tile if none is."""
    assert plan.start
    steps = distances(terrain().walkable[plan.tiles], *plan.start)
    steps[(steps == UNREACHED) | ~free_ground(plan)] = 0
    centers = [room.center for room in plan.rooms]
    best = max(centers, key=lambda place: int(steps[place[::-1]]), default=plan.start)
    if not steps[best[::-1]]:
        best = furthest_free(plan, plan.start, "no room for the exit")
    plan.exit = best
    yield "Exit in the furthest room"


@step(needs="floor exit", gives="start")
def start_furthest(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Put the start on the tile furthest from the exit on foot."""
    assert plan.exit
    plan.start = furthest_free(plan, plan.exit, "no place for the start")
    yield "Start at the furthest point"


def furthest_free(plan: Blueprint, place: Point, fault: str) -> Point:
    """Return the free tile furthest from ``place`` on foot, on a tie the first in reading order.

    Raises `Rejected` with this ``fault`` if there is none.
    """
    steps = distances(terrain().walkable[plan.tiles], *place)
    steps[(steps == UNREACHED) | ~free_ground(plan)] = 0
    row, column = divmod(int(steps.argmax()), plan.width)
    if not steps[row, column]:
        raise Rejected(fault)
    return Point(column, row)


Bend = Annotated[float, Meta(ge=1, le=10)]
MARKED = (Tile.DOOR, Tile.TRAP, Tile.TREASURE, Tile.SHRINE)


@step(needs="floor", gives="start exit")
def start_and_exit_apart(
    plan: Blueprint, rng: Rng, *, far: Share = 0.8, bend: Bend = 1.0
) -> Iterator[str]:
    """Put start and exit far apart, in dead ends, otherwise in corners, otherwise anywhere.

    One of them lies at an end of the level (the candidate furthest from a random tile). The other
    is at least the share ``far`` of the greatest distance away from it. Chance decides which of
    them is the start. If possible, the path between them is at least ``bend`` times as long as with
    nothing in the way. Monsters that could see the start are removed.
    """
    walkable = terrain().walkable[plan.tiles]
    labels, _ = regions(walkable)  # Only the largest connected part counts.
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    walkable &= labels == sizes.argmax()
    free = walkable & ~tile_mask(MARKED)[plan.tiles]
    for spawn in plan.spawns:
        free[spawn.y, spawn.x] = False
    ends = None
    kinds = (dead_ends, _corners, np.ones_like)
    for least, niches in product((bend, 1.0) if bend > 1 else (bend,), kinds):
        ends = ends or _two_ends(walkable, niches(walkable) & free, rng, far, least)
    if ends is None:
        raise Rejected("no room for a start and an exit")
    if rng.chance(0.5):
        ends = ends[::-1]
    plan.start, plan.exit = ends
    seen = in_sight(plan, *plan.start)
    plan.spawns[:] = [spawn for spawn in plan.spawns if not seen[spawn.y, spawn.x]]
    yield "Start and exit at far ends"


def _corners(walkable: Mask) -> Mask:
    """Return the tiles with two walkable neighbours that are not opposite each other."""
    upright, level = both_sides(walkable)
    corners: Mask = walkable & (neighbours(walkable) == 2) & ~(upright | level)
    return corners


def _two_ends(
    walkable: Mask, niches: Mask, rng: Rng, far: float, bend: float
) -> tuple[Point, Point] | None:
    """Return two of ``niches`` far apart, or None if there is no such pair."""
    cells = np.flatnonzero(niches)
    if len(cells) < 2:
        return None
    open_cells = np.flatnonzero(walkable)
    origin = int(open_cells[rng.below(len(open_cells))])
    width = walkable.shape[1]
    from_origin = distances(walkable, origin % width, origin // width).ravel()[cells]
    y, x = divmod(int(cells[from_origin.argmax()]), width)
    field = distances(walkable, x, y)
    limit = int(field[field < UNREACHED].max())
    steps = field.ravel()[cells]
    down, across = np.divmod(cells, width)
    direct = np.maximum(np.abs(down - y), np.abs(across - x))
    distant = cells[(steps >= far * limit) & (steps >= bend * direct) & (steps > 0)]
    if not len(distant):
        return None
    last = int(distant[rng.below(len(distant))])
    return Point(x, y), Point(last % width, last // width)
