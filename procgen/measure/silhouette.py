"""A shape as one long integer, a bit a tile: questions answered for all tiles at once."""

from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from procgen.analysis import UNREACHED

Mask = NDArray[np.bool_]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Silhouette:
    """Bit ``(y + 1) * wide + x`` of ``bits`` is the tile (x, y).

    One more column, and a row above and below, are closed, so that no shift by ``wide`` or 1
    takes a tile from one edge of the map to another.
    """

    bits: int
    width: int
    height: int

    @classmethod
    def of(cls, mask: Mask) -> "Silhouette":
        """Return the silhouette of ``mask[y, x]``."""
        height, width = mask.shape
        padded = np.zeros((height + 2, width + 1), np.bool_)
        padded[1:-1, :-1] = mask
        packed = np.packbits(padded.ravel(), bitorder="little")
        return cls(int.from_bytes(packed.tobytes(), "little"), width, height)

    @property
    def wide(self) -> int:
        """How far apart two bits are that stand for tiles above each other."""
        return self.width + 1

    def place(self, x: int, y: int) -> int:
        """Return which bit stands for (x, y)."""
        return (y + 1) * self.wide + x

    def at(self, x: int, y: int) -> int:
        """Return the bit that stands for (x, y), as bits."""
        return 1 << self.place(x, y)

    def field(self, bits: int) -> Mask:
        """Return some ``bits`` of this map as an array, with the rows and the column around."""
        size = (self.height + 2) * self.wide
        packed = np.frombuffer(bits.to_bytes((size + 7) // 8, "little"), np.uint8)
        found = np.unpackbits(packed, bitorder="little", count=size).view(np.bool_)
        return found.reshape(self.height + 2, self.wide)

    def places(self, bits: int) -> NDArray[np.intp]:
        """Return the places of all ``bits`` that are set, intp [n], in reading order."""
        return np.flatnonzero(self.field(bits))

    def trimmed(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return values by place as an array [y, x]."""
        return values.reshape(self.height + 2, self.wide)[1:-1, :-1]

    @property
    def tiles(self) -> int:
        """How many tiles it has."""
        return self.bits.bit_count()

    def dead_ends(self) -> int:
        """Return, as bits, the tiles with one 4-neighbour."""
        bits, wide = self.bits, self.wide
        left, right, above, below = bits << 1, bits >> 1, bits << wide, bits >> wide
        both = left & right | above & below
        return bits & (left ^ right ^ above ^ below) & ~both

    def loops(self, parts: int) -> int:
        """Return the number of independent loops of a shape in so many 4-connected ``parts``.

        By the Euler characteristic: parts - vertices + edges - unit squares.
        """
        across, down = self.bits & self.bits >> 1, self.bits & self.bits >> self.wide
        squares = across & across >> self.wide
        edges = across.bit_count() + down.bit_count()
        return parts - self.tiles + edges - squares.bit_count()

    def pinched(self) -> tuple[int, int]:
        """Return, as bits, the tiles whose 4-neighbours do not hang together around them.

        Only such a tile can be a chokepoint: whoever is not pinched can be walked around. The
        second number holds those of them that have just two 4-neighbours.
        """
        bits, wide = self.bits, self.wide
        north, south = bits << wide, bits >> wide
        east, west = bits >> 1, bits << 1
        ne, se = north >> 1, south >> 1
        nw, sw = north << 1, south << 1
        gaps = (north & ~(ne & east), east & ~(se & south), south & ~(sw & west))
        tight = bits & _two_of(*gaps, west & ~(nw & north))
        few = ~(north & south & (east | west) | east & west & (north | south))
        return tight, tight & few

    def openness(self) -> float:
        """Return the mean steps in 8 directions from a tile to the nearest closed one.

        The edge of the map is no wall; -1 if nothing is closed.
        """
        bits, wide, inside = self.bits, self.wide, _inside(self.width, self.height)
        if bits == inside:
            return -1.0
        outside = (1 << (self.height + 2) * wide) - 1 ^ inside
        total = 0
        while bits:
            total += bits.bit_count()
            bits |= outside
            bits &= (bits << 1 | 1) & bits >> 1
            bits = bits & bits << wide & bits >> wide & inside
        return total / self.tiles

    def steps(self, start: tuple[int, int], end: tuple[int, int]) -> int:
        """Return the fewest steps in 8 directions from ``start`` to ``end``, or `UNREACHED`.

        All tiles that are equally far away are found at once.
        """
        wide, goal, edge = self.wide, self.at(*end), self.at(*start)
        fresh = self.bits & ~edge
        count = 0
        while not edge & goal:
            edge |= edge << 1 | edge >> 1
            edge = (edge | edge << wide | edge >> wide) & fresh
            if not edge:
                return UNREACHED
            fresh ^= edge
            count += 1
        return count


def _two_of(one: int, two: int, three: int, four: int) -> int:
    """Return the bits that are set in two or more."""
    return one & two | three & four | (one | two) & (three | four)


@cache
def _inside(width: int, height: int) -> int:
    """Return every tile of a map."""
    return Silhouette.of(np.ones((height, width), np.bool_)).bits
