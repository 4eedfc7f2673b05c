"""Recipes: named sequences of steps, read from data/recipes.toml and checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import msgspec

from entities.data_files import DataError, read_entries
from entities.folders import USER_MARK
from procgen.level_code import CodeError, LevelCode, UnknownRecipe
from procgen.level_overlays import in_order, overlay_names, user_overlays
from procgen.metric_query import QueryError, parse_condition
from procgen.metrics import Metrics
from procgen.recipe_entries import RecipeEntry, root_recipe, whole_entry
from procgen.step_chain import StepUse, edited_steps, whole_chain
from procgen.step_registry import Step, all_steps
from procgen.user_content import UserEntries, check_theme, user_entries
from procgen.world_types import WorldType, world_types

RECIPES_FILE = "recipes.toml"


class TooSmall(ValueError):
    """The size is too small for the recipe; the message gives the smallest."""


@dataclass(frozen=True)
class Recipe:
    """A named sequence of steps, with its default and its smallest size.

    ``settings`` are the differences from the data file, as level codes write them
    (`procgen.settings`). ``no_effect`` holds the (step label, name) of parameters that change no
    level as long as the others have the file's values; ``wishes`` is a condition on metrics that
    levels should meet, though none is rejected for it. A recipe with ``overlays`` has them in its
    name, and their steps among its own; its theme is then MADE or ``MADE+PALETTE``, the shapes of
    one theme in the colours of another.
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
    wishes: str = ""
    streams_of: str = ""
    """The recipe whose random streams it uses, if not its own: a user recipe uses those of the
    recipe that it extends, so that ``~mine:7`` is digger:7 with changes."""

    @property
    def plain_name(self) -> str:
        """The name without overlays."""
        return self.name.partition("+")[0]

    def code(self, seed: int, depth: int = 1, size: tuple[int, int] | None = None) -> LevelCode:
        """Return the level code for this recipe; raise `TooSmall` if the size is."""
        width, height = size or self.size
        if width < self.smallest[0] or height < self.smallest[1]:
            least = f"{self.smallest[0]}x{self.smallest[1]}"
            raise TooSmall(f"{self.name} cannot be {width}x{height}: its smallest size is {least}")
        code = LevelCode(self.plain_name, self.version, seed, depth, width, height)
        return replace(code, settings=self.settings, overlays=self.overlays)

    def parameters(self) -> dict[str, dict[str, Any]]:
        """Return every step's parameters as plain values, by label, in order."""
        return {use.label: msgspec.to_builtins(use.parameters) for use in self.steps}


@cache
def recipes() -> dict[str, Recipe]:
    """Return the current recipes by name, and old versions by ``NAME.VERSION``, in file order."""
    entries = read_entries(RECIPES_FILE, RecipeEntry)
    return {key: _recipe(key, entries, f"data/{RECIPES_FILE}: [{key}]", {}) for key in entries}


def _recipe(
    key: str, entries: dict[str, RecipeEntry], where: str, extra: Mapping[str, Step]
) -> Recipe:
    """Return the recipe of the entry ``key``; raise `DataError`, beginning with ``where``."""
    if "+" in (base := entries[key].extends or "") or base in {*world_types(), *overlay_names()}:
        raise DataError(f"{where}: extends: an overlay or infinite world cannot be extended")
    whole = whole_entry(entries[key], entries, where)
    name, _, version = key.partition(".")
    if version and version != str(whole.version):
        raise DataError(f"{where}: version: the name says {version}, the entry {whole.version}")
    smallest, theme = whole.smallest or (20, 15), whole.theme or name
    if min(smallest) < 3:
        raise DataError(f"{where}: smallest: must be at least 3x3, for ground inside the edge")
    size = whole.size or (max(80, smallest[0]), max(45, smallest[1]))
    if size[0] < smallest[0] or size[1] < smallest[1]:
        raise DataError(f"{where}: size: is below the smallest, {smallest[0]}x{smallest[1]}")
    if whole.theme:
        check_theme(theme, f"{where}: theme")
    steps = whole_chain(whole.steps, where, extra)
    idle = frozenset((label, one) for label, names in whole.no_effect.items() for one in names)
    known = {(use.label, one) for use in steps for one in use.parameters.__struct_fields__}
    if unknown := sorted(idle - known):
        raise DataError(f"{where}: no_effect: there is no parameter {'.'.join(unknown[0])}")
    if whole.wishes:
        try:
            parse_condition(whole.wishes, Metrics.__struct_fields__)
        except QueryError as fault:
            raise DataError(f"{where}: wishes: {fault}") from None
    text, root, wishes = whole.description, root_recipe(key, entries), whole.wishes
    look = (theme, size, smallest)
    return Recipe(name, whole.version, text, *look, steps, (), idle, wishes=wishes, streams_of=root)


def user_recipes() -> UserEntries[Recipe]:
    """Return the recipes in the user folder, read anew when a file there has changed."""
    return user_entries(RECIPES_FILE, RecipeEntry, _recipe)


def usable_steps(recipe: Recipe) -> dict[str, Step]:
    """Return the steps that can be put into ``recipe``: only a user recipe has user steps.

    Other players could not build a level of one of our recipes with user steps in it.
    """
    return {**all_steps(), **(user_recipes().steps if recipe.name.startswith(USER_MARK) else {})}


def with_edits(recipe: Recipe, edits: Iterable[str]) -> Recipe:
    """Return ``recipe`` with its chain edited; raise `ValueError` (`procgen.step_chain`)."""
    steps = edited_steps(recipe.steps, edits, usable_steps(recipe))
    return replace(recipe, steps=steps, no_effect=frozenset()) if edits else recipe


def current_recipes() -> list[Recipe]:
    """Return the current version of every recipe, in file order."""
    return [recipe for key, recipe in recipes().items() if key == recipe.name]


def known_recipes() -> list[Recipe]:
    """Return `current_recipes` and, after them, those of the user folder."""
    users = user_recipes().entries
    return [*current_recipes(), *(recipe for key, recipe in users.items() if key == recipe.name)]


OVERLAY_AFTER = frozenset({"floor", "start", "exit", "gates"})
"""Overlays come after the last step that gives one of these: rooms and ways stay as they were, and
locks, gold and creatures are placed later, to suit the new ground."""


def with_overlays(name: str, version: int | None, texts: tuple[str, ...]) -> Recipe:
    """Return the recipe ``name`` with the steps and the palette of the overlays ``texts``.

    Each is ``NAME`` or ``NAME.VERSION``. Raises `UnknownRecipe`, or `CodeError` if two clash.
    """
    recipe, added = find_recipe(name, version), in_order(texts)
    if not added:
        return recipe
    last = max(at for at, use in enumerate(recipe.steps) if use.step.gives & OVERLAY_AFTER)
    kinds = [overlay.kind for overlay in added]
    palettes = [kind.palette for kind in kinds if kind.palette]
    new_steps = [use for overlay in added for use in overlay.steps]
    return replace(
        recipe,
        name="+".join([recipe.name, *(overlay.name for overlay in added)]),
        description=" ".join([recipe.description, *(kind.description for kind in kinds)]),
        theme="+".join([recipe.theme, *palettes[-1:]]),
        steps=(*recipe.steps[: last + 1], *new_steps, *recipe.steps[last + 1 :]),
        overlays=tuple(f"{overlay.name}.{overlay.kind.version}" for overlay in added),
    )


def find_recipe(name: str, version: int | None = None) -> Recipe:
    """Return a recipe by name and version (default: current), ``NAME+OVERLAY`` with overlays.

    A name with `USER_MARK` is looked up in the user folder, and so is one that is not ours.
    Raises `UnknownRecipe`, and `CodeError` for overlays that do not go together.
    """
    name, *overlays = name.split("+")
    if overlays:
        return with_overlays(name, version, tuple(overlays))
    if name in world_types():
        raise UnknownRecipe(f"{name} is an infinite world: a level with an edge is needed here")
    known = recipes()
    if name not in known:
        users, marked = user_recipes(), f"{USER_MARK}{name.removeprefix(USER_MARK)}"
        is_overlay = name in overlay_names() or marked in user_overlays().entries
        if is_overlay and marked not in {*users.entries, *users.faults}:
            raise UnknownRecipe(f"{name} is an overlay: add it to a generator, as in keep+{name}")
        name, known = users.find("generator", name, [*known, *world_types()]), users.entries
    for found in (known.get(name), known.get(f"{name}.{version}")):
        if found and version in (None, found.version):
            return found
    versions = sorted(recipe.version for recipe in known.values() if recipe.name == name)
    raise UnknownRecipe(f"{name} has no version {version}, only {', '.join(map(str, versions))}")


def find_any(name: str, version: int | None = None) -> Recipe | WorldType:
    """Return a recipe or an infinite world by name and version; raise `UnknownRecipe`.

    As in `find_recipe`, the name may have overlays; with an infinite world that is a `CodeError`.
    """
    world = world_types().get(name.partition("+")[0])
    if world is None:
        return find_recipe(name, version)
    if "+" in name:
        raise CodeError(f"{world.name} is an infinite world: it takes no overlays")
    if version not in (None, world.version):
        raise UnknownRecipe(f"{name} has no version {version}, only {world.version}")
    return world
