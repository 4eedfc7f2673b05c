"""Write animated GIFs: a shared palette, and only the changed part of each frame."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.GifImagePlugin import getdata, getheader

from render.backends.terminal_colors import Packed, TerminalPalette, unpack_rgb
from render.ui.palette import colors, creature_colors
from render.workshop.delta_frames import changed_box
from workbench.images.frame_pixels import Pixels, packed_colors

MOST = 255
"""Colours of a palette; number 255 is transparent: the pixel stays as it was."""

Counts = NDArray[np.intp]


class Dyes:
    """A palette of at most `MOST` colours: ``table`` has 256 rows of red, green and blue."""

    def __init__(self, seen: Packed, counts: Counts) -> None:
        dear = np.array([*colors().values(), *creature_colors().values()], np.uint8)
        chosen = np.unique(np.concatenate([dear, _picked(seen, counts, MOST - len(dear))]), axis=0)
        self.table = np.zeros((256, 3), np.uint8)
        self.table[: len(chosen)] = chosen
        self._palette = TerminalPalette([tuple(color) for color in chosen.tolist()], 0)

    def numbers(self, pixels: Pixels) -> NDArray[np.uint8]:
        """Return the numbers of the colours that come nearest to ``pixels``, [y, x]."""
        return self._palette.nearest(packed_colors(pixels)).astype(np.uint8)


def _picked(seen: Packed, counts: Counts, most: int) -> NDArray[np.uint8]:
    """Choose up to ``most`` colours by median cut.

    Counts enter by their square root: else a few bright pixels of a potion would lose their
    colour to one more shade of the rock.
    """
    often = np.repeat(seen, np.ceil(np.sqrt(counts)).astype(np.intp))
    image = Image.fromarray(unpack_rgb(often)[None].astype(np.uint8))
    table = image.quantize(most, Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or []
    return np.array(table[: 3 * most], np.uint8).reshape(-1, 3)


SAME = MOST
"""The transparent colour number."""
END = b";"

Numbers = NDArray[np.uint8]


def bound(pages: Iterable[tuple[Numbers, int]], dyes: Dyes, comment: str) -> bytes:
    """Return a GIF that loops for ever.

    ``pages`` are colour numbers [y, x] and durations in hundredths of a second; equal frames are
    merged.
    """
    pieces: list[bytes] = []
    for (x, y), patch, stay in _patches(pages):
        image = Image.fromarray(patch, "P")
        image.putpalette(dyes.table.tobytes())
        if not pieces:
            info = {"loop": 0, "duration": 10 * stay, "comment": comment.encode()}
            pieces += getheader(image, info=info)[0]
        pieces += getdata(image, (x, y), duration=10 * stay, transparency=SAME, disposal=1)
    return b"".join([*pieces, END])


def _patches(
    pages: Iterable[tuple[Numbers, int]],
) -> Iterator[tuple[tuple[int, int], Numbers, int]]:
    """Yield position, changed rectangle and duration of each frame."""
    shown: Numbers | None = None
    held: tuple[tuple[int, int], Numbers, int] | None = None
    for numbers, stay in pages:
        box = None if shown is None else changed_box(shown, numbers)
        if held is None or shown is None:
            held = (0, 0), numbers, stay
        elif box is None:
            held = *held[:2], held[2] + stay
        else:
            yield held
            patch = np.where(shown[box] != numbers[box], numbers[box], np.uint8(SAME))
            held = (box[1].start, box[0].start), np.ascontiguousarray(patch), stay
        shown = numbers
    if held:
        yield held
