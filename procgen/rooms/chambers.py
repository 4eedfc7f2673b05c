"""Chambers of any shape: the room to stand in, and where two of them are but a wall apart."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from procgen.blueprint import Point, RectangularRoom
from procgen.ways.spanning import Pair

STEPS = ((1, 0), (0, 1))


class Gap(NamedTuple):
    """A place to pierce a wall ``thick`` tiles thick.

    Floor of two chambers lies at either end, at (x, y) and (``dx``, ``dy``) steps on from there.
    """

    x: int
    y: int
    dx: int
    dy: int
    thick: int

    @property
    def tiles(self) -> tuple[Point, ...]:
        """The tiles of the wall."""
        return tuple(
            Point(self.x + self.dx * n, self.y + self.dy * n) for n in range(1, self.thick + 1)
        )


def square_rooms(labels: NDArray[np.int32], count: int) -> list[RectangularRoom]:
    """Return the largest square of odd side in each labelled area 1 to ``count``, in order.

    Of equal squares the first in reading order wins; every area must have at least one tile.
    """
    depth = ndimage.distance_transform_cdt(_same_around(labels), metric="chessboard")
    rank = depth.ravel().astype(np.int64) * labels.size + np.arange(labels.size)[::-1]
    best = np.full(count + 1, -1, np.int64)
    np.maximum.at(best, labels.ravel(), rank)
    rooms = []
    for reach, place in (divmod(number, labels.size) for number in best[1:].tolist()):
        y, x = divmod(labels.size - 1 - place, labels.shape[1])
        rooms.append(RectangularRoom(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1))
    return rooms


def _same_around(labels: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return the tiles whose 8 neighbours all belong to the same area as they do."""
    low = ndimage.minimum_filter(labels, 3, mode="constant", cval=0)
    high = ndimage.maximum_filter(labels, 3, mode="constant", cval=0)
    same: NDArray[np.bool_] = (low == high) & (labels > 0)
    return same


def thin_walls(labels: NDArray[np.int32], thickness: int) -> dict[Pair, list[Gap]]:
    """Return, for each pair of areas, where a straight wall of 1 to ``thickness`` parts them.

    The areas are those labelled above 0 in ``labels[y, x]``; 0 is wall. Pairs come in order,
    smaller number first; their gaps from thin to thick, and in reading order.
    """
    found: dict[Pair, list[Gap]] = {}
    height, width = labels.shape
    closed = {step: np.ones(labels.shape, np.bool_) for step in STEPS}
    for thick in range(1, min(thickness, max(width, height) - 2) + 1):
        for dx, dy in STEPS:
            down, across = dy * (thick + 1), dx * (thick + 1)
            if down >= height or across >= width:
                continue
            here, there = labels[: height - down, : width - across], labels[down:, across:]
            between = labels[dy * thick :, dx * thick :][: height - down, : width - across] == 0
            wall = closed[dx, dy][: height - down, : width - across] & between
            closed[dx, dy] = wall
            good = wall & (here > 0) & (there > 0) & (here != there)
            sides = np.minimum(here, there)[good], np.maximum(here, there)[good]
            ones, others, ys, xs = (part.tolist() for part in (*sides, *np.nonzero(good)))
            for one, other, y, x in zip(ones, others, ys, xs, strict=True):
                found.setdefault((one, other), []).append(Gap(x, y, dx, dy, thick))
    return dict(sorted(found.items()))
