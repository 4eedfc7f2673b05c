"""The places where rules match, kept up to date while tiles change.

Looking through the whole map before every rewrite would cost milliseconds. Here the map is searched
once; afterwards only patterns over a changed tile are looked at, and of these only those that
accept what the tile has become and did not accept what it was. Matches that a change has ended stay
listed until they are drawn and looked at once more: throwing them out at once would cost more.
(The incremental matching of M. Gumin's MarkovJunior.)
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from procgen.rewriting.rules import HELD, OUTSIDE, Rows, Rule
from procgen.rng import Dice

FINE = 64
"""A step of distance in the keys of matches that are pulled; what is equally near is shuffled."""

_TILE = np.uint8(HELD - 1)
"""The bits of a value of the flat map that are the tile's number."""
EVERYTHING = b"\1" * (OUTSIDE + 1)
Matches = Callable[[bytearray, int], re.Match[bytes] | None]


@dataclass(frozen=True)
class View:
    """A rule in one of its positions, by distances of its tiles in the flat map.

    ``matches`` takes the map and the place of the upper left tile.
    """

    rule: Rule
    pool: int
    checks: dict[int, bytes]
    changes: tuple[tuple[int, int], ...]
    matches: Matches


Gain = tuple[int, int, Matches, int]
"""A view's match when one of its cells is at place 0, that cell's distance, pattern and pool."""


class Gains(dict[tuple[int, ...], list[Gain]]):
    """The cells of views that accept what a tile has become, not what it was, and what is around.

    By the tile before, the tile now, and its neighbours north, west, east and south: these leave
    few of the many views with such a cell, and rewrites meet the same neighbours again and again.
    """

    def __init__(self, views: Sequence[View], row: int, size: int) -> None:
        super().__init__()
        self.views, self._steps, self._size = views, (-row, -1, 1, row), size

    def __missing__(self, key: tuple[int, ...]) -> list[Gain]:
        """Work out the list of a key that was not met before."""
        old, new, *around = key
        self[key] = [
            (number * self._size - distance, distance, view.matches, view.pool)
            for number, view in enumerate(self.views)
            for distance, accepts in view.checks.items()
            if accepts[new]
            and not accepts[old]
            and all(
                view.checks.get(distance + step, EVERYTHING)[tile]
                for step, tile in zip(self._steps, around, strict=True)
            )
        ]
        return self[key]


class Matcher:
    """The matches of ``rules`` on ``tiles[y, x]``, in pools from which one or all are taken.

    Matches are numbers: that of the view times the size of the map, plus the place of the pattern's
    upper left tile. ``held[y, x]`` tiles are never changed. Patterns lie only where column and row
    are multiples of ``lattice``. With ``each`` every rule has a pool of its own, else all share the
    first. With a ``field`` (int32 [y, x], steps to a goal) pools are heaps that give the
    match nearest to the goal first, give or take ``heat`` steps.
    """

    def __init__(
        self,
        tiles: NDArray[np.uint8],
        held: NDArray[np.bool_],
        rules: Sequence[Rule],
        dice: Dice,
        *,
        turns: bool,
        mirrors: bool,
        lattice: int,
        each: bool,
        field: NDArray[np.int32] | None,
        heat: float,
    ) -> None:
        margin = max(max(len(rule.rows), len(rule.rows[0])) for rule in rules)
        self.tiles, self._dice, self._heat = tiles, dice, int(heat * FINE)
        padded = _framed(tiles | (held * np.uint8(HELD)), margin, OUTSIDE)
        self.row, self.size = padded.shape[1], padded.size
        self.grid = bytearray(padded.tobytes())
        height, width = tiles.shape
        self._margin = margin
        self._view = np.frombuffer(self.grid, np.uint8).reshape(padded.shape)
        self._shown = self._view[margin : margin + height, :width]
        self._field: list[int] = []
        if field is not None:
            self._field = _framed(field, margin, 0).ravel().tolist()
        may = np.zeros(padded.shape, np.bool_)
        may[margin : margin + height, :width][::lattice, ::lattice] = True
        self._gains = _gains(
            tuple(rules), self.row, self.size, turns=turns, mirrors=mirrors, each=each
        )
        self.views = self._gains.views
        # A pattern that may not lie somewhere counts as listed there: so it is never looked at.
        self.listed = bytearray((~may).tobytes() * len(self.views))
        self._masks: dict[bytes, NDArray[np.bool_]] = {}
        self.pools: list[list[int]] = [[] for _ in rules] if each else [[]]
        self.heaps: list[list[tuple[int, int]]] = [[] for _ in self.pools]
        self.touched = bytearray(self.size)
        self.changed = 0
        for number, view in enumerate(self.views):
            self._list_all(number, view, may)
        self._noticed = np.any([np.frombuffer(one, np.bool_) for one in self._masks], 0).tobytes()

    def _list_all(self, number: int, view: View, may: NDArray[np.bool_]) -> None:
        """List every match of a view, in reading order; patterns lie where they ``may``."""
        end = self.size - max(view.checks)
        found = may.ravel()[:end].copy()
        for distance, accepts in view.checks.items():
            found &= self._accepted(accepts)[distance : distance + end]
        matches = np.flatnonzero(found) + number * self.size
        if self._field:
            for match in matches.tolist():
                self._list(match, view.pool)
        else:  # As `_list` does, at once.
            self.pools[view.pool] += matches.tolist()
            np.frombuffer(self.listed, np.uint8)[matches] = 1

    def _accepted(self, accepts: bytes) -> NDArray[np.bool_]:
        if accepts not in self._masks:
            self._masks[accepts] = np.frombuffer(accepts, np.bool_)[self._view.ravel()]
        return self._masks[accepts]

    def _list(self, match: int, pool: int) -> None:
        self.listed[match] = 1
        if not self._field:
            self.pools[pool].append(match)
            return
        number, place = divmod(match, self.size)
        near = min(self._field[place + distance] for distance, _ in self.views[number].changes)
        key = near * FINE + self._dice.below(FINE + self._heat)
        heappush(self.heaps[pool], (key, match))

    def holds(self, match: int) -> bool:
        """Return True if the pattern of ``match`` is still there."""
        number, place = divmod(match, self.size)
        return self.views[number].matches(self.grid, place) is not None

    def draw(self, pool: int, newest: float = 0.0) -> int | None:
        """Take a random match out of a pool, or the newest with a chance; None if there is none."""
        matches, heap, dice = self.pools[pool], self.heaps[pool], self._dice
        grid, size, views = self.grid, self.size, self.views
        while matches or heap:
            if heap:
                match = heappop(heap)[1]
            elif newest and dice.chance(newest):
                match = matches.pop()
            else:
                at = dice.below(len(matches))
                match, matches[at] = matches[at], matches[-1]
                matches.pop()
            self.listed[match] = 0
            number, place = divmod(match, size)
            if views[number].matches(grid, place):
                return match
        return None

    def draw_all(self, pool: int) -> list[int]:
        """Take all matches out of a pool, in random order."""
        matches = self.pools[pool] + [match for _, match in self.heaps[pool]]
        self.pools[pool].clear()
        self.heaps[pool].clear()
        for match in matches:
            self.listed[match] = 0
        if self.changed:  # Until then all hold.
            matches = list(filter(self.holds, matches))
        return self._dice.rng.shuffled(matches)

    def put_back(self, matches: Sequence[int]) -> None:
        """List those of ``matches`` again that hold and are not listed."""
        for match in matches:
            if not self.listed[match] and self.holds(match):
                self._list(match, self.views[match // self.size].pool)

    def apply(self, match: int) -> None:
        """Rewrite the tiles of ``match`` and list the matches that this makes."""
        number, origin = divmod(match, self.size)
        grid, row, listed, changed = self.grid, self.row, self.listed, []
        for distance, tile in self.views[number].changes:
            place = origin + distance
            old = grid[place]
            if old != tile:
                grid[place] = tile
                if self._noticed[tile]:
                    changed.append((place, old, tile))
                if not self.touched[place]:
                    self.touched[place] = 1
                    self.changed += 1
        for place, old, tile in changed:
            around = grid[place - row], grid[place - 1], grid[place + 1], grid[place + row]
            for first, distance, matches, pool in self._gains[old, tile, *around]:
                if not listed[first + place] and matches(grid, place - distance):
                    self._list(first + place, pool)

    def place(self, match: int) -> tuple[int, int]:
        """Return the (x, y) of the upper left tile of ``match``."""
        y, x = divmod(match % self.size, self.row)
        return x, y - self._margin

    def rule(self, match: int) -> Rule:
        """Return the rule of ``match``."""
        return self.views[match // self.size].rule

    def write(self) -> None:
        """Bring the map up to date."""
        np.bitwise_and(self._shown, _TILE, self.tiles)


def _framed(values: NDArray[np.generic], margin: int, outside: int) -> NDArray[np.generic]:
    """Return ``values`` with ``outside`` above, below and to the right, where patterns may reach.

    What reaches out to the left lies in the margin of the row above.
    """
    return np.pad(values, ((margin, margin), (0, margin)), constant_values=outside)


@lru_cache(maxsize=64)
def _gains(
    rules: tuple[Rule, ...], row: int, size: int, *, turns: bool, mirrors: bool, each: bool
) -> Gains:
    """Return the views of all rules on a flat map with rows of ``row`` tiles, and their gains."""
    views = [
        _placed(rule, number * each, rows, row)
        for number, rule in enumerate(rules)
        for rows in rule.views(turns=turns, mirrors=mirrors)
    ]
    return Gains(views, row, size)


def _placed(rule: Rule, pool: int, rows: Rows, row: int) -> View:
    cells = [(y * row + x, cell) for y, line in enumerate(rows) for x, cell in enumerate(line)]
    # What accepts everything need not be looked at, but the last tile: it must be on the map.
    told = {place: cell.accepts for place, cell in cells[:-1] if not cell.accepts_all}
    told[cells[-1][0]] = cells[-1][1].accepts
    alike = Counter(told.values())  # The order is that in which a change lists what it makes.
    checks = dict(sorted(told.items(), key=lambda check: alike[check[1]]))
    changes = tuple((place, cell.becomes) for place, cell in cells if cell.becomes is not None)
    return View(rule, pool, checks, changes, _pattern(told))


def _pattern(checks: dict[int, bytes]) -> Matches:
    """Return the ``checks`` as a regular expression: a single call from Python looks at all."""
    text, end = b"", 0
    for distance, accepts in checks.items():
        kinds = bytes(tile for tile, accepted in enumerate(accepts) if accepted)
        text += b".{%d}[%s]" % (distance - end, re.escape(kinds))
        end = distance + 1
    return re.compile(text, re.DOTALL).match
