"""A level as a map for the editor Tiled, and the picture of its tiles."""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from entities.terrain import TILE_NAMES
from procgen.build import Level
from procgen.recipes import find_any
from render.exports.origin import SOFTWARE, Wishes
from render.exports.tiled_set import COLUMNS, TileSet, tile_set
from render.glyphs import STAIRS_DOWN, STAIRS_UP, being_look
from render.prints.scene import ground_console

TILE = 24
FIRST = 1
"""The number in the map of the set's first tile; 0 is for no tile."""
FORMAT = "1.8"

Fields = dict[str, Any]


def tmj(level: Level, wishes: Wishes, origin: str) -> dict[str, bytes]:
    """Return the map under the name ``""``, and beside it the tiles of its theme.

    Levels of one theme share their picture; tiles keep their numbers from level to level.
    """
    side = wishes.tile or TILE
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
        parameters = find_any(code.recipe, code.version).parameters()
        return {
            "code": str(code),
            "command": origin,
            "depth": code.depth,
            "generator": code.recipe,
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
            "firstgid": FIRST,
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
        places = (("start", STAIRS_UP, level.start), ("exit", STAIRS_DOWN, level.exit))
        for name, code, (x, y) in places:
            stairs[y, x] = FIRST + self.tiles.numbers[name, code]
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

    def _ground(self) -> np.ndarray:
        """Return the number of each tile in the map."""
        level, numbers = self.level, self.tiles.numbers
        codes = ground_console(level, stairs=False).rgb["ch"].astype(np.int64)
        pairs, where = np.unique(codes * 256 + level.tiles, return_inverse=True)
        found = [FIRST + numbers[TILE_NAMES[pair % 256], pair // 256] for pair in pairs.tolist()]
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

    def _spawn(self, kind: str, x: int, y: int) -> Fields:
        """Return a creature as a tile; what is drawn with a tile stands on its lower left."""
        code = being_look(kind)
        shown = {"gid": FIRST + self.tiles.numbers[kind, code]}
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
