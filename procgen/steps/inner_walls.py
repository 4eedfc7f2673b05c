"""Inner walls: large rooms divided into several, with a door between; open halls cut in two."""

from collections.abc import Iterator

from entities.terrain import SHUT_DOORS, Tile, terrain
from procgen.analysis.distances import regions, regions_intact
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.placement.painting import Mask, TileName, mask_of, occupied
from procgen.rng import Rng
from procgen.step_registry import Area, Share, Side, Tiles, step


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
    """Build a wall with a door across rooms of more than ``larger_than`` tiles, again and again.

    Each such room, and what it has been divided into, is divided with this ``chance``, across
    its longer side, leaving at least ``least`` tiles on both sides. Only rooms that are all
    ``on`` such tiles are divided, and no wall ends at a door or buries anybody.
    """
    plain = mask_of(plan, on)
    for place in occupied(plan):
        plain[place[::-1]] = False
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
            yield f"{walls} inner walls"
    open_tiles = plan.open
    plan.rooms = [room for room in finished if open_tiles[room.center[::-1]]] or finished


def _divide(plan: Blueprint, room: RectangularRoom, rng: Rng, least: int) -> list[RectangularRoom]:
    """Build a wall across ``room`` where it meets wall at both ends; return the two parts."""
    upright = room.width >= room.height
    side, across = (room.width, room.height) if upright else (room.height, room.width)
    choices = [at for at in range(least, side - least) if _meets_wall(plan, room, at, upright)]
    if not choices:
        return []
    at, gap = rng.pick(choices), rng.below(across)
    for step_across in range(across):
        x, y = _place(room, at, step_across, upright)
        plan.tiles[y, x] = Tile.DOOR if step_across == gap else Tile.WALL
    x, y, width, height = room.x, room.y, room.width, room.height
    if upright:
        return [
            RectangularRoom(x, y, at, height),
            RectangularRoom(x + at + 1, y, width - at - 1, height),
        ]
    return [
        RectangularRoom(x, y, width, at),
        RectangularRoom(x, y + at + 1, width, height - at - 1),
    ]


def _place(room: RectangularRoom, along: int, across: int, upright: bool) -> Point:
    if upright:
        return Point(room.x + along, room.y + across)
    return Point(room.x + across, room.y + along)


def _meets_wall(plan: Blueprint, room: RectangularRoom, at: int, upright: bool) -> bool:
    """Return True if a wall ``at`` tiles along ``room`` would end at closed tiles."""
    across = room.height if upright else room.width
    ends = (_place(room, at, -1, upright), _place(room, at, across, upright))
    tiles = [int(plan.tiles[y, x]) for x, y in ends]
    return not any(terrain().walkable[tile] or tile == Tile.SECRET_DOOR for tile in tiles)


@step(needs="rooms")
def wall_off(
    plan: Blueprint,
    rng: Rng,
    *,
    longest: Side = 15,
    stray: Tiles = 2,
    on: tuple[TileName, ...] = ("floor",),
) -> Iterator[str]:
    """Build a wall with a door through the centre of each room, from one closed tile to another.

    It runs over at most ``longest`` tiles, all ``on`` the ground named, square to the way from the
    start if it can, and up to ``stray`` tiles beside the centre if it cannot run through it. Nobody
    is walled in, and no wall ends at a door.
    """
    asides = sorted(range(-stray, stray + 1), key=abs)
    ground = mask_of(plan, on)
    for x, y in occupied(plan):
        ground[y, x] = False
    for number, room in enumerate(plan.rooms, 1):
        x, y = room.center
        far = (abs(x - plan.start.x), abs(y - plan.start.y)) if plan.start else (0, 0)
        ways = ((0, 1), (1, 0)) if far[0] >= far[1] else ((1, 0), (0, 1))
        lines = (
            _line(plan, ground, Point(x + aside * dy, y + aside * dx), (dx, dy), longest)
            for aside in asides
            for dx, dy in ways
        )
        line = next((found for found in lines if found), None)
        if line is None:
            continue
        door, before, parts = rng.pick(line), plan.tiles.copy(), regions(plan.open)[0]
        for place in line:
            plan.tiles[place[::-1]] = Tile.DOOR if place == door else Tile.WALL
            ground[place[::-1]] = False
        # A pillar beside the door, or ground that winds along the wall, would be cut off.
        if not regions_intact(parts, plan.open):
            plan.tiles[:] = before
            continue
        yield f"Wall {number}: {len(line)} tiles"


def _line(
    plan: Blueprint, ground: Mask, middle: Point, way: tuple[int, int], longest: int
) -> list[Point]:
    """Return the tiles through ``middle`` along ``way`` and back; [] if no wall fits there."""
    found: list[Point] = []
    for sign in (1, -1):
        x, y = middle.x, middle.y
        while plan.inside(x, y) and ground[y, x] and len(found) <= longest + 1:
            found.append(Point(x, y))
            x, y = x + sign * way[0], y + sign * way[1]
        # A line may end at the map's border, and the centre of a room beside it may lie beyond.
        if not (0 <= x < plan.width and 0 <= y < plan.height):
            return []
        tile = int(plan.tiles[y, x])
        if terrain().walkable[tile] or tile in SHUT_DOORS:
            return []
    line = list(dict.fromkeys(found))
    return line if 1 < len(line) <= longest else []
