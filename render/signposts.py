"""Names on a picture of a world without an edge: of lands, and of places in them."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from tcod.console import Console

from engine.endless.plots import Plot
from procgen.endless.chunk import SIDE, Mask
from render.draw import write
from render.frame import Rect
from render.lands import land_name
from render.palette import colors

KNOWN = 64
"""One knows a land of which one has seen so many tiles."""
PLACES_UP_TO = 8
"""From further off than so many tiles to a point only lands are named."""


class Sign(NamedTuple):
    """A name at the place (x, y) of the world, of a land or of a place in it."""

    text: str
    x: int
    y: int
    land: bool


def signs_of(seed: int, chunk: tuple[int, int], plot: Plot, seen: Mask | None) -> list[Sign]:
    """Return the names in a ``chunk`` that one knows by what one has ``seen``; all for None."""
    left, top = chunk[0] * SIDE, chunk[1] * SIDE
    seen = np.ones((SIDE, SIDE), np.bool_) if seen is None else seen
    found = []
    ys, xs = seen.nonzero()
    if len(xs) >= KNOWN:
        name = land_name(seed, chunk, plot)
        found.append(Sign(name, left + int(xs.mean()), top + int(ys.mean()), land=True))
    for kind, x, y in plot.sites:
        if seen[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].any():
            found.append(Sign(kind, left + x, top + y, land=False))
    return found


class Board:
    """An ``area`` of a console that shows half blocks of ``scale`` tiles, from ``corner`` on.

    The corner counts in points; names are put where nothing else has been put.
    """

    def __init__(self, console: Console, area: Rect, corner: tuple[int, int], scale: int) -> None:
        self._console, self._area, self._corner, self.scale = console, area, corner, scale
        self._taken = np.zeros((area.height + 2, area.width + 2), np.bool_)

    def cell(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the column and row of the place (x, y) of the world, if it is in the area."""
        column = x // self.scale - self._corner[0]
        row = (y // self.scale - self._corner[1]) // 2
        inside = 0 <= column < self._area.width and 0 <= row < self._area.height
        return (column, row) if inside else None

    def put(self, text: str, x: int, y: int, color: str, ground: str | None = None) -> None:
        """Write ``text`` on the place (x, y) or beside it, all of it with a gap, or nothing."""
        cell, length = self.cell(x, y), len(text)
        if cell is None or length > self._area.width:
            return
        column, row = cell
        start = min(max(0, column - length // 2), self._area.width - length)
        for line in (row, row - 1, row + 1, row - 2, row + 2):
            gap = self._taken[max(0, line) : line + 3, start : start + length + 2]
            if 0 <= line < self._area.height and not gap.any():
                self._taken[line + 1, start + 1 : start + length + 1] = True
                left, top = self._area.x + start, self._area.y + line
                write(self._console, left, top, text, color)
                if ground:
                    self._console.rgb["bg"][top, left : left + length] = colors()[ground]
                return

    def put_up(self, signs: Iterable[Sign]) -> None:
        """Put up ``signs`` where there is room, lands before places."""
        near = self.scale <= PLACES_UP_TO
        shown = [one for one in signs if (near or one.land) and self.cell(one.x, one.y)]
        for sign in sorted(shown, key=lambda sign: (not sign.land, sign.y, sign.x)):
            color = "accent" if sign.land else "text"
            self.put(sign.text, sign.x, sign.y, color, "ground")
