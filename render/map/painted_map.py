"""The overview map as a window draws it: land in relief on paper, with names, pins and the hero."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from render.map.world_map import LabelLayout
from render.tiles.fringe_tiles import contours
from render.tiles.letters import font
from render.tiles.tile_canvas import blurred
from render.ui.palette import colors

PAPER = np.array([48, 41, 32], np.float32)
"""The colour of unknown land."""
INK, RIM = (22, 17, 14), (255, 250, 236)
"""The outline of names and pins, and the rim of the hero's."""
TINT = np.array([0.94, 0.88, 0.78], np.float32)
"""The tint that paper gives to the colours of land."""
RELIEF, LINES = 0.9, 0.16
"""The strength of the shade of slopes, and of contour lines."""
CONTOUR_TILE = 48
"""Pixels of a quarter of the pattern of contour lines."""
EM = 0.6
"""The width of a letter as a share of its font's size."""
HERO_MARK = "@"

Pixels = NDArray[np.uint8]


def painted_map(points: Pixels, corner: tuple[int, int], board: LabelLayout, cell: float) -> Pixels:
    """Return ``points`` [y, x, 3] as large as the area of ``board``, whose cells are ``cell`` wide.

    ``corner`` is the number of the first point; points of the colour of the screen are unknown.
    """
    width, height = round(board.area.width * cell), round(board.area.height * 2 * cell)
    known = (points != colors()["ground"]).any(axis=2)
    grey = points.mean(axis=2)
    slope = RELIEF * (grey - np.roll(grey, (1, 1), (0, 1))) * known
    lit = np.clip(points * TINT + slope[..., None], 0, 255).astype(np.uint8)
    how = Image.Resampling.BICUBIC
    land = np.asarray(Image.fromarray(lit).resize((width, height), how), np.float32)
    cover = Image.fromarray(known.astype(np.uint8) * 255).resize((width, height), how)
    share = np.asarray(cover, np.float32)[..., None] / 255
    # The lines move with the land.
    across = width / points.shape[1]
    shift = tuple(round(-place * across) for place in (corner[1], corner[0]))
    lines = np.roll(contours(CONTOUR_TILE), shift, (0, 1))
    times = [-(-length // len(lines)) for length in (height, width)]
    drawn = np.tile(lines, times)[:height, :width, None] * np.float32(LINES / 255)
    paper = PAPER * (1 - 0.6 * blurred(cover, cell)[..., None])
    shown = (land * share + paper * (1 - share)) * (1 + drawn * (1 - 2 * share))
    picture = Image.fromarray(np.clip(shown, 0, 255).astype(np.uint8))
    _letter(ImageDraw.Draw(picture), board, cell)
    return np.asarray(picture)


def _letter(pen: ImageDraw.ImageDraw, board: LabelLayout, cell: float) -> None:
    """Draw a pin for each site of ``board`` and for the hero, then the names."""
    letters, size = font("Bold", cell / EM), cell * 0.4
    pins = [(spot, "accent", INK) for spot in board.pins]
    pins += [((one.column, one.row), "cloak", RIM) for one in board.placed if one.text == HERO_MARK]
    for (column, row), shade, rim in pins:
        x, y = (column + 0.5) * cell, (2 * row + 1) * cell
        disc = (x - size, y - size, x + size, y + size)
        pen.ellipse(disc, colors()[shade], rim, max(1, round(cell / 5)))
    for text, column, row, color in board.placed:
        if text != HERO_MARK:
            start = (column * cell, (2 * row + 1) * cell)
            pen.text(start, text, color, letters, "lm", stroke_width=2, stroke_fill=INK)
