"""A part of a map for wave function collapse: rules on tiles to a wave, and back to tiles."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from procgen.rng import Rng
from procgen.wfc.constraints import MARGIN, Constraints, windows_with
from procgen.wfc.wave import Contradiction, Wave

Where = NDArray[np.bool_]


class WfcMap:
    """A part of a map, ``tiles[y, x]``, to be painted in place in the manner of a sample.

    Call `allow` and `keep` first to constrain tiles. Windows that are kept whole take no part, so
    tiles outside need not look like the sample. Afterwards ``contradictions`` are
    the attempts that failed, ``patches`` the neighbourhoods solved anew, and ``unsolved`` the spots
    left as they were because nothing fitted.
    """

    def __init__(self, constraints: Constraints, tiles: NDArray[np.uint8]) -> None:
        self.constraints = constraints
        self.tiles = tiles
        self._size, self._pace = constraints.patterns.size, constraints.patterns.pace
        self.contradictions = self.patches = self.unsolved = 0
        self._before = tiles.copy()
        self._kept = np.zeros(tiles.shape, np.bool_)
        self._rules = np.zeros(tiles.shape, np.int64)
        self._allowed: list[tuple[int, ...]] = [()]

    def allow(self, where: Where, tiles: Sequence[int]) -> None:
        """Allow only ``tiles`` at ``where``; replaces earlier rules."""
        self._rules[where] = self._rule(tiles)

    def allow_at(self, x: int, y: int, tiles: Sequence[int]) -> None:
        """Allow only ``tiles`` at (x, y); replaces earlier rules."""
        self._rules[y, x] = self._rule(tiles)

    def keep(self, where: Where) -> None:
        """Keep the present tiles at ``where``; replaces earlier rules."""
        self._kept |= where
        tiles = self.tiles[where]
        rule_of = np.zeros(256, np.int64)
        for tile in sorted(set(tiles.tolist())):
            rule_of[tile] = self._rule((tile,))
        self._rules[where] = rule_of[tiles]

    def _rule(self, tiles: Sequence[int]) -> int:
        if tuple(tiles) not in self._allowed:
            self._allowed.append(tuple(tiles))
        return self._allowed.index(tuple(tiles))

    def collapse(
        self, rng: Rng, *, patches: int, restarts: int = 0, tear: bool = False, stages: int = 1
    ) -> Iterator[None]:
        """Paint, pausing up to ``stages`` times on the way.

        After ``patches`` neighbourhoods solved anew it begins again, ``restarts`` times; then it
        puts back what was there and raises `Contradiction`, or, with ``tear``, goes on and
        leaves the spots where nothing fits as they were.
        """
        masks, stride = self._masks(tear)
        self._look(stride)
        for attempt in range(restarts + 1):
            wave = Wave(self.constraints, masks, stride, tear=tear and attempt == restarts)
            chosen = np.full(len(masks), -1)
            try:
                for _ in wave.collapse(rng, patches=patches, stages=stages):
                    self._paint(wave, chosen)
                    yield
            except Contradiction:
                self.contradictions += 1
            else:
                self._paint(wave, chosen)
                return
            finally:
                self.patches += wave.patches
                self.unsolved = wave.unsolved
        self.tiles[:] = self._before
        raise Contradiction

    def _masks(self, tear: bool) -> tuple[list[int], int]:
        """Return the patterns that the rules leave to each window, framed as `Wave` wants it."""
        size, pace = self._size, self._pace
        if len(self._allowed) ** (size * size) >= 2**63:
            raise ValueError("too many rules for one canvas")
        codes = self._codes()
        if self._kept.any():
            beyond = [(0, -(side - size) % pace) for side in self.tiles.shape]
            kept = np.pad(self._kept, beyond, constant_values=True)
            codes[~windows_with(~kept, size, pace)] = -1
        rows = codes.tolist()
        rules, left = tuple(self._allowed), {-1: 0}
        for code in set(chain.from_iterable(rows)) - {-1}:
            left[code] = self.constraints.allowed(rules, code)
            if not left[code] and not tear:
                raise Contradiction
        stride, rim = codes.shape[1] + 2 * MARGIN, [0] * MARGIN
        masks = [0] * (MARGIN * stride)
        for row in rows:
            masks += [*rim, *[left[code] for code in row], *rim]
        masks += [0] * (MARGIN * stride)
        return masks, stride

    def _codes(self) -> NDArray[np.int64]:
        """Return for each window the rules of its tiles, as the digits of one number."""
        size, pace, base = self._size, self._pace, len(self._allowed)
        beyond = [-(side - size) % pace for side in self.tiles.shape]
        rules = np.pad(self._rules, [(0, more) for more in beyond]) if any(beyond) else self._rules
        height, width = rules.shape
        lines = rules[:, size - 1 :: pace].copy()
        for dx in range(size - 2, -1, -1):
            lines *= base
            lines += rules[:, dx : width - size + dx + 1 : pace]
        codes = lines[size - 1 :: pace].copy()
        for dy in range(size - 2, -1, -1):
            codes *= base**size
            codes += lines[dy : height - size + dy + 1 : pace]
        return codes

    def _paint(self, wave: Wave, chosen: NDArray[np.int64]) -> None:
        """Show what is settled; the rest looks as it did before."""
        masks = wave.masks
        chosen[wave.fresh] = [masks[place].bit_length() - 1 for place in wave.fresh]
        wave.fresh.clear()
        pattern = chosen.take(self._places)
        seen = self.constraints.patterns.windows.take(pattern * self._size**2 + self._spots)
        self.tiles[:] = np.where(pattern < 0, self._before, seen)

    def _look(self, stride: int) -> None:
        """Settle which place of a wave each tile is seen through, and where in its window.

        A tile is seen in the middle of a window if it can be, nearer its rim along the edges.
        """
        size, pace = self._size, self._pace
        (ys, dy), (xs, dx) = (_seen_through(side, size, pace) for side in self.tiles.shape)
        self._places = (ys[:, None] + MARGIN) * stride + xs + MARGIN
        self._spots = dy[:, None] * size + dx


def _seen_through(side: int, size: int, pace: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each tile of a side which window it is seen through, and where in that."""
    tiles = np.arange(side)
    window = np.clip((tiles - size // 2 + pace // 2) // pace, 0, -((size - side) // pace))
    return window, tiles - pace * window
