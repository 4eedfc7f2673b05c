"""Tiles drawn when they are first asked for, so that a window opens at once."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tcod.tileset import Tileset

from render.tiles.canvas import Pixels

Drawn = Iterable[tuple[int, Pixels]]

_CODES = 0x110000


class Sort(NamedTuple):
    """Tiles drawn in one way: ``draw`` gives those it is asked for, or more of ``codes``."""

    codes: Sequence[int]
    draw: Callable[[list[int]], Drawn]


class TypeCase:
    """A tileset that fills as its tiles are needed; an atlas made from it follows by itself."""

    def __init__(self, tileset: Tileset, sorts: Iterable[Sort]) -> None:
        self.tileset = tileset
        self._sorts = list(sorts)
        self._missing = np.zeros(_CODES, bool)
        for sort in self._sorts:
            self._missing[sort.codes] = True

    def need(self, codes: NDArray[np.int32]) -> None:
        """Draw what has not been drawn of ``codes``, an array of any shape; skip the unknown."""
        wanted = set(codes[self._missing[codes]].tolist())
        if not wanted:
            return
        for sort in self._sorts:
            if asked := sorted(wanted.intersection(sort.codes)):
                for code, pixels in sort.draw(asked):
                    self.tileset[code] = pixels
                    self._missing[code] = False

    def whole(self) -> Tileset:
        """Return the tileset with every tile drawn."""
        self.need(np.flatnonzero(self._missing).astype(np.int32))
        return self.tileset
