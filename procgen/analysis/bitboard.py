"""Bitboards: a map as one long integer with one bit per tile, as in chess programs.

A shift moves all tiles at once, so flood fills, dead ends and chokepoints of a whole map take a few
integer operations, where NumPy would allocate an array for each.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Mask
from procgen.analysis.distances import DIRECTIONS, UNREACHED

Scalar = TypeVar("Scalar", bound=np.generic)


class Bitboard(NamedTuple):
    """Bit ``(y + 1) * stride + x`` of ``bits`` is the tile (x, y).

    An extra column, and a row above and below, are closed: without them a shift by 1 or ``stride``
    would carry a tile over the edge of the map into the next row.
    """

    bits: int
    width: int
    height: int

    @classmethod
    def of(cls, mask: Mask) -> "Bitboard":
        """Return the bitboard of ``mask[y, x]``."""
        height, width = mask.shape
        padded = np.zeros((height + 2, width + 1), np.bool_)
        padded[1:-1, :-1] = mask
        packed = np.packbits(padded.ravel(), bitorder="little")
        return cls(int.from_bytes(packed.tobytes(), "little"), width, height)

    @property
    def stride(self) -> int:
        """The distance in bits between a tile and the one below it."""
        return self.width + 1

    def place(self, x: int, y: int) -> int:
        """Return the index of the bit of (x, y)."""
        return (y + 1) * self.stride + x

    def at(self, x: int, y: int) -> int:
        """Return the integer with only the bit of (x, y) set."""
        return 1 << self.place(x, y)

    def first(self, bits: int) -> tuple[int, int]:
        """Return the first (x, y) in reading order among the set ``bits``."""
        y, x = divmod((bits & -bits).bit_length() - 1, self.stride)
        return x, y - 1

    def field(self, bits: int) -> Mask:
        """Return ``bits`` as a bool array [y, x] that includes the closed rows and column."""
        size = (self.height + 2) * self.stride
        packed = np.frombuffer(bits.to_bytes((size + 7) // 8, "little"), np.uint8)
        mask = np.unpackbits(packed, bitorder="little", count=size).view(np.bool_)
        return mask.reshape(self.height + 2, self.stride)

    def places(self, bits: int) -> NDArray[np.intp]:
        """Return the indices of the set ``bits``, intp [n], in reading order."""
        return np.flatnonzero(self.field(bits))

    def trimmed(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return ``values``, one per bit, as an array [y, x] of the map."""
        return values.reshape(self.height + 2, self.stride)[1:-1, :-1]

    @property
    def mask(self) -> Mask:
        """The set tiles, bool [y, x]."""
        return self.trimmed(self.field(self.bits))

    @property
    def rows(self) -> list[int]:
        """The set tiles, as one integer per row in the format of `pack_rows`."""
        stride, row = self.stride, (1 << self.width) - 1
        return [self.bits >> y * stride & row for y in range(1, self.height + 1)]

    @property
    def tiles(self) -> int:
        """The number of set tiles."""
        return self.bits.bit_count()

    def dead_ends(self) -> int:
        """Return, as bits, the tiles with one 4-neighbour."""
        bits, stride = self.bits, self.stride
        left, right, above, below = bits << 1, bits >> 1, bits << stride, bits >> stride
        # An odd number of neighbours is one or three, and of three, two face each other.
        both = left & right | above & below
        return bits & (left ^ right ^ above ^ below) & ~both

    def connected_components(self) -> Iterator[int]:
        """Yield the 4-connected regions, as bits, in reading order of their first tiles."""
        left = self.bits
        while left:
            part = self.flood_fill(left & -left)
            yield part
            left ^= part

    def sides(self, bits: int) -> int:
        """Return, as bits, the tiles N, E, S and W of ``bits``, including closed ones."""
        return bits << 1 | bits >> 1 | bits << self.stride | bits >> self.stride

    def flood_fill(self, flood: int) -> int:
        """Return, as bits, the set tiles that a flood fill in 4 directions finds from ``flood``."""
        bits, stride, part = self.bits, self.stride, 0
        while part != flood:
            part = flood
            flood = (part | part << 1 | part >> 1 | part << stride | part >> stride) & bits
        return part

    def loops(self, parts: int) -> int:
        """Return the number of independent loops of a map of ``parts`` 4-connected regions.

        By the Euler characteristic: parts - vertices + edges - unit squares.
        """
        across, down = self.bits & self.bits >> 1, self.bits & self.bits >> self.stride
        squares = across & across >> self.stride
        edges = across.bit_count() + down.bit_count()
        return parts - self.tiles + edges - squares.bit_count()

    def locally_separating(self) -> tuple[int, int]:
        """Return, as bits, the tiles whose 4-neighbours are not connected around them.

        Only these can be articulation points: any other tile can be walked around within its
        eight neighbours. The second number holds those of them with exactly two 4-neighbours.
        """
        bits, stride = self.bits, self.stride
        north, south = bits << stride, bits >> stride
        east, west = bits >> 1, bits << 1
        ne, se = north >> 1, south >> 1
        nw, sw = north << 1, south << 1
        gaps = (north & ~(ne & east), east & ~(se & south), south & ~(sw & west))
        tight = bits & _at_least_two(*gaps, west & ~(nw & north))
        few = ~(north & south & (east | west) | east & west & (north | south))
        return tight, tight & few

    def generation(self, birth: int, survive: int, *, outside: bool = False) -> "Bitboard":
        """Return the next generation of a cellular automaton.

        A set tile stays set with at least ``survive`` set tiles among its 8 neighbours; an unset
        one becomes set with at least ``birth``. Tiles beyond the map count as set if ``outside``.
        """
        stride, inside = self.stride, _inside(self.width, self.height)
        bits = self.bits | (_outside(self.width, self.height) if outside else 0)
        left, right = bits << 1 | outside, bits >> 1
        # Neighbour counts in binary, one integer per binary digit: all tiles are added at once.
        ones, twos = left ^ bits ^ right, left & bits | (left ^ bits) & right
        above, below, middle = ones << stride, ones >> stride, left ^ right
        count = [above ^ below ^ middle]
        carried = above & below | (above ^ below) & middle
        above, below, middle = twos << stride, twos >> stride, left & right
        outer, inner = above ^ below, middle ^ carried
        count.append(outer ^ inner)
        both, also = above & below, middle & carried
        count += [both ^ also ^ outer & inner, both & also]
        stay = _at_least(count, survive, inside)
        if birth != survive:
            stay = stay & self.bits | _at_least(count, birth, inside) & ~self.bits
        return Bitboard(stay, self.width, self.height)

    def openness(self) -> float:
        """Return the mean steps in 8 directions from a set tile to the nearest closed one.

        The edge of the map does not count as closed; -1 if nothing is closed.
        """
        bits, stride, inside = self.bits, self.stride, _inside(self.width, self.height)
        if bits == inside:
            return -1.0
        outside = _outside(self.width, self.height)
        total = 0
        while bits:
            total += bits.bit_count()
            bits |= outside
            bits &= (bits << 1 | 1) & bits >> 1
            bits = bits & bits << stride & bits >> stride & inside
        return total / max(1, self.tiles)

    def bfs_layers(self, start: tuple[int, int], *, diagonal: bool = True) -> Iterator[int]:
        """Yield, as bits, the tiles 0, 1, 2 … steps from ``start``, in 8 directions or else 4.

        A breadth-first search that expands all tiles at one distance at once.
        """
        stride, edge = self.stride, self.at(*start)
        fresh = self.bits & ~edge
        while edge:
            yield edge
            wide = edge | edge << 1 | edge >> 1
            aside = wide if diagonal else edge
            edge = (wide | aside << stride | aside >> stride) & fresh
            fresh ^= edge

    def steps(self, start: tuple[int, int], end: tuple[int, int]) -> int:
        """Return the fewest steps in 8 directions from ``start`` to ``end``, or `UNREACHED`."""
        goal = self.at(*end)
        counts = (count for count, layer in enumerate(self.bfs_layers(start)) if layer & goal)
        return next(counts, UNREACHED)

    def nearest(
        self, goals: int, start: tuple[int, int], limit: int = UNREACHED
    ) -> tuple[int, int] | None:
        """Return the tile of the bits ``goals`` nearest to ``start``, within ``limit`` steps.

        On a tie, the first in reading order is taken. None if there is no such tile.
        """
        for layer in islice(self.bfs_layers(start), limit + 1):
            if hits := layer & goals:
                return self.first(hits)
        return None

    def path(
        self, start: tuple[int, int], end: tuple[int, int], limit: int = UNREACHED
    ) -> list[tuple[int, int]] | None:
        """Return a shortest path in 8 directions from ``start`` (not included) to ``end``.

        It takes the first of `DIRECTIONS` that leads nearer; None if it has over ``limit`` steps.
        """
        layers, home = list[int](), self.at(*start)
        for layer in islice(self.bfs_layers(end), limit + 1):
            if layer & home:
                return self._downhill(layers, *start)
            layers.append(layer)
        return None

    def _downhill(self, layers: list[int], x: int, y: int) -> list[tuple[int, int]]:
        """Return the path from (x, y) through one tile of each layer, the last layer first."""
        path = []
        for layer in reversed(layers):
            for dx, dy in DIRECTIONS:
                if layer & self.at(x + dx, y + dy):
                    x, y = x + dx, y + dy
                    break
            path.append((x, y))
        return path


def _at_least(count: list[int], number: int, inside: int) -> int:
    """Return, as bits, the tiles ``inside`` whose binary ``count`` is at least ``number``."""
    reached, number = inside, min(number, 15)
    for digits in count:
        reached = digits & reached if number & 1 else digits | reached
        number >>= 1
    return reached & inside


def _at_least_two(a: int, b: int, c: int, d: int) -> int:
    """Return the bits that are set in at least two of four numbers."""
    return a & b | c & d | (a | b) & (c | d)


@lru_cache(maxsize=64)
def _inside(width: int, height: int) -> int:
    """Return the bits of all tiles of a map."""
    return Bitboard.of(np.ones((height, width), np.bool_)).bits


@lru_cache(maxsize=64)
def _outside(width: int, height: int) -> int:
    """Return the bits of the closed column and rows around a map."""
    return (1 << (height + 2) * (width + 1)) - 1 ^ _inside(width, height)


def within_reach(
    open_tiles: Mask,
    start: tuple[int, int],
    end: tuple[int, int],
    limit: int,
    *,
    diagonal: bool = False,
) -> bool:
    """Return True if at most ``limit`` steps over ``open_tiles[y, x]`` lead from start to end.

    Steps go N, E, S or W, or with ``diagonal`` in 8 directions. Only tiles within ``limit`` of
    both ends are searched, so the cost does not grow with the map.
    """
    across, down = abs(end[0] - start[0]), abs(end[1] - start[1])
    if (max(across, down) if diagonal else across + down) > limit:
        return False
    left, top = (max(0, max(pair) - limit) for pair in zip(start, end, strict=True))
    right, bottom = (min(pair) + limit + 1 for pair in zip(start, end, strict=True))
    board = Bitboard.of(open_tiles[top:bottom, left:right])
    goal = board.at(end[0] - left, end[1] - top)
    layers = board.bfs_layers((start[0] - left, start[1] - top), diagonal=diagonal)
    return any(layer & goal for layer in islice(layers, limit + 1))


def pack_rows(mask: Mask) -> list[int]:
    """Return one integer per row of ``mask[y, x]``: bit ``x`` is the tile in column x."""
    packed = np.packbits(mask, axis=1, bitorder="little")
    width = packed.shape[1]
    data = packed.tobytes()
    starts = range(0, len(data), width)
    return [int.from_bytes(data[start : start + width], "little") for start in starts]


def unpack_rows(rows: Sequence[int], width: int) -> Mask:
    """Return the mask, ``width`` columns wide, from which `pack_rows` made ``rows``."""
    data = b"".join([row.to_bytes((width + 7) // 8, "little") for row in rows])
    packed = np.frombuffer(data, np.uint8).reshape(len(rows), -1)
    return np.unpackbits(packed, 1, width, "little").view(np.bool_)


def overlaps(rows: Sequence[int], shape: Sequence[int], x: int, y: int) -> bool:
    """Return True if ``shape`` with its upper left corner at (x, y) overlaps ``rows``."""
    for row, other in zip(shape, rows[y : y + len(shape)], strict=True):  # noqa: SIM110 (half the time)
        if row << x & other:
            return True
    return False


def widened(rows: list[int]) -> list[int]:
    """Return ``rows`` with the eight neighbours of every set bit set too; no rows are added."""
    wide = [row << 1 | row | row >> 1 for row in rows]
    above, below = [0, *wide[:-1]], [*wide[1:], 0]
    return [a | b | c for a, b, c in zip(above, wide, below, strict=True)]
