"""Export a level to the LDtk editor: an IntGrid of tiles, rules that draw it, and entities.

LDtk draws IntGrid layers by rules: a pattern of values around a cell, and the tiles to put there.
The rules here are those of the game's walls, forests and mountains, so a level drawn in the editor
looks as it does in the game. data/ldtk/project.json has a template of every record (version 1.5.3
of the format, https://ldtk.io/json).
"""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import count
from typing import Any
from uuid import UUID

import numpy as np

from engine.items.loot import items_of
from entities.terrain import TILE_NAMES, TILES
from procgen.level import Level
from render.map.tile_variants import other_neighbours
from render.tiles.glyphs import NEIGHBOURS, creature_tile, item_tile, visible_mask
from workbench.exports.origin import ExportOptions
from workbench.exports.theme_tiles import COLUMNS, JOINED, SIDE_DOORS, EditorExport, joined_mask
from workbench.templates import Fields, filled_record

TILESET, FIRST_FREE = 1, 6
"""The uid of the tileset, and the first uid that data/ldtk/project.json does not use."""
THINGS = {"name": "Things", "type": "Entities", "uid": 3}
GROUND = {"name": "Ground", "type": "IntGrid", "uid": 2}
"""The two layers."""


class LdtkProject(EditorExport):
    """Writes a project with one level; positions are in pixels."""

    def __init__(self, level: Level, options: ExportOptions) -> None:
        super().__init__(level, options)
        self._uids = count(FIRST_FREE)
        self._entities: dict[str, Fields] = {}
        self._rules: dict[tuple[int, int | None], Fields] = {}
        self._groups = [self._group(tile) for tile in TILES]

    def fields(self, origin: str) -> Fields:
        """Return the whole project; a note to the user contains the command that made it."""
        ground = {"cells": (self.level.tiles.ravel().astype(int) + 1).tolist(), "things": []}
        things = {"cells": [], "things": list(self._things()), "drawn": []}
        return self._record(
            "project",
            iid=self._iid("project"),
            world_iid=self._iid("world"),
            level_iid=self._iid("level"),
            note=f"{self.level.code}\n{origin}",
            theme=self.level.theme,
            things_layer=self._record("layer", **THINGS, values=[], groups=[], tileset=None),
            ground_layer=self._record(
                "layer", **GROUND, values=[*map(self._value, TILES)], groups=self._groups
            ),
            entities=list(self._entities.values()),
            things=self._instance(**THINGS, **things, tileset=None, image=None),
            ground=self._instance(**GROUND, **ground, drawn=list(self._drawn())),
            next_uid=next(self._uids),
        )

    def _record(self, kind: str, /, **values: Any) -> Fields:
        """Return a record of data/ldtk/project.json; ``values`` override those of the map."""
        known = self.sizes | {"tileset": TILESET}
        return filled_record("ldtk/project.json", kind, **(known | values))

    def _instance(self, **values: Any) -> Fields:
        return self._record("layer_instance", iid=self._iid(values["name"]), **values)

    def _iid(self, thing: str) -> str:
        """Return an iid that depends on the level alone."""
        key = f"{self.level.code} {thing}".encode()
        return str(UUID(bytes=blake2b(key, digest_size=16).digest()))

    def _rect(self, number: int) -> Fields:
        """Return the place of the tile ``number`` in the picture."""
        y, x = (self.side * place for place in divmod(number, COLUMNS))
        return {"tilesetUid": TILESET, "x": x, "y": y, "w": self.side, "h": self.side}

    def _value(self, tile: int) -> Fields:
        """Return the IntGrid value of a kind of tile: its number plus 1, since 0 means none."""
        name = TILE_NAMES[tile]
        piece = next(p for p in self.tiles.pieces if p and p.key[0] == name)
        color = "#{:02X}{:02X}{:02X}".format(*piece.ink)
        shown = self._rect(self.tiles.numbers[piece.key])
        return self._record("value", number=tile + 1, name=name, color=color, tile=shown)

    def _group(self, tile: int) -> Fields:
        """Return the rules that draw a kind of tile."""
        looks: dict[int | None, list[int]] = {}
        for (name, code), number in self.tiles.numbers.items():
            if name == TILE_NAMES[tile] and code not in SIDE_DOORS:
                looks.setdefault(joined_mask((name, code)), []).append(number)
        uid = next(self._uids)
        rules = {
            (tile, mask): self._record(
                "rule",
                uid=next(self._uids),
                size=1 if mask is None else 3,
                pattern=[tile + 1] if mask is None else pattern_of(tile, mask),
                tiles=[[number] for number in numbers],
                value=tile + 1,
            )
            for mask, numbers in looks.items()
            if mask is not None or len(looks) == 1
        }
        self._rules |= rules
        return self._record("group", uid=uid, name=TILE_NAMES[tile], rules=list(rules.values()))

    def _drawn(self) -> Iterator[Fields]:
        """Yield the tiles that the rules put on the map, the first variant of each."""
        tiles, side = self.level.tiles, self.side
        masks = other_neighbours(np.pad(tiles, 1, mode="edge"), tiles)
        for (y, x), tile in np.ndenumerate(tiles):
            joined = TILE_NAMES[tile] in JOINED
            rule = self._rules[int(tile), visible_mask(int(masks[y, x])) if joined else None]
            number = rule["tileRectsIds"][0][0]
            place = self._rect(number)
            yield {
                "px": [x * side, y * side],
                "src": [place["x"], place["y"]],
                "f": 0,
                "t": number,
                "d": [rule["uid"], y * tiles.shape[1] + x],
                "a": 1,
            }

    def _things(self) -> Iterator[Fields]:
        """Yield rooms, stairs, monsters and items as entities."""
        level = self.level
        for number, room in enumerate(level.rooms):
            yield self._entity("room", None, number, (room.x, room.y), (room.width, room.height))
        things = [(name, (name, code), (at.x, at.y)) for name, code, at in self.stairs]
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
        """Return an entity on the map; the first of a kind also creates its definition."""
        rect, tileset = (None, None) if number is None else (self._rect(number), TILESET)
        if name not in self._entities:
            uid = next(self._uids)
            definition = self._record("entity", name=name, uid=uid, tile=rect, tileset=tileset)
            self._entities[name] = definition | (self._record("room") if number is None else {})
        return self._record(
            "entity_instance",
            name=name,
            tile=rect,
            x=at[0] * self.side,
            y=at[1] * self.side,
            grid=list(at),
            color=self._entities[name]["color"],
            iid=self._iid(f"{name} {index}"),
            width=size[0] * self.side,
            height=size[1] * self.side,
            uid=self._entities[name]["uid"],
        )


def pattern_of(tile: int, mask: int) -> list[int]:
    """Return the 3 by 3 cells of a rule: 0 is any value, a negative number any other value.

    ``mask`` is the `visible_mask` of the neighbours that are another kind of tile.
    """
    value, cells = tile + 1, [0] * 9
    cells[4] = value
    for bit, (dx, dy) in enumerate(NEIGHBOURS):
        sides = [b for b, (x, y) in enumerate(NEIGHBOURS[:4]) if (x, y) in {(dx, 0), (0, dy)}]
        hidden = bit > 3 and any(mask >> b & 1 for b in sides)
        cells[4 + dx + 3 * dy] = 0 if hidden else -value if mask >> bit & 1 else value
    return cells
