"""The loot table from data/loot.toml: how many items of which classes a level has."""

from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from entities.data_files import DATA, DataError, read_table
from entities.item_kinds import item_classes, item_kinds
from entities.terrain import TILE_NAMES

FILE = "loot.toml"
Share = Annotated[int, Meta(ge=0, le=100)]
Weight = Annotated[int, Meta(ge=1)]


class LootTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of items on a level.

    ``usual`` is how many items are drawn by weight, least and most; ``odds`` are the percent of
    equipment that is plain, +1 and +2. ``guaranteed_per_10_depths`` is how many of a kind there
    are in every ten depths. ``hidden`` and ``locked`` weigh the item classes of hidden and of
    locked loot. ``beside`` is the tile next to which a class lies on levels that have it.
    """

    usual: tuple[Share, Share]
    odds: tuple[Share, Share, Share]
    guaranteed_per_10_depths: dict[str, Share]
    hidden: dict[str, Weight]
    locked: dict[str, Weight]
    beside: dict[str, str]


@cache
def loot_table(folder: Path = DATA) -> LootTable:
    """Return the loot table; raise `DataError` if it is invalid or names an unknown kind."""
    found = read_table(FILE, LootTable, folder)
    for field, names, what in (
        ("guaranteed_per_10_depths", item_kinds(folder), "item"),
        ("hidden", item_classes(folder), "item class"),
        ("locked", item_classes(folder), "item class"),
        ("beside", item_classes(folder), "item class"),
    ):
        for name in getattr(found, field):
            if name not in names:
                raise DataError(f"data/{FILE}: {field}: there is no {what} {name!r}")
    for sort, tile in found.beside.items():
        if tile not in TILE_NAMES:
            raise DataError(f"data/{FILE}: beside: {sort}: there is no tile {tile!r}")
    if found.usual[0] > found.usual[1]:
        raise DataError(f"data/{FILE}: usual: least and most are no range")
    if sum(found.odds) > 100:
        raise DataError(f"data/{FILE}: odds: more than 100 percent")
    return found
