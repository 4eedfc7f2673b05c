"""Letters rasterised from the font, for text and (bold, with a halo) for the map; symbols."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from entities.data_files import DATA
from render.tiles.pictures import draw_picture, picture_book
from render.tiles.tile_canvas import Pixels, TileCanvas, with_halo


def symbol_chars() -> str:
    """Return the characters that data/pictures/symbols.toml draws."""
    return "".join(picture_book("symbols").pictures)


def symbol(char: str, size: int) -> NDArray[np.uint8]:
    """Return the coverage of each pixel by ``char`` of `symbol_chars`: uint8[size, size]."""
    canvas = TileCanvas(size)
    draw_picture(canvas, picture_book("symbols"), char)
    return canvas.pixels()[:, :, 3]


Cover = NDArray[np.uint8]

LATIN = "".join(map(chr, (*range(33, 127), *range(161, 173), *range(174, 256))))
"""All printable characters of Latin-1 except the space."""
PLACED = frozenset(",._'`\"^*°¨¯´·•‘’“”")
"""Characters that are not centred, because their vertical position matters."""

# Measures of the font in em: advance, highest accent, deepest descender, capital height.
ADVANCE, _ASCENT, _DESCENT, _CAPITAL = 0.6, 0.994, 0.203, 0.73
_PAD = 16
_TRACE = 70
"""A grey up to this value beside a letter is only antialiasing of its edge."""


def text_glyphs(chars: str, width: int, height: int) -> dict[str, Cover]:
    """Return a cell for each of ``chars``, all on one baseline: uint8[height, width] each."""
    em = min(width / ADVANCE, height / (_ASCENT + _DESCENT))
    baseline = round((height + (_ASCENT - _DESCENT) * em) / 2)
    plain = [char for char in chars if char not in symbol_chars()]
    glyphs = _cut(plain, _Cut("Regular", em, width, height, baseline))
    # Light text on a dark background looks too thin, so its greys are raised.
    levels = (np.linspace(0, 1, 256) ** 0.82 * 255).round().astype(np.uint8)
    glyphs = {char: levels[cell] for char, cell in glyphs.items()}
    middle = baseline - em * _CAPITAL / 2
    top = min(max(round(middle - width / 2), 0), height - width)
    for char in chars:
        if char in symbol_chars():
            glyphs[char] = np.zeros((height, width), np.uint8)
            glyphs[char][top : top + width] = symbol(char, width)
    return glyphs


def map_glyphs(chars: str, size: int) -> dict[str, Pixels]:
    """Return a tile for each of ``chars``: bold, centred, lit from above, with a dark halo."""
    em = size * 1.1
    baseline = round((size + _CAPITAL * em) / 2)
    plain = [char for char in chars if char not in symbol_chars()]
    glyphs = _cut(plain, _Cut("Bold", em, size, size, baseline, margin=1, centred=True))
    margin = round(size * 0.14)
    for char in chars:
        if char in symbol_chars():
            glyphs[char] = np.pad(symbol(char, size - 2 * margin), margin)
    light = np.linspace(1.06, 0.84, size).clip(0, 1)[:, None] * 255
    ink = np.full((size, size), light, np.uint8)
    return {char: with_halo(np.dstack([ink, ink, ink, cell])) for char, cell in glyphs.items()}


class _Cut(NamedTuple):
    """Settings for rasterising letters: weight, em and cell in pixels, margins."""

    weight: str
    em: float
    width: int
    height: int
    baseline: int
    margin: int = 0
    centred: bool = False


@cache
def font(weight: str, em: float) -> ImageFont.FreeTypeFont:
    """Return the font of a ``weight`` (Regular, Bold, ...) at ``em`` pixels."""
    path = str(DATA / "font" / f"JetBrainsMono-{weight}.ttf")
    return ImageFont.truetype(path, em, layout_engine=ImageFont.Layout.BASIC)


def _cut(chars: Sequence[str], settings: _Cut) -> dict[str, Cover]:
    """Rasterise ``chars``; a character that exceeds its cell is drawn smaller."""
    cells: dict[str, Cover] = {}
    for shrink in (1.0, 0.94, 0.88, 0.8):
        stack = _raster(chars, settings._replace(em=settings.em * shrink))
        if settings.centred:
            for char, cell in zip(chars, stack, strict=True):
                if char not in PLACED:
                    cell[:] = _centred(cell)
        room = _PAD + settings.margin
        outside = stack.copy()
        outside[:, room:-room, _PAD:-_PAD] = 0
        cells |= dict(zip(chars, stack[:, _PAD:-_PAD, _PAD:-_PAD], strict=True))
        spills = outside.max(axis=(1, 2)) > _TRACE
        chars = [char for char, spill in zip(chars, spills, strict=True) if spill]
        if not chars:
            break
    return cells


def _raster(chars: Sequence[str], settings: _Cut) -> NDArray[np.uint8]:
    """Draw ``chars`` in a row; return their cells with `_PAD` pixels more on every side."""
    face = font(settings.weight, settings.em)
    pitch, height = settings.width + 2 * _PAD, settings.height + 2 * _PAD
    strip = Image.new("L", (pitch * len(chars), height))
    pen = ImageDraw.Draw(strip)
    inset = _PAD + (settings.width - face.getlength("m")) / 2
    for index, char in enumerate(chars):
        pen.text((index * pitch + inset, settings.baseline + _PAD), char, 255, face, anchor="ls")
    return np.asarray(strip).reshape(height, len(chars), pitch).transpose(1, 0, 2).copy()


def _centred(cell: Cover) -> Cover:
    """Return ``cell`` with its ink centred vertically."""
    rows = np.flatnonzero(cell.max(axis=1) > _TRACE)
    if not len(rows):
        return cell
    return np.roll(cell, (len(cell) - 1 - int(rows[0]) - int(rows[-1])) // 2, axis=0)
