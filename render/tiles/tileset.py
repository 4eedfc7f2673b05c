"""The two tilesets, drawn lazily: square tiles for the map, narrow letters for text.

Drawing all tiles of a size takes seconds, so a tile is drawn when a frame first needs it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from tcod.console import Console
from tcod.tileset import Tileset

from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_kinds
from entities.terrain import TILE_NAMES, Tile
from render.tiles import glyphs
from render.tiles.box_drawing import BLOCKS, BOXES, block, box
from render.tiles.fringe_tiles import unknown_tiles
from render.tiles.glyphs import BOLT, CREATURES, ITEMS, STONE, THORN, joined_codes, plain_char
from render.tiles.letters import LATIN, Cover, map_glyphs, symbol_chars, text_glyphs
from render.tiles.pictures import PARTS, PictureBook, draw_picture, picture_book, picture_of
from render.tiles.tile_canvas import Pixels, TileCanvas, white, with_halo
from render.tiles.user_tiles import draw_user_tiles, user_codes
from render.tiles.walls import CLIFF, HEDGE, ROCK, SOUTH_FRONT, wall_tiles, wild_wall_tiles
from render.ui.palette import colors

DrawnTiles = Iterable[tuple[int, Pixels]]

_CODES = 0x110000


class TileGroup(NamedTuple):
    """Tiles with one painter: ``draw`` yields the requested tiles and perhaps more of ``codes``."""

    codes: Sequence[int]
    draw: Callable[[list[int]], DrawnTiles]


class LazyTileset:
    """A tileset whose tiles are drawn when needed; atlases made from it update by themselves."""

    def __init__(self, tileset: Tileset, groups: Iterable[TileGroup]) -> None:
        self.tileset = tileset
        self._groups = list(groups)
        self._missing = np.zeros(_CODES, bool)
        for group in self._groups:
            self._missing[group.codes] = True

    def need(self, codes: NDArray[np.int32]) -> None:
        """Draw the tiles in ``codes`` (any shape) that are missing; ignore unknown ones."""
        missing = set(codes[self._missing[codes]].tolist())
        if not missing:
            return
        for group in self._groups:
            if group_codes := sorted(missing.intersection(group.codes)):
                for code, pixels in group.draw(group_codes):
                    self.tileset[code] = pixels
                    self._missing[code] = False

    def whole(self) -> Tileset:
        """Draw every tile and return the tileset."""
        self.need(np.flatnonzero(self._missing).astype(np.int32))
        return self.tileset


EXTENDED = "".join(map(chr, (*range(0x100, 0x132), *range(0x134, 0x180))))
"""Latin letters of European languages, for seeds and names typed by players."""
SIGNS = "–—‘’‚“”„†‡•…‰‹›€™−≈≠≤≥≡∞√∙∩Ω←↑→↓↔↕↖↗↘↙⇧⌃⌘✓✗◊△▽⌂′″"
FRAMES = "".join(map(chr, range(0x2500, 0x25A0)))
"""Box drawing and block characters; those of `BOXES` and `BLOCKS` are not taken from the font."""
MAP_SIGNS = "•≈≡∞←↑→↓↖↗↘↙†◊"

MARKS = dict(enumerate(("stairs_down", "stairs_up", "cursor", "path_dot", "target"), glyphs.MARKS))
MARKS |= {glyphs.OPEN_DOOR: "open_door", glyphs.OPEN_SIDE_DOOR: "open_side_door"}
"""The pictures of marks, and of doors with a creature in them."""

WILD_PICTURES = {Tile.FLOOR: "earth", Tile.STAIN: "stained_earth", Tile.TRAP: "trap_in_earth"}
"""The pictures of `WILD_TILES` on bare ground."""

CLUMP_PICTURES = {Tile.FOREST: "wood", Tile.MOUNTAIN: "mountains"}
"""The pictures of `CLUMP_TILES`, whose sizes say which neighbours they join."""
SIDES = ("n", "e", "s", "w", "ne", "se", "sw", "nw")
"""The names of these sizes, in the order of `NEIGHBOURS`."""

WALL_FRONTS: dict[int, int] = {Tile.WALL: 0, Tile.SECRET_DOOR: SOUTH_FRONT}
"""The mask of the wall that is drawn for a tile whose neighbours are unknown."""

WILD_WALLS = {
    glyphs.ROCK_WALLS: ROCK,
    glyphs.HEDGE_WALLS: HEDGE,
    glyphs.clump_start(Tile.EDGE): CLIFF,
}

TilePainter = Callable[[TileCanvas], None]
"""Paints one variant of a tile."""

KEPT_SIZES = 6
"""Tilesets cached at a time: large ones take up to 40 MB, and zooming goes through many."""


@lru_cache(maxsize=KEPT_SIZES)
def map_tileset(size: int) -> LazyTileset:
    """Return the map tileset, ``size`` pixels square (6 to 64); codes as in `glyphs`.

    Tiles are grey, to be tinted by the foreground of a cell; its background shows where they are
    transparent. Letters are white with a dark halo.
    """
    looks = _painters()
    walls = list(_walls(size))
    groups = [
        TileGroup([*map(ord, LATIN + MAP_SIGNS + symbol_chars())], partial(_map_letters, size)),
        TileGroup([code for code, _ in walls], lambda _: walls),
        TileGroup([*looks], partial(_painted, size, looks)),
        TileGroup([*map(glyphs.creature_tile, creature_kinds())], partial(creature_tiles, size)),
        TileGroup([*map(glyphs.item_tile, item_kinds()), *MISSILES], partial(item_tiles, size)),
        TileGroup(glyphs.UNKNOWN_CODES, partial(unknown_tiles, size)),
        TileGroup(glyphs.variant_codes(Tile.EDGE), partial(_lone_cliffs, size)),
        *(TileGroup(joined_codes(start), partial(_crags, size, start)) for start in WILD_WALLS),
        TileGroup(user_codes(), lambda _: draw_user_tiles(size)),  # Last: these replace others.
    ]
    return LazyTileset(Tileset(size, size), groups)


@lru_cache(maxsize=KEPT_SIZES)
def text_tileset(height: int) -> LazyTileset:
    """Return the text tileset, ``height`` pixels high (14 to 80) and half as wide."""
    width = (height + 1) // 2
    letters = LATIN + EXTENDED + SIGNS + FRAMES + symbol_chars()
    return LazyTileset(
        Tileset(width, height),
        [
            TileGroup([*map(ord, letters)], partial(_text_letters, width, height)),
            TileGroup([*map(ord, BOXES)], partial(_strokes, box, width, height)),
            TileGroup([*map(ord, BLOCKS)], partial(_strokes, block, width, height)),
        ],
    )


def console_image(console: Console, size: int) -> Image.Image:
    """Return a map ``console`` drawn in tiles of ``size`` pixels."""
    lazy = map_tileset(size)
    lazy.need(console.ch)
    pixels = lazy.tileset.render(console)
    return Image.fromarray(np.ascontiguousarray(pixels[:, :, :3]))


def _map_letters(size: int, codes: list[int]) -> DrawnTiles:
    for char, pixels in map_glyphs("".join(map(chr, codes)), size).items():
        yield ord(char), pixels


def _text_letters(width: int, height: int, codes: list[int]) -> DrawnTiles:
    covers = text_glyphs("".join(map(chr, codes)), width, height)
    return ((ord(char), white(cover)) for char, cover in covers.items())


def _strokes(
    draw: Callable[[str, int, int], Cover], width: int, height: int, codes: list[int]
) -> DrawnTiles:
    return ((code, white(draw(chr(code), width, height))) for code in codes)


def _walls(size: int) -> DrawnTiles:
    walls = wall_tiles(size)
    for mask, pixels in enumerate(walls):
        yield glyphs.WALLS + mask, pixels
    for tile, mask in WALL_FRONTS.items():
        yield from ((code, walls[mask]) for code in glyphs.variant_codes(tile))


def _painters() -> dict[int, TilePainter]:
    """Return the painters by code point, for tiles painted one by one."""
    looks = {code: _picture(name, 0) for code, name in MARKS.items()}
    phases = range(glyphs.FLAME_PHASES)
    looks |= {glyphs.FLAMES + phase: _picture("flame", phase) for phase in phases}
    for tile, name in CLUMP_PICTURES.items():
        for code in glyphs.clump_codes(tile):
            variant, mask = divmod(code - glyphs.clump_start(tile), 256)
            joins = glyphs.joined_neighbours(mask)
            sizes = {side: float(joins >> bit & 1) for bit, side in enumerate(SIDES)}
            looks[code] = _picture(name, variant, **sizes)
    for variant in range(glyphs.VARIANTS):
        for tile, name in enumerate(TILE_NAMES):
            if tile not in WALL_FRONTS and tile != Tile.EDGE:
                looks[glyphs.tile_code(tile, variant)] = _picture(name, variant)
        for tile, side in glyphs.SIDE_DOORS.items():
            looks[side + variant] = _picture(f"side_{TILE_NAMES[tile]}", variant)
        for tile, name in WILD_PICTURES.items():
            looks[glyphs.tile_code(tile, variant, glyphs.WILD_TERRAIN)] = _picture(name, variant)
    return looks


def _picture(name: str, variant: int, **sizes: float) -> TilePainter:
    """Return the painter of a picture in data/pictures/ground.toml or terrain.toml."""
    book = next(book for book in map(picture_book, ("ground", "terrain")) if name in book.pictures)
    return lambda canvas: draw_picture(canvas, book, name, variant, sizes)


def _painted(size: int, looks: dict[int, TilePainter], codes: list[int]) -> DrawnTiles:
    for code in codes:
        canvas = TileCanvas(size)
        looks[code](canvas)
        yield code, canvas.pixels()


def _lone_cliffs(size: int, codes: list[int]) -> DrawnTiles:
    alone = glyphs.visible_mask(255)
    looks = wild_wall_tiles(size, CLIFF)
    return ((code, looks[code % glyphs.WILD_VARIANTS][alone]) for code in codes)


def _crags(size: int, start: int, _: list[int]) -> DrawnTiles:
    for variant, tiles in enumerate(wild_wall_tiles(size, WILD_WALLS[start])):
        for mask, pixels in tiles.items():
            yield start + 256 * variant + mask, pixels


MISSILES = {BOLT: "bolt", STONE: "stone", THORN: "thorn"}
COLORED = ("cloak", "lamp")
"""Parts of the hero's portrait with colours of their own, in data/themes.toml."""


def item_picture(kind: str) -> str:
    """Return the name of an item kind's picture: the kind's own, or that of its item class."""
    return kind if picture_of(kind, "items") else item_kinds()[kind].item_class


def creature_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the creature tiles with ``codes``, ``size`` pixels square."""
    kinds = list(creature_kinds())
    for code in codes:
        yield code, _picture_or_letter(kinds[code - CREATURES], "creatures", code, size)


def item_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the tiles of items and `MISSILES` with ``codes``, ``size`` pixels square."""
    kinds = list(item_kinds())
    for code in codes:
        name = MISSILES.get(code) or item_picture(kinds[code - ITEMS])
        yield code, _picture_or_letter(name, "items", code, size)


def _picture_or_letter(name: str, file: str, code: int, size: int) -> Pixels:
    book, letter = picture_of(name, file), plain_char(code)
    return with_halo(_drawn(book, name, size)) if book else map_glyphs(letter, size)[letter]


def _drawn(book: PictureBook, name: str, size: int) -> Pixels:
    canvas = TileCanvas(size)
    draw_picture(canvas, book, name)
    pixels = canvas.pixels()
    for part in COLORED if name == HERO else ():
        layer = _drawn(picture_book(PARTS), part, size)
        cover = layer[..., 3:] / 255
        color = layer[..., :3] * (np.array(colors()[part]) / 255)
        pixels[..., :3] = pixels[..., :3] * (1 - cover) + color * cover
        pixels[..., 3] = np.maximum(pixels[..., 3], layer[..., 3])
    return pixels
