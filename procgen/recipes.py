"""Recipes: named sequences of steps, read from data/recipes.toml and checked."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from entities.data_files import DATA, DataError, convert, read_entries
from procgen.level_code import CodeError, LevelCode
from procgen.level_overlays import FILE as OVERLAYS_FILE
from procgen.level_overlays import find_overlay, in_order
from procgen.step_registry import Step, all_steps
from procgen.world_types import WorldType, world_types

FILE = "recipes.toml"

Size = tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]]


class UnknownRecipe(ValueError):
    """There is no recipe of that name or version; the message lists those that exist."""


class TooSmall(ValueError):
    """The size is too small for the recipe; the message gives the smallest."""


class RecipeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recipe as written: its own steps, or those of ``extends`` with some parameters changed.

    ``no_effect`` names, by step, parameters that were measured to change no level of the recipe.
    """

    description: str
    theme: str | None = None
    version: Annotated[int, Meta(ge=1)] = 1
    size: Size | None = None
    smallest: Size | None = None
    steps: tuple[dict[str, Any], ...] = ()
    extends: str | None = None
    change: dict[str, dict[str, Any]] = {}
    no_effect: dict[str, tuple[str, ...]] = {}


@dataclass(frozen=True)
class StepUse:
    """One step of a recipe with its parameters; ``label`` tells repeated steps apart.

    ``overlay`` is the name of the overlay that the step belongs to, "" for the recipe's own.
    """

    step: Step
    parameters: msgspec.Struct
    label: str
    occurrence: int
    overlay: str = ""


@dataclass(frozen=True)
class Recipe:
    """A named sequence of steps, with its default and its smallest size.

    ``settings`` are the parameters that differ from those of the data file, as level codes say
    them (`procgen.settings`). ``no_effect`` holds the (step label, name) of parameters that change
    no level beside the file's values. A recipe with ``overlays`` has them in its name, and their
    steps among its own; its theme is then MADE or ``MADE+PALETTE``, the shapes of one theme in the
    colours of another.
    """

    name: str
    version: int
    description: str
    theme: str
    size: tuple[int, int]
    smallest: tuple[int, int]
    steps: tuple[StepUse, ...]
    settings: tuple[str, ...] = ()
    no_effect: frozenset[tuple[str, str]] = frozenset()
    overlays: tuple[str, ...] = ()

    @property
    def plain_name(self) -> str:
        """The name without overlays."""
        return self.name.partition("+")[0]

    def code(self, seed: int, depth: int = 1, size: tuple[int, int] | None = None) -> LevelCode:
        """Return the level code for this recipe; raise `TooSmall` if the size is."""
        width, height = size or self.size
        if width < self.smallest[0] or height < self.smallest[1]:
            smallest = f"{self.smallest[0]}x{self.smallest[1]}"
            raise TooSmall(
                f"{self.name} cannot be {width}x{height}: the smallest that works is {smallest}"
            )
        return LevelCode(
            self.plain_name,
            self.version,
            seed,
            depth,
            width,
            height,
            settings=self.settings,
            overlays=self.overlays,
        )

    def parameters(self) -> dict[str, dict[str, Any]]:
        """Return every step's parameters as plain values, by label, in order."""
        return {use.label: msgspec.to_builtins(use.parameters) for use in self.steps}


def _whole(entry: RecipeEntry, entries: dict[str, RecipeEntry], where: str) -> RecipeEntry:
    """Return ``entry`` merged with the entry it extends."""
    if entry.extends is None:
        return entry
    parent = entries.get(entry.extends)
    if parent is None or parent.extends is not None:
        raise DataError(f"{where}: extends: there is no plain recipe {entry.extends!r}")
    changes = dict(entry.change)
    steps = [{**use, **changes.pop(str(use.get("step")), {})} for use in parent.steps]
    if changes:
        raise DataError(f"{where}: change: {entry.extends!r} has no step {next(iter(changes))!r}")
    return msgspec.structs.replace(
        entry,
        steps=tuple(steps),
        theme=entry.theme or parent.theme,
        size=entry.size or parent.size,
        smallest=entry.smallest or parent.smallest,
    )


def step_uses(
    written: tuple[dict[str, Any], ...],
    where: str,
    given: frozenset[str] = frozenset(),
    own: Mapping[str, Step] | None = None,
) -> tuple[StepUse, ...]:
    """Return the steps ``written``, each checked against its signature and its needs.

    ``given`` is what exists before the first; ``own`` are steps beside those of the registry.
    Raises `DataError`, beginning with ``where``.
    """
    steps = {**all_steps(), **(own or {})}
    known = set(given)
    seen: Counter[str] = Counter()
    uses = []
    for index, table in enumerate(written):
        parameters = dict(table)
        name = parameters.pop("step", None)
        place = f"{where}: steps[{index}]"
        if name not in steps:
            raise DataError(f"{place}: step: there is no step {name!r}")
        step = steps[name]
        missing = sorted(step.needs - known)
        if missing:
            raise DataError(f"{place}: {name} needs {' and '.join(missing)} from an earlier step")
        known |= step.gives
        seen[name] += 1
        label = name if seen[name] == 1 else f"{name}#{seen[name]}"
        values = convert(parameters, step.parameters, f"{place}: {name}")
        uses.append(StepUse(step, values, label, seen[name]))
    return tuple(uses)


def whole_chain(
    written: tuple[dict[str, Any], ...], where: str, own: Mapping[str, Step] | None = None
) -> tuple[StepUse, ...]:
    """Return the steps of a recipe, which must give floor, start and exit."""
    uses = step_uses(written, where, own=own)
    given = frozenset().union(*(use.step.gives for use in uses))
    missing = sorted({"floor", "start", "exit"} - given)
    if missing:
        raise DataError(f"{where}: no step gives {' or '.join(missing)}")
    return uses


@cache
def recipes(folder: Path = DATA) -> dict[str, Recipe]:
    """Return the current recipes by name, and old versions by ``NAME.VERSION``, in file order."""
    entries = read_entries(FILE, RecipeEntry, folder)
    found = {}
    for key, entry in entries.items():
        where = f"data/{FILE}: [{key}]"
        whole = _whole(entry, entries, where)
        name, _, version = key.partition(".")
        if version and version != str(whole.version):
            raise DataError(f"{where}: version: the name says {version}, the entry {whole.version}")
        size, smallest, theme = (
            whole.size or (80, 45),
            whole.smallest or (20, 15),
            whole.theme or name,
        )
        steps = whole_chain(whole.steps, where)
        idle = frozenset((label, one) for label, names in whole.no_effect.items() for one in names)
        known = {(use.label, one.name) for use in steps for one in use.step.own_parameters}
        if unknown := sorted(idle - known):
            raise DataError(f"{where}: no_effect: there is no parameter {'.'.join(unknown[0])}")
        found[key] = Recipe(
            name, whole.version, whole.description, theme, size, smallest, steps, (), idle
        )
    return found


def current_recipes() -> list[Recipe]:
    """Return the current version of every recipe, in file order."""
    return [recipe for key, recipe in recipes().items() if key == recipe.name]


OVERLAY_AFTER = frozenset({"start", "exit", "gates"})
"""An overlay comes after the last step that gives one of these: the level is the same place in
other clothes, and locks, gold and creatures placed later suit the new ground."""


@cache
def with_overlays(name: str, version: int | None, texts: tuple[str, ...]) -> Recipe:
    """Return the recipe ``name`` with the steps and the palette of the overlays ``texts``.

    Each is ``NAME`` or ``NAME.VERSION``; raises `UnknownRecipe`, and `CodeError` for an overlay
    that does not exist.
    """
    recipe, ordered = find_recipe(name, version), in_order(texts)
    if not ordered:
        return recipe
    last = max(at for at, use in enumerate(recipe.steps) if use.step.gives & OVERLAY_AFTER)
    worn = tuple(use for text in ordered for use in overlay_steps(text))
    palettes = [palette for text in ordered if (palette := find_overlay(text).palette)]
    return replace(
        recipe,
        name="+".join([recipe.name, *(text.partition(".")[0] for text in ordered)]),
        description=" ".join(
            [recipe.description, *(find_overlay(text).description for text in ordered)]
        ),
        theme="+".join([recipe.theme, *palettes[-1:]]),
        steps=(*recipe.steps[: last + 1], *worn, *recipe.steps[last + 1 :]),
        overlays=ordered,
    )


@cache
def overlay_steps(text: str) -> tuple[StepUse, ...]:
    """Return the steps of the overlay ``NAME`` or ``NAME.VERSION``; raise `DataError`.

    Steps that need rooms, regions or leaves do nothing in a recipe without any.
    """
    name = text.partition(".")[0]
    given = frozenset(["floor", "rooms", "regions", "leaves", "start", "exit"])
    uses = step_uses(find_overlay(text).steps, f"data/{OVERLAYS_FILE}: [{name}]", given)
    return tuple(replace(use, label=f"{name}/{use.label}", overlay=name) for use in uses)


def find_recipe(name: str, version: int | None = None) -> Recipe:
    """Return a recipe by name and version (default: current), ``NAME+OVERLAY`` with overlays.

    Raises `UnknownRecipe`, and `CodeError` for an overlay that does not exist.
    """
    name, *worn = name.split("+")
    if worn:
        return with_overlays(name, version, tuple(worn))
    if name in world_types():
        raise UnknownRecipe(f"{name} is infinite: it can only be played and mapped")
    known = recipes()
    current = known.get(name)
    if current and version in (None, current.version):
        return current
    if current and f"{name}.{version}" in known:
        return known[f"{name}.{version}"]
    if current:
        versions = sorted(recipe.version for recipe in known.values() if recipe.name == name)
        listed = ", ".join(map(str, versions))
        raise UnknownRecipe(f"{name} has no version {version}; there is {listed}")
    names = ", ".join([*(recipe.name for recipe in current_recipes()), *world_types()])
    raise UnknownRecipe(f"there is no generator {name!r}; there are {names}")


def find_any(name: str, version: int | None = None) -> Recipe | WorldType:
    """Return a recipe or an infinite world by name and version; raise `UnknownRecipe`.

    As for `find_recipe` the name may have overlays; for an infinite world that is a `CodeError`.
    """
    realm = world_types().get(name.partition("+")[0])
    if realm is None:
        return find_recipe(name, version)
    if "+" in name:
        raise CodeError(f"{realm.name} is an infinite world: it takes no overlays")
    if version not in (None, realm.version):
        raise UnknownRecipe(f"{name} has no version {version}; there is {realm.version}")
    return realm
