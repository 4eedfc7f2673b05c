"""Room shapes: rectangle, circle, ring, cross, pillared hall, discs, cave; by name and weight."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from entities.terrain import Tile
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import Mask
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.rng import Rng


class RoomShape(NamedTuple):
    """A room before it is placed: its floor as ``mask[y, x]``, and a core that stays clear.

    ``core`` is a rectangle of floor within the mask. Every mask touches all four sides of its array
    and is one 4-connected piece. ``pillars`` are the (x, y) among its holes that carry the ceiling.
    """

    mask: Mask
    core: RectangularRoom
    pillars: tuple[tuple[int, int], ...] = ()

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.mask.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.mask.shape[0])

    def build(self, plan: Blueprint, x: int, y: int) -> None:
        """Open the floor with the mask's left upper corner at (x, y) and list the room."""
        plan.tiles[y : y + self.height, x : x + self.width][self.mask] = Tile.FLOOR
        for dx, dy in self.pillars:
            plan.tiles[y + dy, x + dx] = Tile.PILLAR
        core = self.core
        plan.rooms.append(RectangularRoom(x + core.x, y + core.y, core.width, core.height))


def rectangle(rng: Rng, width: int, height: int) -> RoomShape:
    """Return a plain room."""
    return RoomShape(np.ones((height, width), np.bool_), RectangularRoom(0, 0, width, height))


def circle(rng: Rng, width: int, height: int) -> RoomShape:
    """Return a disc as wide as the shorter side."""
    return _round(min(width, height), 0)


def ring(rng: Rng, width: int, height: int) -> RoomShape:
    """Return a disc around a large round pillar, or a plain disc if it is too small for one."""
    side = min(width, height)
    walk = 3 if side < 13 else 4
    return _round(side, side - 2 * walk if side >= 9 else 0)


@lru_cache(maxsize=64)
def _round(side: int, hole: int) -> RoomShape:
    mask = disc(side, side).copy()
    if hole:
        rim = (side - hole) // 2
        mask[rim : rim + hole, rim : rim + hole][disc(hole, hole)] = False
    mask.setflags(write=False)
    return with_square_core(mask)


def cross(rng: Rng, width: int, height: int) -> RoomShape:
    """Return a horizontal and a vertical bar that cross in the middle or beside it."""
    if min(width, height) < 3:
        return rectangle(rng, width, height)
    mask = np.zeros((height, width), np.bool_)
    tall, wide = (rng.between((side + 2) // 3, (side + 1) // 2) for side in (height, width))
    top, left = (_inset(rng, side - part) for side, part in ((height, tall), (width, wide)))
    mask[top : top + tall, :] = True
    mask[:, left : left + wide] = True
    lying, standing = (RectangularRoom(0, top, width, tall), RectangularRoom(left, 0, wide, height))
    return RoomShape(mask, max(lying, standing, key=lambda bar: bar.area))


def _inset(rng: Rng, spare: int) -> int:
    """Return an offset from the side: the middle half of the time, never 0 or ``spare``."""
    if spare < 2 or rng.chance(0.5):
        return spare // 2
    return rng.between(1, spare - 1)


def hall(rng: Rng, width: int, height: int) -> RoomShape:
    """Return a hall with pillars along both long sides, or a plain room if it is narrow."""
    if height > width:
        standing = hall(rng, height, width)
        core = standing.core
        turned = RectangularRoom(core.y, core.x, core.height, core.width)
        pillars = tuple((y, x) for x, y in standing.pillars)
        return RoomShape(np.ascontiguousarray(standing.mask.T), turned, pillars)
    if width < 9 or height < 7:
        return rectangle(rng, width, height)
    mask = np.ones((height, width), np.bool_)
    first = 1 + (2 * width) % 3
    pillars = tuple((x, y) for y in (1, height - 2) for x in range(first, width - first, 3))
    for x, y in pillars:
        mask[y, x] = False
    return RoomShape(mask, RectangularRoom(0, 2, width, height - 4), pillars)


@lru_cache(maxsize=256)
def disc(width: int, height: int) -> Mask:
    """Return an ellipse, bool [height, width], that touches all four sides; decided in integers."""
    x = (2 * np.arange(width) - width + 1) ** 2 * height**2
    y = (2 * np.arange(height) - height + 1) ** 2 * width**2
    mask: Mask = x[None, :] + y[:, None] <= width**2 * height**2
    mask.setflags(write=False)
    return mask


def with_square_core(mask: Mask) -> RoomShape:
    """Return the shape whose core is its largest odd square of floor, the one nearest the middle.

    Two equally near: the first in reading order.
    """
    shape, reach = Bitboard.of(mask), 0
    room, wide = shape.bits, shape.wide
    while smaller := (rows := room & room << 1 & room >> 1) & rows << wide & rows >> wide:
        room, reach = smaller, reach + 1
    spots = [(place % wide, place // wide - 1) for place in shape.places(room).tolist()]
    height, width = mask.shape
    x, y = min(spots, key=lambda spot: abs(2 * spot[0] - width + 1) + abs(2 * spot[1] - height + 1))
    side = 2 * reach + 1
    return RoomShape(mask, RectangularRoom(x - reach, y - reach, side, side))


def chunky(rng: Rng, width: int, height: int) -> RoomShape:
    """Return a disc in the middle with a few others overlapping it."""
    if min(width, height) < 5:
        return circle(rng, width, height)
    mask = np.zeros((height, width), np.bool_)
    wide, tall = (width + 1) // 2, (height + 1) // 2
    part = disc(wide, tall)
    y, x = (height - tall) // 2, (width - wide) // 2
    mask[y : y + tall, x : x + wide] |= part
    for _ in range(rng.between(3, 6)):
        x, y = rng.between(0, width - wide), rng.between(0, height - tall)
        mask[y : y + tall, x : x + wide] |= part
    return with_square_core(_trimmed(mask))


def cave(rng: Rng, width: int, height: int) -> RoomShape:
    """Return the largest chamber of a small cellular automaton; a disc where none is large."""
    floor = Bitboard.of(rng.noise(height, width) < 145)
    for _ in range(4):
        floor = floor.generation(birth=5, survive=4)
    largest = max(floor.parts(), key=int.bit_count, default=0)
    if 3 * largest.bit_count() < width * height:
        return circle(rng, width, height)
    return with_square_core(_trimmed(replace(floor, bits=largest).mask))


def _trimmed(mask: Mask) -> Mask:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


SHAPES: dict[str, Callable[[Rng, int, int], RoomShape]] = {
    "rectangle": rectangle,
    "circle": circle,
    "ring": ring,
    "cross": cross,
    "hall": hall,
    "chunky": chunky,
    "cave": cave,
}


def random_shape(
    weights: dict[str, int], rng: Rng, sides: tuple[int, int], plan: Blueprint
) -> tuple[str, RoomShape]:
    """Return the name and the shape of a room drawn from the mix of ``weights``.

    Its ``sides`` are from the least to the most, but never so long that two could not lie
    abreast on the map.
    """
    kind = rng.weighted(weights) if any(weights.values()) else "rectangle"
    width, height = (_side(rng, *sides, span) for span in (plan.width, plan.height))
    return kind, SHAPES[kind](rng, width, height)


def _side(rng: Rng, low: int, high: int, span: int) -> int:
    most = max(1, min(high, (span - 3) // 2))
    return rng.between(min(low, most), most)
