"""Colours a BSP partition like a Mondrian painting: neighbouring cells differ in colour."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Mask
from procgen.blueprint import RectangularRoom
from render.ui.frame import Shades
from render.ui.palette import chart_colors
from render.workshop.delta_frames import DeltaFrames

Leaves = tuple[RectangularRoom, ...]

LINE = (13, 14, 20)
COLORS = 8
"""The number of paint colours."""
COLOR_ORDER = (0, 3, 0, 1, 4, 0, 2, 0, 1, 0, 3, 4, 2)
"""The order in which colours are tried; the cell's position determines where it begins."""
SHADES_PER_COLOR = 11
"""Shades of each colour, so that two cells of one colour can be told apart."""


class PartitionPainting:
    """A partition painted while it is split; call `add` with every stage in order.

    ``stages[n][y, x]`` are 1 + colour + 8 * shade, 0 where nothing is painted. When a cell is
    split, its upper left part keeps the colour: it still differs from its neighbours, since they
    were neighbours of the old cell, and the picture changes as little as possible.
    """

    def __init__(self, width: int, height: int) -> None:
        self.stages: DeltaFrames[np.uint8] = DeltaFrames()
        self._canvas = np.zeros((height, width), np.uint8)
        self._leaves: Leaves = ()
        self._corners: dict[tuple[int, int], RectangularRoom] = {}

    def add(self, leaves: Leaves) -> None:
        """Paint the next stage."""
        if leaves is not self._leaves:
            old = set(map(id, self._leaves))
            changed = [leaf for leaf in leaves if id(leaf) not in old]
            fresh = [leaf for leaf in changed if not self._remains(leaf)]
            for leaf in fresh:
                self._canvas[leaf.inner] = 0
            for leaf in fresh:
                self._canvas[leaf.inner] = self._pigment(leaf)
            self._corners |= {(leaf.x, leaf.y): leaf for leaf in changed}
            if len(self._corners) != len(leaves):
                self._corners = {(leaf.x, leaf.y): leaf for leaf in leaves}
            self._leaves = leaves
        self.stages.append(self._canvas)

    def _remains(self, leaf: RectangularRoom) -> bool:
        """Return whether ``leaf`` is the upper left part of a cell that was split."""
        old = self._corners.get((leaf.x, leaf.y))
        return old is not None and leaf.width <= old.width and leaf.height <= old.height

    def _pigment(self, leaf: RectangularRoom) -> int:
        """Return the first colour of no side neighbour and, if possible, of no corner neighbour."""
        x, y, right, bottom = leaf.x, leaf.y, leaf.x + leaf.width, leaf.y + leaf.height
        left, top = max(0, x - 1), max(0, y - 1)
        above, below = np.s_[top:y, x:right], np.s_[bottom : bottom + 1, x:right]
        before, behind = np.s_[y:bottom, left:x], np.s_[y:bottom, right : right + 1]
        sides = [self._canvas[part].ravel().tolist() for part in (above, below, before, behind)]
        side_colors = {(pigment - 1) % COLORS for side in sides for pigment in set(side)}
        ring = self._canvas[top : bottom + 1 : leaf.height + 1, left : right + 1 : leaf.width + 1]
        corners = {(pigment - 1) % COLORS for pigment in ring.ravel().tolist()}
        at = (x * 73_856_093 ^ y * 19_349_663) // COLORS % len(COLOR_ORDER)
        wishes: list[int] = [*COLOR_ORDER[at:], *COLOR_ORDER[:at], *range(COLORS)]
        free = [color for color in wishes if color not in side_colors] or wishes
        color = next((color for color in free if color not in corners), free[0])
        return 1 + color + COLORS * ((x * 7 + y * 13) % SHADES_PER_COLOR)


def is_partition(leaves: Sequence[RectangularRoom], width: int, height: int) -> bool:
    """Return whether ``leaves`` cover the whole map."""
    return sum(leaf.area for leaf in leaves) == width * height


def border_mask(fields: NDArray[np.integer]) -> Mask:
    """Return a mask of the borders between ``fields[y, x]`` and of the map's edge."""
    borders: Mask = np.diff(fields, axis=1, prepend=fields[:, :1]) != 0
    borders |= np.diff(fields, axis=0, prepend=fields[:1]) != 0
    borders[[0, -1]] = borders[:, [0, -1]] = True
    return borders


def paint_colors() -> Shades:
    """Return the colour [number, 3] of each number in `PartitionPainting.stages`."""
    numbers = np.arange(COLORS * SHADES_PER_COLOR)
    breath = (numbers // COLORS - SHADES_PER_COLOR // 2).astype(np.float32)[:, None]
    paints = np.array(chart_colors()["paint"], np.float32)
    shades = paints[numbers % COLORS] + np.float32(1.6) * breath
    return np.vstack([np.zeros((1, 3), np.float32), shades]).astype(np.float32)


def field_map(leaves: Sequence[RectangularRoom], width: int, height: int) -> NDArray[np.int32]:
    """Return the number of each tile's leaf, from 1: int32 [y, x]."""
    fields = np.zeros((height, width), np.int32)
    for number, leaf in enumerate(leaves, 1):
        fields[leaf.inner] = number
    return fields
