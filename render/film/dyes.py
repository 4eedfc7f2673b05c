"""The few colours that a picture file may have, chosen for what is to be seen."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.faces.ansi_colors import Packed, Palette, unpack
from render.film.pixels import Pixels, frame_pixels, packed
from render.film.shots import Shot
from render.palette import colors, creature_colors

MOST = 255
"""Colours of a palette; the last of 256 numbers stands for what stays as it is."""

Counts = NDArray[np.intp]


class Dyes:
    """A palette of at most `MOST` colours: ``table`` has 256 rows of red, green and blue."""

    def __init__(self, seen: Packed, counts: Counts) -> None:
        dear = np.array([*colors().values(), *creature_colors().values()], np.uint8)
        chosen = np.unique(np.concatenate([dear, _picked(seen, counts, MOST - len(dear))]), axis=0)
        self.table = np.zeros((256, 3), np.uint8)
        self.table[: len(chosen)] = chosen
        self._palette = Palette([tuple(color) for color in chosen.tolist()], 0)

    def numbers(self, pixels: Pixels) -> NDArray[np.uint8]:
        """Return the numbers of the colours that come nearest to ``pixels``, [y, x]."""
        return self._palette.nearest(packed(pixels)).astype(np.uint8)


def _picked(seen: Packed, counts: Counts, most: int) -> NDArray[np.uint8]:
    """Return up to ``most`` colours that stand for all; small bright things count, too."""
    often = np.repeat(seen, np.ceil(np.sqrt(counts)).astype(np.intp))
    image = Image.fromarray(unpack(often)[None].astype(np.uint8))
    table = image.quantize(most, Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or []
    return np.array(table[: 3 * most], np.uint8).reshape(-1, 3)


def dyes_of(samples: Iterable[Shot]) -> dict[str, Dyes]:
    """Return a palette for each level that is seen on ``samples``."""
    seen: dict[str, tuple[Packed, Counts]] = {}
    for shot in samples:
        new = np.unique(packed(frame_pixels(shot.frame)), return_counts=True)
        known = seen.get(shot.level)
        seen[shot.level] = _together(known, new) if known else new
    return {level: Dyes(*found) for level, found in seen.items()}


def _together(one: tuple[Packed, Counts], other: tuple[Packed, Counts]) -> tuple[Packed, Counts]:
    """Add up how often colours were seen."""
    found, places = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    counts = np.bincount(places, np.concatenate([one[1], other[1]]))
    return found, counts.astype(np.intp)
