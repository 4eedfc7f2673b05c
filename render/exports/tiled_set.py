"""The tiles of a theme as a picture and a list, for the map editor Tiled."""

from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from entities.kinds import HERO, creatures
from entities.terrain import TILE_NAMES, TILES, Tile, terrain
from procgen.endless.realms import Realm, realms
from procgen.recipes import Recipe, current_recipes
from render.exports.origin import SOFTWARE
from render.frame import Color
from render.glyphs import (
    STAIRS_DOWN,
    STAIRS_UP,
    TERRAIN,
    VARIANTS,
    WALL_LOOKS,
    WILD_TERRAIN,
    WILD_TILES,
    being_look,
    essential,
    tile_look,
)
from render.light import EVEN, KINDS, appearances, lit
from render.palette import creature_colors, paint, theme
from render.tiles.tileset import map_tileset

COLUMNS = 16
SECRET = Tile.SECRET_DOOR
MASKS = sorted({essential(mask) for mask in range(256)})
"""The ways in which rock can border on open ground."""

Key = tuple[str, int]
"""A tile's name and its code point, which tell apart what only looks the same."""


@dataclass(frozen=True)
class Piece:
    """One tile of the set: what it is, and how it looks."""

    key: Key
    code: int
    ink: Color
    paper: Color | None
    properties: dict[str, Any]


@dataclass(frozen=True, eq=False)
class TileSet:
    """All pieces of a theme, each at its number; None where a row is filled up."""

    theme: str
    pieces: tuple[Piece | None, ...]

    @property
    def numbers(self) -> dict[Key, int]:
        """The number of each piece, from 0."""
        return {piece.key: number for number, piece in enumerate(self.pieces) if piece}

    @cache  # noqa: B019 - there are as many as themes, kept for as long as those
    def picture(self, size: int) -> bytes:
        """Return the pieces as a PNG, in rows of `COLUMNS`, ``size`` pixels a tile.

        All maps of a theme share it, so it tells of no level, but how to make it again.
        """
        rows = -(-len(self.pieces) // COLUMNS)
        sheet = np.zeros((rows * size, COLUMNS * size, 4), np.uint8)
        for number, piece in enumerate(self.pieces):
            if piece:
                y, x = (size * place for place in divmod(number, COLUMNS))
                sheet[y : y + size, x : x + size] = _pixels(piece, size)
        notes = PngInfo()
        notes.add_text("Title", f"The tiles of {self.theme}, {size} pixels each")
        whose: list[Recipe | Realm] = [*current_recipes(), *realms().values()]
        name = next((one.name for one in whose if one.theme == self.theme), None)
        if name:
            notes.add_text(
                "Command", f"python main.py map {name}:0 --tile {size} --output {name}.tmj"
            )
        notes.add_text("Software", SOFTWARE)
        stream = BytesIO()
        Image.fromarray(sheet, "RGBA").save(stream, "PNG", optimize=True, pnginfo=notes)
        return stream.getvalue()


@cache
def tile_set(name: str) -> TileSet:
    """Return the tiles of the theme called ``name``: ground, walls, stairs, then creatures."""
    pieces: list[Piece | None] = []
    for group in (_grounds(name), _walls(name), _secrets(name), _stairs(name), _creatures()):
        pieces += group
        pieces += [None] * (-len(pieces) % COLUMNS)
    return TileSet(name, tuple(pieces))


def _shades(name: str, kind: int) -> tuple[Color, Color]:
    """Return ink and ground of a kind of tile in even light."""
    light = paint(name).light * np.float32(EVEN)
    ink, ground = (_color(lit(part[2 * KINDS + kind], light)) for part in appearances(name))
    return ink, ground


def _color(shade: NDArray[np.float32]) -> Color:
    red, green, blue = (int(part) for part in shade)
    return red, green, blue


def _piece(tile: int, code: int, name: str) -> Piece:
    kind = terrain().kinds[tile]
    facts = {"name": kind.name, "walkable": kind.walkable, "transparent": kind.transparent}
    return Piece((TILE_NAMES[tile], code), code, *_shades(name, tile), facts)


def _grounds(name: str) -> list[Piece]:
    wild = WILD_TERRAIN if theme(name).made != "masonry" else TERRAIN
    return [
        _piece(tile, tile_look(tile, look, wild if tile in WILD_TILES else TERRAIN), name)
        for tile in TILES
        if tile not in {Tile.WALL, SECRET}
        for look in range(VARIANTS)
    ]


def _walls(name: str) -> list[Piece]:
    start, looks = WALL_LOOKS[theme(name).made]
    codes = [start + 256 * look + mask for look in range(looks) for mask in MASKS]
    return [_piece(Tile.WALL, code, name) for code in codes]


def _secrets(name: str) -> list[Piece]:
    """Return walls in the colour of wood: an editor should show what a player must find."""
    start, looks = WALL_LOOKS[theme(name).made]
    ink = _shades(name, Tile.DOOR)[0]
    codes = [start + 256 * look + mask for look in range(looks) for mask in MASKS]
    plain = [_piece(SECRET, code, name) for code in codes]
    return [Piece(piece.key, piece.code, ink, piece.paper, piece.properties) for piece in plain]


def _stairs(name: str) -> list[Piece]:
    return [
        Piece((what, code), code, _shades(name, kind)[0], None, {"name": what})
        for what, code, kind in (
            ("exit", STAIRS_DOWN, len(TILES)),
            ("start", STAIRS_UP, len(TILES) + 1),
        )
    ]


def _creatures() -> list[Piece]:
    pieces = []
    for name, kind in creatures().items():
        if name != HERO:
            code, ink = being_look(name), creature_colors()[kind.color]
            pieces.append(Piece((name, code), code, ink, None, {"name": kind.name}))
    return pieces


def _pixels(piece: Piece, size: int) -> NDArray[np.uint8]:
    """Return the tile tinted by its ink, over its ground if it has one: uint8[y, x, 4]."""
    glass = map_tileset(size).get_tile(piece.code).astype(np.float32)
    cover = glass[..., 3:] / 255
    color = glass[..., :3] / 255 * np.array(piece.ink, np.float32)
    if piece.paper is None:
        return np.concatenate([color, glass[..., 3:]], axis=2).astype(np.uint8)
    color = color * cover + np.array(piece.paper, np.float32) * (1 - cover)
    return np.concatenate([color, np.full_like(cover, 255)], axis=2).astype(np.uint8)
