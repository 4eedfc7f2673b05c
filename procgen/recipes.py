"""Recipes: named sequences of steps, read from data/recipes.toml and checked."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from entities.data_files import DATA, DataError, convert, read_entries, read_toml, shown_path
from entities.folders import USER_MARK, USER_VARIABLE, user_folder
from procgen.level_code import FROM_FILE, CodeError, LevelCode
from procgen.level_overlays import FILE as OVERLAYS_FILE
from procgen.level_overlays import find_overlay, in_order, overlay_names
from procgen.metric_query import QueryError, parse_condition
from procgen.metrics import Metrics
from procgen.recipe_entries import RecipeEntry, root_recipe, unknown_name, whole_entry
from procgen.step_chain import MAY_LACK, StepUse, edited_steps, step_uses, whole_chain
from procgen.step_registry import Step, all_steps
from procgen.user_steps import step_files, user_steps
from procgen.world_types import WorldType, world_types

FILE, THEMES = "recipes.toml", "themes.toml"
_USER_NAME = re.compile(r"[a-z_]+(\.[0-9]{1,6})?")


class UnknownRecipe(ValueError):
    """There is no recipe of that name or version; the message lists those that exist."""


class FaultyRecipe(UnknownRecipe):
    """A user recipe has a mistake in it; the message names file, recipe and key."""


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
    def without_creatures(self) -> "Recipe":
        """The recipe without the steps at its end that give creatures and nothing else."""
        shape = [at for at, use in enumerate(self.steps, 1) if use.step.gives != {"creatures"}]
        return replace(self, steps=self.steps[: shape[-1] if shape else 0])

    @property
    def plain_name(self) -> str:
        """The name without overlays."""
        return self.name.partition("+")[0]

    @property
    def is_user_recipe(self) -> bool:
        """True if it comes from the user folder; its name then begins with `USER_MARK`."""
        return self.name.startswith(USER_MARK)

    def code(self, seed: int, depth: int = 1, size: tuple[int, int] | None = None) -> LevelCode:
        """Return the level code for this recipe; raise `TooSmall` if the size is."""
        width, height = size or self.size
        if width < self.smallest[0] or height < self.smallest[1]:
            smallest = f"{self.smallest[0]}x{self.smallest[1]}"
            raise TooSmall(
                f"{self.name} cannot be {width}x{height}: its smallest size is {smallest}"
            )
        code = LevelCode(self.plain_name, self.version, seed, depth, width, height)
        return replace(code, settings=self.settings, overlays=self.overlays)

    def parameters(self) -> dict[str, dict[str, Any]]:
        """Return every step's parameters as plain values, by label, in order."""
        return {use.label: msgspec.to_builtins(use.parameters) for use in self.steps}


@cache
def recipes(folder: Path = DATA) -> dict[str, Recipe]:
    """Return the current recipes by name, and old versions by ``NAME.VERSION``, in file order."""
    entries = read_entries(FILE, RecipeEntry, folder)
    where = shown_path(FILE, folder)
    return {key: _recipe(key, entries, f"{where}: [{key}]") for key in entries}


def _recipe(
    key: str, entries: dict[str, RecipeEntry], where: str, extra: Mapping[str, Step] | None = None
) -> Recipe:
    """Return the recipe of the entry ``key``; raise `DataError`, beginning with ``where``."""
    whole = whole_entry(entries[key], entries, where)
    name, _, version = key.partition(".")
    if version and version != str(whole.version):
        raise DataError(f"{where}: version: the name says {version}, the entry {whole.version}")
    size, smallest, theme = whole.size or (80, 45), whole.smallest or (20, 15), whole.theme or name
    if whole.theme:
        check_theme(theme, where)
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
    text, root, wishes = whole.description, root_recipe(name, entries), whole.wishes
    look = (theme, size, smallest)
    return Recipe(name, whole.version, text, *look, steps, (), idle, wishes=wishes, streams_of=root)


class UserRecipes(NamedTuple):
    """The content of the user folder: recipes by name with `USER_MARK`, and steps by name.

    ``faults`` are sentences by the name of a recipe or the path of recipes.toml; a fault of a step
    is its own key.
    """

    recipes: dict[str, Recipe]
    steps: dict[str, Step]
    faults: dict[str, str]


def user_recipes() -> UserRecipes:
    """Return the recipes in the user folder, read anew when a file there has changed."""
    try:
        folder = user_folder()
        paths = [folder / FILE, folder / THEMES]
        with suppress(DataError):  # `user_steps` reports it.
            paths += step_files(folder)
        stats = [(path, path.stat()) for path in paths if path.exists()]
    except OSError as fault:
        named = f"{fault.filename}: cannot be read ({fault.strerror})"
        return UserRecipes({}, {}, {fault.filename: named} if fault.filename else {})
    files = tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats)
    return _read_user_folder(folder, files)


@lru_cache(maxsize=4)
def _read_user_folder(folder: Path, files: tuple[tuple[Path, int, int], ...]) -> UserRecipes:
    _theme_names.cache_clear()  # This is cached by ``files``, which include that of the themes.
    steps, faults = user_steps(folder)
    found = UserRecipes({}, steps, {fault: fault for fault in faults})
    path = shown_path(FILE, folder)
    tables = dict[str, Any]()
    with _noting(found.faults, path):
        tables = read_toml(FILE, folder, optional=True)
    entries = dict(read_entries(FILE, RecipeEntry))
    for key, table in tables.items():  # All of them first: a recipe may extend a later one.
        with _noting(found.faults, f"{USER_MARK}{key}"):
            where = f"{path}: [{key}]"
            if not _USER_NAME.fullmatch(key):
                raise DataError(f"{where}: a name has small letters and _ only")
            if f"{USER_MARK}{key.partition('.')[0]}" == FROM_FILE:
                raise DataError(f"{where}: the name is that of levels from files")
            entries[f"{USER_MARK}{key}"] = convert(table, RecipeEntry, where)
    for name in [name for name in entries if name.startswith(USER_MARK)]:
        with _noting(found.faults, name):
            where = f"{path}: [{name.removeprefix(USER_MARK)}]"
            found.recipes[name] = _recipe(name, entries, where, steps)
    return found


@contextmanager
def _noting(noted: dict[str, str], name: str) -> Iterator[None]:
    """Note a `DataError` under ``name`` and go on."""
    try:
        yield
    except DataError as fault:
        noted[name] = str(fault)


@cache
def _theme_names(folder: Path) -> frozenset[str]:
    return frozenset(read_toml(THEMES, folder, optional=True))


def check_theme(name: str, where: str) -> None:
    """Raise `DataError` unless ``name`` is a theme or ``MADE+PALETTE``, two themes.

    Names that begin with `USER_MARK` are looked up in the user folder.
    """
    for part in name.split("+"):
        themes = _theme_names(user_folder() if part.startswith(USER_MARK) else DATA)
        if part.removeprefix(USER_MARK) not in themes:
            raise DataError(f"{where}: theme: there is no theme {name[:60]!r}")


def usable_steps(recipe: Recipe) -> dict[str, Step]:
    """Return the steps that can be put into ``recipe``: only a user recipe has user steps.

    Other players could not build a level of one of our recipes with user steps in it.
    """
    return {**all_steps(), **(user_recipes().steps if recipe.is_user_recipe else {})}


def with_edits(recipe: Recipe, edits: Iterable[str]) -> Recipe:
    """Return ``recipe`` with its chain edited; raise `ValueError` (`procgen.step_chain`)."""
    steps = edited_steps(recipe.steps, edits, usable_steps(recipe))
    return replace(recipe, steps=steps, no_effect=frozenset()) if edits else recipe


def current_recipes() -> list[Recipe]:
    """Return the current version of every recipe, in file order."""
    return [recipe for key, recipe in recipes().items() if key == recipe.name]


def known_recipes() -> list[Recipe]:
    """Return `current_recipes` and, after them, those of the user folder."""
    users = user_recipes().recipes
    return [*current_recipes(), *(recipe for key, recipe in users.items() if key == recipe.name)]


OVERLAY_AFTER = frozenset({"start", "exit", "gates"})
"""Overlays come after the last step that gives one of these: rooms and ways stay as they were, and
locks, gold and creatures are placed later, to suit the new ground."""


def with_overlays(name: str, version: int | None, texts: tuple[str, ...]) -> Recipe:
    """Return the recipe ``name`` with the steps and the palette of the overlays ``texts``.

    Each is ``NAME`` or ``NAME.VERSION``; raises `UnknownRecipe`, and `CodeError` for an overlay
    that does not exist.
    """
    recipe, ordered = find_recipe(name, version), in_order(texts)
    return _overlaid(recipe, ordered) if ordered else recipe


@lru_cache(maxsize=256)
def _overlaid(recipe: Recipe, ordered: tuple[str, ...]) -> Recipe:
    """Return ``recipe`` with overlays in their order."""
    last = max(at for at, use in enumerate(recipe.steps) if use.step.gives & OVERLAY_AFTER)
    added = tuple(use for text in ordered for use in overlay_steps(text))
    palettes = [palette for text in ordered if (palette := find_overlay(text).palette)]
    descriptions = (find_overlay(text).description for text in ordered)
    return replace(
        recipe,
        name="+".join([recipe.name, *(text.partition(".")[0] for text in ordered)]),
        description=" ".join([recipe.description, *descriptions]),
        theme="+".join([recipe.theme, *palettes[-1:]]),
        steps=(*recipe.steps[: last + 1], *added, *recipe.steps[last + 1 :]),
        overlays=ordered,
    )


@cache
def overlay_steps(text: str) -> tuple[StepUse, ...]:
    """Return the steps of the overlay ``NAME`` or ``NAME.VERSION``; raise `DataError`.

    Steps that need rooms, regions or leaves do nothing in a recipe without any.
    """
    name = text.partition(".")[0]
    given = MAY_LACK | {"floor", "start", "exit"}
    uses = step_uses(find_overlay(text).steps, f"data/{OVERLAYS_FILE}: [{name}]", given)
    return tuple(replace(use, label=f"{name}/{use.label}", overlay=name) for use in uses)


def find_recipe(name: str, version: int | None = None) -> Recipe:
    """Return a recipe by name and version (default: current), ``NAME+OVERLAY`` with overlays.

    A name with `USER_MARK` is looked up in the user folder, and so is one that is not ours.
    Raises `UnknownRecipe`, and `CodeError` for an overlay that does not exist.
    """
    name, *overlays = name.split("+")
    if overlays:
        return with_overlays(name, version, tuple(overlays))
    if name in world_types():
        raise UnknownRecipe(f"{name} is an infinite world: a level with an edge is needed here")
    known = recipes()
    if name not in known:
        users, marked = user_recipes(), f"{USER_MARK}{name.removeprefix(USER_MARK)}"
        files = [fault for whose, fault in users.faults.items() if not whose.startswith(USER_MARK)]
        if marked in users.faults:  # A file of steps that cannot be used may be the reason.
            raise FaultyRecipe("; ".join([*files, users.faults[marked]]))
        if marked in users.recipes:
            name, known = marked, users.recipes
        elif files:
            raise FaultyRecipe("; ".join([f"there is no recipe {name}", *files]))
    for found in (known.get(name), known.get(f"{name}.{version}")):
        if found and version in (None, found.version):
            return found
    if name in known:
        versions = sorted(recipe.version for recipe in known.values() if recipe.name == name)
        listed = ", ".join(map(str, versions))
        raise UnknownRecipe(f"{name} has no version {version}, only {listed}")
    if name.startswith(USER_MARK):
        user_names = user_recipes().recipes
        quoted = unknown_name(name, user_names) if user_names else repr(name[:60])
        folder = f"the folder that --mine or ${USER_VARIABLE} names"
        where = f"names with {USER_MARK} are your own, from {folder}"
        raise UnknownRecipe(f"there is no generator {quoted}: {where}")
    if name in overlay_names():
        raise UnknownRecipe(f"{name} is an overlay: add it to a generator, as in keep+{name}")
    names = [*(recipe.name for recipe in known_recipes()), *world_types()]
    raise UnknownRecipe(f"there is no generator {unknown_name(name, names)}")


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
