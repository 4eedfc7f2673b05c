"""Key holders: small drawings around a key in its room, from data/key_holders.toml.

Each piece is placed by `FreeFloor`, so that no drawing can cut a key off.
"""

from collections.abc import Iterator
from functools import cache, cached_property

import msgspec

from entities.creature_kinds import creature_kinds
from entities.data_files import DataError, check_names, read_entries
from entities.terrain import terrain
from procgen.blueprint import Blueprint, Spawn
from procgen.placement.monster_placement import pick_kind
from procgen.placement.room_sites import RoomSite
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.vaults.vault_stamp import DEEPER

KEY_HOLDERS_FILE = "key_holders.toml"
KEY, SAME = "@", " "


class KeyHolder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A drawing around a key, and the creatures that its characters stand for.

    A creature for `KEY` itself carries the key (see `engine.levels.populate`).
    """

    text: str
    map: str
    kinds: dict[str, str] = {}
    from_depth: int = 1

    @cached_property
    def pieces(self) -> list[tuple[int, int, str]]:
        """The (dx, dy, character) of every piece, relative to the key."""
        rows = self.map.strip("\n").split("\n")
        y0, x0 = next((y, row.index(KEY)) for y, row in enumerate(rows) if KEY in row)
        return [
            (x - x0, y - y0, char)
            for y, row in enumerate(rows)
            for x, char in enumerate(row)
            if char in self.kinds or char not in (KEY, SAME)
        ]

    def fits(self, holds: str, depth: int) -> bool:
        """Return True if this fits what a room ``holds`` at ``depth``; only keys are carried."""
        carried = KEY in self.kinds
        return self.from_depth <= depth and (holds == "key" or not carried)


@cache
def key_holders() -> dict[str, KeyHolder]:
    """Return every key holder by name; raise `DataError` for one that cannot be drawn."""
    holders = read_entries(KEY_HOLDERS_FILE, KeyHolder)
    for name, holder in holders.items():
        where = f"data/{KEY_HOLDERS_FILE}: [{name}]"
        if holder.map.count(KEY) != 1 or not holder.pieces:
            raise DataError(f"{where}: map: needs one {KEY!r}, the key, and more around it")
        tiles = {char for _, _, char in holder.pieces} - {*DEEPER, *holder.kinds}
        check_names(f"{where}: map", sorted(tiles), terrain().by_char, "tile")
        check_names(f"{where}: kinds", holder.kinds.values(), creature_kinds(), "creature")
    return holders


def hold_key(
    plan: Blueprint, floor: FreeFloor, site: RoomSite, holds: str, key: tuple[int, int], rng: Rng
) -> str:
    """Draw a random key holder for what the room ``holds`` around ``key``; return its name.

    It is one with room for all its pieces, or else for more than half of them, or else any.
    """
    fitting = {name: way for name, way in key_holders().items() if way.fits(holds, plan.depth)}
    drawings = {name: list(_inside(way, floor, site, key)) for name, way in fitting.items()}
    shares = {name: len(drawings[name]) / len(way.pieces) for name, way in fitting.items()}
    complete = [name for name in fitting if shares[name] == 1]
    name = rng.pick(complete or [name for name in fitting if shares[name] > 0.5] or list(fitting))
    for x, y, char in drawings[name]:
        if char in DEEPER or char in fitting[name].kinds:
            kind = fitting[name].kinds.get(char) or pick_kind(plan, rng, DEEPER[char])
            if floor.free[y, x] or (char == KEY and key not in plan.marks):
                plan.spawns.append(Spawn(kind, x, y))
                floor.exclude_occupied(plan)
        elif terrain().walkable[terrain().by_char[char]] and char != "x":
            floor.place_walkable(x, y, terrain().by_char[char])
        else:
            floor.place_blocking(x, y, terrain().by_char[char])
    return name


def _inside(
    holder: KeyHolder, floor: FreeFloor, site: RoomSite, key: tuple[int, int]
) -> Iterator[tuple[int, int, str]]:
    """Yield (x, y, character) of the pieces around ``key`` for which the room has a free tile."""
    for dx, dy, char in holder.pieces:
        x, y = key[0] + dx, key[1] + dy
        if site.box.contains(x, y) and (floor.free[y, x] or (x, y) == key):
            yield x, y, char
