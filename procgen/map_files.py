"""Maps from files: drawn as text (.txt), or with the Tiled editor (.tmj).

Levels, vaults and samples for wave function collapse are made of them. A file is data: its sizes
are limited, and nothing in it can run.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from entities.data_files import DataError, check_names, fault_in_words, folder_paths, read_text
from entities.terrain import TILE_NAMES, Tile, Tiles, terrain
from procgen.blueprint import Point, RectangularRoom
from procgen.level_code import CodeError, parse_code

TEXT, TILED = ENDINGS = (".txt", ".tmj")
LONGEST_SIDE, SMALLEST_SIDE = 1000, 3
TILE_SIDES = range(1, 10_001)  # In pixels; a float cannot be divided by a much larger integer.
BLANK = 255
"""The tile of a place where nothing is drawn: a space, or no tile in Tiled."""
ENTRIES = {"<": "start", "@": "start", ">": "exit"}
"""Marks of maps drawn as text, which stand on floor."""
MARKS = frozenset(ENTRIES.values())
COMMAND = re.compile(r"(main\.py|seedhollow) map ")
"""The last line of an exported level, written by a checkout or by the installed program."""
HEADERS = ("theme", "depth", "light")
THINGS, MOST_THINGS = re.compile("(item|spawn|[a-z]{3,} [0-9]+,[0-9]+) "), 20_000
THING = re.compile(
    r"(item|spawn(?!.*=)) (\d{1,4}),(\d{1,4}) (\w{1,40})((?: (?:many|bonus|charges)=-?\d{1,9})*)",
    re.ASCII,
)
"""A line below a map drawn as text: a monster, or an item with its numbers, at (x, y)."""
GID = 0x0FFFFFFF
"""The bits of a tile in a Tiled map that identify it; the others rotate and flip it."""


class TmjObject(msgspec.Struct):
    """An object of a Tiled map, in pixels; if it has a tile, (x, y) is its lower left corner."""

    name: str = ""
    type: str = ""
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    gid: int | None = None
    properties: list[dict[str, Any]] = []


class TmjLayer(msgspec.Struct):
    """A layer: numbers of tiles in rows, or objects."""

    type: str
    name: str = ""
    data: list[int] | str | None = None
    objects: list[TmjObject] = []
    offsetx: float = 0
    offsety: float = 0


class TmjTile(msgspec.Struct):
    """A described tile; ``type`` is its name in our tile sets."""

    id: int
    type: str = ""


class TmjTileset(msgspec.Struct):
    """A tile set that is part of the map."""

    firstgid: int
    tiles: list[TmjTile] = []
    source: str = ""


class TmjMap(msgspec.Struct):
    """The fields of a Tiled map that matter here."""

    width: int
    height: int
    tilewidth: int
    tileheight: int
    layers: list[TmjLayer]
    tilesets: list[TmjTileset]
    orientation: str = "orthogonal"
    infinite: bool = False
    properties: list[dict[str, Any]] = []


class DrawnMap(NamedTuple):
    """A map as in its file: ``drawn[y, x]`` are tiles or `BLANK`, ``line`` is the line of row 0.

    ``facts`` are the ``theme``, ``depth``, ``light`` and ``code`` above a drawing, or properties of
    a Tiled map; ``marks`` are the places of start and exit; ``objects`` have theirs in tiles.
    """

    drawn: Tiles
    line: int
    facts: dict[str, Any]
    marks: list[tuple[str, Point]]
    objects: Sequence[tuple[TmjObject, RectangularRoom]] = ()

    @property
    def tiles(self) -> Tiles:
        """The map with rock where nothing is drawn."""
        return np.where(self.drawn == BLANK, np.uint8(Tile.WALL), self.drawn)


def map_paths(folder: Path) -> list[Path]:
    """Return the files in ``folder`` that may hold maps, in order of their names."""
    return [path for path in folder_paths(folder) if path.suffix.lower() in ENDINGS]


def read_map(path: Path, where: str) -> DrawnMap:
    """Return the only map in a file; raise `DataError`, beginning with ``where``, for any fault."""
    first, *others = islice(read_maps(path, where), 2)  # A file may hold a million.
    if others:
        raise DataError(f"{where}: line {others[0].line}: a file holds one map, without gaps")
    return first


def read_maps(path: Path, where: str) -> Iterator[DrawnMap]:
    """Yield the maps in a file, several only if they are drawn as text; raise `DataError`."""
    text = read_text(path, where)
    if path.suffix.lower() == TILED:
        yield _from_tmj(text, where)
    else:
        yield from _drawings(text, where)


def _drawings(text: str, where: str) -> Iterator[DrawnMap]:
    """Yield the maps drawn in ``text``, at least one; an exported level ends in a command."""
    facts: dict[str, Any] = {}
    rows, things, count = list[str](), list[tuple[re.Match[str], str]](), 0
    lines = text.splitlines()
    for number, line in enumerate([*map(str.rstrip, lines), ""], 1):
        place = f"{where}: line {number}"
        if rows and (thing := THING.fullmatch(line)):
            things.append((thing, place))
            if len(things) > MOST_THINGS:
                raise DataError(f"{place}: a map has at most {MOST_THINGS:,} monsters and items")
        elif THINGS.match(line) or (things and line and not COMMAND.search(line)):
            form = "item 3,4 dart many=2 or: spawn 2,1 orc"
            raise DataError(f"{place}: right below a map, write lines as in: {form}")
        elif line and not COMMAND.search(line):
            new_facts = {} if rows else _header_facts(line, place)
            if twice := facts.keys() & new_facts:
                raise DataError(f"{place}: {twice.pop()} is given twice")
            facts |= new_facts
            rows += [] if new_facts else [line]
        elif rows or (number > len(lines) and not count):
            drawing = _drawing(rows, number - len(rows) - len(things), facts, where)
            yield drawing._replace(objects=[_thing(*thing, drawing) for thing in things])
            facts, rows, things, count = {}, [], [], count + 1


def _thing(line: re.Match[str], where: str, drawing: DrawnMap) -> tuple[TmjObject, RectangularRoom]:
    """Return the object of a line below a map; raise `DataError` if it is not on the map."""
    kind, x, y, name, facts = line.groups()
    height, width = drawing.drawn.shape
    if int(x) >= width or int(y) >= height:
        raise DataError(f"{where}: the object {name!r} is not on the map")
    numbers = dict(fact.split("=") for fact in facts.split())
    properties = [{"name": fact, "value": int(number)} for fact, number in numbers.items()]
    return TmjObject(name, kind, properties=properties), RectangularRoom(int(x), int(y), 1, 1)


def _header_facts(line: str, where: str) -> dict[str, Any]:
    """Return the facts in a line above a map: its code, theme, depth or light; {} for a row."""
    if match := re.fullmatch(rf"({'|'.join(HEADERS)}): *(.*)", line):
        number = re.fullmatch(r"-?[0-9]{1,18}", match[2])
        return {match[1]: int(match[2]) if number else match[2]}
    if {*line} <= {" ", *ENTRIES, *terrain().by_char}:  # Trees and rubble, TT:T, are no code.
        return {}
    with suppress(CodeError):
        parse_code(line)
        if ": " not in line:  # A misspelt theme is no seed.
            return {"code": line}
    check_names(where, re.findall(r"^[A-Za-z][a-z]{2,}(?=:| \d)", line), HEADERS, "header")
    return {}


def _drawing(rows: list[str], line: int, facts: dict[str, Any], where: str) -> DrawnMap:
    """Return the map of ``rows``, which begin at ``line``; short rows are padded with blanks."""
    width = max(map(len, rows), default=0)
    _check_size(width, len(rows), f"{where}: line {line}")
    numbers = terrain().by_char | {" ": BLANK} | dict.fromkeys(ENTRIES, Tile.FLOOR)
    drawn = np.full((len(rows), width), BLANK, np.uint8)
    marks = list[tuple[str, Point]]()
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            if char not in numbers:
                place = f"line {line + y}, column {x + 1}"
                raise DataError(f"{where}: {place}: no tile is drawn as {char!r} in {row[:40]!r}")
            drawn[y, x] = numbers[char]
            if char in ENTRIES:
                marks.append((ENTRIES[char], Point(x, y)))
    return DrawnMap(drawn, line, facts, marks)


def _check_size(width: int, height: int, where: str) -> None:
    if not all(SMALLEST_SIDE <= side <= LONGEST_SIDE for side in (width, height)):
        limits = f"{SMALLEST_SIDE} to {LONGEST_SIDE}"
        raise DataError(f"{where}: a map has sides of {limits} tiles, not {width}x{height}")


def _from_tmj(text: str, where: str) -> DrawnMap:
    try:
        tmj = msgspec.json.decode(text, type=TmjMap)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise DataError(f"{where}: is not a map of Tiled ({fault_in_words(fault)})") from None
    _check_size(tmj.width, tmj.height, where)
    if tmj.infinite or tmj.tilewidth not in TILE_SIDES or tmj.tileheight not in TILE_SIDES:
        raise DataError(f"{where}: a map must be finite, with tiles of 1 to 10,000 pixels a side")
    if tmj.orientation != "orthogonal":
        raise DataError(f"{where}: a map must be orthogonal, not {tmj.orientation[:40]}")
    drawn, marks = _stacked(tmj, where)
    objects = [(one, _in_tiles(one, tmj, where)) for layer in tmj.layers for one in layer.objects]
    types = sorted({thing.type for thing, _ in objects} - {""})  # One without a type is a comment.
    check_names(where, types, MARKS | {"room", "spawn", "item"}, "type of object")
    marks += [(thing.type, Point(box.x, box.y)) for thing, box in objects if thing.type in MARKS]
    return DrawnMap(drawn, 1, values_by_name(tmj.properties), marks, objects)


def _stacked(tmj: TmjMap, where: str) -> tuple[Tiles, list[tuple[str, Point]]]:
    """Return the tiles of all layers, upper ones over lower ones, and the places of marks."""
    if outside := [sheet.source[:40] for sheet in tmj.tilesets if sheet.source]:
        raise DataError(f"{where}: embed the tile set {outside[0]!r} in the map")
    names = {sheet.firstgid + tile.id: tile.type for sheet in tmj.tilesets for tile in sheet.tiles}
    marks = list[tuple[str, Point]]()
    drawn = np.full((tmj.height, tmj.width), BLANK, np.uint8)
    for layer in tmj.layers:
        place = f"{where}: layer {layer.name[:40]!r}"
        if layer.type not in {"tilelayer", "group"}:
            continue
        if not isinstance(layer.data, list) or layer.offsetx or layer.offsety:
            raise DataError(f"{place}: must be a tile layer without offset, as uncompressed CSV")
        if len(layer.data) != drawn.size:
            raise DataError(f"{place}: does not fit the size of the map")
        for index, gid in enumerate(layer.data):
            y, x = divmod(index, tmj.width)
            name = names.get(gid & GID, "")
            if name in TILE_NAMES:
                drawn[y, x] = TILE_NAMES.index(name)
            elif name in MARKS:
                marks.append((name, Point(x, y)))
            elif gid & GID:
                tile = f"line {y + 1}, column {x + 1}: tile {gid & GID}"
                check_names(f"{place}, {tile}", [name], TILE_NAMES, "kind of tile")
    return drawn, marks


def values_by_name(properties: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the values of the properties in a Tiled map by name."""
    return {str(entry.get("name")): entry.get("value") for entry in properties}


def _in_tiles(thing: TmjObject, tmj: TmjMap, where: str) -> RectangularRoom:
    """Return an object's place and size in tiles; raise `DataError` if it is not on the map."""
    top = thing.y - (tmj.tileheight if thing.gid else 0)
    x, y = int(thing.x // tmj.tilewidth), int(top // tmj.tileheight)
    width, height = int(thing.width // tmj.tilewidth), int(thing.height // tmj.tileheight)
    if x < 0 or y < 0 or x + max(1, width) > tmj.width or y + max(1, height) > tmj.height:
        raise DataError(f"{where}: the object {thing.name[:40]!r} is not on the map")
    return RectangularRoom(x, y, width, height)
