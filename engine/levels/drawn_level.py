"""Levels from files in a run: packed into its setup, and unpacked and checked as untrusted data."""

from collections import Counter, deque
from dataclasses import replace
from functools import lru_cache
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from components.inventory import PlacedItem
from engine.state.compression import InvalidSave, compress, decompress
from engine.state.run_setup import MOST_DRAWN, MOST_TILES, Side
from entities.item_kinds import item_class_of, item_kinds
from entities.light_levels import LIT, light_levels
from entities.terrain import TILES
from procgen.blueprint import Blueprint, Point, Spawn
from procgen.level import Level, code_from_tiles
from procgen.level_code import FROM_FILE, CodeError
from procgen.level_overlays import dwellers
from procgen.rng import Rng
from procgen.steps.spawns import monsters_by_density
from procgen.validate import broken_level

MAX_DRAWN_BYTES = 4 << 20
"""The most bytes of a level before compression."""
MOST_CONTENTS, MOST_IN_A_PILE = 10_000, 500
"""The most monsters, or items, of a level from a file, and the most stacks of items on a tile.

They are half of what a saved state may hold, since play adds to them.
"""


class DrawnLevel(msgspec.Struct, frozen=True, array_like=True):
    """A level as its file has it; ``tiles`` are `Tile` numbers, row by row."""

    theme: Annotated[str, Meta(max_length=200)]
    width: Side
    height: Side
    tiles: bytes
    start: Point
    exit: Point
    spawns: Annotated[tuple[Spawn, ...], Meta(max_length=MOST_CONTENTS)]
    items: Annotated[tuple[PlacedItem, ...], Meta(max_length=MOST_CONTENTS)] | None
    light: str = LIT


def pack_drawn(level: Level, depth: int) -> bytes:
    """Pack a ``level`` from a file for a run at ``depth``; add monsters if it has none.

    Raises `CodeError` for a level that is broken, too large, or too intricate for a run file.
    """
    level = replace(level, code=replace(level.code, depth=depth))
    if fault := next(broken_level(level), ""):
        raise CodeError(f"{fault}, so it cannot be played")
    (height, width), ends = level.tiles.shape, (level.start, level.exit)
    tiles, spawns = level.tiles.tobytes(), level.spawns or _monsters_by_depth(level)
    drawn = DrawnLevel(level.theme, width, height, tiles, *ends, spawns, level.items, level.light)
    packed = compress(drawn)
    items = level.items or ()
    highest_pile = max(Counter((item.x, item.y) for item in items).values(), default=0)
    for number, most, things in (
        (level.tiles.size, MOST_TILES, "tiles"),
        (len(spawns), MOST_CONTENTS, "monsters"),
        (len(items), MOST_CONTENTS, "stacks of items"),
        (highest_pile, MOST_IN_A_PILE, "stacks of items on a tile"),
        (len(packed), MOST_DRAWN, "bytes, compressed"),
    ):
        if number > most:
            limit = f"a level of a run has at most {most:,} {things}"
            raise CodeError(f"it is too large to play: {limit}, and this has {number:,}")
    return packed


def _monsters_by_depth(level: Level) -> tuple[Spawn, ...]:
    """Return monsters of the level's depth, as many as most recipes place."""
    plan = Blueprint(level.tiles, level.code.depth)
    plan.start, plan.exit = level.start, level.exit
    plan.spawn_percents = dwellers(level.theme)
    rng = Rng(level.code.seed, FROM_FILE, level.code.depth, "monsters")
    deque(monsters_by_density(plan, rng), maxlen=0)
    return tuple(plan.spawns)


def check_item(kind: str, count: int) -> None:
    """Raise `InvalidSave` unless there can be a stack of ``count`` items of a ``kind``."""
    if kind not in item_kinds():
        raise InvalidSave(f"there is no item kind {kind[:60]!r}")
    if count > 1 and not item_class_of(kind).stacks:
        raise InvalidSave(f"items of the kind {kind} do not stack")


@lru_cache(maxsize=2)
def unpack_drawn(packed: bytes, depth: int) -> Level:
    """Return the level from `pack_drawn`; raise `InvalidSave` for other bytes or a broken level."""
    drawn = decompress(packed, DrawnLevel, MAX_DRAWN_BYTES, "a level from a file")
    if not len(drawn.tiles) == drawn.width * drawn.height <= MOST_TILES:
        raise InvalidSave("a level from a file has the wrong size")
    tiles = np.frombuffer(drawn.tiles, np.uint8).reshape(drawn.height, drawn.width)
    if not set(np.unique(tiles).tolist()) <= set(TILES):
        raise InvalidSave("a level from a file has a tile that does not exist")
    for item in drawn.items or ():
        check_item(item.kind, item.many)
    if drawn.light not in {LIT, *light_levels()}:
        raise InvalidSave(f"there is no light {drawn.light[:60]!r}")
    code, ends = code_from_tiles(tiles, depth), (drawn.start, drawn.exit)
    level = Level(code, drawn.theme, tiles, (), *ends, drawn.spawns, (), (), items=drawn.items)
    level = replace(level, light=drawn.light)
    if fault := next(broken_level(level), ""):
        raise InvalidSave(f"a level from a file cannot be played: {fault}")
    return level
