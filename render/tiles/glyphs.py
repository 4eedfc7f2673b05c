"""Code points of the map: private use characters for tiles, which the tileset draws.

Each tile has a code point for every variant, and each kind of creature and item has one. The
terminal backend has no tileset and prints `plain_char` instead.
"""

from functools import cache

from entities.creature_kinds import creature_kinds
from entities.item_kinds import item_class_of, item_kinds
from entities.terrain import Tile, terrain

WALLS = 0xE000
"""`WALLS` + mask: masonry, by which of its 8 neighbours are open (bits as in `NEIGHBOURS`)."""
TERRAIN = 0xE100
"""`TERRAIN` + VARIANTS * Tile + n: the n-th variant of a tile."""
VARIANTS = 8
MARKS = 0xE300
STAIRS_DOWN, STAIRS_UP, CURSOR, PATH_DOT, TARGET = range(MARKS, MARKS + 5)
ROCK_WALLS = 0xE400
"""`ROCK_WALLS` + 256 * n + `visible_mask`: the n-th variant of natural rock."""
HEDGE_WALLS = 0xE800
"""The same for hedges."""
WILD_VARIANTS = 4
"""The number of variants of rock and hedges."""
WALL_VARIANTS = {
    "masonry": (WALLS, 1),
    "rock": (ROCK_WALLS, WILD_VARIANTS),
    "hedge": (HEDGE_WALLS, WILD_VARIANTS),
}
"""The first code point and the number of variants of walls, by material."""
WILD_TERRAIN = 0xEC00
"""`WILD_TERRAIN` + VARIANTS * Tile + n: tiles of `WILD_TILES` on bare ground."""
WILD_TILES = (Tile.FLOOR, Tile.STAIN, Tile.TRAP)
"""Tiles that differ between built levels (flagstones) and caves (bare ground)."""

CREATURES = 0xF000
"""`CREATURES` + n: the portrait of the n-th kind of creature in the data."""
ITEMS = 0xF200
"""`ITEMS` + n: the picture of the n-th kind of item in the data."""
FLAMES, FLAME_PHASES = 0xF400, 8
"""`FLAMES` + n: fire in its n-th phase."""
BOLT, STONE, THORN = range(FLAMES + FLAME_PHASES, FLAMES + FLAME_PHASES + 3)
"""Missiles that are not items: a bolt of magic, a stone, a thorn."""

SIDE_DOORS: dict[int, int] = {Tile.DOOR: 0xEE00, Tile.LOCKED_DOOR: 0xEE00 + VARIANTS}
"""`SIDE_DOORS[tile]` + n: the n-th variant of a door in a wall that runs up and down."""
OPEN_DOOR, OPEN_SIDE_DOOR = 0xEE10, 0xEE11
"""A door with a creature in it, in a horizontal wall and in one that runs up and down."""
CLUMPS, CLUMP_VARIANTS = 0xF0000, WILD_VARIANTS
CLUMP_TILES = (Tile.FOREST, Tile.MOUNTAIN, Tile.EDGE)
"""Tiles that join with their neighbours; see `clump_start`."""
CLUMP_GROUPS = {Tile.FOREST: 1, Tile.MOUNTAIN: 2, Tile.EDGE: 2}
"""A number for each of `CLUMP_TILES`; tiles with the same number join."""
UNKNOWN, UNKNOWN_SIDE = 0xEF00, 4
"""`UNKNOWN` + UNKNOWN_SIDE * row + column: the texture of unknown tiles, 4 by 4 tiles."""
UNKNOWN_CODES = range(UNKNOWN, UNKNOWN + UNKNOWN_SIDE**2)

NEIGHBOURS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""The (dx, dy) that the bits of a wall mask stand for, lowest first."""

CORNERS = ((4, 0, 1), (5, 1, 2), (6, 2, 3), (7, 0, 3))
"""The bit of each corner and the bits of the two sides next to it."""

_PLAIN_MARKS = {STAIRS_DOWN: ">", STAIRS_UP: "<", CURSOR: "X", PATH_DOT: "•", TARGET: "*"}
_PLAIN_MARKS |= dict.fromkeys(range(FLAMES, FLAMES + FLAME_PHASES), "§")
_PLAIN_MARKS |= {BOLT: "*", STONE: "*", THORN: "/"}
_PLAIN_MARKS |= dict.fromkeys((OPEN_DOOR, OPEN_SIDE_DOOR), "'")
_PLAIN_MARKS |= dict.fromkeys(UNKNOWN_CODES, " ")


def tile_code(tile: int, variant: int, start: int = TERRAIN) -> int:
    """Return the code point of a variant (0 to 7) of ``tile``; ``start`` may be WILD_TERRAIN."""
    return start + VARIANTS * tile + variant


def variant_codes(tile: int, start: int = TERRAIN) -> range:
    """Return the code points of all variants of ``tile``."""
    return range(tile_code(tile, 0, start), tile_code(tile, VARIANTS, start))


def clump_start(tile: int) -> int:
    """Return the first code point of one of `CLUMP_TILES`; the others follow as in `ROCK_WALLS`."""
    return CLUMPS + 256 * CLUMP_VARIANTS * CLUMP_TILES.index(tile)


@cache
def creature_tile(kind: str) -> int:
    """Return the code point of the portrait of a ``kind`` of creature."""
    return CREATURES + [*creature_kinds()].index(kind)


@cache
def item_tile(kind: str) -> int:
    """Return the code point of the picture of a ``kind`` of item."""
    return ITEMS + [*item_kinds()].index(kind)


def is_creature_or_item(code: int) -> bool:
    """Return whether ``code`` shows a creature, an item, a fire or a missile, not a tile."""
    return 0x20 < code < 0x7F or CREATURES <= code < CLUMPS


def visible_mask(mask: int) -> int:
    """Return ``mask`` without the corners next to an open side, which do not show.

    This leaves 47 of the 256 masks, as in every 8-neighbour autotiling.
    """
    for corner, side, other in CORNERS:
        if mask & (1 << side | 1 << other):
            mask &= ~(1 << corner)
    return mask


VISIBLE_MASKS = sorted({visible_mask(mask) for mask in range(256)})
"""The wall masks that look different."""


def clump_codes(tile: int) -> list[int]:
    """Return the code points of all variants and masks of one of `CLUMP_TILES`."""
    return joined_codes(clump_start(tile))


def joined_codes(start: int) -> list[int]:
    """Return the code points, from ``start``, of all variants and masks of a joining tile."""
    return [start + 256 * n + mask for n in range(WILD_VARIANTS) for mask in VISIBLE_MASKS]


def joined_neighbours(mask: int) -> int:
    """Return the mask of the neighbours that a clump joins; ``mask`` is a `visible_mask`."""
    for corner, side, other in CORNERS:
        if mask & (1 << side | 1 << other):
            mask |= 1 << corner
    return ~mask & 255


def terrain_codes(tile: int) -> list[int]:
    """Return the code points of all looks of ``tile``."""
    codes = [*variant_codes(tile)]
    if tile in WILD_TILES:
        codes += variant_codes(tile, WILD_TERRAIN)
    if tile == Tile.WALL:
        codes += [*range(WALLS, WALLS + 256), *range(ROCK_WALLS, WILD_TERRAIN)]
    if tile in CLUMP_TILES:
        codes += clump_codes(tile)
    if tile == Tile.DOOR:
        codes += [OPEN_DOOR, OPEN_SIDE_DOOR]
    if tile in SIDE_DOORS:
        codes += range(SIDE_DOORS[tile], SIDE_DOORS[tile] + VARIANTS)
    return codes


@cache
def _plain_chars() -> dict[int, str]:
    """Return the ordinary characters by code point."""
    tiles = ((kind, terrain_codes(tile)) for tile, kind in enumerate(terrain().kinds))
    chars = {code: kind.on_screen or kind.char for kind, codes in tiles for code in codes}
    chars |= {creature_tile(name): kind.glyph for name, kind in creature_kinds().items()}
    chars |= {item_tile(name): item_class_of(name).glyph for name in item_kinds()}
    return chars | _PLAIN_MARKS


def plain_char(code: int) -> str:
    """Return the ordinary character for ``code`` where tiles cannot be drawn."""
    return _plain_chars().get(code) or chr(code)
