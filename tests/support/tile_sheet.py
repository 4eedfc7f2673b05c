"""A contact sheet of all tiles, to check by eye.

python tests/support/tile_sheet.py FILE.png [SIZE]
"""

import sys
from pathlib import Path

import numpy as np
from tcod.console import Console

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from entities.terrain import TILES, Tile
from render.tiles.glyphs import (
    HEDGE_WALLS,
    MARKS,
    ROCK_WALLS,
    VARIANTS,
    WALLS,
    WILD_TERRAIN,
    WILD_TILES,
    tile_code,
    visible_mask,
)
from render.tiles.letters import LATIN
from render.tiles.tileset import MAP_SIGNS, console_image
from render.ui.palette import theme_paint

INK, GROUND = (238, 206, 150), (34, 31, 34)
ESSENTIAL = sorted({visible_mask(mask) for mask in range(256)})


def tile_sheet(size, theme="stone"):
    """Return an image of all tiles of ``size`` pixels: terrain, marks, walls, letters.

    Rock and hedges appear in one variant only.
    """
    columns = 32
    letters = LATIN + MAP_SIGNS
    wild = [start + mask for start in (ROCK_WALLS, HEDGE_WALLS) for mask in ESSENTIAL]
    ground = [tile_code(tile, i, WILD_TERRAIN) for tile in WILD_TILES for i in range(VARIANTS)]
    rows = -(-len(TILES) // 4) + 1 + 256 // columns + -(-len(letters) // columns)
    bottom, rows = rows, rows + -(-len(wild + ground) // columns)
    console = Console(columns, rows)
    paint = theme_paint(theme)
    for tile in TILES:
        y, x = divmod(tile, 4)
        for variant in range(VARIANTS):
            colors = paint.ink[tile], paint.ground[tile]
            _put(console, x * VARIANTS + variant, y, tile_code(tile, variant), colors)
    walls = paint.ink[Tile.WALL], paint.ground[Tile.FLOOR]
    top = -(-len(TILES) // 4)
    for i in range(5):
        _put(console, i, top, MARKS + i, (INK, GROUND))
    for i in range(256):
        _put(console, i % columns, top + 1 + i // columns, WALLS + i, walls)
    for i, char in enumerate(letters):
        place = top + 1 + 256 // columns + i // columns
        _put(console, i % columns, place, ord(char), (INK, GROUND))
    for i, code in enumerate(wild + ground):
        _put(console, i % columns, bottom + i // columns, code, walls)
    return console_image(console, size)


def _put(console, x, y, code, colors):
    console.rgb[y, x] = (code, *(np.asarray(color).astype(np.uint8) for color in colors))


if __name__ == "__main__":
    tile_sheet(int(sys.argv[2]) if len(sys.argv) > 2 else 32).save(sys.argv[1])
