"""The constraints of wave function collapse: patterns of a sample, adjacency rules, supports.

Sets of patterns are bit masks in one integer, so that intersecting two sets is one operation.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from entities.data_files import DataError
from entities.terrain import terrain

MOST_PATTERNS = 20_000
"""The most patterns of a sample: their bit masks take half a gigabyte."""
Sheet = NDArray[np.uint8]
"""One drawn map: tile numbers [y, x]."""


@dataclass(frozen=True)
class Patterns:
    """The patterns of a sample, and which may stand beside each other.

    ``windows[pattern, dy, dx]`` are its different windows of ``size`` by ``size`` tiles, in order
    of first occurrence; ``readings`` the sample's views with the number of the pattern at each
    place, places being ``every`` tiles apart. ``agree[direction][pattern]`` is a bit mask of the
    patterns that may stand ``pace`` tiles to the north, east, south or west: those that agree
    where the windows overlap. ``edge`` is the tile that frames the sample.
    """

    size: int
    pace: int
    every: int
    windows: NDArray[np.uint8]
    readings: tuple[NDArray[np.int32], ...]
    agree: tuple[tuple[int, ...], ...]
    edge: int

    @property
    def number(self) -> int:
        """The number of patterns."""
        return len(self.windows)


def learn_patterns(
    sheets: Sequence[Sheet],
    *,
    size: int = 3,
    pace: int = 1,
    turns: bool = True,
    mirrors: bool = True,
    every: int = 1,
    where: str = "",
) -> Patterns:
    """Return the patterns of one or more drawn maps (Gumin's overlapping model, 2016).

    ``turns`` adds each sheet rotated by 90, 180 and 270 degrees, ``mirrors`` the reflection of
    each. Windows will be laid ``pace`` tiles apart; if they overlap by two tiles, every 3x3 part of
    a map lies whole in one of them. Only windows that begin at a multiple of ``every`` (1, or the
    ``pace``) are learned. Beyond its edge a sheet continues with its upper left tile. Raises
    `DataError`, beginning with ``where``, for more than `MOST_PATTERNS`.
    """
    seen: dict[bytes, int] = {}
    readings = []
    for sheet in sheets:
        rim = -(-(size - 1) // every) * every
        around = [(rim, rim - (side - 1) % -every) for side in sheet.shape]
        framed = np.pad(sheet, around, constant_values=sheet[0, 0])
        for view in _views(framed, turns=turns, mirrors=mirrors):
            windows = sliding_window_view(view, (size, size))[::every, ::every]
            texts = parts_as_bytes(windows, size**2)
            numbers = [seen.setdefault(text, len(seen)) for text in texts]
            readings.append(np.array(numbers, np.int32).reshape(windows.shape[:2]))
            if len(seen) > MOST_PATTERNS:
                raise DataError(f"{where}: a sample has at most {MOST_PATTERNS:,} windows")
    patterns = np.frombuffer(b"".join(seen), np.uint8).reshape(-1, size, size)
    agree = _agreement(patterns, pace)
    return Patterns(size, pace, every, patterns, tuple(readings), agree, int(sheets[0][0, 0]))


def _views(sheet: Sheet, *, turns: bool, mirrors: bool) -> Iterator[Sheet]:
    for quarter in range(4 if turns else 1):
        turned = np.rot90(sheet, quarter)
        yield turned
        if mirrors:
            yield np.fliplr(turned)


def parts_as_bytes(parts: NDArray[np.uint8], length: int) -> Iterator[bytes]:
    """Yield the ``length`` tiles of each part as bytes."""
    text = parts.tobytes()
    for start in range(0, len(text), length):
        yield text[start : start + length]


def _agreement(windows: NDArray[np.uint8], pace: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each direction and pattern, the mask of the patterns that fit there."""
    upper, lower = windows[:, :-pace], windows[:, pace:]
    left, right = windows[:, :, :-pace], windows[:, :, pace:]
    pairs = ((upper, lower), (right, left), (lower, upper), (left, right))
    return tuple(_matches(mine, theirs) for mine, theirs in pairs)


def _matches(mine: NDArray[np.uint8], theirs: NDArray[np.uint8]) -> tuple[int, ...]:
    """Return for each of ``mine`` the bit mask of ``theirs`` that are equal to it, 0 for none."""
    masks: dict[bytes, int] = {}
    for pattern, part in enumerate(parts_as_bytes(theirs, theirs[0].size)):
        masks[part] = masks.get(part, 0) | 1 << pattern
    return tuple(masks.get(part, 0) for part in parts_as_bytes(mine, mine[0].size))


def windows_with(where: NDArray[np.bool_], size: int, pace: int) -> NDArray[np.bool_]:
    """Return which windows, ``pace`` apart and ``size`` wide, hold a tile of ``where``."""
    height, width = (side - size + 1 for side in where.shape)
    rows = np.any([where[:, dx : width + dx : pace] for dx in range(size)], axis=0)
    holding: NDArray[np.bool_] = np.any([rows[dy : height + dy : pace] for dy in range(size)], 0)
    return holding


REMEMBERED = 8_000
"""The most entries of a cache: one takes up to a kilobyte, and there are a dozen samples."""
MARGIN = 3
"""Empty places around a grid of places, so that steps over its edge need no test."""

Places = tuple[int, ...]

Forbidden = tuple[int, int, int, int]
"""The sets of patterns forbidden on the neighbours to the north, east, south and west."""


class Constraints:
    """The constraints that a sample sets, with all caches that waves share.

    ``forbidden(mask)`` is what a set of patterns forbids on its four neighbours. The textbook keeps
    a counter of supports for each cell, pattern and direction; but the same few sets recur all over
    a map, and in the next one, so here each is computed once and cached by its mask.
    ``allowed(rules, window)`` is the set of patterns that rules leave to a window.

    ``every`` is the set of all its patterns. ``atlas`` is the whole sample as a flat list, one
    pattern (as a set) per place and 0 between its views, with ``atlas_stride`` places per row;
    windows that are neighbours on a map are ``atlas_pace`` places apart. ``seen[pattern]`` are the
    places of the pattern in the atlas. ``walkable`` and ``closed`` are the sample's tiles of each
    sort, ``inside`` all of them but the one that frames it.
    """

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = patterns
        self.every = (1 << patterns.number) - 1
        number = patterns.number
        everywhere = (1 << 4 * number) - 1
        self._forbid = [
            everywhere ^ (north | east << number | south << 2 * number | west << 3 * number)
            for north, east, south, west in zip(*patterns.agree, strict=True)
        ]
        self.forbidden = lru_cache(REMEMBERED)(self._forbidden)
        self.allowed = lru_cache(REMEMBERED)(self._allowed)
        self._allowed_by_row = lru_cache(REMEMBERED)(self._allowed_in_row)
        self.patterns_with = lru_cache(REMEMBERED)(self._patterns_with)
        self._shown = lru_cache(REMEMBERED)(self._where_seen)
        tiles = np.unique(patterns.windows)
        self.walkable = tuple(tiles[terrain().walkable[tiles]].tolist())
        self.closed = tuple(tiles[~terrain().walkable[tiles]].tolist())
        self.inside = tuple(tiles[tiles != patterns.edge].tolist())
        self.atlas_pace = patterns.pace // patterns.every
        rim = MARGIN * self.atlas_pace
        self.atlas_stride = max(view.shape[1] for view in patterns.readings) + 2 * rim
        pages = []
        for view in patterns.readings:
            margins = (rim, rim), (rim, self.atlas_stride - view.shape[1] - rim)
            pages.append(np.pad(view, margins, constant_values=-1).ravel())
        seen: list[list[int]] = [[] for _ in range(number)]
        sets = [*(1 << pattern for pattern in range(number)), 0]
        numbers = np.concatenate(pages).tolist()
        self.atlas = [sets[number] for number in numbers]
        for place, pattern in enumerate(numbers):
            if pattern >= 0:
                seen[pattern].append(place)
        self.seen: list[Places] = [tuple(places) for places in seen]

    def _forbidden(self, mask: int) -> Forbidden:
        """Return what every pattern of the set forbids, for each neighbour."""
        common, rest, forbid = -1, mask, self._forbid
        while rest:
            highest = rest.bit_length() - 1
            common &= forbid[highest]
            rest ^= 1 << highest
        number, every = self.patterns.number, self.every
        north, east = common & every, common >> number & every
        return north, east, common >> 2 * number & every, common >> 3 * number

    def _allowed(self, rules: tuple[tuple[int, ...], ...], window: bytes) -> int:
        """Return the set of the patterns that ``rules`` leave to a window.

        ``rules`` are sets of allowed tiles; the first allows everything. The bytes of ``window``
        are the numbers of the rules of its tiles, in reading order.
        """
        mask, size = self.every, self.patterns.size
        for dy in range(size):
            row = window[dy * size : dy * size + size]
            if any(row):
                mask &= self._allowed_by_row(rules, dy, row)
        return mask

    def _allowed_in_row(self, rules: tuple[tuple[int, ...], ...], dy: int, row: bytes) -> int:
        """Return the set of the patterns that the rules of one row leave: a few rows recur."""
        mask = self.every
        for dx, rule in enumerate(row):
            if rule:
                mask &= self.patterns_with(dx, dy, rules[rule])
        return mask

    def _patterns_with(self, dx: int, dy: int, tiles: tuple[int, ...]) -> int:
        """Return the set of the patterns that have one of ``tiles`` at (dx, dy)."""
        shown = np.isin(self.patterns.windows[:, dy, dx], tiles)
        return int.from_bytes(np.packbits(shown, bitorder="little").tobytes(), "little")

    def pick(self, mask: int, roll: int) -> int:
        """Return a place of the atlas with a pattern of the set; ``roll`` is a random integer.

        Every place is equally likely, so a pattern's weight is its frequency in the sample.
        """
        lists, ends = self._shown(mask)
        roll %= ends[-1]
        index = bisect_right(ends, roll)
        return lists[index][roll - ends[index]]

    def _where_seen(self, mask: int) -> tuple[tuple[Places, ...], Places]:
        """Return the places of each pattern of the set, and their cumulative counts."""
        lists = []
        while mask:
            highest = mask.bit_length() - 1
            lists.append(self.seen[highest])
            mask ^= 1 << highest
        lists.reverse()
        return tuple(lists), tuple(accumulate(map(len, lists)))
