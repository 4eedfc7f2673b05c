"""Levels as pictures: one alone, or many on a contact sheet."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from tcod.console import Console

from entities.data import DATA
from entities.kinds import creatures
from procgen.build import Level
from render.map_view import draw_ground
from render.palette import colors, creature_colors
from render.tiles.sheet import picture
from render.view import Ground, View

MARGIN, CAPTION = 14, 26


def level_picture(level: Level, tile: int = 12) -> Image.Image:
    """Return the whole level lit evenly, its creatures in place, ``tile`` pixels a tile."""
    everywhere = np.ones(level.tiles.shape, bool)
    ground = Ground(level.tiles, everywhere, everywhere, level.theme, level.start, level.exit)
    console = Console(ground.width, ground.height)
    draw_ground(console, ground, View(reveal=True))
    for spawn in level.spawns:
        kind = creatures()[spawn.kind]
        console.rgb[spawn.y, spawn.x]["ch"] = ord(kind.glyph)
        console.rgb[spawn.y, spawn.x]["fg"] = creature_colors()[kind.color]
    return picture(console, tile)


def contact_sheet(
    levels: Sequence[tuple[str, Level]], columns: int = 4, width: int = 400
) -> Image.Image:
    """Return captioned pictures in rows of ``columns``, each ``width`` pixels wide."""
    height = width * 5 // 8
    rows = -(-len(levels) // columns)
    step_x, step_y = width + MARGIN, height + CAPTION + MARGIN
    size = (columns * step_x + MARGIN, rows * step_y + MARGIN)
    sheet = Image.new("RGB", size, colors()["ground"])
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.truetype(str(Path(DATA) / "font" / "JetBrainsMono-Regular.ttf"), 15)
    for number, (caption, level) in enumerate(levels):
        x = MARGIN + number % columns * step_x
        y = MARGIN + number // columns * step_y
        shown = _within(level_picture(level), width, height)
        sheet.paste(shown, (x + (width - shown.width) // 2, y + (height - shown.height) // 2))
        name, _, rest = caption.partition("  ")
        pen.text((x, y + height + 4), name, colors()["accent"], font)
        pen.text((x + 9 * len(name) + 14, y + height + 4), rest, colors()["dim"], font)
    return sheet


def _within(image: Image.Image, width: int, height: int) -> Image.Image:
    """Return ``image`` shrunk to fit, keeping its shape."""
    scale = min(width / image.width, height / image.height)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.resize(size, Image.Resampling.LANCZOS)
