"""A fortress in the wilds: moat, curtain wall, towers, a ward, and a keep with two wings."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from entities.terrain import Tile, terrain
from entities.wording import pluralise
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.carving.region_links import DisjointSets
from procgen.rng import Rng
from procgen.step_registry import Share, Side, Tiles, step


class Box(NamedTuple):
    """A rectangle given by its outermost tiles, which are its walls."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Columns within the walls."""
        return self.right - self.left - 1

    @property
    def height(self) -> int:
        """Rows within the walls."""
        return self.bottom - self.top - 1

    @property
    def inner(self) -> tuple[slice, slice]:
        """The area within the walls, as an index into ``tiles[y, x]``."""
        return slice(self.top + 1, self.bottom), slice(self.left + 1, self.right)

    @property
    def whole(self) -> tuple[slice, slice]:
        """The box with its walls, as an index into ``tiles[y, x]``."""
        return slice(self.top, self.bottom + 1), slice(self.left, self.right + 1)

    def grown(self, by: int) -> "Box":
        """Return the box with every side moved outwards."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


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

    def image(self, box: Box) -> Box:
        """Return ``box`` mirrored across the axis."""
        return Box(self.width - 1 - box.right, box.top, self.width - 1 - box.left, box.bottom)

    def build(self, box: Box, floor: int) -> None:
        """Build walls around ``box`` and its image, with ``floor`` inside."""
        for room in (box, self.image(box)):
            self.tiles[room.whole] = Tile.WALL
            self.tiles[room.inner] = floor

    def door(self, x: int, y: int, tile: int = Tile.DOOR) -> None:
        """Place ``tile`` at (x, y) and its image."""
        self.tiles[y, [x, self.width - 1 - x]] = tile

    def list_room(self, box: Box) -> None:
        """Add the room within ``box`` to the plan, rotated like the tiles."""
        corners = [(box.left + 1, box.top + 1), (box.right - 1, box.bottom - 1)]
        width, height = self.width, self.height
        for _ in range(self.turn):
            corners = [(y, width - 1 - x) for x, y in corners]
            width, height = height, width
        (x1, x2), (y1, y2) = (sorted(ends) for ends in zip(*corners, strict=True))
        self.plan.rooms.append(RectangularRoom(x1, y1, x2 - x1 + 1, y2 - y1 + 1))


def divide(box: Box, rng: Rng, least: int, most: int) -> list[Box]:
    """Cut ``box`` into boxes that share walls, with sides of ``least`` to about ``most`` tiles.

    No side is shorter than ``least``. A box that is small enough already is cut with chance 1/2.
    """
    wide, high = box.width, box.height
    across = wide > high if wide != high else rng.chance(0.5)
    side = wide if across else high
    if side < 2 * least + 1 or (side <= most and rng.chance(0.5)):
        return [box]
    cut = rng.between(least, side - least - 1) + 1
    if across:
        halves = box._replace(right=box.left + cut), box._replace(left=box.left + cut)
    else:
        halves = box._replace(bottom=box.top + cut), box._replace(top=box.top + cut)
    return [part for half in halves for part in divide(half, rng, least, most)]


def possible_doors(owner: NDArray[np.int32]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Return, for each pair of rooms with a wall between them, the (x, y) where a door could be.

    ``owner[y, x]`` is the number of the room whose floor a tile is, 0 for none.
    """
    doors: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for near, far, dx, dy in ((owner[:, :-2], owner[:, 2:], 1, 0), (owner[:-2], owner[2:], 0, 1)):
        meet = (near != far) & (near > 0) & (far > 0)
        ys, xs = np.nonzero(meet)
        pairs = zip(near[meet].tolist(), far[meet].tolist(), strict=True)
        for pair, x, y in zip(pairs, (xs + dx).tolist(), (ys + dy).tolist(), strict=True):
            doors.setdefault(pair, []).append((x, y))
    return doors


def chosen_doors(
    ways: dict[tuple[int, int], list[tuple[int, int]]],
    joined: list[list[int]],
    rng: Rng,
    more: float,
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
    curtain = Box(across, behind, canvas.width - 1 - across, canvas.height - 1 - before)
    flank, back, front = (max(2, rng.varied(ward, vary)) if vary else ward for _ in range(3))
    right, bottom = curtain.right - flank - 1, curtain.bottom - max(2 * front, ward + 3)
    keep = Box(curtain.left + flank + 1, curtain.top + back + 1, right, bottom)
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
        _court(canvas, curtain, rng)
        if moat and rng.chance(breach):
            _breach(canvas, curtain, moat, rng)
        canvas.show()
        yield "The ward"
    yield from _keep(canvas, keep if warded else curtain, rng, least, most, doors, straight)


def _wilderness(canvas: TurnedMap, rng: Rng) -> None:
    """Cover the map with grass and rubble, forest where noise is dense, mountains at the edge."""
    tiles = canvas.tiles
    height, width = tiles.shape
    noise = rng.noise(height, width).astype(np.int32)
    thick = scipy.ndimage.uniform_filter(noise * 16, 5, mode="nearest")
    tiles[:] = np.where(thick > 16 * 140, Tile.FOREST, Tile.GRASS)
    tiles[(noise < 4) & (tiles == Tile.GRASS)] = Tile.RUBBLE
    tiles[[0, -1], :] = tiles[:, [0, -1]] = Tile.MOUNTAIN


def _walls(canvas: TurnedMap, curtain: Box, moat: int, *, towers: bool) -> None:
    """Dig the moat, build the wall and its towers, open the gate, and pave the way to it."""
    if moat:
        canvas.tiles[curtain.grown(TOWER + moat).whole] = Tile.WATER
    canvas.tiles[curtain.whole] = Tile.WALL
    canvas.tiles[curtain.inner] = Tile.ROAD
    left, right = canvas.axis[0], canvas.axis[-1]
    if towers:
        corner = Box(curtain.left, curtain.top, curtain.left, curtain.top).grown(TOWER)
        lower = Box(curtain.left, curtain.bottom, curtain.left, curtain.bottom).grown(TOWER)
        gate = Box(left - 5, curtain.bottom - TOWER, left - 1, curtain.bottom + TOWER)
        for tower in (corner, lower, gate):
            canvas.build(tower, Tile.FLOOR)
            canvas.list_room(tower)
            canvas.list_room(canvas.image(tower))
        canvas.door(corner.right, corner.bottom - 1)
        canvas.door(lower.right, lower.top + 1)
        canvas.door(gate.left + 2, gate.top)
    for x in range(left, right + 1):
        outside = canvas.tiles[curtain.bottom + 1 : -1, x]
        outside[:] = np.where(outside == Tile.WATER, Tile.BRIDGE, Tile.ROAD)
        canvas.tiles[curtain.bottom, x] = Tile.DOOR


def _court(canvas: TurnedMap, curtain: Box, rng: Rng) -> None:
    """Turn some of the ward's paving to grass."""
    court = canvas.tiles[curtain.inner]
    worn = rng.noise(*court.shape) < 40
    court[worn & (court == Tile.ROAD)] = Tile.GRASS


def _breach(canvas: TurnedMap, curtain: Box, moat: int, rng: Rng) -> None:
    """Turn a piece of the wall on one side to rubble, and the moat before it to shallows."""
    width = rng.between(2, 4)
    top = rng.between(curtain.top + TOWER + 3, max(curtain.top + TOWER + 3, curtain.bottom - 8))
    rows = slice(top, min(top + width, curtain.bottom - TOWER - 1))
    fallen = canvas.tiles[rows, curtain.left - TOWER - moat : curtain.left + 2]
    if rng.chance(0.5):
        fallen = canvas.tiles[rows, curtain.right - 1 : curtain.right + TOWER + moat + 1]
    fallen[fallen == Tile.WATER] = Tile.SHALLOWS
    fallen[fallen == Tile.WALL] = Tile.RUBBLE


def _keep(
    canvas: TurnedMap, keep: Box, rng: Rng, least: int, most: int, doors: float, straight: float
) -> Iterator[str]:
    """Build halls along the axis, a wing to the left of them and its image to the right."""
    hall = max(least, min(15, keep.width * 3 // 10))
    left = (canvas.width - hall) // 2 - 1
    if left - keep.left - 1 < least:
        left = keep.left
    halls = _halls(Box(left, keep.top, canvas.width - 1 - left, keep.bottom), least)
    wing = divide(keep._replace(right=left), rng, least, most) if left > keep.left else []
    owner = np.zeros(canvas.tiles.shape, np.int32)
    for number, box in enumerate([*halls, *wing], 1):
        canvas.build(box, Tile.FLOOR)
        owner[box.inner] = number
    for box in wing:
        canvas.list_room(box)
        canvas.list_room(canvas.image(box))
    for box in reversed(halls):
        canvas.list_room(box)
        _furnish(canvas, box)
    canvas.show()
    yield f"A keep of {pluralise(len(halls) + 2 * len(wing), 'room')}"
    aside = bool(wing) and len(halls) > 1 and not rng.chance(straight)
    for box in halls[aside:]:
        canvas.tiles[box.bottom, canvas.axis] = Tile.DOOR
    owner[:, canvas.axis[-1] + 1 :] = 0
    ways = possible_doors(owner)
    if aside:
        ways = {pair: spots for pair, spots in ways.items() if pair != (1, 2)}
    row = list(range(1 + aside, len(halls) + 1))
    for x, y in chosen_doors(ways, [row], rng, doors):
        canvas.door(x, y)
    canvas.show()
    yield "Doors"


def _halls(spine: Box, least: int) -> list[Box]:
    """Cut the spine into rooms, from back to front: a small last room if it fits, then halls."""
    heights = [least + 1] if spine.height >= 4 * least + 4 else []
    rest = spine.height - sum(heights) - len(heights)
    number = max(1, -(-rest // 20))
    boxes, top = [], spine.top
    for height in heights + [(rest - number + 1) // number] * (number - 1):
        boxes.append(spine._replace(top=top, bottom=top + height + 1))
        top += height + 1
    return [*boxes, spine._replace(top=top)]


def _furnish(canvas: TurnedMap, box: Box) -> None:
    """Place a carpet along the axis, and pillars or statues on both sides where there is room."""
    canvas.tiles[box.top + 1 : box.bottom, canvas.axis[0] : canvas.axis[-1] + 1] = Tile.CARPET
    if box.width >= 5 and 4 <= box.height < 6:
        canvas.door(box.left + 2, box.top + 1, Tile.STATUE)
    if box.width >= 7 and box.height >= 6:
        for y in range(box.top + 2, box.bottom - 1, 3):
            canvas.door(box.left + 2, y, Tile.PILLAR)
