"""A partition as a painting: flat fields between dark lines, no two neighbours alike."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from procgen.blueprint import RectangularRoom
from render.light import Shades

Leaves = tuple[RectangularRoom, ...]

LINE = (13, 14, 20)
COLORS = (
    (206, 199, 182),
    (176, 62, 51),
    (214, 170, 74),
    (52, 84, 142),
    (139, 141, 147),
    (112, 128, 150),
    (158, 112, 58),
    (92, 96, 106),
)
"""White, red, yellow, blue and grey; then what is left when five are too few."""
TASTE = (0, 3, 0, 1, 4, 0, 2, 0, 1, 0, 3, 4, 2)
"""The colours in the order they are tried, from a place that depends on the field."""


class _Field(NamedTuple):
    leaf: RectangularRoom
    color: int


class Painting:
    """The colours of a growing partition: a field keeps its own while others are cut.

    Show it every stage in order with `add`. A field that only shrank keeps its colour, by its
    upper left corner; its neighbours were its neighbours before, so they still differ.
    """

    def __init__(self) -> None:
        self.stages: list[bytes] = []
        self._leaves: Leaves = ()
        self._fields: dict[tuple[int, int], _Field] = {}

    def add(self, leaves: Leaves) -> None:
        """Colour the next stage."""
        if leaves is self._leaves and self.stages:
            self.stages.append(self.stages[-1])
            return
        fields: dict[tuple[int, int], _Field] = {}
        fresh = []
        for leaf in leaves:
            old = self._fields.get((leaf.x, leaf.y))
            if old and leaf.width <= old.leaf.width and leaf.height <= old.leaf.height:
                fields[leaf.x, leaf.y] = _Field(leaf, old.color)
            else:
                fresh.append(leaf)
        for leaf in fresh:
            fields[leaf.x, leaf.y] = _Field(leaf, _color(leaf, list(fields.values())))
        self._fields, self._leaves = fields, leaves
        self.stages.append(bytes(fields[leaf.x, leaf.y].color for leaf in leaves))


def _color(leaf: RectangularRoom, fields: list[_Field]) -> int:
    """Return the first colour to the taste that no neighbour has; corners count if they can."""
    beside = {field.color for field in fields if meet(leaf, field.leaf, corners=False)}
    around = {field.color for field in fields if meet(leaf, field.leaf, corners=True)}
    at = (leaf.x * 73_856_093 ^ leaf.y * 19_349_663) // 8 % len(TASTE)
    wishes: list[int] = [*TASTE[at:], *TASTE[:at], *range(len(COLORS))]
    for taken in (around, beside):
        for color in wishes:
            if color not in taken:
                return color
    return wishes[0]


def meet(one: RectangularRoom, other: RectangularRoom, *, corners: bool) -> bool:
    """Return whether two rectangles touch, by a side, or by as little as a corner."""
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return min(across, down) >= 0 and (corners or max(across, down) > 0)


def covers(leaves: Sequence[RectangularRoom], width: int, height: int) -> bool:
    """Return whether ``leaves`` are a partition of the whole map."""
    return sum(leaf.area for leaf in leaves) == width * height


def field_map(leaves: Sequence[RectangularRoom], width: int, height: int) -> NDArray[np.int32]:
    """Return the number of the leaf, from 1, that each tile [y, x] lies in."""
    fields = np.zeros((height, width), np.int32)
    for number, leaf in enumerate(leaves, 1):
        fields[leaf.inner] = number
    return fields


def lines(fields: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return where the lines between the fields run, and the frame around them all."""
    drawn = np.zeros(fields.shape, bool)
    drawn[:, 1:] |= fields[:, 1:] != fields[:, :-1]
    drawn[1:] |= fields[1:] != fields[:-1]
    drawn[0], drawn[-1], drawn[:, 0], drawn[:, -1] = True, True, True, True
    return drawn


def pigments(leaves: Sequence[RectangularRoom], colors: bytes) -> Shades:
    """Return the colour [number, 3] of each leaf: its pigment, and a breath of its own."""
    breath: list[int] = [(leaf.x * 7 + leaf.y * 13) % 11 - 5 for leaf in leaves]
    shades = np.array([COLORS[color] for color in colors], np.float32)
    shades += 1.6 * np.array(breath, np.float32)[:, None]
    return np.vstack([np.zeros((1, 3), np.float32), shades])
