"""Settings: changes to a recipe's parameters or chain, as in ``caves;scatter_rock.rock=0.5:42``."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from procgen import recipe_parameters
from procgen.level_code import FROM_FILE, SETTINGS_LIMIT, CodeError, LevelCode, PartialCode
from procgen.recipe_entries import unknown_name
from procgen.recipe_parameters import parameters_of, value_text
from procgen.recipes import Recipe, find_any, with_edits, with_overlays
from procgen.step_chain import edits_between, is_edit
from procgen.step_registry import Parameter
from procgen.world_types import WorldType

T = TypeVar("T", Recipe, WorldType, Recipe | WorldType)

LEVEL_FILE = Recipe(FROM_FILE, 1, "A level from a file.", "stone", (80, 45), (3, 3), ())
"""The nominal recipe of a level that was read from a file; it cannot build anything."""


class InvalidSetting(CodeError):
    """A setting that names no parameter or step, or has an impossible value; it says which."""


def with_settings(recipe: Recipe, settings: Iterable[str]) -> Recipe:
    """Return ``recipe`` with each ``STEP.PARAMETER=VALUE`` set; a later one replaces an earlier.

    Edits of the chain, ``STEP=AFTER`` and ``STEP=off``, are applied before them. A step that occurs
    twice is ``STEP`` and ``STEP#2``. Raises `InvalidSetting`.
    """
    every = [*recipe.settings, *settings]
    original = changed = edited_recipe(recipe, every)
    for setting in every:
        if is_edit(setting):
            continue
        # The original's parameters have the bounds that the finished code is read back with.
        parameter, text = _named(original, setting)
        try:
            value = recipe_parameters.parse_value(parameter, text)
            changed = recipe_parameters.with_value(changed, parameter, value)
        except recipe_parameters.InvalidParameter as fault:
            raise InvalidSetting(f"{setting[:80]!r}: {fault}") from None
    return replace(changed, settings=settings_of(raw_recipe(recipe), changed))


def raw_recipe(recipe: Recipe) -> Recipe:
    """Return ``recipe`` as the data files have it, without settings."""
    return with_overlays(recipe.plain_name, recipe.version, recipe.overlays)


def edited_recipe(recipe: Recipe, settings: Iterable[str]) -> Recipe:
    """Return ``recipe`` as the data files have it, with only the edits among ``settings``.

    Raises `InvalidSetting`.
    """
    edits = ["=".join(map(str.strip, text.split("="))) for text in settings if is_edit(text)]
    try:
        return with_edits(raw_recipe(recipe), edits)
    except ValueError as fault:
        raise InvalidSetting(f"{';'.join(edits)[:80]!r}: {fault}"[:290]) from None


def settings_of(original: Recipe, recipe: Recipe) -> tuple[str, ...]:
    """Return the settings that turn ``original`` into ``recipe``: edits, then values by step.

    Raises `InvalidSetting` if they are too long for a level code.
    """
    edits = edits_between(original.steps, recipe.steps)
    changes = recipe_parameters.changed_parameters(with_edits(original, edits), recipe)
    values = [(step, *pair) for step, named in changes.items() for pair in named.items()]
    settings = (*edits, *(f"{step}.{name}={value_text(value)}" for step, name, value in values))
    if sum(map(len, settings)) + len(settings) > SETTINGS_LIMIT:
        raise InvalidSetting(f"settings have at most {SETTINGS_LIMIT:,} characters")
    return settings


def recipe_for_code(code: LevelCode) -> Recipe:
    """Return the recipe of ``code`` with the settings of the code.

    Raises `UnknownRecipe`, also for an infinite world, and `InvalidSetting`.
    """
    if code.recipe == FROM_FILE:
        return LEVEL_FILE
    recipe = with_overlays(code.recipe, code.version, code.overlays)
    return _cached_with_settings(recipe, code.settings) if code.settings else recipe


_cached_with_settings = lru_cache(maxsize=64)(with_settings)  # Once for all seeds of a search.


def generator_for_code(code: LevelCode) -> Recipe | WorldType:
    """Return the recipe or the infinite world of ``code``, with its overlays and settings."""
    return find_any(code.recipe, code.version) if code.place else recipe_for_code(code)


def complete(partial: PartialCode) -> LevelCode:
    """Return the full level code for one as typed, with the recipe's defaults.

    A level has only one code: settings that repeat the recipe's own values are left out, the others
    are in the order of the steps, and overlays in the order of their file. Raises `UnknownRecipe`,
    `InvalidSetting`, and `CodeError` for overlays that do not go together and for a place in a
    recipe that is not infinite.
    """
    name = "+".join([partial.recipe, *partial.overlays])
    recipe = LEVEL_FILE if name == FROM_FILE else find_any(name, partial.version)
    recipe = set_up(recipe, partial.settings)
    if isinstance(recipe, WorldType):
        return recipe.code(partial.seed, partial.depth or 1, partial.size, partial.place)
    if partial.place:
        x, y = partial.place
        raise CodeError(f"{recipe.name} is not infinite: it has no place {x},{y}")
    return recipe.code(partial.seed, partial.depth or 1, partial.size)


def set_up(generator: T, settings: Sequence[str]) -> T:
    """Return a recipe with ``settings``; raise `InvalidSetting` if an infinite world has any."""
    if not settings:
        return generator
    if isinstance(generator, WorldType):
        raise InvalidSetting(f"{generator.name} is an infinite world: its parameters are fixed")
    return with_settings(generator, settings)


def _named(recipe: Recipe, setting: str) -> tuple[Parameter, str]:
    """Return the parameter that ``setting`` names, and the text of its value."""
    name, equals, text = setting.strip().partition("=")
    label, dot, parameter = name.strip().partition(".")
    if not (equals and dot and label and parameter):
        raise InvalidSetting(f"{setting[:80]!r} is not STEP.PARAMETER=VALUE, e.g. loops.at_most=3")
    if any(char in ";:@=" or char.isspace() for char in text.strip()):
        raise InvalidSetting(f"{setting[:80]!r}: a value has no space and none of ; : @ =")
    known = {use.label: index for index, use in enumerate(recipe.steps)}
    if label not in known:
        raise InvalidSetting(f"{recipe.name} has no step {unknown_name(label, known)}")
    parameters = {p.name: p for p in parameters_of(recipe) if p.step_index == known[label]}
    if parameter not in parameters:
        raise InvalidSetting(f"{label} has no parameter {unknown_name(parameter, parameters)}")
    return parameters[parameter], text
