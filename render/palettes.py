"""Palettes to choose from: for eyes that tell few hues apart, or that need more contrast."""

from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from entities.data import DATA, DataError, read_entries

FILE = "palettes.toml"
Hex = Annotated[str, Meta(pattern="^#[0-9a-f]{6}$")]
Factor = Annotated[float, Meta(gt=0, le=3)]


class Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What differs from the colours of themes.toml.

    ``ink`` and ``ground`` multiply the colours of tiles, ``memory`` those of remembered ones.
    """

    id: str
    name: str
    help: str
    interface: dict[str, Hex] = {}
    creatures: dict[str, Hex] = {}
    ink: Factor = 1.0
    ground: Factor = 1.0
    memory: Factor = 1.0


@cache
def palettes(folder: Path = DATA) -> dict[str, Palette]:
    """Return the palettes by name, the usual one first."""
    found = read_entries(FILE, Palette, folder)
    for name, entry in found.items():
        if entry.id != name:
            raise DataError(f"data/{FILE}: [{name}]: id: must be {name!r}")
    if not found:
        raise DataError(f"data/{FILE}: has no palettes")
    return found


_chosen: ContextVar[str] = ContextVar("palette", default="lamplight")


def palette() -> Palette:
    """Return the palette chosen."""
    return palettes()[_chosen.get()]


def choose_palette(name: str) -> None:
    """From now on let the palette called ``name`` count."""
    _chosen.set(palettes()[name].id)
