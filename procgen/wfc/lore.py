"""What a sample says about any set of its patterns: their neighbours, and where they were seen."""

from collections.abc import Sequence
from functools import reduce
from operator import or_

import numpy as np

from entities.terrain import terrain
from procgen.wfc.patterns import Patterns

REMEMBERED = 30_000
MARGIN = 3

Says = tuple[tuple[int, int], ...]
"""For each direction the step there, and the set of patterns that may not stand there."""


class Supports(dict[int, Says]):
    """What every set of patterns met so far says, on a grid ``stride`` places wide.

    A set of patterns is a bit mask. It forbids beside it what each of its patterns does: what
    they ``forbid``, the four directions packed into one integer, is met once and remembered.
    """

    def __init__(self, number: int, forbid: dict[int, int], stride: int) -> None:
        super().__init__()
        self._shifts = [(-stride, 0), (1, number), (stride, 2 * number), (-1, 3 * number)]
        self._every = (1 << number) - 1
        self._forbid = forbid

    def __missing__(self, mask: int) -> Says:
        if len(self) >= REMEMBERED:
            self.clear()
        common, rest = -1, mask
        while rest:
            fewer = rest & (rest - 1)
            common &= self._forbid[rest ^ fewer]
            rest = fewer
        every = self._every
        says = tuple([(step, common >> shift & every) for step, shift in self._shifts])
        self[mask] = says
        return says


class Lore:
    """All that is known about a sample.

    ``every`` is the set of all its patterns. ``atlas`` is the whole sample laid out flat, one
    pattern (as a set) to a place and 0 between its views, ``atlas_stride`` places to a row;
    ``seen[pattern]`` are the places in it where the pattern is found. ``walkable`` and ``closed``
    are the tiles that the sample is made of.
    """

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = patterns
        self.every = (1 << patterns.number) - 1
        self._supports: dict[int, Supports] = {}
        self._forbid = {
            1 << pattern: sum(
                (self.every ^ allowed[pattern]) << direction * patterns.number
                for direction, allowed in enumerate(patterns.agree)
            )
            for pattern in range(patterns.number)
        }
        self._holding: dict[tuple[int, int, int], int] = {}
        self._asked: dict[tuple[int, int, tuple[int, ...]], int] = {}
        for (pattern, dy, dx), tile in np.ndenumerate(patterns.windows):
            spot = dx, dy, int(tile)
            self._holding[spot] = self._holding.get(spot, 0) | 1 << pattern
        tiles = np.unique(patterns.windows)
        self.walkable = tuple(tiles[terrain().walkable[tiles]].tolist())
        self.closed = tuple(tiles[~terrain().walkable[tiles]].tolist())
        self.atlas: list[int] = []
        self.seen: list[list[int]] = [[] for _ in range(patterns.number)]
        self.atlas_stride = max(view.shape[1] for view in patterns.readings) + 2 * MARGIN
        for view in patterns.readings:
            sides = (MARGIN, self.atlas_stride - view.shape[1] - MARGIN)
            framed = np.pad(view, ((MARGIN, MARGIN), sides), constant_values=-1)
            for place, pattern in enumerate(framed.ravel().tolist(), len(self.atlas)):
                self.atlas.append(1 << pattern if pattern >= 0 else 0)
                if pattern >= 0:
                    self.seen[pattern].append(place)

    def supports(self, stride: int) -> Supports:
        """Return what sets forbid beside them, on a grid ``stride`` places wide."""
        if stride not in self._supports:
            self._supports[stride] = Supports(self.patterns.number, self._forbid, stride)
        return self._supports[stride]

    def holding(self, dx: int, dy: int, tiles: Sequence[int]) -> int:
        """Return the set of the patterns that have one of ``tiles`` at (dx, dy)."""
        asked = dx, dy, tuple(tiles)
        if asked not in self._asked:
            shown = [self._holding.get((dx, dy, tile), 0) for tile in tiles]
            self._asked[asked] = reduce(or_, shown, 0)
        return self._asked[asked]

    def pick(self, mask: int, roll: int) -> int:
        """Return a place of the atlas that shows one of the set; ``roll`` is a random integer.

        Every place is equally likely, so a pattern's weight is how often it was seen.
        """
        lists = []
        total, rest = 0, mask
        while rest:
            one = rest & -rest
            lists.append(self.seen[one.bit_length() - 1])
            total += len(lists[-1])
            rest ^= one
        roll %= total
        for places in lists:
            if roll < len(places):
                return places[roll]
            roll -= len(places)
        raise ValueError("an empty set has no places")
