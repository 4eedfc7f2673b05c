"""Render frames to pixels without a window, with the window's layout."""

import numpy as np

from render.backends.window_layout import WindowLayout, text_cell
from render.tiles.tile_canvas import Pixels
from render.tiles.tileset import console_image, text_tileset
from render.ui.frame import Frame

TEXT, TILE = 16, 20
"""The heights of letters and tiles in pixels."""


def empty_frame(columns: int, rows: int) -> Frame:
    """Return an empty frame of ``columns`` by ``rows`` text cells."""
    width, height = text_cell(TEXT)
    return Frame(columns, rows, (TILE / width, TILE / height), TILE)


def frame_pixels(frame: Frame) -> Pixels:
    """Return ``frame`` as pixels, uint8 [y, x, 3]."""
    cell = text_cell(TEXT)
    window = frame.columns * cell[0], frame.rows * cell[1]
    layout = WindowLayout(frame, window, cell, frame.grain or TILE)
    text: Pixels = text_tileset(TEXT).render(frame.text)[:, :, :3]
    pixels = text.copy()
    tiles, rect = layout.map_area(), frame.map_rect
    if frame.map is None or rect is None or tiles is None:
        return pixels
    area = layout.area(rect)
    pixels[area.cells] = frame.text.bg[min(rect.y, frame.rows - 1), min(rect.x, frame.columns - 1)]
    drawn = np.asarray(console_image(frame.map, layout.tile))
    x0, y0 = max(area.x, tiles.x), max(area.y, tiles.y)
    x1 = min(area.x + area.width, tiles.x + tiles.width)
    y1 = min(area.y + area.height, tiles.y + tiles.height)
    pixels[y0:y1, x0:x1] = drawn[y0 - tiles.y : y1 - tiles.y, x0 - tiles.x : x1 - tiles.x]
    for overlay in frame.overlays:
        part = layout.area(overlay).cells
        pixels[part] = text[part]
    return pixels
