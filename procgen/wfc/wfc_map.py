"""Wave function collapse on a part of a map: from rules on tiles to a wave, and back to tiles."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from procgen.rng import Rng
from procgen.wfc.constraints import MARGIN, Constraints, parts_as_bytes, windows_with
from procgen.wfc.wave import Contradiction, Wave

Where = NDArray[np.bool_]
UNSOLVED = 255
"""Stands for no tile: where the wave has found nothing."""
KEPT_WHOLE = b""
"""Stands for a window that is kept whole."""


class WfcMap:
    """A part of a map, ``tiles[y, x]``, to be painted in place in the manner of a sample.

    Call `allow` and `keep` first to constrain tiles. Windows that are kept whole take no part, so
    tiles outside need not look like the sample. Afterwards, ``patches`` is the number of
    neighbourhoods solved anew, and ``unsolved`` that of spots left alone because nothing fitted.
    """

    def __init__(self, constraints: Constraints, tiles: NDArray[np.uint8]) -> None:
        self.constraints = constraints
        self.tiles = tiles
        self._size, self._pace = constraints.patterns.size, constraints.patterns.pace
        self.patches = self.unsolved = 0
        self._before = tiles.copy()
        self._fixed = np.zeros(tiles.shape, np.bool_)
        self._rules = np.zeros(tiles.shape, np.uint8)
        self._allowed: list[tuple[int, ...]] = [()]

    def allow(self, where: Where, tiles: Sequence[int]) -> None:
        """Allow only ``tiles`` at ``where``; replaces earlier rules."""
        self._rules[where] = self._rule(tiles)

    def keep(self, where: Where) -> None:
        """Keep the present tiles at ``where``; replaces earlier rules."""
        self._fixed |= where
        tiles = self.tiles[where]
        rule_of = np.zeros(256, np.uint8)
        for tile in sorted(set(tiles.tolist())):
            rule_of[tile] = self._rule((tile,))
        self._rules[where] = rule_of[tiles]

    def _rule(self, tiles: Sequence[int]) -> int:
        if tuple(tiles) not in self._allowed:
            self._allowed.append(tuple(tiles))
        return self._allowed.index(tuple(tiles))

    def collapse(
        self, rng: Rng, *, patches: int, restarts: int = 0, leave_out: bool = False, stages: int = 1
    ) -> Iterator[None]:
        """Paint, pausing up to ``stages`` times on the way.

        After ``patches`` neighbourhoods solved anew it restarts, up to ``restarts`` times; then it
        restores the tiles and raises `Contradiction` or, with ``leave_out``, goes on and leaves the
        spots where nothing fits as they were.
        """
        masks, stride = self._masks(leave_out)
        self._look(stride)
        for left in range(restarts, -1, -1):
            wave = Wave(self.constraints, masks, stride, leave_out=leave_out and not left)
            chosen = np.full(len(masks), -1)
            try:
                with suppress(Contradiction):
                    for _ in wave.collapse(rng, patches=patches, stages=stages):
                        self._paint(wave, chosen)
                        yield
                    self._paint(wave, chosen)
                    return
            finally:
                self.patches += wave.patches
                self.unsolved = wave.unsolved
        self.tiles[:] = self._before
        raise Contradiction

    def _masks(self, leave_out: bool) -> tuple[list[int], int]:
        """Return the patterns that the rules leave to each window, framed as `Wave` wants it."""
        size, pace = self._size, self._pace
        beyond = [(0, -(side - size) % pace) for side in self.tiles.shape]
        rules = np.pad(self._rules, beyond)
        windows = sliding_window_view(rules, (size, size))[::pace, ::pace]
        codes = list(parts_as_bytes(windows, size * size))
        if self._fixed.any():
            padded = np.pad(self._fixed, beyond, constant_values=True)
            for place in np.flatnonzero(~windows_with(~padded, size, pace)).tolist():
                codes[place] = KEPT_WHOLE
        known, left = tuple(self._allowed), {KEPT_WHOLE: 0}
        for code in set(codes) - {KEPT_WHOLE}:
            left[code] = self.constraints.allowed(known, code)
            if not left[code] and not leave_out:
                raise Contradiction
        width = windows.shape[1]
        stride, rim = width + 2 * MARGIN, [0] * MARGIN
        masks = [0] * (MARGIN * stride)
        for start in range(0, len(codes), width):
            masks += [*rim, *[left[code] for code in codes[start : start + width]], *rim]
        masks += [0] * (MARGIN * stride)
        return masks, stride

    def _paint(self, wave: Wave, chosen: NDArray[np.int64]) -> None:
        """Paint the tiles that are settled, and restore all others."""
        masks = wave.masks
        chosen[wave.fresh] = [masks[place].bit_length() - 1 for place in wave.fresh]
        wave.fresh.clear()
        pattern = chosen.take(self._places)
        seen = self.constraints.patterns.windows.take(pattern * self._size**2 + self._spots)
        self.tiles[:] = np.where(pattern < 0, self._before, seen)

    def _look(self, stride: int) -> None:
        """Compute which place of the wave gives each tile, and from which spot of its window.

        It is the middle of a window where possible, and nearer the rim along the map's edges.
        """
        size, pace = self._size, self._pace
        (ys, dy), (xs, dx) = (_seen_through(side, size, pace) for side in self.tiles.shape)
        self._places = (ys[:, None] + MARGIN) * stride + xs + MARGIN
        self._spots = dy[:, None] * size + dx


def _seen_through(side: int, size: int, pace: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each tile of a side which window gives it, and the tile's place in that window."""
    tiles = np.arange(side)
    window = np.clip((tiles - size // 2 + pace // 2) // pace, 0, -((size - side) // pace))
    return window, tiles - pace * window
