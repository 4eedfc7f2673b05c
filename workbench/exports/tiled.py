"""Export a level to the Tiled editor: a .tmj map and the picture of its tile set."""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from engine.items.loot import PlacedItem, items_of
from entities.terrain import TILE_NAMES, Tile
from procgen.level import Level
from procgen.level_code import FROM_FILE
from procgen.settings import generator_for_code
from render.map.whole_level import ground_console
from render.tiles.glyphs import (
    CLUMP_TILES,
    CORNERS,
    NEIGHBOURS,
    STAIRS_DOWN,
    STAIRS_UP,
    creature_tile,
    item_tile,
)
from workbench.exports.origin import SOFTWARE, ExportOptions
from workbench.exports.theme_tiles import COLUMNS, TILE, TilePiece, TileSet, joined_mask, tile_set

CLOCKWISE = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
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
        from_file = code.recipe == FROM_FILE
        parameters = {} if from_file else generator_for_code(code).parameters()
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
            "wangsets": wang_sets(pieces),
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
        """Return an item as a tile, with what else there is to know of it."""
        facts = {"many": item.many, "bonus": item.bonus, "charges": item.charges}
        shown = self._shown("item", item.kind, item_tile(item.kind), item.x, item.y)
        return shown | {"properties": _properties(facts)}

    def _spawn(self, kind: str, x: int, y: int) -> Fields:
        return self._shown("spawn", kind, creature_tile(kind), x, y)

    def _shown(self, kind: str, name: str, code: int, x: int, y: int) -> Fields:
        """Return something drawn with a tile, which stands on its lower left corner."""
        shown = {"gid": FIRST_GID + self.tiles.numbers[name, code]}
        sizes = {"width": self.side, "height": self.side}
        return self._object(name, kind, x, y + 1) | shown | sizes


def wang_sets(pieces: tuple[TilePiece | None, ...]) -> list[Fields]:
    """Return the terrain sets: walls and what else joins, by the 8 neighbours, 1 is inside.

    Tiled's order of neighbours begins above and goes round clockwise.
    """
    order = [NEIGHBOURS.index(way) for way in CLOCKWISE]
    found: list[Fields] = []
    for tile in (Tile.WALL, *CLUMP_TILES):
        name, wang = TILE_NAMES[tile], list[Fields]()
        for number, piece in enumerate(pieces):
            mask = joined_mask(piece.key) if piece and piece.key[0] == name else None
            if mask is not None:
                sides = [mask >> bit & 1 for bit in range(4)]
                for corner, (_, one, other) in enumerate(CORNERS):
                    near = sides[one] | sides[other]
                    sides.append(near | mask >> (4 + corner) & 1)
                wang.append({"tileid": number, "wangid": [1 + sides[bit] for bit in order]})
            elif piece and tile == Tile.WALL and piece.key[0] == "floor":
                wang.append({"tileid": number, "wangid": [2] * 8})
        shades = (name, "#8a6a42"), (f"no {name}", "#5b93d6")
        colors = [
            {"name": told, "color": shade, "probability": 1, "tile": wang[0]["tileid"]}
            for told, shade in shades
        ]
        kind = {"name": name, "type": "mixed", "tile": wang[0]["tileid"]}
        found.append(kind | {"colors": colors, "wangtiles": wang})
    return found


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
