"""One table of keys for every screen, read from data; help is made from it."""

from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from entities.data import DATA, DataError, convert, read_toml
from render.inputs import Key

FILE = "keys.toml"
SECTIONS = {
    "move": "Walk and strike",
    "run": "Run",
    "play": "In the dungeon",
    "menu": "In menus",
    "player": "Watching a replay or a level being built",
    "replay": "Watching a recorded run",
    "growth": "In the Workshop's player",
    "tuning": "Changing a recipe",
    "any": "Everywhere",
}
GROUPS = (
    ("move", "run", "play", "any"),
    ("menu", "any"),
    ("player", "growth", "any"),
    ("tuning", "any"),
)
"""Sections that are heard together, so that no key may mean two things in one of them."""
DIRECTIONS = {
    "north": (0, -1),
    "south": (0, 1),
    "west": (-1, 0),
    "east": (1, 0),
    "northwest": (-1, -1),
    "northeast": (1, -1),
    "southwest": (-1, 1),
    "southeast": (1, 1),
}
_SHOWN = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "escape": "Esc",
    "space": "Space",
    "enter": "Enter",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "tab": "Tab",
}


class Binding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command's keys and what it does, in a few words."""

    keys: Annotated[tuple[str, ...], Meta(min_length=1)]
    help: str


@cache
def bindings(folder: Path = DATA) -> dict[str, dict[str, Binding]]:
    """Return every section's commands; raise `DataError` for a key that is bound twice."""
    table = convert(read_toml(FILE, folder), dict[str, dict[str, Binding]], f"data/{FILE}")
    if sorted(table) != sorted(SECTIONS):
        raise DataError(f"data/{FILE}: the sections must be {', '.join(SECTIONS)}")
    for group in (("move", "run", "play", "any"), ("menu", "any"), ("player", "replay", "any")):
        taken: dict[str, str] = {}
        for section in group:
            for name, binding in table[section].items():
                for key in binding.keys:
                    if key in taken:
                        where = f"data/{FILE}: [{section}.{name}]: keys"
                        raise DataError(f"{where}: {key!r} is already bound to {taken[key]}")
                    taken[key] = f"[{section}.{name}]"
    return table


@cache
def _table(section: str) -> dict[str, str]:
    return {key: name for name, bound in bindings()[section].items() for key in bound.keys}


def command(section: str, key: Key) -> str | None:
    """Return the name of the command that ``key`` means in ``section``, if any."""
    return _table(section).get(str(key))


def shown(key: str) -> str:
    """Return a key's name as people write it, e.g. ``Ctrl+P``, ``↑``, ``Keypad 5``."""
    *held, name = key.split("+") if len(key) > 1 and not key.endswith("+") else [key]
    if name.startswith("kp_"):
        name = f"Keypad {name[3:]}"
    name = _SHOWN.get(name, name.upper() if len(name) > 1 and name[0] == "f" else name)
    return "+".join([*(word.capitalize() for word in held), name])


def first_key(section: str, name: str) -> str:
    """Return the first key of a command as people write it."""
    return shown(bindings()[section][name].keys[0])
