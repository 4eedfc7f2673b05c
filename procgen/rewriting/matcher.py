"""The places where rules match, kept up to date while tiles change.

Looking through the whole map before every rewrite would cost milliseconds. Here the map is searched
once; afterwards only patterns over a changed tile are looked at, and of these only those that
accept what the tile has become and did not accept what it was. Matches that a change has ended stay
listed until they are drawn and looked at once more: throwing them out at once would cost more.
(The incremental matching of M. Gumin's MarkovJunior.)
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from procgen.rewriting.rules import HELD, OUTSIDE, Rows, Rule
from procgen.rng import Dice

FINE = 64
"""A step of distance in the keys of matches that are pulled; what is equally near is shuffled."""


@dataclass(frozen=True)
class View:
    """A rule in one of its positions, by distances of its tiles in the flat map."""

    rule: Rule
    pool: int
    checks: tuple[tuple[int, bytes], ...]
    changes: tuple[tuple[int, int], ...]


class Gain(NamedTuple):
    """A cell of a view, ``distance`` from its upper left tile, and the checks of the others.

    ``first`` is the number of the view's match at place 0.
    """

    first: int
    distance: int
    others: tuple[tuple[int, bytes], ...]
    pool: int


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
        views = [
            (rule, number * each, rows)
            for number, rule in enumerate(rules)
            for rows in rule.views(turns=turns, mirrors=mirrors)
        ]
        margin = max(max(len(rows), len(rows[0])) for _, _, rows in views)
        self.tiles, self._dice, self._heat = tiles, dice, int(heat * FINE)
        padded = _framed(tiles | (held * np.uint8(HELD)), margin, OUTSIDE)
        self.row, self.size = padded.shape[1], padded.size
        self.grid = bytearray(padded.tobytes())
        height, width = tiles.shape
        self._inner = np.s_[margin : margin + height, :width]
        self._view = np.frombuffer(self.grid, np.uint8).reshape(padded.shape)
        self._field: list[int] = []
        if field is not None:
            self._field = _framed(field, margin, 0).ravel().tolist()
        may = np.zeros(padded.shape, np.bool_)
        may[self._inner][::lattice, ::lattice] = True
        self._may = may.tobytes()
        self.views = [self._placed(*view) for view in views]
        self.listed = bytearray(len(views) * self.size)
        self.pools: list[list[int]] = [[] for _ in rules] if each else [[]]
        self.heaps: list[list[tuple[int, int]]] = [[] for _ in self.pools]
        self._gains: dict[tuple[int, int], list[Gain]] = {}
        self.touched = bytearray(self.size)
        self.changed = 0
        for number, view in enumerate(self.views):
            for place in self._search(view, may):
                self._list(number * self.size + place, view.pool)

    def _placed(self, rule: Rule, pool: int, rows: Rows) -> View:
        cells = [
            (y * self.row + x, cell) for y, row in enumerate(rows) for x, cell in enumerate(row)
        ]
        # What accepts everything need not be looked at, but the last tile: it must be on the map.
        told = [(place, cell.accepts) for place, cell in cells[:-1] if not cell.accepts_all]
        told.append((cells[-1][0], cells[-1][1].accepts))
        alike = Counter(accepts for _, accepts in told)
        checks = sorted(told, key=lambda check: alike[check[1]])  # Most often the odd one fails.
        changes = tuple((place, cell.becomes) for place, cell in cells if cell.becomes is not None)
        return View(rule, pool, tuple(checks), changes)

    def _search(self, view: View, may: NDArray[np.bool_]) -> list[int]:
        """Return every place where ``view`` matches, in reading order."""
        flat = self._view.ravel()
        found = np.flatnonzero(may)
        for distance, accepts in view.checks:
            found = found[np.frombuffer(accepts, np.bool_)[flat[found + distance]]]
        places: list[int] = found.tolist()
        return places

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
        grid = self.grid
        for distance, accepts in self.views[number].checks:
            if not accepts[grid[place + distance]]:
                return False
        return True

    def draw(self, pool: int, newest: float = 0.0) -> int | None:
        """Take a random match out of a pool, or the newest with a chance; None if there is none."""
        matches, heap, dice = self.pools[pool], self.heaps[pool], self._dice
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
            if self.holds(match):
                return match
        return None

    def draw_all(self, pool: int) -> list[int]:
        """Take all matches out of a pool, in random order."""
        matches = self.pools[pool] + [match for _, match in self.heaps[pool]]
        self.pools[pool].clear()
        self.heaps[pool].clear()
        for match in matches:
            self.listed[match] = 0
        return self._dice.rng.shuffled([match for match in matches if self.holds(match)])

    def put_back(self, matches: Sequence[int]) -> None:
        """List those of ``matches`` again that hold and are not listed."""
        for match in matches:
            if not self.listed[match] and self.holds(match):
                self._list(match, self.views[match // self.size].pool)

    def apply(self, match: int) -> None:
        """Rewrite the tiles of ``match`` and list the matches that this makes."""
        number, origin = divmod(match, self.size)
        grid, may, listed, changed = self.grid, self._may, self.listed, []
        for distance, tile in self.views[number].changes:
            place = origin + distance
            old = grid[place]
            if old != tile:
                grid[place] = tile
                changed.append((place, old, tile))
                if not self.touched[place]:
                    self.touched[place] = 1
                    self.changed += 1
        for place, old, tile in changed:
            for first, distance, others, pool in self._gained(old, tile):
                begin = place - distance
                if not may[begin] or listed[first + begin]:
                    continue
                # As in `holds`, but in place: most of the time of a maze is spent here.
                for further, accepts in others:
                    if not accepts[grid[begin + further]]:
                        break
                else:
                    self._list(first + begin, pool)

    def _gained(self, old: int, new: int) -> list[Gain]:
        """Return the cells of views that accept ``new`` and did not accept ``old``."""
        if (old, new) not in self._gains:
            self._gains[old, new] = [
                Gain(
                    number * self.size,
                    check[0],
                    tuple(other for other in view.checks if other != check),
                    view.pool,
                )
                for number, view in enumerate(self.views)
                for check in view.checks
                if check[1][new] and not check[1][old]
            ]
        return self._gains[old, new]

    def place(self, match: int) -> tuple[int, int]:
        """Return the (x, y) of the upper left tile of ``match``."""
        y, x = divmod(match % self.size, self.row)
        return x, y - self._inner[0].start

    def rule(self, match: int) -> Rule:
        """Return the rule of ``match``."""
        return self.views[match // self.size].rule

    def write(self) -> None:
        """Bring the map up to date."""
        np.bitwise_and(self._view[self._inner], HELD - 1, out=self.tiles)


def _framed(values: NDArray[np.generic], margin: int, outside: int) -> NDArray[np.generic]:
    """Return ``values`` with ``outside`` above, below and to the right, where patterns may reach.

    What reaches out to the left lies in the margin of the row above.
    """
    return np.pad(values, ((margin, margin), (0, margin)), constant_values=outside)
