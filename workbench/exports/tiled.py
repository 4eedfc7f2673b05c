"""Export a level to the Tiled editor: a .tmj map and the picture of its tile set."""

from collections.abc import Iterator
from functools import partial
from itertools import count

import msgspec
import numpy as np

from components.inventory import PlacedItem
from engine.items.loot import items_of
from entities.program import SOFTWARE
from entities.terrain import TILE_NAMES, Tile
from procgen.level import Level
from procgen.placement.safe_placement import CLOCKWISE
from procgen.settings import generator_for_code
from render.map.whole_level import empty_level_and_ground
from render.tiles.glyphs import CLUMP_TILES, CORNERS, NEIGHBOURS, creature_tile, item_tile
from workbench.exports.origin import ExportOptions
from workbench.exports.theme_tiles import EditorExport, TilePiece, joined_mask
from workbench.templates import Fields, filled_record

FIRST_GID = 1
"""The global id of the first tile in the map; 0 means no tile."""

_record = partial(filled_record, "tiled/map.json")


class TiledMap(EditorExport):
    """Writes one level; positions are in pixels, as in all files of Tiled."""

    def __init__(self, level: Level, options: ExportOptions) -> None:
        super().__init__(level, options)
        self._generator = options.recipe or generator_for_code(level.code)
        self._layer_ids, self._object_ids = count(1), count(1)

    def fields(self, origin: str) -> Fields:
        """Return the whole map."""
        return _record(
            "map",
            **self.sizes,
            properties=_properties(self._facts(origin)),
            tileset=self._tileset(),
            layers=list(self._layers()),
            next_layer=next(self._layer_ids),
            next_object=next(self._object_ids),
        )

    def _facts(self, origin: str) -> Fields:
        code = self.level.code
        return {
            "code": str(code),
            "command": origin,
            "depth": code.depth,
            "generator": code.name,
            "light": self.level.light,
            "parameters": msgspec.json.encode(self._generator.parameters()).decode(),
            # Tiled's integers are too short for a seed.
            "seed": str(code.seed),
            "software": SOFTWARE,
            "theme": self.level.theme,
            "version": code.version,
        }

    def _tileset(self) -> Fields:
        pieces, sizes = self.tiles.pieces, self.sizes
        described = [
            {"id": number, "type": piece.key[0], "properties": _properties(piece.properties)}
            for number, piece in enumerate(pieces)
            if piece
        ]
        return _record(
            "tileset",
            **sizes,
            theme=self.tiles.theme,
            count=sizes["tile_rows"] * sizes["tile_columns"],
            tiles=described,
            wangsets=wang_sets(pieces),
        )

    def _layers(self) -> Iterator[Fields]:
        level, side = self.level, self.side
        yield self._tile_layer("ground", self._ground())
        stairs = np.zeros(level.tiles.shape, np.int64)
        for name, code, (x, y) in self.stairs:
            stairs[y, x] = FIRST_GID + self.tiles.numbers[name, code]
        yield self._tile_layer("stairs", stairs)
        rooms = [
            self._object(f"room {n}", "room", room.x, room.y, room.width * side, room.height * side)
            for n, room in enumerate(level.rooms, 1)
        ]
        yield self._object_layer("rooms", rooms, visible=False)
        places = [self._object(name, name, x + 0.5, y + 0.5) for name, _, (x, y) in self.stairs]
        points = [place | {"point": True} for place in places]
        yield self._object_layer("places", points, visible=False)
        spawns = [self._shown("spawn", s.kind, creature_tile(s.kind), *s[1:]) for s in level.spawns]
        yield self._object_layer("spawns", spawns)
        yield self._object_layer("items", [self._item(item) for item in items_of(level)])

    def _ground(self) -> np.ndarray:
        """Return the global id of each tile of the map."""
        level, numbers = self.level, self.tiles.numbers
        console, _ = empty_level_and_ground(level, stairs=False)
        codes = console.rgb["ch"].astype(np.int64)
        pairs, where = np.unique(codes * 256 + level.tiles, return_inverse=True)
        keys = [(TILE_NAMES[pair % 256], pair // 256) for pair in pairs.tolist()]
        return np.array([FIRST_GID + numbers[key] for key in keys])[where].reshape(codes.shape)

    def _tile_layer(self, name: str, numbers: np.ndarray) -> Fields:
        data, number = numbers.ravel().tolist(), next(self._layer_ids)
        return _record("tile_layer", **self.sizes, name=name, data=data, id=number)

    def _object_layer(self, name: str, objects: list[Fields], *, visible: bool = True) -> Fields:
        number = next(self._layer_ids)
        return _record("object_layer", name=name, objects=objects, visible=visible, id=number)

    def _object(
        self, name: str, kind: str, x: float, y: float, width: int = 0, height: int = 0
    ) -> Fields:
        """Return an object called ``name`` at the tile (x, y); its size is in pixels."""
        place = {"x": x * self.side, "y": y * self.side, "width": width, "height": height}
        return _record("object", id=next(self._object_ids), name=name, type=kind, **place)

    def _item(self, item: PlacedItem) -> Fields:
        """Return an item as a tile object, with its other fields as properties."""
        facts = {name: getattr(item, name) for name in PlacedItem._field_defaults}
        shown = self._shown("item", item.kind, item_tile(item.kind), item.x, item.y)
        return shown | {"properties": _properties(facts)}

    def _shown(self, kind: str, name: str, code: int, x: int, y: int) -> Fields:
        """Return a tile object, whose position is its lower left corner."""
        shown = {"gid": FIRST_GID + self.tiles.numbers[name, code]}
        return self._object(name, kind, x, y + 1, self.side, self.side) | shown


def wang_sets(pieces: tuple[TilePiece | None, ...]) -> list[Fields]:
    """Return the terrain sets of walls and other joining tiles, by 8 neighbours; 1 is inside.

    Tiled's order of neighbours begins at the top and goes clockwise.
    """
    order = [NEIGHBOURS.index(way) for way in CLOCKWISE]
    sets: list[Fields] = []
    for tile in (Tile.WALL, *CLUMP_TILES):
        name, wang = TILE_NAMES[tile], list[Fields]()
        for number, piece in enumerate(pieces):
            mask = joined_mask(piece.key) if piece and piece.key[0] == name else None
            if mask is not None:
                sides = [mask >> bit & 1 for bit in range(4)]
                for corner, (_, a, b) in enumerate(CORNERS):
                    either = sides[a] | sides[b]
                    sides.append(either | mask >> (4 + corner) & 1)
                wang.append({"tileid": number, "wangid": [1 + sides[bit] for bit in order]})
            elif piece and tile == Tile.WALL and piece.key[0] == "floor":
                wang.append({"tileid": number, "wangid": [2] * 8})
        first = wang[0]["tileid"]
        sets.append(_record("wangset", name=name, other=f"no {name}", tile=first, wangtiles=wang))
    return sets


def _properties(facts: Fields) -> list[Fields]:
    names = {bool: "bool", int: "int", str: "string"}
    listed = sorted(facts.items())
    return [{"name": name, "type": names[type(value)], "value": value} for name, value in listed]
