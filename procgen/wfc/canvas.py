"""Painting: from rules about tiles to a wave, and from a settled wave back to tiles."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from procgen.rng import Rng
from procgen.wfc.lore import MARGIN, Lore
from procgen.wfc.wave import Contradiction, Wave

STRIDES = 32
"""Waves are a multiple of so many places wide, that what is learned of one serves for others."""

Where = NDArray[np.bool_]


class Canvas:
    """A part of a map, ``tiles[y, x]``, to be painted in place in the manner of a sample.

    `allow` and `keep` say first what may stand where. Windows that are kept whole take no part,
    so what lies outside need not be in the sample's manner. Afterwards ``contradictions`` are
    the attempts that failed, ``patches`` the neighbourhoods solved anew, and ``torn`` the spots
    left as they were because nothing fitted.
    """

    def __init__(self, lore: Lore, tiles: NDArray[np.uint8]) -> None:
        self.lore = lore
        self.tiles = tiles
        self.contradictions = self.patches = self.torn = 0
        self._before = tiles.copy()
        self._kept = np.zeros(tiles.shape, np.bool_)
        self._rules = np.zeros(tiles.shape, np.int64)
        self._allowed: list[tuple[int, ...]] = [()]
        self._rows: dict[tuple[int, int], int] = {}

    def allow(self, where: Where, tiles: Sequence[int]) -> None:
        """Let nothing but one of ``tiles`` stand ``where``, whatever was said before."""
        self._rules[where] = self._rule(tiles)

    def allow_at(self, x: int, y: int, tiles: Sequence[int]) -> None:
        """Let nothing but one of ``tiles`` stand at (x, y), whatever was said before."""
        self._rules[y, x] = self._rule(tiles)

    def keep(self, where: Where) -> None:
        """Let what stands ``where`` stand, whatever was said before."""
        self._kept |= where
        for tile in np.unique(self.tiles[where]).tolist():
            self.allow(where & (self.tiles == tile), (tile,))

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
        self._rows.clear()
        masks, stride = self._masks(tear)
        self._look(stride)
        for attempt in range(restarts + 1):
            wave = Wave(self.lore, masks, stride, tear=tear and attempt == restarts)
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
                self.torn = wave.torn
        self.tiles[:] = self._before
        raise Contradiction

    def _masks(self, tear: bool) -> tuple[list[int], int]:
        """Return the patterns that the rules leave to each window, framed as `Wave` wants it."""
        size, base = self.lore.patterns.size, len(self._allowed)
        if base ** (size * size) >= 2**63:
            raise ValueError("too many rules for one canvas")
        codes = np.zeros([side - size + 1 for side in self.tiles.shape], np.int64)
        height, width = codes.shape
        for dy, dx in reversed(list(product(range(size), repeat=2))):
            codes *= base
            codes += self._rules[dy : dy + height, dx : dx + width]
        if self._kept.any():
            codes[sliding_window_view(self._kept, (size, size)).all((2, 3))] = -1
        different, which = np.unique(codes, return_inverse=True)
        masks = [0]
        for code in different.tolist():
            mask = self._mask(code) if code >= 0 else 0
            if code >= 0 and not mask and not tear:
                raise Contradiction
            masks.append(mask)
        spare = -(width + 2 * MARGIN) % STRIDES
        framed = np.pad(
            which.reshape(codes.shape) + 1, ((MARGIN, MARGIN), (MARGIN, MARGIN + spare))
        )
        return [masks[index] for index in framed.ravel().tolist()], framed.shape[1]

    def _mask(self, code: int) -> int:
        """Return the patterns that the rules of a window leave, written as one number."""
        size, base = self.lore.patterns.size, len(self._allowed)
        mask = self.lore.every
        for dy in range(size):
            code, row = divmod(code, base**size)
            if (dy, row) not in self._rows:
                self._rows[dy, row] = self._mask_of_row(dy, row)
            mask &= self._rows[dy, row]
        return mask

    def _mask_of_row(self, dy: int, row: int) -> int:
        mask = self.lore.every
        for dx in range(self.lore.patterns.size):
            row, rule = divmod(row, len(self._allowed))
            if rule:
                mask &= self.lore.holding(dx, dy, self._allowed[rule])
        return mask

    def _paint(self, wave: Wave, chosen: NDArray[np.int64]) -> None:
        """Show what is settled; the rest looks as it did before."""
        masks = wave.masks
        chosen[wave.fresh] = [masks[place].bit_length() - 1 for place in wave.fresh]
        wave.fresh.clear()
        pattern = chosen.take(self._places)
        seen = self.lore.patterns.windows.take(pattern * self.lore.patterns.size**2 + self._spots)
        self.tiles[:] = np.where(pattern < 0, self._before, seen)

    def _look(self, stride: int) -> None:
        """Settle which place of a wave each tile is seen through, and where in its window.

        A tile is seen in the middle of a window if it can be, nearer its rim along the edges.
        """
        size = self.lore.patterns.size
        corners = [np.clip(np.arange(n) - size // 2, 0, n - size) for n in self.tiles.shape]
        (ys, xs), (dy, dx) = corners, (np.arange(len(c)) - c for c in corners)
        self._places = (ys[:, None] + MARGIN) * stride + xs + MARGIN
        self._spots = dy[:, None] * size + dx
