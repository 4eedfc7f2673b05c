"""Ruins and colonnades: rooms with fallen walls and grass, rooms with rows of pillars."""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from entities.terrain import Tile, terrain
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.step_registry import Share, Side, step


@step(needs="rooms")
def ruin_rooms(
    plan: Blueprint, rng: Rng, *, share: Share = 0.12, decay: Share = 0.45, overgrown: Share = 0.4
) -> Iterator[str]:
    """Turn a ``share`` of the rooms into ruins.

    Each tile of their walls falls to rubble with chance ``decay``. A share ``overgrown`` of a
    ruin's floor turns to grass, and some of the rest to rubble. No open tile is closed.
    """
    floor = FreeFloor(plan)
    rooms = rng.shuffled(plan.rooms)
    for number, room in enumerate(rooms[: int(len(rooms) * share + 0.5)], 1):
        fallen = [place for place in _walls(plan, room) if rng.chance(decay)]
        for x, y in fallen:
            plan.tiles[y, x] = Tile.RUBBLE
        dice = rng.random_bytes(room.height, room.width)
        grass = int(overgrown * 256 + 0.5)
        for dy, dx in np.argwhere((dice < grass) | (dice >= 224)).tolist():
            tile = Tile.GRASS if dice[dy, dx] < grass else Tile.RUBBLE
            floor.place_walkable(room.x + dx, room.y + dy, tile)
        if (number - 1) % plan.scale == 0:
            yield f"Ruin {number}"


def _walls(plan: Blueprint, room: RectangularRoom) -> Iterator[Point]:
    """Yield the wall tiles beside the walkable edge of ``room`` without its corners."""
    walkable, tiles = terrain().walkable, plan.tiles
    sides = [[(*wall, dx, dy) for wall in walls] for dx, dy, walls in room.walls()]
    both = (zip(*pair, strict=True) for pair in (sides[:2], sides[2:]))
    for x, y, dx, dy in chain.from_iterable(chain(*both)):
        rock = plan.inside(x, y) and tiles[y, x] == Tile.WALL
        if rock and walkable[tiles[y - dy, x - dx]]:
            yield Point(x, y)


@step(needs="rooms", varies="share")
def colonnades(
    plan: Blueprint,
    rng: Rng,
    *,
    share: Share = 0.5,
    least: Side = 5,
    carpets: Share = 0.5,
    spacing: Side = 2,
) -> Iterator[str]:
    """Place pillars along the two longer walls of a ``share`` of the rooms.

    Rooms with a side under ``least`` tiles, and those with anything in them but floor, are left
    alone. The pillars stand ``spacing`` tiles apart, symmetrically from both ends, if the room's
    length allows that. A share ``carpets`` of the rooms has a carpet in the middle.
    """
    floor = FreeFloor(plan)
    done = 0
    for room in plan.rooms:
        narrow = min(room.width, room.height) < least
        if narrow or not rng.chance(share) or (plan.tiles[room.inner] != Tile.FLOOR).any():
            continue
        carpet, laid = rng.chance(carpets), 0
        pillars = sum(floor.place_blocking(x, y, Tile.PILLAR) for x, y in _rows(room, spacing))
        if carpet:
            for y in range(room.y + 2, room.y + room.height - 2):
                for x in range(room.x + 2, room.x + room.width - 2):
                    laid += floor.place_walkable(x, y, Tile.CARPET)
        done += 1
        if (pillars or laid) and (done - 1) % plan.scale == 0:
            around = " around a carpet" if laid else ""
            yield pluralise(pillars, "pillar") + around if pillars else "A carpet"


def _rows(room: RectangularRoom, spacing: int) -> list[tuple[int, int]]:
    """Return the places of the pillars, one tile off the longer walls; none if not symmetric."""
    along, across = max(room.width, room.height), min(room.width, room.height)
    slack = (along - 3) % spacing
    if slack % 2:
        return []
    row = range(1 + slack // 2, along - 1, spacing)
    places = [(at, side) for at in row for side in (1, across - 2)]
    if room.width < room.height:
        places = [(side, at) for at, side in places]
    return [(room.x + dx, room.y + dy) for dx, dy in places]
