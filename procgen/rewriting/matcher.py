"""Incremental matching: the places where rules match, kept up to date while tiles change.

Searching the whole map before every rewrite would cost milliseconds. Here the map is searched once;
afterwards only patterns over a changed tile are checked, and of these only those that accept the
new tile and did not accept the old one. Matches that a change has invalidated stay listed until
they are drawn and checked again: removing them at once would cost more. (As in M. Gumin's
MarkovJunior.)
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from procgen.rewriting.rules import FIXED, OUTSIDE, Rows, Rule
from procgen.rng import FACES, Dice

FINE = 64
"""One step of distance in the heap keys of matches; matches equally near are shuffled."""

_TILE = np.uint8(FIXED - 1)
"""The bits of a value of the flat map that are the tile's number."""
EVERYTHING = b"\1" * (OUTSIDE + 1)
Matches = Callable[[bytearray, int], re.Match[bytes] | None]


@dataclass(frozen=True)
class View:
    """A rule in one orientation; its tiles are given by their distances in the flat map.

    ``checks`` are what each tile accepts; ``runs`` are the same with equal neighbours merged, as
    (distance, accepts, length). ``matches`` takes the map and the place of the upper left tile.
    """

    rule: Rule
    pool: int
    checks: dict[int, bytes]
    runs: tuple[tuple[int, bytes, int], ...]
    changes: tuple[tuple[int, int], ...]
    matches: Matches


Masks = dict[tuple[bytes, int], NDArray[np.bool_]]
MatchCandidate = tuple[int, int, bytes, int, Matches | None, int]
"""A match that a change may make, as (first, step, accepts, cell, pattern, pool).

``first`` is the match's number if the changed cell is at place 0, ``cell`` the distance of that
cell from the view's upper left tile. What remains to be checked is one further cell, ``step``
places away, and what it ``accepts``; then the ``pattern``, None if there is nothing more. Checking
one cell is ten times faster than a pattern, and enough in most cases.
"""


class MatchCandidates(dict[tuple[int, ...], list[MatchCandidate]]):
    """The cells of views that accept the new tile, but not the old one, and also its neighbours.

    The key is the old tile, the new tile, and the neighbours north, west, east and south: these
    leave few of the many views, and rewrites meet the same neighbours again and again.
    """

    def __init__(self, views: Sequence[View], row: int, size: int) -> None:
        super().__init__()
        self.views, self._steps, self._size = views, (-row, -1, 1, row), size

    def __missing__(self, key: tuple[int, ...]) -> list[MatchCandidate]:
        """Compute and store the list of a new key."""
        old, new, *around = key
        self[key] = [
            self._candidate(number, view, distance)
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

    def _candidate(self, number: int, view: View, cell: int) -> MatchCandidate:
        seen = {cell, *(cell + step for step in self._steps)}
        rest = [check for check in view.checks.items() if check[0] not in seen]
        further, accepts = rest[0] if rest else (cell, EVERYTHING)
        matches = view.matches if len(rest) > 1 else None
        return number * self._size - cell, further - cell, accepts, cell, matches, view.pool


class Matcher:
    """The matches of ``rules`` on ``tiles[y, x]``, in pools from which one or all are taken.

    Matches are numbers: that of the view times the size of the flat map, plus the place of the
    pattern's upper left tile. ``fixed[y, x]`` tiles never change. Patterns lie only where column
    and row are multiples of ``lattice``. With ``each`` every rule has its own pool, otherwise all
    share the first. With a ``field`` (int32 [y, x], steps to a goal) pools are heaps that give the
    match nearest to the goal first, give or take ``heat`` steps.
    """

    def __init__(
        self,
        tiles: NDArray[np.uint8],
        fixed: NDArray[np.bool_],
        rules: Sequence[Rule],
        dice: Dice,
        *,
        turns: bool,
        mirrors: bool,
        lattice: int,
        each: bool,
        field: NDArray[np.int32] | None,
        heat: float,
        lists: bool = True,
    ) -> None:
        margin = max(max(len(rule.rows), len(rule.rows[0])) for rule in rules)
        self.tiles, self._dice, self._heat = tiles, dice, int(heat * FINE)
        padded = _framed(tiles | (fixed * np.uint8(FIXED)), margin, OUTSIDE)
        self.row, self.size = padded.shape[1], padded.size
        self.grid = bytearray(padded.tobytes())
        height, width = tiles.shape
        self._margin = margin
        self._flat = np.frombuffer(self.grid, np.uint8)
        self._shown = self._flat.reshape(padded.shape)[margin : margin + height, :width]
        self._field: list[int] = []
        if field is not None:
            self._field = _framed(field, margin, 0).ravel().tolist()
        may = np.zeros(padded.shape, np.bool_)
        may[margin : margin + height, :width][::lattice, ::lattice] = True
        self._may = may.ravel()
        ordered, row, size = tuple(rules), self.row, self.size
        self._candidates = _candidates(ordered, row, size, turns=turns, mirrors=mirrors, each=each)
        self.views = self._candidates.views
        self.pools: list[list[int]] = [[] for _ in rules] if each else [[]]
        self.touched = bytearray(self.size)
        self.changed = self.last = 0
        self.listed, self._noticed = bytearray(), bytes(OUTSIDE + 1)
        if lists:
            self._list_all()

    def _list_all(self) -> None:
        """List every match, view by view in reading order."""
        # Places where no pattern may lie count as listed, so that they are never checked.
        self.listed = bytearray((~self._may).tobytes() * len(self.views))
        masks: Masks = {}
        for number, view in enumerate(self.views):
            matches = self._found(number, masks)
            np.frombuffer(self.listed, np.uint8)[matches] = 1
            ids = matches.tolist()
            self.pools[view.pool] += map(self._key, ids) if self._field else ids
        if self._field:
            for pool in self.pools:
                heapify(pool)
        self._noticed = np.any([np.frombuffer(fits, np.bool_) for fits, _ in masks], 0).tobytes()

    def _found(self, number: int, masks: Masks) -> NDArray[np.int64]:
        """Return every match of a view; ``masks`` caches what the next views need as well."""
        view = self.views[number]
        end = self.size - max(view.checks)
        fits = self._may[:end].copy()
        for distance, accepts, length in view.runs:
            fits &= self._accepted(accepts, length, masks)[distance : distance + end]
        return np.flatnonzero(fits) + number * self.size

    def _accepted(self, accepts: bytes, length: int, masks: Masks) -> NDArray[np.bool_]:
        """Return where a run of ``length`` accepted tiles begins, by splitting it into halves."""
        key = accepts, length
        if key not in masks:
            if length == 1:
                masks[key] = np.frombuffer(accepts, np.bool_)[self._flat]
            else:
                half = self._accepted(accepts, (length + 1) // 2, masks)
                masks[key] = half[: -(length // 2)] & half[length // 2 :]
        return masks[key]

    def find_all(self, pool: int) -> NDArray[np.int64]:
        """Return all matches of a pool on the whole map, view by view in reading order."""
        masks: Masks = {}
        views = [number for number, view in enumerate(self.views) if view.pool == pool]
        return np.concatenate([self._found(number, masks) for number in views])

    def _key(self, match: int) -> int:
        """Return the heap key of ``match``: its distance to the goal, then itself, as a number."""
        number, place = divmod(match, self.size)
        nearest = min(self._field[place + distance] for distance, _ in self.views[number].changes)
        return (nearest * FINE + self._dice.below(FINE + self._heat)) * len(self.listed) + match

    def holds(self, match: int) -> bool:
        """Return True if the pattern of ``match`` is still there."""
        number, place = divmod(match, self.size)
        return self.views[number].matches(self.grid, place) is not None

    def draw(self, pools: Sequence[int], newest: float = 0.0) -> Iterator[int]:
        """Yield random matches, each from the first of ``pools`` that has any, until none has.

        With chance ``newest`` it is the match listed last.
        """
        grid, size, listed = self.grid, self.size, self.listed
        rolls, straight_on, pulled = self._dice.rolls, newest * FACES, bool(self._field)
        patterns, chosen = [view.matches for view in self.views], [self.pools[n] for n in pools]
        first = 0
        while first < len(chosen):
            matches = chosen[first]
            while matches:
                if pulled:
                    match = heappop(matches) % len(listed)
                elif (roll := next(rolls)) < straight_on:
                    match = matches.pop()
                else:
                    at = roll % len(matches)
                    match, matches[at] = matches[at], matches[-1]
                    matches.pop()
                listed[match] = 0
                number, place = divmod(match, size)
                if patterns[number](grid, place):
                    yield match
                    first = 0
                    break
            else:
                first += 1

    def apply(self, matches: Iterable[int], times: int = 0, share: int = 0) -> int:
        """Rewrite the tiles of ``matches`` and list new matches; return how many were rewritten.

        It stops after ``times`` rewrites, or once ``share`` tiles have changed; 0 is no limit.
        Everything is in one loop: a call per match would take a quarter of the time.
        """
        grid, row, size, pools = self.grid, self.row, self.size, self.pools
        listed, touched, noticed = self.listed, self.touched, self._noticed
        changes, candidates = [view.changes for view in self.views], self._candidates
        pulled, done, count = bool(self._field), 0, self.changed
        for done, drawn in enumerate(matches, 1):
            number, origin = divmod(drawn, size)
            changed = []
            for distance, tile in changes[number]:
                place = origin + distance
                old = grid[place]
                if old != tile:
                    grid[place] = tile
                    if noticed[tile]:
                        changed.append((place, old, tile))
                    if not touched[place]:
                        touched[place] = 1
                        count += 1
            for place, old, tile in changed:
                around = grid[place - row], grid[place - 1], grid[place + 1], grid[place + row]
                for first, step, accepts, cell, pattern, pool in candidates[old, tile, *around]:
                    match = first + place
                    if (
                        accepts[grid[place + step]]
                        and not listed[match]
                        and (not pattern or pattern(grid, place - cell))
                    ):
                        listed[match] = 1
                        if pulled:
                            heappush(pools[pool], self._key(match))
                        else:
                            pools[pool].append(match)
            self.last = drawn
            if done == times or 0 < share <= count:
                break
        self.changed = count
        return done

    def apply_all(self, matches: NDArray[np.int64]) -> None:
        """Rewrite all ``matches`` as if at once, later views over earlier ones; list none."""
        before, flat, numbers = self._flat.copy(), self._flat, matches // self.size
        for number, view in enumerate(self.views):
            origins = matches[numbers == number] - number * self.size
            for distance, tile in view.changes:
                flat[origins + distance] = tile
        touched = np.frombuffer(self.touched, np.bool_)
        touched |= before != flat
        self.changed = int(touched.sum())
        self.last = int(matches[-1]) if len(matches) else self.last

    def place(self, match: int) -> tuple[int, int]:
        """Return the (x, y) of the upper left tile of ``match``."""
        y, x = divmod(match % self.size, self.row)
        return x, y - self._margin

    def rule(self, match: int) -> Rule:
        """Return the rule of ``match``."""
        return self.views[match // self.size].rule

    def write(self) -> None:
        """Copy the flat map to ``tiles``."""
        np.bitwise_and(self._shown, _TILE, self.tiles)


def _framed(values: NDArray[np.generic], margin: int, outside: int) -> NDArray[np.generic]:
    """Return ``values`` with ``outside`` above, below and to the right, where patterns may reach.

    On the left, patterns reach into the margin at the end of the row above.
    """
    height, width = values.shape
    framed = np.full((height + 2 * margin, width + margin), outside, values.dtype)
    framed[margin : margin + height, :width] = values
    return framed


@lru_cache(maxsize=64)
def _candidates(
    rules: tuple[Rule, ...], row: int, size: int, *, turns: bool, mirrors: bool, each: bool
) -> MatchCandidates:
    """Return the match candidates of ``rules`` on a flat map with rows of ``row`` tiles."""
    views = [
        _placed(rule, number * each, rows, row)
        for number, rule in enumerate(rules)
        for rows in rule.views(turns=turns, mirrors=mirrors)
    ]
    return MatchCandidates(views, row, size)


def _placed(rule: Rule, pool: int, rows: Rows, row: int) -> View:
    cells = [(y * row + x, cell) for y, line in enumerate(rows) for x, cell in enumerate(line)]
    # Cells that accept everything need no check, except for the last: it must be on the map.
    accepted = {place: cell.accepts for place, cell in cells[:-1] if not cell.accepts_all}
    accepted[cells[-1][0]] = cells[-1][1].accepts
    alike = Counter(accepted.values())  # This order is that in which a change lists new matches.
    checks = dict(sorted(accepted.items(), key=lambda check: alike[check[1]]))
    changes = tuple((place, cell.becomes) for place, cell in cells if cell.becomes is not None)
    return View(rule, pool, checks, _runs(accepted), changes, _pattern(accepted))


def _runs(checks: dict[int, bytes]) -> tuple[tuple[int, bytes, int], ...]:
    """Return the (distance, accepts, length) of neighbouring cells that accept the same."""
    runs: list[tuple[int, bytes, int]] = []
    for distance, accepts in checks.items():
        start, same, length = runs[-1] if runs else (0, b"", 0)
        if accepts == same and distance == start + length:
            runs[-1] = start, same, length + 1
        else:
            runs.append((distance, accepts, 1))
    return tuple(runs)


def _pattern(checks: dict[int, bytes]) -> Matches:
    """Return the ``checks`` as a regular expression, so that one call from Python does them all."""
    text, end = b"", 0
    for distance, accepts in checks.items():
        kinds = bytes(tile for tile, accepted in enumerate(accepts) if accepted)
        text += b".{%d}[%s]" % (distance - end, re.escape(kinds))
        end = distance + 1
    return re.compile(text, re.DOTALL).match
