"""Words for what creatures and weapons do, and for what comes over anyone and passes."""

from functools import cache
from pathlib import Path

import msgspec

from engine.events import Who
from entities.data import DATA, DataError, read_table
from entities.items import item_kinds
from entities.kinds import HERO, creatures
from entities.statuses import statuses
from render.naming import name_of

FILE = "words.toml"
BARE = "bare"
"""What is called a weapon where there is none."""

Said = tuple[str, str]
"""What is said of the hero, and what of another."""
Forces = tuple[str, str, str]
"""What a light blow is called, a fair one and a heavy one."""


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said when a status begins, and when it ends."""

    begins: Said
    ends: Said


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words by the kinds of creatures, the weapons and the statuses they belong to."""

    blows: dict[str, str]
    weapons: dict[str, Forces]
    missiles: Forces
    calls: dict[str, str]
    statuses: dict[str, Course]


@cache
def words(folder: Path = DATA) -> Words:
    """Return the words; raise `DataError` for those of nobody, and for what has to have some."""
    found = read_table(FILE, Words, folder)
    for section in ("blows", "calls"):
        for kind in getattr(found, section):
            if kind not in creatures():
                raise DataError(f"data/{FILE}: [{section}]: {kind}: there is no such creature")
    weapons = {BARE, *(name for name, kind in item_kinds().items() if kind.sort == "weapon")}
    for name in (*found.weapons, *sorted(weapons)):
        if name not in found.weapons or name not in weapons:
            raise DataError(f"data/{FILE}: [weapons]: {name}: there or in items.toml only")
    for name in (*found.statuses, *statuses()):
        if name not in found.statuses or name not in statuses():
            raise DataError(f"data/{FILE}: [statuses]: {name}: there or in statuses.toml only")
    return found


def strikes(kind: str) -> str:
    """Return what a blow of a ``kind`` of creature is called: ``bites``."""
    return words().blows.get(kind, "hits")


def wields(weapon: str, force: int) -> str:
    """Return what the hero does with ``weapon``, by force from 0, light, to 2: ``slash``."""
    return words().weapons[weapon][force]


def missiles(force: int) -> str:
    """Return what a missile does that strikes with ``force``: ``grazes``."""
    return words().missiles[force]


def calls(who: Who) -> str:
    """Return how ``who`` calls others."""
    return f"{name_of(who.kind, start=True)} {words().calls.get(who.kind, 'calls for help!')}"


def begins(who: Who, status: str) -> str:
    """Return that ``status`` has come over ``who``."""
    return _said(words().statuses[status].begins, who)


def ends(who: Who, status: str) -> str:
    """Return that ``status`` has left ``who``."""
    return _said(words().statuses[status].ends, who)


def _said(said: Said, who: Who) -> str:
    text = said[who.kind != HERO]
    return text.format(who=name_of(who.kind), Who=name_of(who.kind, start=True))
