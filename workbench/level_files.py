"""Levels from files: maps drawn as text, and maps of the Tiled editor.

A file holds tiles, and perhaps a start, an exit, rooms and monsters. Its level has no recipe and no
seed, so nobody can build it again from its code; it can be measured, checked, described and
exported. A file is data: its sizes are limited, and nothing in it can run.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from components.inventory import PlacedItem
from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import DataError, convert
from entities.item_kinds import item_kinds
from entities.program import PROGRAM
from entities.terrain import TILE_NAMES, Tile, openable_mask, terrain
from procgen.analysis.distances import furthest_tile
from procgen.blueprint import Point, RectangularRoom, Spawn
from procgen.level import Level, code_from_tiles
from procgen.level_code import DEEPEST, CodeError, parse_code
from procgen.settings import LEVEL_FILE

ENDINGS = (".txt", ".tmj")
MOST_BYTES, LONGEST_SIDE, SMALLEST_SIDE = 8_000_000, 1000, 3
ENTRIES = {"<": "start", "@": "start", ">": "exit"}
"""Marks of text maps, which stand on floor."""
GID = 0x0FFFFFFF
"""The bits of a tile in a Tiled map that say which; the others turn and mirror it."""

Tiles = NDArray[np.uint8]
Marks = dict[str, Point]


class TmjProperty(msgspec.Struct):
    """A property of the map or of an object."""

    name: str
    value: Any = None


class TmjObject(msgspec.Struct):
    """An object of a Tiled map, in pixels; one with a tile stands on its lower left corner."""

    name: str = ""
    type: str = ""
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    gid: int | None = None
    properties: list[TmjProperty] = []


class TmjLayer(msgspec.Struct):
    """A layer: numbers of tiles in rows, or objects."""

    type: str
    name: str = ""
    data: list[int] | str | None = None
    objects: list[TmjObject] = []


class TmjTile(msgspec.Struct):
    """A described tile; ``type`` is its name in our tile sets."""

    id: int
    type: str = ""


class TmjTileset(msgspec.Struct):
    """A tile set that is part of the map."""

    firstgid: int
    tiles: list[TmjTile] = []
    source: str = ""


class TmjFacts(msgspec.Struct):
    """The properties of a map that matter here; ours have them."""

    depth: Annotated[int, Meta(ge=1, le=DEEPEST)] = 1
    theme: Annotated[str, Meta(max_length=200)] = LEVEL_FILE.theme


class TmjMap(msgspec.Struct):
    """The fields of a Tiled map that matter here."""

    width: int
    height: int
    tilewidth: int
    tileheight: int
    layers: list[TmjLayer]
    tilesets: list[TmjTileset]
    infinite: bool = False
    properties: list[TmjProperty] = []


def is_level_file(text: str) -> bool:
    """Return True if ``text`` names a file of a level and is no level code."""
    return Path(text).suffix.lower() in ENDINGS


def read_level(path: Path) -> Level:
    """Return the level in a file; raise `DataError` with a sentence, or `OSError`."""
    with path.open("rb") as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise DataError(f"{path}: a level file has at most {MOST_BYTES // 10**6} MB")
    if path.suffix.lower() == ".tmj":
        return _from_tmj(content, str(path))
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{path}: is not text in UTF-8") from None
    depth, rows = _drawing(text, str(path))
    tiles, marks = _tiles_of(rows, str(path))
    return _level(tiles, str(path), marks, depth)


def _drawing(text: str, where: str) -> tuple[int, list[tuple[int, str]]]:
    """Return the depth that the code above the map says, and the numbered lines of the map."""
    lines = [(n, line.rstrip()) for n, line in enumerate(text.splitlines(), 1)]
    while lines and not lines[0][1]:
        del lines[0]
    depth = 1
    try:
        depth = parse_code(lines[0][1]).depth or 1
        del lines[0]
    except (CodeError, IndexError):
        pass
    rows: list[tuple[int, str]] = []
    for place, (number, line) in enumerate(lines):
        if not line or f"{PROGRAM} map " in line:
            if any(rest and f"{PROGRAM} map " not in rest for _, rest in lines[place:]):
                raise DataError(f"{where}: line {number}: a file holds one map, without gaps")
            break
        rows.append((number, line))
    return depth, rows


def _tiles_of(rows: list[tuple[int, str]], where: str) -> tuple[Tiles, Marks]:
    """Return the tiles and the marks of a drawing; short rows end in rock, as blanks are."""
    width = max((len(row) for _, row in rows), default=0)
    _check_size(width, len(rows), where)
    numbers = {kind.char: tile for tile, kind in enumerate(terrain().kinds)} | {" ": Tile.WALL}
    tiles, marks = np.full((len(rows), width), Tile.WALL, np.uint8), Marks()
    for y, (line, row) in enumerate(rows):
        for x, char in enumerate(row):
            if char in ENTRIES:
                if ENTRIES[char] in marks:
                    raise DataError(f"{where}: line {line}: a second {ENTRIES[char]}")
                marks[ENTRIES[char]] = Point(x, y)
            elif char not in numbers:
                raise DataError(f"{where}: line {line}, column {x + 1}: no tile is drawn {char!r}")
            tiles[y, x] = Tile.FLOOR if char in ENTRIES else numbers[char]
    return tiles, marks


def _check_size(width: int, height: int, where: str) -> None:
    if not all(SMALLEST_SIDE <= side <= LONGEST_SIDE for side in (width, height)):
        limits = f"{SMALLEST_SIDE} to {LONGEST_SIDE}"
        raise DataError(f"{where}: a map has sides of {limits} tiles, not {width}x{height}")


def _from_tmj(content: bytes, where: str) -> Level:
    try:
        found = msgspec.json.decode(content, type=TmjMap)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise DataError(f"{where}: is no map of Tiled ({fault})") from None
    _check_size(found.width, found.height, where)
    grids = [layer for layer in found.layers if layer.type == "tilelayer"]
    ground = next((one for one in grids if one.name == "ground"), grids[0] if grids else None)
    size = found.width * found.height
    if found.infinite or ground is None or not isinstance(ground.data, list):
        raise DataError(f"{where}: needs a tile layer saved as CSV, of a map that is not infinite")
    if len(ground.data) != size or found.tilewidth < 1 or found.tileheight < 1:
        raise DataError(f"{where}: the layer {ground.name!r} does not fit the size of the map")
    kinds = _gids(found, where)
    try:
        numbers = [kinds[gid & GID] for gid in ground.data]
    except KeyError as fault:
        raise DataError(
            f"{where}: the tile {fault} has no type that names a kind of tile"
        ) from None
    tiles = np.array(numbers, np.uint8).reshape(found.height, found.width)
    marks, rooms = Marks(), list[RectangularRoom]()
    spawns, items = list[Spawn](), list[PlacedItem]()
    for layer in found.layers:
        for thing in layer.objects:
            x, y, width, height = _in_tiles(thing, found, where)
            if thing.type in ENTRIES.values():
                marks[thing.type] = Point(x, y)
            elif thing.type == "room" and width and height:
                rooms.append(RectangularRoom(x, y, width, height))
            elif thing.type == "spawn":
                if thing.name not in creature_kinds() or thing.name == HERO:
                    raise DataError(f"{where}: there is no monster {thing.name[:40]!r}")
                spawns.append(Spawn(thing.name, x, y))
            elif thing.type == "item":
                items.append(_item(thing, x, y, where))
    facts = convert(_values(found.properties), TmjFacts, where)
    level = _level(tiles, where, marks, facts.depth)
    return replace(
        level,
        theme=facts.theme,
        rooms=tuple(rooms),
        spawns=tuple(spawns),
        items=tuple(items) or None,
    )


def _values(properties: list[TmjProperty]) -> dict[str, Any]:
    return {one.name: one.value for one in properties}


def _item(thing: TmjObject, x: int, y: int, where: str) -> PlacedItem:
    """Return an item; without properties it is a single and plain one, without charges."""
    if thing.name not in item_kinds():
        raise DataError(f"{where}: there is no item {thing.name[:40]!r}")
    place = {"kind": thing.name, "x": x, "y": y}
    facts = {"many": 1, "bonus": 0, "charges": 0} | _values(thing.properties) | place
    numbers = [facts[name] for name in PlacedItem._fields]
    return convert(numbers, PlacedItem, f"{where}: the item {thing.name!r}")


def _gids(found: TmjMap, where: str) -> dict[int, int]:
    """Return the kind of tile of each number in the map; 0, no tile, is rock."""
    kinds = {0: Tile.WALL}
    for tileset in found.tilesets:
        if tileset.source:
            raise DataError(f"{where}: embed the tile set {tileset.source[:40]!r} in the map")
        for tile in tileset.tiles:
            if tile.type in TILE_NAMES:
                kinds[tileset.firstgid + tile.id] = TILE_NAMES.index(tile.type)
    return kinds


def _in_tiles(thing: TmjObject, found: TmjMap, where: str) -> tuple[int, int, int, int]:
    """Return an object's place and size in tiles; raise `DataError` if it is not on the map."""
    sides = found.tilewidth, found.tileheight
    top = thing.y - (found.tileheight if thing.gid else 0)
    x, y = int(thing.x // sides[0]), int(top // sides[1])
    width, height = int(thing.width // sides[0]), int(thing.height // sides[1])
    if x < 0 or y < 0 or x + max(1, width) > found.width or y + max(1, height) > found.height:
        raise DataError(f"{where}: the object {thing.name[:40]!r} is not on the map")
    return x, y, width, height


def _level(tiles: Tiles, where: str, marks: Marks, depth: int) -> Level:
    """Return a level of ``tiles``; a missing start or exit is put far from the other."""
    open_tiles = openable_mask()[tiles]
    if not open_tiles.any():
        raise DataError(f"{where}: has no floor at all")
    y, x = divmod(int(open_tiles.argmax()), tiles.shape[1])
    start = marks.get("start") or Point(*furthest_tile(open_tiles, *marks.get("exit", (x, y))))
    exit_ = marks.get("exit") or Point(*furthest_tile(open_tiles, *start))
    code = code_from_tiles(tiles, depth)
    return Level(code, LEVEL_FILE.theme, tiles, (), start, exit_, (), (), ())
