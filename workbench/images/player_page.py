"""A self-contained HTML page that plays a film: frames of cells, stored as changes.

Text and tiles are shapes that the page tints itself, so a frame costs a few bytes for each changed
cell. The player is in data/player/page.html.
"""

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple
from zlib import compress

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from tcod.tileset import Tileset

from entities.program import VERSION
from render.backends.terminal_colors import pack_rgb
from render.ui.frame import Rect
from workbench.images.level_pictures import data_uri
from workbench.templates import filled_page

MAX_PAGE_BYTES = 1_900_000
"""The most bytes of a page; frames are left out of a longer film."""
ACROSS = 64
"""The number of glyphs in a row of the picture that contains them."""
SHADES = (0xFC, 0xF8, 0xF0, 0xE0)
"""Masks of the bits kept of a colour channel, tried in order until there are few enough looks."""
LOOKS = 60_000

Cells = NDArray[Any]
"""Cells of consoles, ``Console.rgb``: [frame, y, x] of ch, fg, bg."""
Numbers = NDArray[np.int64]


class FilmLayer(NamedTuple):
    """A grid of cells in each frame, its corner at pixel (x, y), clipped to the pixels ``clip``.

    Cells inside ``hole`` are drawn only inside the film's covers.
    """

    cells: Cells
    tiles: Tileset
    x: int
    y: int
    clip: Rect
    hole: Rect | None = None


class Chapter(NamedTuple):
    """A part of a film: its name, a sentence, and pairs of names and values."""

    name: str
    about: str = ""
    parameters: Sequence[tuple[str, str]] = ()


class Film(NamedTuple):
    """Layers, lowest first; for each frame its time in seconds, chapter number and caption.

    ``covers`` are, for each frame, rectangles of the first layer that cover all other layers;
    ``facts`` are names and values for the whole film.
    """

    size: tuple[int, int]
    layers: Sequence[FilmLayer]
    times: Sequence[float]
    parts: Sequence[int]
    captions: Sequence[str]
    chapters: Sequence[Chapter]
    covers: Sequence[Sequence[Rect]] = ()
    facts: Sequence[tuple[str, str]] = ()


def player_page(film: Film, **texts: str) -> bytes:
    """Return the page, at most `MAX_PAGE_BYTES` bytes; too long a film loses every second frame.

    ``texts`` are its words: title, about, code, command, and the ``part`` and ``parts`` of a film.
    """
    words = {name: escape(text) for name, text in texts.items()}
    words["software"] = f"Seedhollow {VERSION}"
    while True:
        fields = film._asdict() | {
            "layers": [_layer_fields(layer) for layer in film.layers],
            "times": [round(time, 3) for time in film.times],
            "chapters": [chapter._asdict() for chapter in film.chapters],
        }
        text = msgspec.json.encode(fields).decode().replace("<", "\\u003c")
        page = filled_page("player/page.html", **words, film=text).encode()
        if len(page) <= MAX_PAGE_BYTES or len(film.times) < 3:
            return page
        film = _thinned(film)


def _thinned(film: Film) -> Film:
    """Return ``film`` without every second frame; the last frame and all chapters are kept."""
    count = len(film.times)
    begins = {film.parts.index(part) for part in set(film.parts)}
    frames = sorted({*range(0, count, 2), *begins, count - 1})
    if len(frames) == count:
        frames = [*range(0, count, 2)]
    return film._replace(
        layers=[layer._replace(cells=layer.cells[frames]) for layer in film.layers],
        times=[film.times[n] for n in frames],
        parts=[film.parts[n] for n in frames],
        captions=[film.captions[n] for n in frames],
        covers=[film.covers[n] for n in frames] if film.covers else (),
    )


def _layer_fields(layer: FilmLayer) -> dict[str, Any]:
    """Return a layer: a picture of its glyphs, its looks, and which look each cell changes to."""
    _, rows, columns = layer.cells.shape
    looks, numbers = next(filter(None, (_looks(layer.cells, shades) for shades in SHADES)))
    codes, glyphs = np.unique(looks["ch"], return_inverse=True)
    table: list[NDArray[Any]] = [glyphs, pack_rgb(looks["fg"]), pack_rgb(looks["bg"])]
    changes = numbers + 1
    changes[1:][numbers[1:] == numbers[:-1]] = 0
    return {
        "x": layer.x,
        "y": layer.y,
        "width": layer.tiles.tile_width,
        "height": layer.tiles.tile_height,
        "columns": columns,
        "rows": rows,
        "clip": layer.clip,
        "hole": layer.hole,
        "glyphs": _glyph_picture(layer.tiles, codes.tolist()),
        "looks": _packed_bytes(np.stack(table, axis=1).astype("<u4")),
        "frames": _packed_bytes(changes.astype("<u2")),
    }


def _looks(cells: Cells, shades: int) -> tuple[Cells, Numbers] | None:
    """Return the distinct cells, and the number of each cell's; None if there are too many."""
    rounded = cells.copy()
    for field in ("fg", "bg"):
        rounded[field] &= np.uint8(shades)
    rounded["fg"][rounded["ch"] == ord(" ")] = 0
    key = rounded["ch"].astype(np.int64) << 36
    for field, shift in (("fg", 18), ("bg", 0)):
        red, green, blue = (rounded[field][..., n].astype(np.int64) >> 2 for n in range(3))
        key |= (red << 12 | green << 6 | blue) << shift
    _, first, numbers = np.unique(key, return_index=True, return_inverse=True)
    if len(first) > LOOKS and shades != SHADES[-1]:
        return None
    return rounded.reshape(-1)[first], numbers.reshape(cells.shape)


def _packed_bytes(array: NDArray[Any]) -> str:
    return b64encode(compress(array.tobytes(), 9)).decode()


def _glyph_picture(tiles: Tileset, codes: list[int]) -> str:
    """Return the shapes of ``codes`` as a data URI: their colours and, below, their alpha.

    These are separate, since browsers lose the colours of nearly transparent pixels.
    """
    width, height = tiles.tile_width, tiles.tile_height
    rows = -(-len(codes) // ACROSS)
    sheet = np.zeros((2, rows * height, ACROSS * width, 3), np.uint8)
    for number, code in enumerate(codes):
        y, x = number // ACROSS * height, number % ACROSS * width
        shape = tiles.get_tile(code)
        sheet[0, y : y + height, x : x + width] = shape[..., :3]
        sheet[1, y : y + height, x : x + width] = shape[..., 3:]
    return data_uri(Image.fromarray(sheet.reshape(-1, ACROSS * width, 3)), "PNG", optimize=True)
