"""Inner walls: large rooms divided into several, with a door between; open halls cut in two."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import scipy

from entities.terrain import Mask, Tile, terrain
from entities.wording import pluralise
from procgen.analysis.distances import SQUARE, distances, regions, regions_intact, with_neighbours
from procgen.blueprint import Blueprint, Point, RectangularRoom, window_around
from procgen.carving.doorways import both_sides
from procgen.placement.painting import TileName, interior, mask_of
from procgen.rng import Rng
from procgen.step_registry import Area, Share, Side, Tiles, step

DOORS_TRIED = 4
"""Places for a door tried in one wall before the next wall is tried."""


@step(needs="rooms")
def divide_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    chance: Share = 0.8,
    larger_than: Area = 24,
    least: Side = 2,
    on: tuple[TileName, ...] = ("floor",),
) -> Iterator[str]:
    """Divide rooms of more than ``larger_than`` tiles by walls with a door, repeatedly.

    Each such room is divided with this ``chance``, and its parts again. A wall cuts the longer side
    and leaves at least ``least`` tiles on both sides. Only rooms all of whose tiles are of the
    kinds ``on`` and unoccupied are divided. No wall ends at a door.
    """
    plain = mask_of(plan, on) & ~plan.occupied
    rooms, finished = list(plan.rooms), []
    walls = 0
    while rooms:
        room = rooms.pop(0)
        halves = []
        if room.area > larger_than and plain[room.inner].all() and rng.chance(chance):
            halves = _divide(plan, room, rng, least)
        if not halves:
            finished.append(room)
            continue
        plain[room.inner] &= plan.tiles[room.inner] != Tile.WALL
        rooms[:0] = halves
        walls += 1
        if walls % (8 * plan.scale) == 1:
            yield pluralise(walls, "inner wall")
    open_tiles = plan.open
    plan.rooms = [room for room in finished if open_tiles[room.center[::-1]]] or finished


def _divide(plan: Blueprint, room: RectangularRoom, rng: Rng, least: int) -> list[RectangularRoom]:
    """Build a wall across ``room`` between closed tiles; return both parts, none if impossible."""
    upright = room.width >= room.height
    tiles = plan.tiles if upright else plan.tiles.T
    rows, columns = room.inner if upright else room.inner[::-1]
    lines = tiles[rows.start - 1 : rows.stop + 1, columns]  # With the tile beyond either end.
    ends = lines[[0, -1]]
    shut = ~(terrain().walkable[ends] | (ends == Tile.SECRET_DOOR)).any(0)
    choices = [at for at in range(least, len(shut) - least) if shut[at]]
    if not choices:
        return []
    at, gap = rng.pick(choices), rng.below(len(lines) - 2)
    lines[1:-1, at] = Tile.WALL
    lines[1 + gap, at] = Tile.DOOR
    return room.halves(upright, at, 1)


@step(needs="rooms")
def wall_off(
    plan: Blueprint,
    rng: Rng,
    *,
    radius: Side = 7,
    stray: Tiles = 2,
    rubble: Share = 0.0,
    on: tuple[TileName, ...] = ("floor",),
) -> Iterator[str]:
    """Build a wall with a door through the centre of each room, from one closed tile to another.

    The wall is straight if possible, preferably at right angles to the direction of the start.
    Otherwise it follows the tiles that are equally many steps from the start, which also divides
    caves. A wall that cannot run through the centre may run up to ``stray`` tiles
    beside it. All of it lies within ``radius`` tiles of the centre. It replaces only tiles of the
    kinds ``on``, none of them next to a door. Its door is far from the start. A share ``rubble`` of
    the ground beside the wall turns to rubble. A wall that would disconnect anything is not built.
    """
    ground = mask_of(plan, on) & interior(plan)
    ground &= ~(with_neighbours(mask_of(plan, ("door",))) | plan.occupied)
    for number, room in enumerate(plan.rooms, 1):
        walls = _walls(plan, ground, room.center, radius, stray)
        wall = next((wall for wall in walls if _build_wall(plan, wall, rng)), None)
        if wall is None:
            continue
        ground &= ~wall
        nearby = ground & with_neighbours(with_neighbours(wall))
        plan.tiles[nearby & (rng.random_bytes(*wall.shape) < int(rubble * 256 + 0.5))] = Tile.RUBBLE
        yield f"Wall {number}: {pluralise(int(wall.sum()), 'tile')}"


def _walls(plan: Blueprint, ground: Mask, center: Point, radius: int, stray: int) -> Iterator[Mask]:
    """Yield possible walls near ``center`` as masks, straight ones first, each group by distance.

    A wall consists of all connected open tiles of one column, of one row, or at one distance from
    the start, so it ends at closed tiles, and no diagonal step crosses it.
    """
    # A wall that leaves this window crosses its rim, which is farther away than ``radius``.
    window, left, top = window_around(*center, radius + 1)
    open_tiles = plan.open
    rows, columns = np.indices(open_tiles[window].shape)
    across, along = columns + (left - center.x), rows + (top - center.y)
    distance, fields = across**2 + along**2, [across, along]
    within = ground[window] & (distance <= radius * (radius + 1))
    start = plan.start if open_tiles[center[::-1]] else None
    if start and abs(center.x - start.x) < abs(center.y - start.y):
        fields.reverse()
    for bent in (False, True) if start else (False,):
        if bent and start:  # The search is slow on a large map, and seldom needed.
            steps = distances(open_tiles, *start)
            fields = [steps[window] - steps[center[::-1]]]
        for aside, field in product(sorted(range(-stray, stray + 1), key=abs), fields):
            labels, _ = scipy.ndimage.label(open_tiles[window] & (field == aside), SQUARE)
            nearest = labels.flat[np.where(labels, distance, distance.max() + 1).argmin()]
            wall = np.zeros(plan.tiles.shape, np.bool_)
            wall[window] = near = (labels == nearest) & (labels > 0)
            # A wall that touches nothing is a ring around the start.
            if (with_neighbours(near) & ~open_tiles[window]).any() and not (near & ~within).any():
                yield wall


def _build_wall(plan: Blueprint, wall: Mask, rng: Rng) -> bool:
    """Build ``wall`` with a door; return False and build nothing if that would disconnect anything.

    It could cut off a pillar beside the door, or ground that winds along the wall.
    """
    before, joined = regions(plan.open)[0], regions(plan.open, diagonal=True)[0]
    shut = ~plan.open | wall
    # A door has shut tiles on two opposite sides, but not on all four.
    upright, level = both_sides(shut)
    doors = [Point(x, y) for y, x in np.argwhere(wall & (upright ^ level)).tolist()]
    x, y = plan.start or Point(0, 0)
    doors = sorted(rng.shuffled(doors), key=lambda at: -((at.x - x) ** 2 + (at.y - y) ** 2))
    for x, y in doors[:DOORS_TRIED]:
        shut[y, x] = False
        if regions_intact(before, ~shut) and regions_intact(joined, ~shut, diagonal=True):
            plan.tiles[wall] = Tile.WALL
            plan.tiles[y, x] = Tile.DOOR
            return True
        shut[y, x] = True
    return False
