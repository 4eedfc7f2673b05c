"""The tiles of a theme as one picture, for the editors Tiled and LDtk."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from tcod.tileset import Tileset

from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_kinds
from entities.program import COMMAND
from entities.terrain import TILE_NAMES, TILES, Tile, terrain
from procgen.blueprint import Point
from procgen.level import Level
from procgen.recipes import Recipe, current_recipes
from procgen.world_types import WorldType, world_types
from render.map.light import lit_color
from render.map.map_view import item_color
from render.map.tile_colors import known_colors
from render.tiles import glyphs
from render.tiles.tileset import map_tileset
from render.ui.frame import Color, as_color
from render.ui.palette import creature_colors, theme, theme_paint
from workbench.exports.origin import ExportOptions, png_bytes
from workbench.templates import Fields

EVEN = 1.25
"""The factor of the light on all tiles."""

COLUMNS, TILE = 16, 24
"""Tiles in a row of the picture, and the usual side of a tile in pixels."""
SECRET = Tile.SECRET_DOOR
JOINED = tuple(TILE_NAMES[tile] for tile in (Tile.WALL, SECRET, *glyphs.CLUMP_TILES))
"""The names of tiles whose look depends on their neighbours."""
SIDE_DOORS = range(glyphs.SIDE_DOORS[Tile.DOOR], glyphs.OPEN_DOOR)
"""The code points of doors in walls that run up and down."""

Key = tuple[str, int]
"""A tile's name and code point; two tiles may share a code point."""


class TilePiece(NamedTuple):
    """One tile of a tile set: its meaning and its look."""

    key: Key
    code: int
    ink: Color
    paper: Color | None
    properties: dict[str, Any]


@dataclass(frozen=True, eq=False)
class TileSet:
    """All pieces of a theme by number; None pads a row."""

    theme: str
    pieces: tuple[TilePiece | None, ...]

    @property
    def numbers(self) -> dict[Key, int]:
        """The number of each piece, from 0."""
        return {piece.key: number for number, piece in enumerate(self.pieces) if piece}

    @cache  # noqa: B019 - one tile set per theme, which is kept as long as its theme
    def picture(self, size: int) -> bytes:
        """Return the pieces as a PNG, in rows of `COLUMNS`, ``size`` pixels per tile.

        All maps of a theme share it, so its metadata names the theme instead of a level.
        """
        rows = -(-len(self.pieces) // COLUMNS)
        sheet = np.zeros((rows * size, COLUMNS * size, 4), np.uint8)
        drawn = map_tileset(size)
        drawn.need(np.array([piece.code for piece in self.pieces if piece], np.int32))
        for number, piece in enumerate(self.pieces):
            if piece:
                y, x = (size * place for place in divmod(number, COLUMNS))
                sheet[y : y + size, x : x + size] = _pixels(piece, drawn.tileset)
        recipes: list[Recipe | WorldType] = [*current_recipes(), *world_types().values()]
        name = next((recipe.name for recipe in recipes if recipe.theme == self.theme), None)
        command = f"{COMMAND} map {name}:0 --tile {size} --output {name}.tmj" if name else ""
        title = f"The tiles of {self.theme}, {size} pixels each"
        return png_bytes(Image.fromarray(sheet, "RGBA"), title, command)


@cache
def tile_set(name: str) -> TileSet:
    """Return the tiles of the theme called ``name``: ground, walls, stairs, creatures, items."""
    pieces: list[TilePiece | None] = []
    sides = glyphs.SIDE_DOORS.items()
    doors = [(tile, side + look) for tile, side in sides for look in range(glyphs.VARIANTS)]
    clumps = [(tile, code) for tile in glyphs.CLUMP_TILES for code in glyphs.clump_codes(tile)]
    grounds = [
        [_piece(tile, code, name) for tile, code in group]
        for group in (_grounds(name), doors, clumps, _walls(name, Tile.WALL), _walls(name, SECRET))
    ]
    # Secret doors are walls in the colour of wood, so that they can be seen in an editor.
    wood = _shades(name, Tile.DOOR)[0]
    grounds[-1] = [piece._replace(ink=wood) for piece in grounds[-1]]
    for group in (*grounds, *_things(name)):
        pieces += group
        pieces += [None] * (-len(pieces) % COLUMNS)
    return TileSet(name, tuple(pieces))


class EditorExport(ABC):
    """Writes a level for an editor, beside the picture of its theme's tiles.

    Levels of one theme share their picture; tiles keep their numbers from level to level.
    """

    def __init__(self, level: Level, options: ExportOptions) -> None:
        self.level, self.side, self.tiles = level, options.tile or TILE, tile_set(level.theme)
        self.image = f"tiles-{level.theme}-{self.side}.png"

    @property
    def sizes(self) -> Fields:
        """The sizes of map and picture, in tiles and pixels, and the picture's name."""
        (height, width), rows = self.level.tiles.shape, -(-len(self.tiles.pieces) // COLUMNS)
        sizes = {"columns": width, "rows": height, "tile_columns": COLUMNS, "tile_rows": rows}
        sizes |= {"width": width * self.side, "height": height * self.side, "side": self.side}
        sizes |= {"picture_width": COLUMNS * self.side, "picture_height": rows * self.side}
        return sizes | {"image": self.image}

    @property
    def stairs(self) -> list[tuple[str, int, Point]]:
        """The name, code point and place of the stairs; without the exit if there is none."""
        exits = [("exit", glyphs.STAIRS_DOWN, self.level.exit)] if self.level.has_exit else []
        return [("start", glyphs.STAIRS_UP, self.level.start), *exits]

    @abstractmethod
    def fields(self, origin: str) -> Fields:
        """Return the file of the editor; ``origin`` is the command that makes it."""

    @classmethod
    def files(cls, level: Level, options: ExportOptions, origin: str) -> dict[str, bytes]:
        """Return the file of the editor under the name ``""``, and the picture beside it."""
        export = cls(level, options)
        fields = msgspec.json.encode(export.fields(origin)) + b"\n"
        return {"": fields, export.image: export.tiles.picture(export.side)}


@cache
def _shades(name: str, kind: int) -> tuple[Color, Color]:
    """Return ink and ground of a kind of tile in even light."""
    light = theme_paint(name).light * np.float32(EVEN)
    ink, ground = (as_color(lit_color(part[kind], light)) for part in known_colors(name))
    return ink, ground


def _piece(tile: int, code: int, name: str) -> TilePiece:
    kind = terrain().kinds[tile]
    facts = {"name": kind.name, "walkable": kind.walkable, "transparent": kind.transparent}
    return TilePiece((TILE_NAMES[tile], code), code, *_shades(name, tile), facts)


def _grounds(theme_name: str) -> list[tuple[int, int]]:
    """Return the kind and code point of all variants of all tiles except walls."""
    wild = glyphs.WILD_TERRAIN if theme(theme_name).wall_kind != "masonry" else glyphs.TERRAIN
    looks = {tile: wild if tile in glyphs.WILD_TILES else glyphs.TERRAIN for tile in TILES}
    return [
        (tile, glyphs.tile_code(tile, look, looks[tile]))
        for tile in TILES
        if tile not in {Tile.WALL, SECRET}
        for look in range(glyphs.VARIANTS)
    ]


def _walls(theme_name: str, kind: int) -> list[tuple[int, int]]:
    start, looks = glyphs.WALL_VARIANTS[theme(theme_name).wall_kind]
    starts = range(start, start + 256 * looks, 256)
    return [(kind, first + mask) for first in starts for mask in glyphs.VISIBLE_MASKS]


def _thing(name: str, code: int, ink: Color, /, **facts: str) -> TilePiece:
    return TilePiece((name, code), code, ink, None, facts)


def _things(theme_name: str) -> list[list[TilePiece]]:
    """Return stairs, creatures and items, which have a transparent background."""
    stairs = (("exit", glyphs.STAIRS_DOWN, len(TILES)), ("start", glyphs.STAIRS_UP, len(TILES) + 1))
    return [
        [_thing(w, code, _shades(theme_name, kind)[0], name=w) for w, code, kind in stairs],
        [
            _thing(key, glyphs.creature_tile(key), creature_colors()[kind.color], name=kind.name)
            for key, kind in creature_kinds().items()
            if key != HERO
        ],
        [_thing(key, glyphs.item_tile(key), item_color(key, None)) for key in item_kinds()],
    ]


def joined_mask(key: Key) -> int | None:
    """Return the mask of differing neighbours that a tile is drawn for, None if it has no mask.

    Its bits are those of `NEIGHBOURS`; walls, forests and mountains have a mask.
    """
    name, code = key
    joined = name in JOINED[:2] or (name in JOINED[2:] and code >= glyphs.CLUMPS)
    return code & 255 if joined else None


def _pixels(piece: TilePiece, tileset: Tileset) -> NDArray[np.uint8]:
    """Return the tile tinted with its ink, over its ground if it has one: uint8[y, x, 4]."""
    glass = tileset.get_tile(piece.code).astype(np.float32)
    cover = glass[..., 3:] / 255
    color = glass[..., :3] / 255 * np.array(piece.ink, np.float32)
    if piece.paper is None:
        return np.concatenate([color, glass[..., 3:]], axis=2).astype(np.uint8)
    color = color * cover + np.array(piece.paper, np.float32) * (1 - cover)
    return np.concatenate([color, np.full_like(cover, 255)], axis=2).astype(np.uint8)
