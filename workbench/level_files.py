"""Levels from files: maps drawn as text, and maps of the Tiled editor.

A file holds tiles, and perhaps a start, an exit, rooms and monsters. Its level has no recipe and no
seed, so it cannot be rebuilt from its code; it can be measured, checked, described and exported.
"""

from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from components.inventory import PlacedItem
from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import DataError, check_names, convert, read_table
from entities.folders import USER_MARK
from entities.item_kinds import item_kinds
from entities.light_levels import LIT, light_levels
from entities.terrain import TILE_NAMES, Tiles, openable_mask
from procgen.analysis.distances import furthest_tile
from procgen.blueprint import Point, RectangularRoom, Spawn
from procgen.level import Level, code_from_tiles
from procgen.level_code import DEEPEST, CodeError, UnknownRecipe, parse_code
from procgen.level_overlays import light_of, overlay_names
from procgen.map_files import ENDINGS, DrawnMap, TmjObject, read_map, values_by_name
from procgen.recipes import TooSmall, find_any, recipes
from procgen.settings import LEVEL_FILE, complete
from procgen.user_content import THEMES, check_theme
from procgen.world_types import world_types


class LevelFacts(msgspec.Struct):
    """Facts in a file besides the map; ``code`` is that of the level it was exported from."""

    depth: Annotated[int, Meta(ge=1, le=DEEPEST)] | None = None
    theme: Annotated[str, Meta(max_length=200)] | None = None
    light: str = ""
    code: str = ""


def is_level_file(text: str) -> bool:
    """Return True for a level file, False for a level code; raise `CodeError` for anything else."""
    is_file = Path(text).suffix.lower() in ENDINGS and "\0" not in text
    if not is_file and ":" not in text and text != "-":
        name = [*get_close_matches(text[:80], recipes(), 1), "digger"][0]
        what = f"neither a level code such as {name}:7 nor a level file (.txt, .tmj)"
        raise CodeError(f"{text[:80]!r} is {what}")
    return is_file


def read_level(path: Path) -> Level:
    """Return the level in a file; raise `DataError` for a fault in it, `CodeError` for its name."""
    where = str(path)
    if path.suffix.lower() not in ENDINGS:
        raise CodeError(f"{where[:80]!r} is not a level file (.txt, or Tiled's JSON, .tmj)")
    drawn = read_map(path, where)
    facts = convert(drawn.facts, LevelFacts, where)
    depth, theme, light = _from_code(facts.code)
    theme = facts.theme or theme or _theme_by_ground(drawn.tiles)
    try:
        check_theme(theme, f"{where}: theme")
    except DataError:
        if not (facts.code and USER_MARK in theme):
            raise
        theme = LEVEL_FILE.theme  # Exported elsewhere, or with a user's recipe that names no theme.
    check_names(f"{where}: light", {facts.light} - {""}, {LIT, *light_levels()}, "light")
    rooms, spawns, items = list[RectangularRoom](), list[Spawn](), list[PlacedItem]()
    for thing, box in drawn.objects:
        place = f"{where}: {thing.type} {box.x},{box.y}"
        if thing.type == "room" and min(box.width, box.height) > 0:
            rooms.append(box)
        elif thing.type == "spawn":
            check_names(place, [thing.name], creature_kinds().keys() - {HERO}, "monster")
            spawns.append(Spawn(thing.name, box.x, box.y))
        elif thing.type == "item":
            items.append(_item(thing, box, place))
    code, loot = code_from_tiles(drawn.tiles, facts.depth or depth), tuple(items) or None
    ends = _ends(drawn, where)
    level = Level(code, theme, drawn.tiles, tuple(rooms), *ends, tuple(spawns), (), (), items=loot)
    return replace(level, light=facts.light or light)


def _from_code(text: str) -> tuple[int, str, str]:
    """Return depth, theme and light of the level of a code; 1, "" and `LIT` if it is unknown.

    Only our recipes and overlays are looked up, since reading a file must not run user steps.
    """
    depth, theme, light = 1, "", LIT
    with suppress(CodeError, UnknownRecipe, TooSmall):
        code = parse_code(text)
        depth = code.depth or 1
        names = {overlay.partition(".")[0] for overlay in code.overlays}
        if code.recipe in {*recipes(), *world_types()} and names <= {*overlay_names()}:
            theme = find_any("+".join([code.recipe, *code.overlays])).theme
            light = light_of(complete(code), theme)
    return depth, theme, light


def _theme_by_ground(tiles: Tiles) -> str:
    """Return the theme of the most frequent ground if it is over 1/4 of all tiles but rock."""
    grounds = read_table(THEMES, dict[str, str], section="grounds")
    counts = {name: np.count_nonzero(tiles == TILE_NAMES.index(name)) for name in grounds}
    most = max(counts, key=lambda name: counts[name])
    return grounds[most] if 4 * counts[most] > np.count_nonzero(tiles) else LEVEL_FILE.theme


def _ends(drawn: DrawnMap, where: str) -> tuple[Point, Point]:
    """Return start and exit; a missing start or exit is put far from the other."""
    marks = dict[str, Point]()
    for name, place in drawn.marks:
        if marks.setdefault(name, place) != place:
            raise DataError(f"{where}: line {drawn.line + place.y}: a second {name}")
    open_tiles = openable_mask()[drawn.tiles]
    if not open_tiles.any():
        raise DataError(f"{where}: has no floor")
    y, x = divmod(int(open_tiles.argmax()), open_tiles.shape[1])
    start = marks.get("start") or Point(*furthest_tile(open_tiles, *marks.get("exit", (x, y))))
    return start, marks.get("exit") or Point(*furthest_tile(open_tiles, *start))


def _item(thing: TmjObject, box: RectangularRoom, where: str) -> PlacedItem:
    """Return an item; without properties it is a single item without bonus and charges."""
    check_names(where, [thing.name], item_kinds(), "item")
    place = {"kind": thing.name, "x": box.x, "y": box.y}
    facts = PlacedItem._field_defaults | values_by_name(thing.properties) | place
    return convert([facts[name] for name in PlacedItem._fields], PlacedItem, where)
