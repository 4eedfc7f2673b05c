"""Pictures bound into a GIF, each only where it differs from the one before."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.GifImagePlugin import getdata, getheader

from render.film.dyes import MOST, Dyes
from render.workshop.reel import changed_box

SAME = MOST
"""The number that leaves a pixel as it was."""
END = b";"

Numbers = NDArray[np.uint8]


def bound(pages: Iterable[tuple[Numbers, int]], dyes: Dyes, comment: str) -> bytes:
    """Return a GIF that begins again for ever.

    ``pages`` are colour numbers [y, x] of ``dyes`` and for how many hundredths of a second they
    stay; a page like the one before lengthens its stay.
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
    """Yield where and what changes, and for how long that stays."""
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
