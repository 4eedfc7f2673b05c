"""Export a level to the Tiled editor: a .tmj map and the picture of its tile set."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from tcod.tileset import Tileset

from engine.items.loot import PlacedItem
from entities.creature_kinds import HERO, creature_kinds
from entities.program import COMMAND
from entities.terrain import TILE_NAMES, TILES, Tile, terrain
from procgen.level import Level
from procgen.recipes import Recipe, current_recipes
from procgen.settings import generator_for_code
from procgen.world_types import WorldType, world_types
from render.map.light import EVEN, lit_color
from render.map.tile_colors import known_colors
from render.map.whole_level import ground_console
from render.tiles.glyphs import (
    CLUMP_TILES,
    SIDE_DOOR,
    SIDE_LOCKED_DOOR,
    STAIRS_DOWN,
    STAIRS_UP,
    TERRAIN,
    VARIANTS,
    WALL_VARIANTS,
    WILD_TERRAIN,
    WILD_TILES,
    clump_codes,
    creature_tile,
    tile_code,
    visible_mask,
)
from render.tiles.tileset import lazy_map_tileset
from render.ui.frame import Color
from render.ui.palette import creature_colors, theme, theme_paint
from workbench.exports.level_record import items_of
from workbench.exports.origin import SOFTWARE, ExportOptions

COLUMNS = 16
SECRET = Tile.SECRET_DOOR
MASKS = sorted({visible_mask(mask) for mask in range(256)})
"""The wall masks that look different: which of the 8 neighbours are open."""

Key = tuple[str, int]
"""A tile's name and code point; two tiles may share a code point."""


@dataclass(frozen=True)
class TilePiece:
    """One tile of a tile set: its meaning and look."""

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

    @cache  # noqa: B019 - there are as many as themes, kept for as long as those
    def picture(self, size: int) -> bytes:
        """Return the pieces as a PNG, in rows of `COLUMNS`, ``size`` pixels a tile.

        All maps of a theme share it, so its metadata names the theme and not a level.
        """
        rows = -(-len(self.pieces) // COLUMNS)
        sheet = np.zeros((rows * size, COLUMNS * size, 4), np.uint8)
        drawn = lazy_map_tileset(size)
        drawn.need(np.array([piece.code for piece in self.pieces if piece], np.int32))
        for number, piece in enumerate(self.pieces):
            if piece:
                y, x = (size * place for place in divmod(number, COLUMNS))
                sheet[y : y + size, x : x + size] = _pixels(piece, drawn.tileset)
        notes = PngInfo()
        notes.add_text("Title", f"The tiles of {self.theme}, {size} pixels each")
        whose: list[Recipe | WorldType] = [*current_recipes(), *world_types().values()]
        name = next((one.name for one in whose if one.theme == self.theme), None)
        if name:
            notes.add_text("Command", f"{COMMAND} map {name}:0 --tile {size} --output {name}.tmj")
        notes.add_text("Software", SOFTWARE)
        stream = BytesIO()
        Image.fromarray(sheet, "RGBA").save(stream, "PNG", optimize=True, pnginfo=notes)
        return stream.getvalue()


@cache
def tile_set(name: str) -> TileSet:
    """Return the tiles of the theme called ``name``: ground, walls, stairs, then creatures."""
    pieces: list[TilePiece | None] = []
    grounds = _grounds(name), _side_doors(name), _clumps(name), _walls(name), _secrets(name)
    for group in (*grounds, _stairs(name), _creatures()):
        pieces += group
        pieces += [None] * (-len(pieces) % COLUMNS)
    return TileSet(name, tuple(pieces))


@cache
def _shades(name: str, kind: int) -> tuple[Color, Color]:
    """Return ink and ground of a kind of tile in even light."""
    light = theme_paint(name).light * np.float32(EVEN)
    ink, ground = (_color(lit_color(part[kind], light)) for part in known_colors(name))
    return ink, ground


def _color(shade: NDArray[np.float32]) -> Color:
    red, green, blue = (int(part) for part in shade)
    return red, green, blue


def _piece(tile: int, code: int, name: str) -> TilePiece:
    kind = terrain().kinds[tile]
    facts = {"name": kind.name, "walkable": kind.walkable, "transparent": kind.transparent}
    return TilePiece((TILE_NAMES[tile], code), code, *_shades(name, tile), facts)


def _grounds(name: str) -> list[TilePiece]:
    wild = WILD_TERRAIN if theme(name).made != "masonry" else TERRAIN
    return [
        _piece(tile, tile_code(tile, look, wild if tile in WILD_TILES else TERRAIN), name)
        for tile in TILES
        if tile not in {Tile.WALL, SECRET}
        for look in range(VARIANTS)
    ]


def _side_doors(name: str) -> list[TilePiece]:
    """Return the doors in walls that run up and down."""
    sides = ((Tile.DOOR, SIDE_DOOR), (Tile.LOCKED_DOOR, SIDE_LOCKED_DOOR))
    return [_piece(tile, side + look, name) for tile, side in sides for look in range(VARIANTS)]


def _clumps(name: str) -> list[TilePiece]:
    """Return trees and mountains that join with their neighbours."""
    return [_piece(tile, code, name) for tile in CLUMP_TILES for code in clump_codes(tile)]


def _walls(name: str) -> list[TilePiece]:
    start, looks = WALL_VARIANTS[theme(name).made]
    codes = [start + 256 * look + mask for look in range(looks) for mask in MASKS]
    return [_piece(Tile.WALL, code, name) for code in codes]


def _secrets(name: str) -> list[TilePiece]:
    """Return walls in the colour of wood: an editor shows what a player must find."""
    start, looks = WALL_VARIANTS[theme(name).made]
    ink = _shades(name, Tile.DOOR)[0]
    codes = [start + 256 * look + mask for look in range(looks) for mask in MASKS]
    plain = [_piece(SECRET, code, name) for code in codes]
    return [TilePiece(piece.key, piece.code, ink, piece.paper, piece.properties) for piece in plain]


def _stairs(name: str) -> list[TilePiece]:
    return [
        TilePiece((what, code), code, _shades(name, kind)[0], None, {"name": what})
        for what, code, kind in (
            ("exit", STAIRS_DOWN, len(TILES)),
            ("start", STAIRS_UP, len(TILES) + 1),
        )
    ]


def _creatures() -> list[TilePiece]:
    pieces = []
    for name, kind in creature_kinds().items():
        if name != HERO:
            code, ink = creature_tile(name), creature_colors()[kind.color]
            pieces.append(TilePiece((name, code), code, ink, None, {"name": kind.name}))
    return pieces


def _pixels(piece: TilePiece, tileset: Tileset) -> NDArray[np.uint8]:
    """Return the tile tinted by its ink, over its ground if it has one: uint8[y, x, 4]."""
    glass = tileset.get_tile(piece.code).astype(np.float32)
    cover = glass[..., 3:] / 255
    color = glass[..., :3] / 255 * np.array(piece.ink, np.float32)
    if piece.paper is None:
        return np.concatenate([color, glass[..., 3:]], axis=2).astype(np.uint8)
    color = color * cover + np.array(piece.paper, np.float32) * (1 - cover)
    return np.concatenate([color, np.full_like(cover, 255)], axis=2).astype(np.uint8)


TILE = 24
FIRST_GID = 1
"""The global id of the first tile in the map; 0 means no tile."""
FORMAT = "1.8"

Fields = dict[str, Any]


def tmj(level: Level, options: ExportOptions, origin: str) -> dict[str, bytes]:
    """Return the map under the name ``""``, and beside it the tiles of its theme.

    Levels of one theme share their picture; tiles keep their numbers from level to level.
    """
    side = options.tile or TILE
    tiles = tile_set(level.theme)
    image = f"tiles-{level.theme}-{side}.png"
    written = _Map(level, tiles, side).fields(image, origin)
    return {"": msgspec.json.encode(written) + b"\n", image: tiles.picture(side)}


class _Map:
    """Writes one level; places are in pixels, as Tiled wants them."""

    def __init__(self, level: Level, tiles: TileSet, side: int) -> None:
        self.level, self.tiles, self.side = level, tiles, side
        self._objects = 0

    def fields(self, image: str, origin: str) -> Fields:
        """Return the whole map."""
        height, width = self.level.tiles.shape
        layers = list(self._layers())
        for number, layer in enumerate(layers, 1):
            layer |= {"id": number, "x": 0, "y": 0, "opacity": 1}
        return {
            "type": "map",
            "version": FORMAT,
            "orientation": "orthogonal",
            "renderorder": "right-down",
            "infinite": False,
            "compressionlevel": -1,
            "width": width,
            "height": height,
            "tilewidth": self.side,
            "tileheight": self.side,
            "backgroundcolor": "#0b0d14",
            "properties": _properties(self._facts(origin)),
            "tilesets": [self._tileset(image)],
            "layers": layers,
            "nextlayerid": len(layers) + 1,
            "nextobjectid": self._objects + 1,
        }

    def _facts(self, origin: str) -> Fields:
        code = self.level.code
        parameters = generator_for_code(code).parameters()
        return {
            "code": str(code),
            "command": origin,
            "depth": code.depth,
            "generator": code.name,
            "parameters": msgspec.json.encode(parameters).decode(),
            # Tiled's whole numbers are too short for a seed.
            "seed": str(code.seed),
            "software": SOFTWARE,
            "theme": self.level.theme,
            "version": code.version,
        }

    def _tileset(self, image: str) -> Fields:
        pieces, side = self.tiles.pieces, self.side
        rows = -(-len(pieces) // COLUMNS)
        described = [
            {"id": number, "type": piece.key[0], "properties": _properties(piece.properties)}
            for number, piece in enumerate(pieces)
            if piece
        ]
        return {
            "firstgid": FIRST_GID,
            "name": self.tiles.theme,
            "image": image,
            "imagewidth": COLUMNS * side,
            "imageheight": rows * side,
            "tilewidth": side,
            "tileheight": side,
            "tilecount": rows * COLUMNS,
            "columns": COLUMNS,
            "margin": 0,
            "spacing": 0,
            "tiles": described,
        }

    def _layers(self) -> Iterator[Fields]:
        level, side = self.level, self.side
        yield self._tile_layer("ground", self._ground())
        stairs = np.zeros(level.tiles.shape, np.int64)
        places = [("start", STAIRS_UP, level.start), ("exit", STAIRS_DOWN, level.exit)]
        if not level.has_exit:
            places.pop()
        for name, code, (x, y) in places:
            stairs[y, x] = FIRST_GID + self.tiles.numbers[name, code]
        yield self._tile_layer("stairs", stairs)
        rooms = [
            self._object(f"room {number}", "room", room.x, room.y)
            | {"width": room.width * side, "height": room.height * side}
            for number, room in enumerate(level.rooms, 1)
        ]
        yield _object_layer("rooms", rooms, visible=False)
        yield _object_layer(
            "places",
            [
                self._object(name, name, x + 0.5, y + 0.5) | {"point": True}
                for name, _, (x, y) in places
            ],
            visible=False,
        )
        yield _object_layer("spawns", [self._spawn(*spawn) for spawn in level.spawns])
        yield _object_layer("items", [self._item(item) for item in items_of(level)])

    def _ground(self) -> np.ndarray:
        """Return the number of each tile in the map."""
        level, numbers = self.level, self.tiles.numbers
        codes = ground_console(level, stairs=False).rgb["ch"].astype(np.int64)
        pairs, where = np.unique(codes * 256 + level.tiles, return_inverse=True)
        found = [
            FIRST_GID + numbers[TILE_NAMES[pair % 256], pair // 256] for pair in pairs.tolist()
        ]
        return np.array(found)[where].reshape(codes.shape)

    def _tile_layer(self, name: str, numbers: np.ndarray) -> Fields:
        height, width = numbers.shape
        shape = {"width": width, "height": height, "visible": True}
        return {"type": "tilelayer", "name": name, **shape, "data": numbers.ravel().tolist()}

    def _object(self, name: str, kind: str, x: float, y: float) -> Fields:
        """Return something called ``name`` at the tile (x, y)."""
        self._objects += 1
        place = {"x": x * self.side, "y": y * self.side, "width": 0, "height": 0, "rotation": 0}
        return {"id": self._objects, "name": name, "type": kind, **place, "visible": True}

    def _item(self, item: PlacedItem) -> Fields:
        """Return an item as a named point in the middle of its tile."""
        facts = {"many": item.many, "bonus": item.bonus, "charges": item.charges}
        point = self._object(item.kind, "item", item.x + 0.5, item.y + 0.5)
        return point | {"point": True, "properties": _properties(facts)}

    def _spawn(self, kind: str, x: int, y: int) -> Fields:
        """Return a creature as a tile; what is drawn with a tile stands on its lower left."""
        code = creature_tile(kind)
        shown = {"gid": FIRST_GID + self.tiles.numbers[kind, code]}
        return (
            self._object(kind, "spawn", x, y + 1)
            | shown
            | {
                "width": self.side,
                "height": self.side,
            }
        )


def _object_layer(name: str, objects: list[Fields], *, visible: bool = True) -> Fields:
    return {
        "type": "objectgroup",
        "name": name,
        "draworder": "index",
        "objects": objects,
        "visible": visible,
    }


def _properties(facts: Fields) -> list[Fields]:
    names = {bool: "bool", int: "int", str: "string"}
    return [
        {"name": name, "type": names[type(value)], "value": value}
        for name, value in sorted(facts.items())
    ]
