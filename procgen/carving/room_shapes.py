"""Room shapes: rectangle, circle, ring, cross, pillared hall, discs, cave; by name and weight."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from operator import or_

import numpy as np

from entities.terrain import Mask, Tile
from procgen.analysis.bitboard import Bitboard, pack_rows, unpack_rows
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.rng import Dice, Rng


@dataclass(frozen=True)
class RoomShape:
    """A room before it is placed: its floor as bits, and a core that stays clear.

    Bit ``x`` of ``rows[y]`` is the tile (x, y). ``core`` is a rectangle of floor. Every shape
    touches all four sides of its box, ``width`` by `height`, and is one 4-connected piece.
    ``pillars`` are the (x, y) of those of its holes that become pillars.
    """

    rows: tuple[int, ...]
    width: int
    core: RectangularRoom
    pillars: tuple[tuple[int, int], ...] = ()

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @cached_property
    def mask(self) -> Mask:
        """The floor, bool [y, x]."""
        return unpack_rows(self.rows, self.width)

    def build(self, plan: Blueprint, x: int, y: int) -> None:
        """Dig the floor with its upper left corner at (x, y), and add the core to the rooms."""
        plan.tiles[y : y + self.height, x : x + self.width][self.mask] = Tile.FLOOR
        for dx, dy in self.pillars:
            plan.tiles[y + dy, x + dx] = Tile.PILLAR
        core = self.core
        plan.rooms.append(RectangularRoom(x + core.x, y + core.y, core.width, core.height))


def rectangle(rng: Rng, width: int, height: int) -> RoomShape:
    """Return a plain room."""
    return RoomShape(((1 << width) - 1,) * height, width, RectangularRoom(0, 0, width, height))


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
    rows, rim = [*disc(side, side)], (side - hole) // 2
    for y, row in enumerate(disc(hole, hole) if hole else (), rim):
        rows[y] ^= row << rim
    return with_square_core(rows)


def cross(rng: Rng, width: int, height: int) -> RoomShape:
    """Return a horizontal and a vertical bar that cross in the middle or beside it."""
    if min(width, height) < 3:
        return rectangle(rng, width, height)
    tall, wide = (rng.between((side + 2) // 3, (side + 1) // 2) for side in (height, width))
    top, left = (_inset(rng, side - part) for side, part in ((height, tall), (width, wide)))
    full, upright = (1 << width) - 1, (1 << wide) - 1 << left
    rows = (upright,) * top + (full,) * tall + (upright,) * (height - top - tall)
    lying, standing = (RectangularRoom(0, top, width, tall), RectangularRoom(left, 0, wide, height))
    return RoomShape(rows, width, max(lying, standing, key=lambda bar: bar.area))


def _inset(rng: Rng, spare: int) -> int:
    """Return a random offset: the middle half of the time, else anything but 0 and ``spare``."""
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
        return RoomShape(tuple(pack_rows(standing.mask.T)), width, turned, pillars)
    if width < 9 or height < 7:
        return rectangle(rng, width, height)
    first = 1 + (2 * width) % 3
    columns, full = range(first, width - first, 3), (1 << width) - 1
    rows = [full] * height
    rows[1] = rows[-2] = full - sum(1 << x for x in columns)
    pillars = tuple((x, y) for y in (1, height - 2) for x in columns)
    return RoomShape(tuple(rows), width, RectangularRoom(0, 2, width, height - 4), pillars)


@lru_cache(maxsize=256)
def disc(width: int, height: int) -> tuple[int, ...]:
    """Return the rows of an ellipse that touches all four sides of its box, by integers only."""
    y, x = np.ogrid[1 - height : height : 2, 1 - width : width : 2]
    return tuple(pack_rows((x * height) ** 2 + (y * width) ** 2 <= (width * height) ** 2))


def with_square_core(rows: Sequence[int]) -> RoomShape:
    """Return the shape whose core is its largest square of floor with an odd side.

    Of several, the one nearest the middle is taken, and on a tie the first in reading order. Empty
    rows and columns around the floor in ``rows`` are cropped.
    """
    floor = [y for y, row in enumerate(rows) if row]
    union = reduce(or_, rows)
    left = (union & -union).bit_length() - 1
    rows = [row >> left for row in rows[floor[0] : floor[-1] + 1]]
    width, height, reach, room = union.bit_length() - left, len(rows), 0, rows
    while any(smaller := _eroded(room)):
        room, reach = smaller, reach + 1
    spots = [(x, y) for y, row in enumerate(room, reach) for x in range(width) if row >> x & 1]
    x, y = min(spots, key=lambda spot: abs(2 * spot[0] - width + 1) + abs(2 * spot[1] - height + 1))
    side = 2 * reach + 1
    return RoomShape(tuple(rows), width, RectangularRoom(x - reach, y - reach, side, side))


def _eroded(rows: Sequence[int]) -> list[int]:
    """Return the tiles whose 8 neighbours are all set, without the first and the last row."""
    thin = [row & row << 1 & row >> 1 for row in rows]
    return [a & b & c for a, b, c in zip(thin, thin[1:], thin[2:], strict=False)]


def chunky(rng: Rng, width: int, height: int) -> RoomShape:
    """Return a disc in the middle with a few others overlapping it."""
    if min(width, height) < 5:
        return circle(rng, width, height)
    wide, tall = (width + 1) // 2, (height + 1) // 2
    part, rows = disc(wide, tall), [0] * height
    x, y = (width - wide) // 2, (height - tall) // 2
    for left in range(rng.between(3, 6), -1, -1):
        for number, row in enumerate(part, y):
            rows[number] |= row << x
        if left:
            x, y = rng.between(0, width - wide), rng.between(0, height - tall)
    return with_square_core(rows)


def cave(rng: Rng, width: int, height: int) -> RoomShape:
    """Return the largest region of a small cellular automaton, or a disc if that is small."""
    floor = Bitboard.of(rng.random_bytes(height, width) < 145)
    for _ in range(4):
        floor = floor.generation(birth=5, survive=4)
    largest = max(floor.connected_components(), key=int.bit_count, default=0)
    if 3 * largest.bit_count() < width * height:
        return circle(rng, width, height)
    return with_square_core(floor._replace(bits=largest).rows)


SHAPES: dict[str, Callable[[Rng, int, int], RoomShape]] = {
    shape.__name__: shape for shape in (rectangle, circle, cross, ring, hall, chunky, cave)
}


def random_shape(
    weights: dict[str, int], rng: Rng, sides: tuple[int, int], plan: Blueprint
) -> tuple[str, RoomShape]:
    """Return the name and the shape of a random room, with the kinds drawn by ``weights``.

    ``sides`` are the least and greatest side, less where two such rooms would not fit on the map.
    """
    kind = rng.weighted(weights) if any(weights.values()) else "rectangle"
    width, height = (random_side(rng, *sides, span) for span in (plan.width, plan.height))
    return kind, SHAPES[kind](rng, width, height)


def random_side(rng: Rng | Dice, low: int, high: int, span: int) -> int:
    """Return a side from ``low`` to ``high``, or less if two would not fit within ``span``."""
    most = max(1, min(high, (span - 3) // 2))
    return rng.between(min(low, most), most)
