"""The two sets of type: square tiles for the map, narrow letters for everything else."""

from collections.abc import Iterator
from functools import cache

import numpy as np
from tcod.tileset import Tileset

from entities.terrain import Tile
from render.glyphs import (
    HEDGE_WALLS,
    ROCK_WALLS,
    VARIANTS,
    WALLS,
    WILD_TERRAIN,
    tile_look,
)
from render.tiles import goods, ground, growth, liquid, works
from render.tiles.boxes import BOXES, box
from render.tiles.canvas import Canvas, Painter, Pixels
from render.tiles.crags import HEDGE, ROCK, crag_tiles
from render.tiles.curves import block
from render.tiles.letters import LATIN, map_glyphs, text_glyphs
from render.tiles.marks import MARK_PAINTERS
from render.tiles.symbols import SYMBOLS
from render.tiles.walls import SOUTH_FRONT, wall_tiles

BLOCKS = "".join(map(chr, range(0x2580, 0x25A0)))
EXTENDED = "".join(map(chr, (*range(0x100, 0x132), *range(0x134, 0x180))))
"""Latin letters of the rest of Europe, for the names people give their heroes."""
SIGNS = "–—‘’‚“”„†‡•…‰‹›€™−≈≠≤≥≡∞√∙←↑→↓↔↕↖↗↘↙⇧⌃⌘✓✗◊△▽⌂′″" + "".join(SYMBOLS)
MAP_SIGNS = "•≈≡∞←↑→↓↖↗↘↙†◊" + "".join(SYMBOLS)

PAINTERS: dict[Tile, Painter] = {
    Tile.FLOOR: ground.floor,
    Tile.TUNNEL: ground.tunnel,
    Tile.DOOR: works.door,
    Tile.WATER: liquid.water,
    Tile.SHALLOWS: liquid.shallows,
    Tile.BRIDGE: ground.bridge,
    Tile.GRASS: growth.grass,
    Tile.FOREST: growth.forest,
    Tile.MOUNTAIN: growth.mountain,
    Tile.SAND: ground.sand,
    Tile.RUBBLE: growth.rubble,
    Tile.PILLAR: works.pillar,
    Tile.STATUE: works.statue,
    Tile.ROAD: ground.road,
    Tile.LAVA: liquid.lava,
    Tile.EDGE: growth.edge,
    Tile.BONES: goods.bones,
    Tile.STAIN: ground.stain,
    Tile.SHRINE: works.shrine,
    Tile.SHELF: goods.shelf,
    Tile.TRAP: goods.trap,
    Tile.CARPET: ground.carpet,
    Tile.MOSS: growth.moss,
    Tile.ICE: ground.ice,
    Tile.TREASURE: goods.treasure,
}
"""Who paints each kind of tile; walls and the doors hidden in them come from `wall_tiles`."""

WILD_PAINTERS: dict[Tile, Painter] = {
    Tile.FLOOR: ground.earth,
    Tile.STAIN: ground.stained_earth,
    Tile.TRAP: goods.trap_in_earth,
}
"""Who paints `WILD_TILES` where nobody laid flagstones."""


@cache
def map_tileset(size: int) -> Tileset:
    """Return the tiles of the map, ``size`` pixels square (12 to 64): see `render.glyphs`.

    Tiles are grey shades to be tinted by the foreground of a cell; where they are
    transparent its background shows. Letters are white with a dark halo.
    """
    tiles = Tileset(size, size)
    for code, pixels in _map_tiles(size):
        tiles[code] = pixels
    return tiles


@cache
def text_tileset(height: int) -> Tileset:
    """Return the letters of all text, ``height`` pixels high (14 to 48) and half as wide."""
    width = (height + 1) // 2
    letters = Tileset(width, height)
    covers = text_glyphs(LATIN + EXTENDED + SIGNS, width, height)
    covers |= {char: box(char, width, height) for char in BOXES}
    covers |= {char: block(char, width, height) for char in BLOCKS}
    white = np.full((height, width, 4), 255, np.uint8)
    for char, cover in covers.items():
        white[:, :, 3] = cover
        letters[ord(char)] = white
    return letters


def _map_tiles(size: int) -> Iterator[tuple[int, Pixels]]:
    for char, pixels in map_glyphs(LATIN + MAP_SIGNS, size).items():
        yield ord(char), pixels
    walls = wall_tiles(size)
    for mask, pixels in enumerate(walls):
        yield WALLS + mask, pixels
    for look in range(VARIANTS):
        yield tile_look(Tile.WALL, look), walls[0]
        yield tile_look(Tile.SECRET_DOOR, look), walls[SOUTH_FRONT]
        for tile, painter in PAINTERS.items():
            yield tile_look(tile, look), _painted(painter, size, look)
        for tile, painter in WILD_PAINTERS.items():
            yield tile_look(tile, look, WILD_TERRAIN), _painted(painter, size, look)
    for start, stuff in ((ROCK_WALLS, ROCK), (HEDGE_WALLS, HEDGE)):
        for look, tiles in enumerate(crag_tiles(size, stuff)):
            for mask, pixels in tiles.items():
                yield start + 256 * look + mask, pixels
    for code, painter in MARK_PAINTERS.items():
        yield code, _painted(painter, size, 0)


def _painted(painter: Painter, size: int, look: int) -> Pixels:
    canvas = Canvas(size)
    painter(canvas, look)
    return canvas.pixels()
