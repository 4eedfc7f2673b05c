"""Light levels from data/lights.toml."""

from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from entities.data_files import DATA, DataError, read_entries

LIT = "lit"
"""The light of every place without an entry in the data."""


class LightLevel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of light: the ``sight`` it allows in tiles, and how often it occurs.

    ``themes`` is the percentage of levels that have it, by theme, from ``from_depth`` down.
    """

    name: str
    sight: Annotated[int, Meta(ge=1, le=30)]
    from_depth: Annotated[int, Meta(ge=1)]
    themes: dict[str, Annotated[int, Meta(ge=1, le=100)]]


@cache
def light_levels(folder: Path = DATA) -> dict[str, LightLevel]:
    """Return every kind of light by name, in file order; raise `DataError` for an invalid one."""
    lights = read_entries("lights.toml", LightLevel, folder)
    for name in lights:
        if name == LIT:
            raise DataError(f"data/lights.toml: [{name}]: is the light of all other places")
    for theme in {theme for light in lights.values() for theme in light.themes}:
        if sum(light.themes.get(theme, 0) for light in lights.values()) > 100:
            raise DataError(f"data/lights.toml: themes: {theme!r}: more than 100 percent in all")
    return lights
