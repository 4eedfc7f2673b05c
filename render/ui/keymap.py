"""Key bindings: one table of commands and keys for all screens, from data/keys.toml.

The help screen, the menus and the options are built from it.
"""

import re
from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache
from string import ascii_letters
from typing import Annotated

import msgspec
from msgspec import Meta

from entities.data_files import DataError, check_names, read_table
from render.ui.input import PLUS, Key
from render.ui.texts import texts

KEYS_FILE = "keys.toml"
GROUPS = (
    ("move", "run", "play", "any"),
    ("menu", "any"),
    ("player", "replay", "any"),
    ("player", "growth", "any"),
    ("tuning", "any"),
    ("atlas", "move", "run", "any"),
)
"""Groups of sections that are active together: within one no key may have two meanings."""
KEY_FORM = re.compile(
    r"(ctrl\+)?(alt\+)?(shift\+)?([^\0-\x1f\x7f-\x9f]|up|down|left|right|home|end|pageup|pagedown"
    r"|insert|delete|escape|enter|tab|backspace|space|f[1-9]|f1[0-2]|kp_[0-9]|kp_enter)"
)  # As in data/keys.toml; a key that no backend sends would leave its command out of reach.
DIRECTIONS = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}
DIRECTIONS |= {"northwest": (-1, -1), "northeast": (1, -1)}
DIRECTIONS |= {"southwest": (-1, 1), "southeast": (1, 1)}


class Binding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command's keys and a short text on it; ``workshop`` replaces the text in the Workshop."""

    keys: Annotated[tuple[str, ...], Meta(min_length=1)]
    help: str
    workshop: str = ""


Table = dict[str, dict[str, Binding]]
"""The bindings of each section by command name."""
Rebindings = dict[str, dict[str, tuple[str, ...]]]
"""Keys that replace those of some commands, by section and name of the command."""


_chosen: ContextVar[Table | None] = ContextVar("keymap", default=None)


@cache
def standard_bindings() -> Table:
    """Return the table of data/keys.toml; raise `DataError` for a key unknown or bound twice."""
    where = f"data/{KEYS_FILE}"
    table: Table = read_table(KEYS_FILE, Table)
    if sorted(table) != sorted(texts().key_sections):
        raise DataError(f"{where}: the sections must be {', '.join(texts().key_sections)}")
    _check_keys(table, where)
    return table


def bindings() -> Table:
    """Return the table in use: the one set by `bind`, or the standard one."""
    return _chosen.get() or standard_bindings()


def bind(table: Table | None) -> None:
    """Use ``table`` from now on, the standard one for None."""
    _chosen.set(table)


def rebind(table: Table, claims: Rebindings, where: str) -> Table:
    """Return ``table`` with the keys of ``claims``, which are removed from other commands.

    Raises `DataError`, naming ``where``, for unknown commands or keys, keys bound twice,
    and commands left without keys.
    """
    for section, commands in claims.items():
        check_names(f"{where}: [{section}]", commands, table.get(section, {}), "command")
    new_table = {
        section: {
            name: msgspec.structs.replace(bound, keys=_keys_left(section, name, bound.keys, claims))
            for name, bound in commands.items()
        }
        for section, commands in table.items()
    }
    _check_keys(new_table, where)
    return new_table


def _keys_left(
    section: str, name: str, keys: tuple[str, ...], claims: Rebindings
) -> tuple[str, ...]:
    """Return the keys that a command claims, or those of its own that no other command claims."""
    if name in claims.get(section, {}):
        return claims[section][name]
    claimed = {
        key
        for other, commands in claims.items()
        if any(section in group and other in group for group in GROUPS)
        for claim in commands.values()
        for key in claim
    }
    return tuple(key for key in keys if key not in claimed)


def _check_keys(table: Table, where: str) -> None:
    """Raise `DataError` for a key that does not exist or has two meanings, and for lack of one."""
    for group in GROUPS:
        owners: dict[str, str] = {}
        for section in group:
            for name, binding in table[section].items():
                place = f"{where}: [{section}.{name}]: keys"
                if not binding.keys:
                    raise DataError(f"{place}: none is left")
                for key in binding.keys:
                    if not KEY_FORM.fullmatch(key):
                        raise DataError(f"{place}: there is no key {key!r}")
                    if key in owners:
                        raise DataError(
                            f"{place}: {key!r} is already bound to {owners[key]}; "
                            f"free letters: {_free_letters(table, group)}"
                        )
                    owners[key] = f"[{section}.{name}]"


def _free_letters(table: Table, group: Sequence[str]) -> str:
    bound = {key for section in group for entry in table[section].values() for key in entry.keys}
    return " ".join(letter for letter in ascii_letters if letter not in bound) or "none"


def command_of(section: str, key: Key) -> str | None:
    """Return the name of the command bound to ``key`` in ``section``, None without one."""
    commands = bindings()[section].items()
    return next((name for name, bound in commands if str(key) in bound.keys), None)


def cursor_step(key: Key, far: int, step: int = 1) -> tuple[int, int] | None:
    """Return (dx, dy) for a cursor: ``step`` tiles for a move key, ``far`` for a run key."""
    for section, tiles in (("move", step), ("run", far)):
        if direction := command_of(section, key):
            dx, dy = DIRECTIONS[direction]
            return dx * tiles, dy * tiles
    return None


def key_label(key: str) -> str:
    """Return the label of a key for the screen: ``Ctrl+P``, ``↑``, ``Keypad 5``."""
    *modifiers, name = PLUS.split(key)
    if name.startswith("kp_"):
        name = f"Keypad {name[3:]}"
    upper = modifiers if len(name) == 1 else name.startswith("f")
    name = texts().key_labels.get(name, name.upper() if upper else name)
    return "+".join([*(word.capitalize() for word in modifiers), name])


def first_key(section: str, name: str) -> str:
    """Return the label of the first key of a command."""
    return key_label(bindings()[section][name].keys[0])
