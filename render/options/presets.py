"""Sets of keys as other games have them."""

from functools import cache
from pathlib import Path

import msgspec

from entities.data import DATA, DataError, read_entries
from render.keys import Claims, claimed, standard_bindings

FILE = "presets.toml"


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What differs from data/keys.toml, by section and command."""

    name: str
    help: str
    keys: Claims = {}


@cache
def presets(folder: Path = DATA) -> dict[str, Preset]:
    """Return the presets by name, the usual keys first; every one leads to a whole table."""
    found = read_entries(FILE, Preset, folder)
    if not found:
        raise DataError(f"data/{FILE}: has no presets")
    for name, preset in found.items():
        claimed(standard_bindings(), preset.keys, f"data/{FILE}: [{name}.keys]")
    return found
