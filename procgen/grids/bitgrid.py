"""Maps as long integers, one bit a tile: floods and fit tests without touching a tile."""

import numpy as np
from numpy.typing import NDArray


def pack(mask: NDArray[np.bool_]) -> int:
    """Return ``mask[y, x]`` as one integer: bit ``y * width + x`` is the tile (x, y).

    The border counts as unset, so that a flood never runs over the edge into the next row.
    """
    inside = np.zeros_like(mask)
    inside[1:-1, 1:-1] = mask[1:-1, 1:-1]
    packed = np.packbits(inside.ravel(), bitorder="little")
    return int.from_bytes(packed.tobytes(), "little")


def pack_rows(mask: NDArray[np.bool_]) -> list[int]:
    """Return one integer per row of ``mask[y, x]``: bit ``x`` is the tile in column x."""
    packed = np.packbits(mask, axis=1, bitorder="little")
    width = packed.shape[1]
    data = packed.tobytes()
    starts = range(0, len(data), width)
    return [int.from_bytes(data[start : start + width], "little") for start in starts]


def overlaps(rows: list[int], shape: list[int], x: int, y: int) -> bool:
    """Whether ``shape``, its left upper corner put at (x, y), shares a set bit with ``rows``."""
    return any(row << x & rows[y + dy] for dy, row in enumerate(shape))


def widened(rows: list[int]) -> list[int]:
    """Return ``rows`` with the eight neighbours of every set bit set too, as far as rows go."""
    wide = [row << 1 | row | row >> 1 for row in rows]
    above, below = [0, *wide[:-1]], [*wide[1:], 0]
    return [one | two | three for one, two, three in zip(above, wide, below, strict=True)]


def within_reach(
    grid: int, width: int, start: tuple[int, int], end: tuple[int, int], limit: int
) -> bool:
    """Whether a walk of at most ``limit`` steps N, E, S or W leads from ``start`` to ``end``.

    ``grid`` is a packed map of open tiles, ``width`` tiles wide. Only rows within reach are
    looked at, and all of a row at once.
    """
    (x1, y1), (x2, y2) = start, end
    if abs(x2 - x1) + abs(y2 - y1) > limit:
        return False
    top = max(0, y1 - limit)
    band = grid >> top * width & (1 << (2 * limit + 1) * width) - 1
    flood = 1 << (y1 - top) * width + x1
    goal = 1 << (y2 - top) * width + x2
    for _ in range(limit):
        spread = (flood | flood << 1 | flood >> 1 | flood << width | flood >> width) & band
        if spread & goal:
            return True
        if spread == flood:
            return False
        flood = spread
    return bool(flood & goal)
