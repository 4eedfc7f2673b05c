"""A great hall in the middle of the map: pillars in rows, a carpet, a shrine at its end."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.analysis.distances import regions, regions_intact
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.carving.region_links import connect_parts
from procgen.placement.painting import interior
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.step_registry import Share, Side, step

LEAST = 5
"""The smallest side of a great hall."""


@step(gives="floor rooms", varies="width height")
def great_hall(
    plan: Blueprint, rng: Rng, *, width: Share = 0.22, height: Share = 0.55, spacing: Side = 3
) -> Iterator[str]:
    """Build a symmetric hall over the middle of the map.

    ``width`` and ``height`` are the hall's shares of the map's sides. The hall's walls close off
    whatever was there, with a door in each stretch that borders on open ground. Parts that are cut
    off all the same are connected by tunnels. Pillars stand ``spacing`` tiles apart on both sides
    of a carpet that leads to the shrine at the upper end. The hall becomes the first of the rooms.
    """
    hall = _place(plan, width, height)
    before, _ = regions(plan.open)
    doors = [run[len(run) // 2] for run in _ways_in(plan, hall)]
    marks = plan.occupied
    around = hall.grown(1)
    ground = plan.tiles[marks]
    plan.tiles[around.inner] = Tile.WALL
    plan.tiles[hall.inner] = Tile.FLOOR
    for x, y in doors:
        plan.tiles[y, x] = Tile.DOOR
    plan.tiles[marks] = ground
    if not regions_intact(before, plan.open):
        connect_parts(plan.tiles, interior(plan), rng)
    plan.rooms = [hall, *(room for room in plan.rooms if not around.contains(*room.center))]
    yield f"A hall of {hall.width} by {hall.height} with {pluralise(len(doors), 'door')}"
    floor = FreeFloor(plan)
    _lay_carpet(floor, hall)
    pillars = _raise_pillars(floor, hall, spacing)
    yield f"{pluralise(pillars, 'pillar')}, a carpet and a shrine"


def _place(plan: Blueprint, width: float, height: float) -> RectangularRoom:
    """Return the floor of a hall centred on the map; raise `Rejected` if none fits."""
    sides = []
    for span, share in ((plan.width, width), (plan.height, height)):
        side = min(max(LEAST, int(span * share)), span - 6)
        side -= (span - side) % 2
        if side < LEAST - 1:
            raise Rejected("no place for a great hall")
        sides.append(side)
    wide, high = sides
    return RectangularRoom((plan.width - wide) // 2, (plan.height - high) // 2, wide, high)


def _ways_in(plan: Blueprint, hall: RectangularRoom) -> Iterator[list[Point]]:
    """Yield the stretches of the hall's future walls that have open ground outside."""
    passable = plan.open
    for dx, dy, wall in hall.walls():
        beyond = [bool(passable[y + dy, x + dx]) for x, y in wall]
        for is_open, run in groupby(zip(beyond, wall, strict=True), key=itemgetter(0)):
            if is_open:
                yield [place for _, place in run]


def _lay_carpet(floor: FreeFloor, hall: RectangularRoom) -> None:
    """Place a carpet along the middle, the shrine at its end and statues beside that."""
    middle = _middle(hall)
    for y in range(hall.y + 1, hall.y + hall.height):
        for x in middle:
            floor.place_walkable(x, y, Tile.SHRINE if y == hall.y + 1 else Tile.CARPET)
    if hall.width < len(middle) + 8:
        return
    for side, outward in ((middle[0], -1), (middle[-1], 1)):
        for y in (hall.y + 1, hall.y + 2):
            floor.place_walkable(side + outward, y, Tile.CARPET)
        floor.place_blocking(side + 3 * outward, hall.y + 1, Tile.STATUE)


def _middle(hall: RectangularRoom) -> list[int]:
    """Return the columns of the middle: one if the hall's width is odd, else two."""
    half = (hall.width - 1) // 2
    return list(range(hall.x + half, hall.x + hall.width - half))


def _raise_pillars(floor: FreeFloor, hall: RectangularRoom, spacing: int) -> int:
    """Place rows of pillars on both sides of the carpet; return the number of pillars."""
    middle = _middle(hall)
    rows = range(hall.y + 2, hall.y + hall.height - 2, spacing)
    shift = (hall.y + hall.height - 3 - rows[-1]) // 2 if rows else 0
    pillars = 0
    for offset in range(2, (hall.width - len(middle)) // 2 - 1, spacing):
        for x in (hall.x + offset, hall.x + hall.width - 1 - offset):
            pillars += sum(floor.place_blocking(x, y + shift, Tile.PILLAR) for y in rows)
    return pillars
