"""Export a level to the LDtk editor: an IntGrid of tiles, rules that draw it, and entities.

LDtk draws IntGrid layers by rules: a pattern of values around a cell, and the tiles to put there.
The rules here are those of the game's walls, forests and mountains, so what a person draws in the
editor looks as it does in the game. data/ldtk/project.json has the fields that never change
(version 1.5.3 of the format, https://ldtk.io/json).
"""

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from itertools import count
from typing import Any
from uuid import UUID

import msgspec
import numpy as np

from engine.items.loot import items_of
from entities.data_files import DATA
from entities.terrain import TILE_NAMES, TILES
from procgen.level import Level
from render.tiles.glyphs import (
    NEIGHBOURS,
    SIDE_DOOR,
    STAIRS_DOWN,
    STAIRS_UP,
    VARIANTS,
    creature_tile,
    item_tile,
    visible_mask,
)
from workbench.exports.origin import ExportOptions
from workbench.exports.theme_tiles import COLUMNS, JOINED, TILE, TileSet, joined_mask, tile_set
from workbench.exports.tiled import Fields

TILESET, GROUND, ENTITIES, LEVEL, ROOM = range(1, 6)
"""The identities of what a project has one of."""


@cache
def _common() -> dict[str, Fields]:
    """Return the fields that never change, by the kind of record."""
    found: dict[str, Fields] = msgspec.json.decode((DATA / "ldtk" / "project.json").read_bytes())
    return found


def ldtk(level: Level, options: ExportOptions, origin: str) -> dict[str, bytes]:
    """Return the project under the name ``""``, and beside it the tiles of its theme."""
    side, tiles = options.tile or TILE, tile_set(level.theme)
    image = f"tiles-{level.theme}-{side}.png"
    project = _Project(level, tiles, side, image).fields(origin)
    return {"": msgspec.json.encode(project) + b"\n", image: tiles.picture(side)}


class _Project:
    """Writes a project of one level; places are in pixels."""

    def __init__(self, level: Level, tiles: TileSet, side: int, image: str) -> None:
        self.level, self.tiles, self.side, self.image = level, tiles, side, image
        self._uids = count(ROOM + 1)
        self._entities: dict[str, Fields] = {}
        self._groups = [self._group(tile) for tile in TILES]

    def fields(self, origin: str) -> Fields:
        """Return the whole project; the command that made it is its note to the user."""
        side, (height, width) = self.side, self.level.tiles.shape
        level = self._level()
        return _common()["root"] | {
            "iid": self._iid("project"),
            "dummyWorldIid": self._iid("world"),
            "tutorialDesc": f"{self.level.code}\n{origin}",
            "defaultGridSize": side,
            "defaultEntityWidth": side,
            "defaultEntityHeight": side,
            "defaultLevelWidth": width * side,
            "defaultLevelHeight": height * side,
            "defs": {
                "layers": [
                    self._layer("Entities", ENTITIES),
                    self._layer("IntGrid", GROUND)
                    | {
                        "intGridValues": [self._value(tile) for tile in TILES],
                        "autoRuleGroups": self._groups,
                        "tilesetDefUid": TILESET,
                    },
                ],
                "entities": list(self._entities.values()),
                "tilesets": [self._tileset()],
                "enums": [],
                "externalEnums": [],
                "levelFields": [],
            },
            "levels": [level],
            "nextUid": next(self._uids),
        }

    def _iid(self, what: str) -> str:
        """Return an identity that depends on the level alone."""
        told = f"{self.level.code} {what}".encode()
        return str(UUID(bytes=blake2b(told, digest_size=16).digest()))

    def _layer(self, kind: str, uid: int) -> Fields:
        names = {GROUND: "Ground", ENTITIES: "Things"}
        named = {"__type": kind, "type": kind, "identifier": names[uid], "uid": uid}
        return _common()["layer"] | named | {"gridSize": self.side}

    def _rect(self, number: int) -> Fields:
        """Return where the tile ``number`` lies in the picture."""
        y, x = (self.side * place for place in divmod(number, COLUMNS))
        return {"tilesetUid": TILESET, "x": x, "y": y, "w": self.side, "h": self.side}

    def _value(self, tile: int) -> Fields:
        """Return the IntGrid value of a kind of tile: its number and 1, since 0 is none."""
        piece = next(p for p in self.tiles.pieces if p and p.key[0] == TILE_NAMES[tile])
        red, green, blue = piece.ink
        return {
            "value": tile + 1,
            "identifier": TILE_NAMES[tile],
            "color": f"#{red:02X}{green:02X}{blue:02X}",
            "tile": self._rect(self.tiles.numbers[piece.key]),
            "groupUid": 0,
        }

    def _group(self, tile: int) -> Fields:
        """Return the rules that draw a kind of tile."""
        looks: dict[int | None, list[int]] = {}
        for (name, code), number in self.tiles.numbers.items():
            if name == TILE_NAMES[tile] and not SIDE_DOOR <= code < SIDE_DOOR + 2 * VARIANTS:
                looks.setdefault(joined_mask((name, code)), []).append(number)
        named = {"uid": next(self._uids), "name": TILE_NAMES[tile]}
        rules = [
            _common()["rule"]
            | {
                "uid": next(self._uids),
                "size": 1 if mask is None else 3,
                "pattern": [tile + 1] if mask is None else pattern_of(tile, mask),
                "tileRectsIds": [[number] for number in numbers],
                "outOfBoundsValue": tile + 1,
            }
            for mask, numbers in looks.items()
            if mask is not None or len(looks) == 1
        ]
        return _common()["group"] | named | {"rules": rules}

    def _tileset(self) -> Fields:
        rows = -(-len(self.tiles.pieces) // COLUMNS)
        return _common()["tileset"] | {
            "__cWid": COLUMNS,
            "__cHei": rows,
            "identifier": self.level.theme,
            "uid": TILESET,
            "relPath": self.image,
            "pxWid": COLUMNS * self.side,
            "pxHei": rows * self.side,
            "tileGridSize": self.side,
        }

    def _level(self) -> Fields:
        height, width = self.level.tiles.shape
        ground = {
            "__tilesetDefUid": TILESET,
            "__tilesetRelPath": self.image,
            "intGridCsv": (self.level.tiles.ravel().astype(int) + 1).tolist(),
            "autoLayerTiles": list(self._drawn()),
        }
        things = {
            "__tilesetDefUid": None,
            "__tilesetRelPath": None,
            "entityInstances": list(self._things()),
        }
        return _common()["level"] | {
            "identifier": "Level_0",
            "iid": self._iid("level"),
            "uid": LEVEL,
            "pxWid": width * self.side,
            "pxHei": height * self.side,
            "layerInstances": [
                self._instance("Things", "Entities", ENTITIES) | things,
                self._instance("Ground", "IntGrid", GROUND) | ground,
            ],
        }

    def _instance(self, name: str, kind: str, uid: int) -> Fields:
        height, width = self.level.tiles.shape
        return _common()["layer_instance"] | {
            "__identifier": name,
            "__type": kind,
            "__cWid": width,
            "__cHei": height,
            "__gridSize": self.side,
            "iid": self._iid(name),
            "levelId": LEVEL,
            "layerDefUid": uid,
        }

    def _drawn(self) -> Iterator[Fields]:
        """Yield the tiles that the rules put on the map, the first look of each."""
        tiles, side = self.level.tiles, self.side
        around = np.pad(tiles, 1, mode="edge")
        height, width = tiles.shape
        masks = np.zeros(tiles.shape, int)
        for bit, (dx, dy) in enumerate(NEIGHBOURS):
            beside = around[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
            masks |= (beside != tiles).astype(int) << bit
        rules = {
            (tile, tuple(rule["pattern"])): rule
            for tile, group in enumerate(self._groups)
            for rule in group["rules"]
        }
        for y in range(height):
            for x in range(width):
                tile, mask = int(tiles[y, x]), visible_mask(int(masks[y, x]))
                joined = TILE_NAMES[tile] in JOINED
                pattern = pattern_of(tile, mask) if joined else [tile + 1]
                rule = rules[tile, tuple(pattern)]
                (number, *_), *_ = rule["tileRectsIds"]
                place = self._rect(number)
                yield {
                    "px": [x * side, y * side],
                    "src": [place["x"], place["y"]],
                    "f": 0,
                    "t": number,
                    "d": [rule["uid"], y * width + x],
                    "a": 1,
                }

    def _things(self) -> Iterator[Fields]:
        """Yield rooms, stairs, monsters and items as entities."""
        level = self.level
        for number, room in enumerate(level.rooms):
            yield self._entity("room", None, number, (room.x, room.y), (room.width, room.height))
        stairs = [("start", STAIRS_UP, level.start)]
        stairs += [("exit", STAIRS_DOWN, level.exit)] if level.has_exit else []
        things = [(name, (name, code), (at.x, at.y)) for name, code, at in stairs]
        things += [(s.kind, (s.kind, creature_tile(s.kind)), (s.x, s.y)) for s in level.spawns]
        things += [(i.kind, (i.kind, item_tile(i.kind)), (i.x, i.y)) for i in items_of(level)]
        for number, (name, key, at) in enumerate(things):
            yield self._entity(name, self.tiles.numbers[key], number, at)

    def _entity(
        self,
        name: str,
        number: int | None,
        index: int,
        at: tuple[int, int],
        size: tuple[int, int] = (1, 1),
    ) -> Fields:
        """Return an entity on the map; its definition is made when the first of its kind is."""
        side, rect = self.side, None if number is None else self._rect(number)
        if name not in self._entities:
            common = _common()["entity"] | (_common()["room"] if number is None else {})
            named = {"identifier": name, "uid": next(self._uids), "width": side, "height": side}
            picture: Fields = {"tilesetId": rect and TILESET, "tileRect": rect, "fieldDefs": []}
            self._entities[name] = common | named | picture
        made = self._entities[name]
        place: dict[str, Any] = {"px": [at[0] * side, at[1] * side], "__grid": list(at)}
        place |= {"__worldX": at[0] * side, "__worldY": at[1] * side}
        return place | {
            "__identifier": name,
            "__pivot": [0, 0],
            "__tags": [],
            "__tile": rect,
            "__smartColor": made["color"],
            "iid": self._iid(f"{name} {index}"),
            "width": size[0] * side,
            "height": size[1] * side,
            "defUid": made["uid"],
            "fieldInstances": [],
        }


def pattern_of(tile: int, mask: int) -> list[int]:
    """Return the 3 by 3 cells of a rule: 0 is any value, a negative number any other value.

    ``mask`` has the neighbours that are another kind of tile, as `visible_mask` returns it.
    """
    value, found = tile + 1, [0] * 9
    found[4] = value
    for bit, (dx, dy) in enumerate(NEIGHBOURS):
        beside = [b for b, (x, y) in enumerate(NEIGHBOURS[:4]) if (x, y) in {(dx, 0), (0, dy)}]
        hidden = bit > 3 and any(mask >> b & 1 for b in beside)
        found[4 + dx + 3 * dy] = 0 if hidden else -value if mask >> bit & 1 else value
    return found
