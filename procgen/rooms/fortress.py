"""The ground plan of a fortress, its gate to the south, its left half the image of its right."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.furnishing.ground import taken
from procgen.rng import Rng
from procgen.ways.spanning import Groups


class Box(NamedTuple):
    """A rectangle by its outermost tiles: those of its walls."""

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
        """What lies within the walls, as an index into ``tiles[y, x]``."""
        return slice(self.top + 1, self.bottom), slice(self.left + 1, self.right)

    @property
    def whole(self) -> tuple[slice, slice]:
        """The box with its walls, as an index into ``tiles[y, x]``."""
        return slice(self.top, self.bottom + 1), slice(self.left, self.right + 1)

    def grown(self, by: int) -> "Box":
        """Return the box with every side moved outwards."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


class Site:
    """A drawing board as large as the map, turned so that south is where the gate looks.

    ``turn`` is by how many quarters the drawing is turned when it is shown on the plan.
    """

    def __init__(self, plan: Blueprint, turn: int) -> None:
        self.plan, self.turn = plan, turn
        self.tiles = np.rot90(plan.tiles, -turn).copy()
        self.height, self.width = self.tiles.shape
        self.axis = sorted({(self.width - 1) // 2, self.width // 2})

    def show(self) -> None:
        """Put the drawing on the plan, but wall in nobody who stands there already."""
        tiles = self.plan.tiles
        tiles[:] = np.rot90(self.tiles, self.turn)
        for x, y in taken(self.plan):
            if not terrain().walkable[tiles[y, x]]:
                tiles[y, x] = Tile.FLOOR

    def image(self, box: Box) -> Box:
        """Return the box on the other side of the axis."""
        return Box(self.width - 1 - box.right, box.top, self.width - 1 - box.left, box.bottom)

    def build(self, box: Box, floor: int) -> None:
        """Wall ``box`` and its image in, with a ``floor`` inside."""
        for one in (box, self.image(box)):
            self.tiles[one.whole] = Tile.WALL
            self.tiles[one.inner] = floor

    def door(self, x: int, y: int, tile: int = Tile.DOOR) -> None:
        """Open (x, y) and its image."""
        self.tiles[y, [x, self.width - 1 - x]] = tile

    def list_room(self, box: Box) -> None:
        """Add the room within ``box`` to the plan, as it will lie there."""
        corners = [(box.left + 1, box.top + 1), (box.right - 1, box.bottom - 1)]
        width, height = self.width, self.height
        for _ in range(self.turn):
            corners = [(y, width - 1 - x) for x, y in corners]
            width, height = height, width
        (x1, x2), (y1, y2) = (sorted(ends) for ends in zip(*corners, strict=True))
        self.plan.rooms.append(RectangularRoom(x1, y1, x2 - x1 + 1, y2 - y1 + 1))


def divide(box: Box, rng: Rng, least: int, most: int) -> list[Box]:
    """Cut ``box`` into boxes that share walls, until no room's side exceeds ``most``.

    No room is narrower than ``least``; smaller ones than ``most`` are cut on a coin's toss.
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


def doorways(owner: NDArray[np.int32]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Return for each two rooms a wall apart the (x, y) where a door could be.

    ``owner[y, x]`` is the number of the room a tile is floor of, 0 for none.
    """
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for one, other, dx, dy in (
        (owner[:, :-2], owner[:, 2:], 1, 0),
        (owner[:-2], owner[2:], 0, 1),
    ):
        meet = (one != other) & (one > 0) & (other > 0)
        ys, xs = np.nonzero(meet)
        pairs = zip(one[meet].tolist(), other[meet].tolist(), strict=True)
        for pair, x, y in zip(pairs, (xs + dx).tolist(), (ys + dy).tolist(), strict=True):
            found.setdefault(pair, []).append((x, y))
    return found


def chosen_doors(
    ways: dict[tuple[int, int], list[tuple[int, int]]],
    joined: list[list[int]],
    rng: Rng,
    more: float,
) -> list[tuple[int, int]]:
    """Return doors that make one of all rooms, and a share of ``more`` of the others.

    ``joined`` are rooms that hang together already. (Kruskal's spanning tree, in random order.)
    """
    groups = Groups()
    for rooms in joined:
        for room in rooms:
            groups.join(rooms[0], room)
    return [
        rng.pick(ways[pair])
        for pair in rng.shuffled(sorted(ways))
        if groups.join(*pair) or rng.chance(more)
    ]
