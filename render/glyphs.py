"""The characters of the map: private code points for tiles, drawn by the tileset.

Creatures and things keep their ordinary characters; tiles have a code point for each way they
can look. A face without a tileset shows `plain` instead.
"""

from functools import cache

from entities.terrain import Tile, terrain

WALLS = 0xE000
"""`WALLS` + mask: rock by which of its 8 neighbours are open, in the bits of `NEIGHBOURS`."""
TERRAIN = 0xE100
"""`TERRAIN` + VARIANTS * Tile + n: the n-th look of a tile."""
VARIANTS = 8
MARKS = 0xE300
STAIRS_DOWN, STAIRS_UP, CURSOR, PATH_DOT, TARGET = range(MARKS, MARKS + 5)

NEIGHBOURS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""The (dx, dy) that the bits of a wall mask stand for, lowest first."""

_PLAIN_MARKS = {STAIRS_DOWN: ">", STAIRS_UP: "<", CURSOR: "X", PATH_DOT: "•", TARGET: "*"}
_PLAIN_TILES = {
    Tile.FLOOR: "·",
    Tile.TUNNEL: "·",
    Tile.SECRET_DOOR: "#",
    Tile.WATER: "≈",
    Tile.SHALLOWS: "~",
    Tile.FOREST: "♣",
    Tile.GRASS: '"',
    Tile.MOUNTAIN: "▲",
    Tile.SAND: "░",
    Tile.RUBBLE: ",",
    Tile.ROAD: "·",
    Tile.PILLAR: "○",
    Tile.LAVA: "≈",
    Tile.EDGE: "▒",
    Tile.SHELF: "≡",
    Tile.TRAP: "^",
    Tile.CARPET: "·",
    Tile.MOSS: '"',
    Tile.SHRINE: "_",
}


def tile_look(tile: Tile, variant: int) -> int:
    """Return the code point of ``tile`` in look ``variant`` (0 to 7)."""
    return TERRAIN + VARIANTS * tile + variant


@cache
def plain(code: int) -> str:
    """Return the ordinary character that stands for ``code`` where tiles cannot be drawn."""
    if WALLS <= code < WALLS + 256:
        return "#"
    if TERRAIN <= code < TERRAIN + VARIANTS * len(Tile):
        tile = Tile((code - TERRAIN) // VARIANTS)
        return _PLAIN_TILES.get(tile, terrain().kinds[tile].char)
    return _PLAIN_MARKS.get(code, chr(code))
