"""Overlays: adjectives for any recipe (``keep+flooded``), from data/overlays.toml."""

from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import DATA, DataError, Weights, read_entries, weight_at
from entities.light_levels import LIT, light_levels
from procgen.level_code import CodeError, LevelCode
from procgen.level_light import natural_light
from procgen.recipe_entries import unknown_name

FILE = "overlays.toml"
MOST = 3
"""The most overlays of a level; the effects of more of them could hardly be told apart."""


class OverlayKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An overlay: steps that follow a recipe's start and exit; colours, light and monsters.

    ``palette`` is the theme whose colours the level has, ``light`` its light level.
    ``spawn_weights``, by kind and depth, are added to those of creatures; the kinds in each of the
    ``sides`` fight those in the others. None and {} keep what the recipe has.
    """

    description: str
    steps: tuple[dict[str, Any], ...]
    version: Annotated[int, Meta(ge=1)] = 1
    palette: str | None = None
    light: str | None = None
    spawn_weights: dict[str, Weights] = {}
    sides: tuple[tuple[str, ...], ...] = ()


@cache
def overlays(folder: Path = DATA) -> dict[str, OverlayKind]:
    """Return the current overlays by name, and old versions by ``NAME.VERSION``, in file order.

    Raises `DataError` for a kind of creature or light that does not exist.
    """
    kinds = read_entries(FILE, OverlayKind, folder)
    for key, overlay in kinds.items():
        where = f"data/{FILE}: [{key}]"
        fields = {"spawn_weights": overlay.spawn_weights, "sides": chain(*overlay.sides)}
        for field, named in fields.items():
            if unknown := sorted(set(named) - (set(creature_kinds(folder)) - {HERO})):
                raise DataError(f"{where}: {field}: there is no {unknown[0]!r}")
        if overlay.light not in {None, LIT, *light_levels(folder)}:
            raise DataError(f"{where}: light: there is no {overlay.light!r}")
    return kinds


def overlay_names() -> list[str]:
    """Return the names of the current overlays, in file order: the order of level codes."""
    return [name for name in overlays() if "." not in name]


def find_overlay(text: str) -> OverlayKind:
    """Return the overlay ``NAME`` or ``NAME.VERSION``; raise `CodeError` if there is none."""
    name, _, version = text.partition(".")
    known = overlays()
    if name not in overlay_names():
        raise CodeError(f"there is no overlay {unknown_name(name, overlay_names())}")
    newest = known[name].version
    key = name if not version or int(version) == newest else text
    if key not in known:
        raise CodeError(f"the overlay {name} has no version {version}; its newest is {newest}")
    return known[key]


def in_order(texts: Iterable[str]) -> tuple[str, ...]:
    """Return overlays with versions in the order of the data file, so that a level has one code.

    Raises `CodeError` for an overlay that does not exist or comes twice, and for too many.
    """
    versioned: dict[str, str] = {}
    for text in texts:
        name = text.partition(".")[0]
        version = find_overlay(text).version
        if name in versioned:
            raise CodeError(f"the overlay {name} is named twice")
        versioned[name] = f"{name}.{version}"
    if len(versioned) > MOST:
        raise CodeError(f"a level has at most {MOST} overlays, not {len(versioned)}")
    return tuple(versioned[name] for name in overlay_names() if name in versioned)


def overlays_in_words(code: LevelCode) -> str:
    """Return the overlays of ``code`` in words, such as ``flooded, at war``; "" without any."""
    return ", ".join(text.partition(".")[0].replace("_", " ") for text in code.overlays)


def light_of(code: LevelCode, theme: str) -> str:
    """Return the light of a level: that of the last overlay with one, else its natural light."""
    brought = (find_overlay(text).light for text in reversed(code.overlays))
    return next(filter(None, brought), None) or natural_light(code, theme)


def sides_of(code: LevelCode) -> dict[str, int]:
    """Return the numbers of the sides that fight each other on a level, by kind of creature."""
    sides = chain(*(find_overlay(text).sides for text in code.overlays))
    return {kind: number for number, side in enumerate(sides) for kind in side}


def extra_spawn_weights(texts: tuple[str, ...], depth: int) -> dict[str, int]:
    """Return the spawn weights that overlays add at ``depth``, by kind of creature."""
    extra: dict[str, int] = {}
    for text in texts:
        for kind, weights in find_overlay(text).spawn_weights.items():
            if weight := weight_at(depth, weights):
                extra[kind] = max(weight, extra.get(kind, 0))
    return extra
