"""Write animated GIFs frame by frame, with few colours and only the changed part of each frame."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.GifImagePlugin import getdata, getheader

from procgen.blueprint import bounding_box
from render.backends.terminal_colors import Packed, TerminalPalette, pack_rgb, unpack_rgb
from render.tiles.tile_canvas import Pixels
from render.ui.palette import colors, creature_colors

MAX_COLORS = 255
"""The most colours of a palette; number 255 is transparent and leaves a pixel unchanged."""

ColorCounts = tuple[Packed, NDArray[np.intp]]
"""Packed colours, and how often each occurs."""


def color_counts(pixels: Pixels) -> ColorCounts:
    """Count the colours of a picture."""
    return np.unique(pack_rgb(pixels), return_counts=True)


class GifPalette:
    """A palette of at most `MAX_COLORS` colours for all pictures whose colours are ``counted``.

    ``table`` has 256 rows of red, green and blue.
    """

    def __init__(self, counted: Sequence[ColorCounts]) -> None:
        base = np.array([*colors().values(), *creature_colors().values()], np.uint8)
        every, counts = (np.concatenate(columns) for columns in zip(*counted, strict=True))
        seen, places = np.unique(every, return_inverse=True)
        picked = _picked(seen, np.bincount(places, counts).astype(np.intp), MAX_COLORS - len(base))
        chosen = np.unique(np.concatenate([base, picked]), axis=0)
        self.table = np.zeros((256, 3), np.uint8)
        self.table[: len(chosen)] = chosen
        self._palette = TerminalPalette([tuple(color) for color in chosen.tolist()], 0)

    def numbers(self, pixels: Pixels) -> NDArray[np.uint8]:
        """Return the numbers [y, x] of the colours that come nearest to ``pixels`` [y, x, 3]."""
        return self._palette.nearest(pack_rgb(pixels)).astype(np.uint8)


def _picked(seen: Packed, counts: NDArray[np.intp], most: int) -> NDArray[np.uint8]:
    """Choose up to ``most`` colours by median cut.

    It uses the cube roots of counts. Otherwise the few bright pixels of a potion would lose their
    colour to another shade of rock.
    """
    often = np.repeat(seen, np.ceil(np.cbrt(counts)).astype(np.intp))
    image = Image.fromarray(unpack_rgb(often)[None].astype(np.uint8))
    table = image.quantize(most, Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or []
    return np.array(table[: 3 * most], np.uint8).reshape(-1, 3)


SAME = MAX_COLORS
"""The transparent colour number."""
END = b";"


class GifFrame(NamedTuple):
    """A frame: colour numbers [y, x] of ``palette``, shown for ``stay`` hundredths of a second."""

    numbers: NDArray[np.uint8]
    stay: int
    palette: GifPalette


def gif_pieces(frames: Iterable[GifFrame], comment: str = "") -> Iterator[bytes]:
    """Yield the pieces of a GIF that loops forever; equal frames are merged.

    A frame with a different palette from the previous frame's is written whole.
    """
    # Image.save(save_all=True) keeps all frames in memory, and a run has thousands. Pillow's two
    # functions for single frames write them one by one.
    first: GifPalette | None = None
    for x, y, (numbers, stay, palette) in _patches(frames):
        image = Image.fromarray(np.ascontiguousarray(numbers), "P")
        image.putpalette(palette.table.tobytes())
        if first is None:
            first = palette
            info = {"loop": 0, "duration": 10 * stay, "comment": comment.encode()}
            yield from getheader(image, info=info)[0]
        flag = {"include_color_table": palette is not first}
        yield from getdata(image, (x, y), duration=10 * stay, transparency=SAME, disposal=1, **flag)
    if first:
        yield END


def _patches(frames: Iterable[GifFrame]) -> Iterator[tuple[int, int, GifFrame]]:
    """Yield column, row and content of the part of each frame that changed.

    A frame without changes prolongs the previous part.
    """
    before: GifFrame | None = None
    last: tuple[int, int, GifFrame] | None = None
    for frame in frames:
        if last is None or before is None or frame.palette is not before.palette:
            new = 0, 0, frame
        elif box := bounding_box(before.numbers != frame.numbers):
            shown, numbers = before.numbers[box.inner], frame.numbers[box.inner]
            patch = np.where(shown != numbers, numbers, np.uint8(SAME))
            new = box.x, box.y, frame._replace(numbers=patch)
        else:
            x, y, part = last
            last = x, y, part._replace(stay=part.stay + frame.stay)
            continue
        if last:
            yield last
        last, before = new, frame
    if last:
        yield last
