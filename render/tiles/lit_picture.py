"""A lit map as one picture without a window: `render.backends.window_painter` in NumPy.

The window stretches one texel per corner over the map; here the arrays are resized, also linearly.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from tcod.console import Console

from render.tiles.fringe_tiles import FRINGE_COLUMNS, fringe_sheet
from render.tiles.tileset import map_tileset
from render.ui.frame import Fringes, LitGround, Shades

BAND = 16
"""Rows of tiles drawn at a time: a whole level in floating point would take too much memory."""


def lit_picture(console: Console, ground: LitGround, size: int) -> Image.Image:
    """Return ``console`` drawn over its lit ``ground``, in tiles of ``size`` pixels."""
    pixels = np.empty((console.height * size, console.width * size, 3), np.uint8)
    for top in range(0, console.height, BAND):
        bottom = min(console.height, top + BAND)
        band = _band(console.rgb[top:bottom], _rows(ground, top, bottom), size)
        pixels[top * size : bottom * size] = np.clip(band + 0.5, 0, 255)
    return Image.fromarray(pixels)


def _rows(ground: LitGround, top: int, bottom: int) -> LitGround:
    """Return rows ``top`` to ``bottom`` (exclusive) of ``ground`` with all their corners."""
    tiles = Console(ground.tiles.width, bottom - top)
    tiles.rgb[:] = ground.tiles.rgb[top:bottom]
    places, numbers, colors = ground.fringes
    inside = (places[:, 1] >= top) & (places[:, 1] < bottom)
    fringes = Fringes(places[inside] - np.array([0, top]), numbers[inside], colors[inside])
    corners = slice(top, bottom + 1)
    cells = ground.cells[top:bottom]
    return LitGround(tiles, ground.light[corners], ground.glow[corners], fringes, cells)


def _band(cells: NDArray[Any], ground: LitGround, size: int) -> Shades:
    """Draw ``cells`` of a console over their lit ground: float32 [y, x, 3], 0 to 255 or more."""
    lazy = map_tileset(size)
    lazy.need(ground.tiles.ch)
    pixels = lazy.tileset.render(ground.tiles)[..., :3].astype(np.float32)
    _draw_fringes(pixels, ground.fringes, size)
    for channel in range(3):
        pixels[..., channel] *= _stretched(ground.light[..., channel], size)
    _draw_over(pixels, cells, ground, size)
    for channel in range(3):
        pixels[..., channel] += _stretched(ground.glow[..., channel], size)
    return pixels


def _stretched(corners: Shades, size: int) -> Shades:
    """Interpolate between ``corners`` [rows + 1, columns + 1]: float32 [y, x], one per pixel."""
    height, width = corners.shape
    image = Image.fromarray(np.ascontiguousarray(corners, np.float32))
    enlarged = image.resize((width * size, height * size), Image.Resampling.BILINEAR)
    # Texel centres lie on the corners of cells, so half a tile around the map is cut off.
    half, right, bottom = size // 2, (width - 1) * size, (height - 1) * size
    return np.asarray(enlarged, np.float32)[half : half + bottom, half : half + right]


def _draw_fringes(pixels: Shades, fringes: Fringes, size: int) -> None:
    sheet = fringe_sheet(size)[..., 3].astype(np.float32) / np.float32(255)
    for (x, y), number, color in zip(*fringes, strict=True):
        row, column = divmod(int(number), FRINGE_COLUMNS)
        mask = sheet[row * size : (row + 1) * size, column * size : (column + 1) * size, None]
        _blend(pixels, (int(x), int(y)), size, color * mask, mask)


def _draw_over(pixels: Shades, cells: NDArray[Any], ground: LitGround, size: int) -> None:
    """Draw what lies over the ground: the cells that differ from the ground's."""
    lazy = map_tileset(size)
    changed = cells != ground.cells
    lazy.need(cells["ch"][changed])
    for y, x in np.argwhere(changed).tolist():
        cell = cells[y, x]
        tile = lazy.tileset.get_tile(int(cell["ch"])).astype(np.float32) / np.float32(255)
        mask = tile[..., 3:]
        _blend(pixels, (x, y), size, tile[..., :3] * mask * cell["fg"], mask)


def _blend(pixels: Shades, cell: tuple[int, int], size: int, color: Shades, mask: Shades) -> None:
    part = pixels[cell[1] * size : (cell[1] + 1) * size, cell[0] * size : (cell[0] + 1) * size]
    part *= 1 - mask
    part += color
