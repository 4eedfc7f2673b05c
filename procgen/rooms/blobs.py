"""Rooms that nobody drew: overlapping discs and small caves."""

import numpy as np
from scipy import ndimage

from procgen.rng import Rng
from procgen.rooms.shapes import Mask, Shape, circle, disc, with_square_core


def chunky(rng: Rng, width: int, height: int) -> Shape:
    """Return a few discs thrown over one in the middle."""
    if min(width, height) < 5:
        return circle(rng, width, height)
    mask = np.zeros((height, width), np.bool_)
    wide, tall = (width + 1) // 2, (height + 1) // 2
    part = disc(wide, tall)
    y, x = (height - tall) // 2, (width - wide) // 2
    mask[y : y + tall, x : x + wide] |= part
    for _ in range(rng.between(3, 6)):
        x, y = rng.between(0, width - wide), rng.between(0, height - tall)
        mask[y : y + tall, x : x + wide] |= part
    return with_square_core(_trimmed(mask))


def cave(rng: Rng, width: int, height: int) -> Shape:
    """Return the largest chamber of a small cellular automaton; a disc where none is large."""
    mask = rng.noise(height, width) < 145
    box = np.ones((3, 3), np.uint8)
    for _ in range(4):
        around = ndimage.convolve(mask.astype(np.uint8), box, mode="constant")
        mask = around >= 5
    labels, count = ndimage.label(mask)
    sizes = np.bincount(labels.ravel(), minlength=2)
    sizes[0] = 0
    if not count or 3 * sizes.max() < width * height:
        return circle(rng, width, height)
    return with_square_core(_trimmed(labels == sizes.argmax()))


def _trimmed(mask: Mask) -> Mask:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
