"""Light levels from data/lights.toml, and how far the hero sees in them."""

from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import DataError, read_entries
from entities.entity import Entity
from entities.statuses import status_kinds
from entities.talents import has_talent

LIT = "lit"
"""The light of every place without an entry in the data."""
KEEN = 2
"""Tiles that keen eyes add to sight."""


class LightLevel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of light: the ``sight`` it allows in tiles, and how often it occurs.

    ``themes`` is the percentage of levels that have it, by theme, from ``from_depth`` down.
    """

    name: str
    sight: Annotated[int, Meta(ge=1, le=30)]
    from_depth: Annotated[int, Meta(ge=1)]
    themes: dict[str, Annotated[int, Meta(ge=1, le=100)]]


@cache
def light_levels() -> dict[str, LightLevel]:
    """Return every kind of light by name, in file order; raise `DataError` for an invalid one."""
    lights = read_entries("lights.toml", LightLevel)
    if LIT in lights:
        raise DataError(f"data/lights.toml: [{LIT}]: is the light of all other places")
    for theme in {theme for light in lights.values() for theme in light.themes}:
        if sum(light.themes.get(theme, 0) for light in lights.values()) > 100:
            raise DataError(f"data/lights.toml: themes: {theme!r}: more than 100 percent in all")
    return lights


def clear_sight(hero: Entity) -> int:
    """Return the hero's sight radius in tiles in full light, ignoring statuses."""
    return creature_kinds()[HERO].sight + (KEEN if has_talent(hero, "keen") else 0)


def sight(hero: Entity, light: str) -> int:
    """Return the hero's sight radius in tiles in ``light``, statuses included."""
    far = clear_sight(hero)
    if light != LIT:
        reach = light_levels()[light].sight
        far = max(far, reach) if has_talent(hero, "keen") or reach > far else reach
    return min([far, *(status_kinds()[name].sight for name in hero.statuses)])
