"""What a sample says about any set of its patterns: their neighbours, and where they were seen."""

from collections.abc import Sequence

import numpy as np

from entities.terrain import terrain
from procgen.wfc.patterns import Patterns

REMEMBERED = 20_000
MARGIN = 3

Support = tuple[int, int, int, int]
"""The patterns that may stand to the north, east, south and west, as bit masks."""


class Lore(dict[int, Support]):
    """The support of every set of patterns met so far, by its bit mask.

    A set allows beside it what any of its patterns allows; the union is worked out once for each
    set and remembered. ``atlas`` is the whole sample laid out flat, one pattern's mask to a place
    and 0 between its views, ``atlas_stride`` places to a row; ``seen[pattern]`` are the places in
    it where the pattern is found. ``walkable`` and ``closed`` are the tiles it is made of.
    """

    def __init__(self, patterns: Patterns) -> None:
        super().__init__()
        self.patterns = patterns
        self.every = (1 << patterns.number) - 1
        self._allowed = {
            1 << pattern: sum(
                allowed[pattern] << direction * patterns.number
                for direction, allowed in enumerate(patterns.agree)
            )
            for pattern in range(patterns.number)
        }
        self._holding: dict[tuple[int, int, int], int] = {}
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

    def __missing__(self, mask: int) -> Support:
        if len(self) >= REMEMBERED:
            self.clear()
        union, rest = 0, mask
        while rest:
            one = rest & -rest
            union |= self._allowed[one]
            rest ^= one
        number, every = self.patterns.number, self.every
        support = (
            union & every,
            union >> number & every,
            union >> 2 * number & every,
            union >> 3 * number,
        )
        self[mask] = support
        return support

    def holding(self, dx: int, dy: int, tiles: Sequence[int]) -> int:
        """Return the set of the patterns that have one of ``tiles`` at (dx, dy), as a mask."""
        mask = 0
        for tile in tiles:
            mask |= self._holding.get((dx, dy, tile), 0)
        return mask

    def pick(self, mask: int, roll: int) -> int:
        """Return a place of the atlas that shows one of ``mask``; ``roll`` is a random integer.

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
