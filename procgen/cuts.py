"""Where a shape would fall apart, and how much each such tile cuts off: counted, not listed."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Mask = NDArray[np.bool_]

AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The eight neighbours (dy, dx) in a circle; every other one, from the first, is orthogonal."""


def pinched(walkable: Mask) -> Mask:
    """Return the walkable tiles whose 4-neighbours do not all hang together around them.

    Only such a tile can be a chokepoint: whoever is not pinched can be walked around.
    """
    padded = np.pad(walkable, 1)
    height, width = walkable.shape
    near = [padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] for dy, dx in AROUND]
    gaps = np.zeros(walkable.shape, np.uint8)
    sides = np.zeros(walkable.shape, np.uint8)
    for turn in range(0, 8, 2):
        corner, following = near[turn + 1], near[(turn + 2) % 8]
        sides += near[turn]
        gaps += near[turn] & ~(corner & following)
    tight: Mask = walkable & (gaps > 1) & (sides > 1)
    return tight
