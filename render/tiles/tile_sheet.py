"""A contact sheet: every tile in plausible colours, to check by eye."""

import numpy as np
from PIL import Image
from tcod.console import Console

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
from render.tiles.tileset import MAP_SIGNS, lazy_map_tileset

Color = tuple[int, int, int]

NIGHT: Color = (10, 12, 20)
STONE: Color = (34, 31, 34)
WALL: Color = (206, 170, 128)

_ESSENTIAL = sorted({visible_mask(mask) for mask in range(256)})

SWATCHES: dict[int, tuple[Color, Color]] = {
    Tile.WALL: (WALL, NIGHT),
    Tile.FLOOR: ((214, 186, 150), STONE),
    Tile.TUNNEL: ((118, 94, 74), (31, 26, 24)),
    Tile.DOOR: ((206, 142, 78), STONE),
    Tile.SECRET_DOOR: (WALL, NIGHT),
    Tile.WATER: ((120, 170, 196), (16, 40, 62)),
    Tile.SHALLOWS: ((150, 200, 204), (22, 56, 72)),
    Tile.BRIDGE: ((178, 132, 88), NIGHT),
    Tile.GRASS: ((132, 160, 84), (26, 36, 26)),
    Tile.FOREST: ((104, 146, 82), (20, 30, 24)),
    Tile.MOUNTAIN: ((188, 182, 184), (26, 27, 32)),
    Tile.SAND: ((222, 190, 132), (60, 48, 34)),
    Tile.RUBBLE: ((188, 168, 146), STONE),
    Tile.PILLAR: ((216, 192, 160), STONE),
    Tile.STATUE: ((190, 196, 198), STONE),
    Tile.ROAD: ((190, 170, 146), (40, 36, 36)),
    Tile.LAVA: ((255, 152, 58), (150, 40, 20)),
    Tile.EDGE: ((168, 146, 122), NIGHT),
    Tile.BONES: ((226, 216, 192), STONE),
    Tile.STAIN: ((134, 40, 38), STONE),
    Tile.SHRINE: ((240, 216, 164), STONE),
    Tile.SHELF: ((206, 152, 104), STONE),
    Tile.TRAP: ((198, 160, 124), STONE),
    Tile.CARPET: ((198, 120, 84), (70, 24, 30)),
    Tile.MOSS: ((132, 224, 176), (22, 32, 34)),
    Tile.ICE: ((190, 222, 240), (56, 82, 104)),
    Tile.TREASURE: ((255, 206, 92), STONE),
    Tile.LOCKED_DOOR: ((240, 196, 96), STONE),
    Tile.KEY: ((255, 206, 92), STONE),
    Tile.RELIC: ((255, 240, 176), STONE),
    Tile.ENTRANCE: ((255, 206, 92), STONE),
    Tile.HILL: ((148, 131, 92), (44, 42, 30)),
    Tile.HEATH: ((151, 121, 140), (43, 37, 36)),
    Tile.REEDS: ((132, 160, 84), (22, 56, 72)),
    Tile.EMBERS: ((255, 138, 60), (44, 23, 16)),
    Tile.PORTCULLIS: ((154, 160, 168), STONE),
    Tile.LEVER: ((255, 206, 92), STONE),
    Tile.DRAWBRIDGE: ((138, 98, 56), NIGHT),
    Tile.WINCH: ((192, 138, 74), STONE),
    Tile.CRYSTAL: ((138, 95, 208), (24, 15, 42)),
    Tile.BRAZIER: ((208, 138, 80), STONE),
    Tile.LEDGE: ((168, 146, 122), NIGHT),
    Tile.BRINK: ((200, 168, 120), STONE),
}
"""Foreground and background of each kind of tile."""


def tile_sheet(size: int) -> Image.Image:
    """Return an image of all tiles of ``size`` pixels: terrain, marks, walls, letters.

    Rock and hedges appear in one variant only.
    """
    columns = 32
    letters = LATIN + MAP_SIGNS
    wild = [start + mask for start in (ROCK_WALLS, HEDGE_WALLS) for mask in _ESSENTIAL]
    ground = [tile_code(tile, i, WILD_TERRAIN) for tile in WILD_TILES for i in range(VARIANTS)]
    rows = -(-len(TILES) // 4) + 1 + 256 // columns + -(-len(letters) // columns)
    bottom, rows = rows, rows + -(-len(wild + ground) // columns)
    console = Console(columns, rows)
    console.bg[:] = NIGHT
    for tile in TILES:
        y, x = divmod(tile, 4)
        for variant in range(VARIANTS):
            _put(console, x * VARIANTS + variant, y, tile_code(tile, variant), SWATCHES[tile])
    top = -(-len(TILES) // 4)
    for i in range(5):
        _put(console, i, top, MARKS + i, ((238, 206, 150), STONE))
    for i in range(256):
        _put(console, i % columns, top + 1 + i // columns, WALLS + i, (WALL, STONE))
    for i, char in enumerate(letters):
        place = top + 1 + 256 // columns + i // columns
        _put(console, i % columns, place, ord(char), ((236, 220, 190), STONE))
    for i, code in enumerate(wild + ground):
        _put(console, i % columns, bottom + i // columns, code, (WALL, STONE))
    return console_image(console, size)


def console_image(console: Console, size: int) -> Image.Image:
    """Return a map ``console`` drawn in tiles of ``size`` pixels."""
    case = lazy_map_tileset(size)
    case.need(console.ch)
    pixels = case.tileset.render(console)
    return Image.fromarray(np.ascontiguousarray(pixels[:, :, :3]))


def _put(console: Console, x: int, y: int, code: int, colors: tuple[Color, Color]) -> None:
    console.rgb[y, x] = (code, *colors)
