"""Overlays: adjectives for any recipe (``keep+flooded``), and the dwellers of its theme."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import DataError, Weights, check_names, read_entries, weight_at
from entities.folders import USER_MARK
from entities.light_levels import LIT, light_levels
from procgen.level_code import CodeError, LevelCode, UnknownRecipe
from procgen.level_light import natural_light
from procgen.step_chain import MAY_LACK, StepUse, step_uses
from procgen.step_registry import Step
from procgen.user_content import UserEntries, check_theme, user_entries

OVERLAYS_FILE, DWELLERS_FILE = "overlays.toml", "dwellers.toml"
Side = Annotated[tuple[str, ...], Meta(min_length=1)]
MOST_OVERLAYS = 3
"""The most overlays of a level; the effects of more of them could hardly be told apart."""


class OverlayKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An overlay: steps that follow a recipe's ground, start and exit; colours, light and monsters.

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
    sides: Annotated[tuple[Side, ...], Meta(min_length=2)] = ()


@dataclass(frozen=True)
class Overlay:
    """An overlay by its ``name``, which begins with `USER_MARK` if it is from the user folder."""

    name: str
    kind: OverlayKind
    steps: tuple[StepUse, ...]


@cache
def overlays() -> dict[str, Overlay]:
    """Return our overlays by name, old versions by ``NAME.VERSION``; raise `DataError`."""
    kinds = read_entries(OVERLAYS_FILE, OverlayKind)
    return {key: _overlay(key, kinds, f"data/{OVERLAYS_FILE}: [{key}]", {}) for key in kinds}


def _overlay(key: str, kinds: dict[str, OverlayKind], where: str, user: dict[str, Step]) -> Overlay:
    """Return the overlay of the entry ``key``; raise `DataError`, beginning with ``where``.

    Steps that need rooms, regions or leaves do nothing in a recipe without any.
    """
    kind, (name, _, version) = kinds[key], key.partition(".")
    if version and version != str(kind.version):
        raise DataError(f"{where}: version: the name says {version}, the entry {kind.version}")
    monsters = [name for name in creature_kinds() if name != HERO]
    for field, named in (("spawn_weights", kind.spawn_weights), ("sides", chain(*kind.sides))):
        check_names(f"{where}: {field}", named, monsters)
    if twice := [one for one in monsters if sum(one in side for side in kind.sides) > 1]:
        raise DataError(f"{where}: sides: {twice[0]!r} is on more than one of them")
    check_names(f"{where}: light", [kind.light], [LIT, *light_levels()])
    if kind.palette:
        check_theme(kind.palette, f"{where}: palette")
    uses = step_uses(kind.steps, where, MAY_LACK | {"floor", "start", "exit"}, user)
    if odd := [u.label for u in uses if u.step.gives & {*MAY_LACK, "mission", "start", "exit"}]:
        raise DataError(f"{where}: {odd[0]}: the level is laid out before any overlay")
    steps = (replace(use, label=f"{name}/{use.label}", overlay=name) for use in uses)
    return Overlay(name, kind, tuple(steps))


def user_overlays() -> UserEntries[Overlay]:
    """Return the overlays in the user folder, read anew when a file there has changed."""
    return user_entries(OVERLAYS_FILE, OverlayKind, _overlay)


def overlay_names() -> list[str]:
    """Return the names of our current overlays, in file order: the order of level codes."""
    return [name for name in overlays() if "." not in name]


def known_overlays() -> list[Overlay]:
    """Return our current overlays and, after them, those of the user folder, in file order."""
    known = overlays() | user_overlays().entries
    return [overlay for key, overlay in known.items() if key == overlay.name]


def find_overlay(text: str) -> Overlay:
    """Return the overlay ``NAME`` or ``NAME.VERSION``; raise `UnknownRecipe` if there is none.

    A name with `USER_MARK` is looked up in the user folder, and so is one that is not ours.
    """
    name, _, version = text.partition(".")
    known = overlays()
    if name not in overlay_names():
        users = user_overlays()
        name, known = users.find("overlay", name, known), users.entries
    newest = known[name].kind.version
    key = name if not version or version.lstrip("0") == str(newest) else f"{name}.{version}"
    if key not in known:
        raise UnknownRecipe(f"the overlay {name} has no version {version}; its newest is {newest}")
    return known[key]


def in_order(texts: Iterable[str]) -> list[Overlay]:
    """Return overlays in the order of our data file and then the user's: a level has one code.

    Raises `UnknownRecipe`, and `CodeError` for an overlay that comes twice, and for too many.
    """
    chosen = dict[str, Overlay]()
    for overlay in map(find_overlay, texts):
        if overlay.name in chosen:
            raise CodeError(f"the overlay {overlay.name} is named twice")
        chosen[overlay.name] = overlay
    if len(chosen) > MOST_OVERLAYS:
        raise CodeError(f"a level has at most {MOST_OVERLAYS} overlays, not {len(chosen)}")
    has_users = any(name.startswith(USER_MARK) for name in chosen)
    order = [*overlay_names(), *(user_overlays().entries if has_users else ())]
    return [chosen[name] for name in order if name in chosen]


def overlays_in_words(code: LevelCode) -> str:
    """Return the overlays of ``code`` in words, such as ``flooded, at war``; "" without any."""
    names = (text.partition(".")[0].removeprefix(USER_MARK) for text in code.overlays)
    return ", ".join(name.replace("_", " ") for name in names)


def light_of(code: LevelCode, theme: str) -> str:
    """Return the light of a level: that of the last overlay with one, else its natural light."""
    brought = (find_overlay(text).kind.light for text in reversed(code.overlays))
    return next(filter(None, brought), None) or natural_light(code, theme)


def sides_of(code: LevelCode) -> dict[str, int]:
    """Return the numbers of the sides that fight each other on a level, by kind of creature."""
    sides = chain(*(find_overlay(text).kind.sides for text in code.overlays))
    return {kind: number for number, side in enumerate(sides) for kind in side}


def extra_spawn_weights(texts: tuple[str, ...], depth: int) -> dict[str, int]:
    """Return the spawn weights that overlays add at ``depth``, by kind of creature."""
    extra: dict[str, int] = {}
    for text in texts:
        for kind, weights in find_overlay(text).kind.spawn_weights.items():
            if weight := weight_at(depth, weights):
                extra[kind] = max(weight, extra.get(kind, 0))
    return extra


@cache
def dwellers(theme: str) -> dict[str, int]:
    """Return the percent of its spawn weight that each kind has in places of ``theme``.

    Of ``MADE+PALETTE``, PALETTE comes first; a kind that is not named has 100. Raises `DataError`.
    """
    table = read_entries(DWELLERS_FILE, dict[str, int])
    spawning = [name for name, kind in creature_kinds().items() if kind.spawn_weight]
    for name, percents in table.items():
        where = f"data/{DWELLERS_FILE}: [{name}]"
        check_theme(name, where)
        check_names(where, percents, spawning, "creature with a spawn weight")
        if wrong := [kind for kind, percent in percents.items() if percent < 0]:
            raise DataError(f"{where}: {wrong[0]}: a percent is at least 0")
    made, _, palette = theme.partition("+")
    return table.get(made, {}) | table.get(palette, {})
