"""A fortress in the wilds: moat, curtain wall, towers, a ward, and a keep with two wings."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import scipy
from numpy.typing import NDArray

from entities.terrain import Tile, terrain
from entities.wording import pluralise
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.carving.region_links import DisjointSets, Pair
from procgen.rng import Rng
from procgen.step_registry import Share, Side, Tiles, step


class TurnedMap:
    """A copy of the map, rotated so that the gate faces south; what is built has a mirror image.

    ``turn`` is the number of quarter turns by which it is rotated when copied to the plan.
    """

    def __init__(self, plan: Blueprint, turn: int) -> None:
        self.plan, self.turn = plan, turn
        self.tiles = np.rot90(plan.tiles, -turn).copy()
        self.height, self.width = self.tiles.shape
        self.axis = sorted({(self.width - 1) // 2, self.width // 2})

    def show(self) -> None:
        """Copy the tiles to the plan, keeping occupied tiles walkable."""
        tiles = self.plan.tiles
        tiles[:] = np.rot90(self.tiles, self.turn)
        tiles[self.plan.occupied & ~terrain().walkable[tiles]] = Tile.FLOOR

    def image(self, room: RectangularRoom) -> RectangularRoom:
        """Return ``room`` mirrored across the axis."""
        return replace(room, x=self.width - room.x - room.width)

    def build(self, room: RectangularRoom, floor: int) -> None:
        """Build walls around ``room`` and its image, with ``floor`` inside."""
        for half in (room, self.image(room)):
            self.tiles[half.grown(1).inner] = Tile.WALL
            self.tiles[half.inner] = floor

    def door(self, x: int, y: int, tile: int = Tile.DOOR) -> None:
        """Place ``tile`` at (x, y) and its image."""
        self.tiles[y, [x, self.width - 1 - x]] = tile

    def list_room(self, room: RectangularRoom) -> None:
        """Add ``room`` to the plan, rotated like the tiles."""
        width, height = self.width, self.height
        for _ in range(self.turn):
            right = room.x + room.width
            room = RectangularRoom(room.y, width - right, room.height, room.width)
            width, height = height, width
        self.plan.rooms.append(room)


def divide(room: RectangularRoom, rng: Rng, least: int, most: int) -> list[RectangularRoom]:
    """Cut ``room`` by walls into rooms with sides of ``least`` to about ``most`` tiles.

    No side is shorter than ``least``. A room that is small enough already is cut with chance 1/2.
    """
    wide, high = room.width, room.height
    across = wide > high if wide != high else rng.chance(0.5)
    side = wide if across else high
    if side < 2 * least + 1 or (side <= most and rng.chance(0.5)):
        return [room]
    halves = room.halves(across, rng.between(least, side - least - 1), gap=1)
    return [part for half in halves for part in divide(half, rng, least, most)]


def possible_doors(owner: NDArray[np.int32]) -> dict[Pair, list[tuple[int, int]]]:
    """Return, for each pair of rooms with a wall between them, the (x, y) where a door could be.

    ``owner[y, x]`` is the number of the room whose floor a tile is, 0 for none.
    """
    doors: dict[Pair, list[tuple[int, int]]] = {}
    for near, far, dx, dy in ((owner[:, :-2], owner[:, 2:], 1, 0), (owner[:-2], owner[2:], 0, 1)):
        meet = (near != far) & (near > 0) & (far > 0)
        ys, xs = np.nonzero(meet)
        pairs = zip(near[meet].tolist(), far[meet].tolist(), strict=True)
        for pair, x, y in zip(pairs, (xs + dx).tolist(), (ys + dy).tolist(), strict=True):
            doors.setdefault(pair, []).append((x, y))
    return doors


def chosen_doors(
    ways: dict[Pair, list[tuple[int, int]]], joined: list[list[int]], rng: Rng, more: float
) -> list[tuple[int, int]]:
    """Return doors that connect all rooms, and a share ``more`` of the others.

    ``joined`` are groups of connected rooms. (Kruskal's spanning tree in random order.)
    """
    groups = DisjointSets()
    for rooms in joined:
        for room in rooms:
            groups.join(rooms[0], room)
    return [
        rng.pick(ways[pair])
        for pair in rng.shuffled(sorted(ways))
        if groups.join(*pair) or rng.chance(more)
    ]


TOWER = 2
"""Tiles by which a tower juts out from the wall."""

SMALLEST = 7
"""The smallest side of the curtain wall and of the keep, walls included."""

SMALLEST_WARD = 20
"""The smallest side inside the curtain wall that leaves space for a ward."""


@step(gives="floor rooms")
def fortress(
    plan: Blueprint,
    rng: Rng,
    *,
    wild: Share = 0.14,
    moat: Tiles = 2,
    ward: Side = 4,
    least: Side = 3,
    most: Side = 9,
    doors: Share = 0.3,
    breach: Share = 0.8,
    straight: Share = 0.25,
    vary: Share = 0.0,
) -> Iterator[str]:
    """Build a symmetric fortress that faces a random side.

    ``wild`` is the share of the map's width and height left to grass and trees on each side.
    ``moat`` is the width of the moat. ``ward`` is the width of the court around the keep. The wings
    of the keep are cut into rooms with sides of ``least`` to ``most`` tiles. Of the doors that are
    not needed a share ``doors`` is built too, which makes loops. The room at the far end of the
    halls, the last in the list of rooms, opens to the hall with chance ``straight``, otherwise only
    to the wings. With chance ``breach`` a piece of the curtain wall has fallen into the moat, which
    makes a second way in. ``vary`` is the share by which grassland and court are wider or narrower,
    drawn for each side. Small maps have no ward, no towers and no moat.
    """
    canvas = TurnedMap(plan, rng.below(4))
    if min(canvas.width, canvas.height) < SMALLEST + 4:
        raise Rejected("too small for a fortress")
    across, behind, before = (
        max(2, min(rng.varied(int(side * wild), vary), (side - SMALLEST) // 2))
        for side in (canvas.width, canvas.height, canvas.height)
    )
    wide, high = canvas.width - 2 * across - 2, canvas.height - behind - before - 2
    curtain = RectangularRoom(across + 1, behind + 1, wide, high)
    flank, back, front = (max(2, rng.varied(ward, vary)) if vary else ward for _ in range(3))
    wide, high = wide - 2 * (flank + 1), high - (back + 1) - max(2 * front, ward + 3)
    keep = RectangularRoom(curtain.x + flank + 1, curtain.y + back + 1, wide, high)
    down = min(behind, before)
    # Towers must leave a tile between them and the map's border, or the meadow is disconnected.
    warded = min(curtain.width, curtain.height) >= SMALLEST_WARD and min(across, down) > TOWER + 1
    warded = warded and min(keep.width, keep.height) >= SMALLEST - 2
    moat = max(0, min(moat, min(across, down) - TOWER - 2)) if warded else 0
    plan.rooms.clear()
    _wilderness(canvas, rng)
    canvas.show()
    yield "Grass and trees"
    _walls(canvas, curtain, moat, towers=warded)
    canvas.show()
    yield "A curtain wall" + (" and a moat" if moat else "")
    if warded:
        court = canvas.tiles[curtain.inner]
        worn = rng.random_bytes(*court.shape) < 40  # There grass grows between the paving.
        court[worn & (court == Tile.ROAD)] = Tile.GRASS
        if moat and rng.chance(breach):
            _breach(canvas, curtain, moat, rng)
        canvas.show()
        yield "The ward"
    yield from _keep(canvas, keep if warded else curtain, rng, least, most, doors, straight)


def _wilderness(canvas: TurnedMap, rng: Rng) -> None:
    """Cover the map with grass and rubble, forest where noise is dense, mountains at the edge."""
    tiles = canvas.tiles
    height, width = tiles.shape
    noise = rng.random_bytes(height, width).astype(np.int32)
    thick = scipy.ndimage.uniform_filter(noise * 16, 5, mode="nearest")
    tiles[:] = np.where(thick > 16 * 140, Tile.FOREST, Tile.GRASS)
    tiles[(noise < 4) & (tiles == Tile.GRASS)] = Tile.RUBBLE
    tiles[[0, -1], :] = tiles[:, [0, -1]] = Tile.MOUNTAIN


def _walls(canvas: TurnedMap, curtain: RectangularRoom, moat: int, *, towers: bool) -> None:
    """Dig the moat, build the wall and its towers, open the gate, and pave the way to it."""
    if moat:
        canvas.tiles[curtain.grown(1 + TOWER + moat).inner] = Tile.WATER
    canvas.tiles[curtain.grown(1).inner] = Tile.WALL
    canvas.tiles[curtain.inner] = Tile.ROAD
    left, right = canvas.axis[0], canvas.axis[-1]
    west, north, south = curtain.x - 1, curtain.y - 1, curtain.y + curtain.height
    if towers:
        for x, y in ((west, north), (west, south), (left - 3, south)):
            tower = RectangularRoom(x, y, 1, 1).grown(TOWER - 1)
            canvas.build(tower, Tile.FLOOR)
            canvas.list_room(tower)
            canvas.list_room(canvas.image(tower))
        canvas.door(west + TOWER, north + TOWER - 1)
        canvas.door(west + TOWER, south - TOWER + 1)
        canvas.door(left - 3, south - TOWER)
    for x in range(left, right + 1):
        outside = canvas.tiles[south + 1 : -1, x]
        outside[:] = np.where(outside == Tile.WATER, Tile.BRIDGE, Tile.ROAD)
        canvas.tiles[south, x] = Tile.DOOR


def _breach(canvas: TurnedMap, curtain: RectangularRoom, moat: int, rng: Rng) -> None:
    """Turn a piece of the wall on one side to rubble, and the moat before it to shallows."""
    width = rng.between(2, 4)
    right, bottom = curtain.x + curtain.width, curtain.y + curtain.height
    highest = curtain.y + TOWER + 2
    top = rng.between(highest, max(highest, bottom - 8))
    rows = slice(top, min(top + width, bottom - TOWER - 1))
    fallen = canvas.tiles[rows, curtain.x - 1 - TOWER - moat : curtain.x + 1]
    if rng.chance(0.5):
        fallen = canvas.tiles[rows, right - 1 : right + TOWER + moat + 1]
    fallen[fallen == Tile.WATER] = Tile.SHALLOWS
    fallen[fallen == Tile.WALL] = Tile.RUBBLE


def _keep(
    canvas: TurnedMap,
    keep: RectangularRoom,
    rng: Rng,
    least: int,
    most: int,
    doors: float,
    straight: float,
) -> Iterator[str]:
    """Build halls along the axis, a wing to the left of them and its image to the right."""
    hall = max(least, min(15, keep.width * 3 // 10))
    left = (canvas.width - hall) // 2
    if left - 1 - keep.x < least:
        left = keep.x
    halls = _halls(replace(keep, x=left, width=canvas.width - 2 * left), least)
    side = replace(keep, width=left - 1 - keep.x)
    wing = divide(side, rng, least, most) if left > keep.x else []
    owner = np.zeros(canvas.tiles.shape, np.int32)
    for number, room in enumerate([*halls, *wing], 1):
        canvas.build(room, Tile.FLOOR)
        owner[room.inner] = number
    for room in wing:
        canvas.list_room(room)
        canvas.list_room(canvas.image(room))
    for room in reversed(halls):
        canvas.list_room(room)
        _furnish(canvas, room)
    canvas.show()
    yield f"A keep of {pluralise(len(halls) + 2 * len(wing), 'room')}"
    aside = bool(wing) and len(halls) > 1 and not rng.chance(straight)
    for room in halls[aside:]:
        canvas.tiles[room.y + room.height, canvas.axis] = Tile.DOOR
    owner[:, canvas.axis[-1] + 1 :] = 0
    ways = possible_doors(owner)
    if aside:
        ways = {pair: spots for pair, spots in ways.items() if pair != (1, 2)}
    row = list(range(1 + aside, len(halls) + 1))
    for x, y in chosen_doors(ways, [row], rng, doors):
        canvas.door(x, y)
    canvas.show()
    yield "Doors"


def _halls(spine: RectangularRoom, least: int) -> list[RectangularRoom]:
    """Cut the spine into rooms, from back to front: a small last room if it fits, then halls."""
    heights = [least + 1] if spine.height >= 4 * least + 4 else []
    rest = spine.height - sum(heights) - len(heights)
    number = max(1, -(-rest // 20))
    halls = []
    for height in heights + [(rest - number + 1) // number] * (number - 1):
        hall, spine = spine.halves(False, height, gap=1)
        halls.append(hall)
    return [*halls, spine]


def _furnish(canvas: TurnedMap, hall: RectangularRoom) -> None:
    """Place a carpet along the axis, and pillars or statues on both sides where there is room."""
    rows, _ = hall.inner
    canvas.tiles[rows, canvas.axis[0] : canvas.axis[-1] + 1] = Tile.CARPET
    if hall.width >= 5 and 4 <= hall.height < 6:
        canvas.door(hall.x + 1, hall.y, Tile.STATUE)
    if hall.width >= 7 and hall.height >= 6:
        for y in range(hall.y + 1, hall.y + hall.height - 1, 3):
            canvas.door(hall.x + 1, y, Tile.PILLAR)
