"""What a run begins with: everything that, with the actions, decides it."""

from enum import StrEnum
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from entities.data import DataError, convert, read_toml
from procgen.code import LevelCode
from procgen.recipes import Recipe, current_recipes, find_recipe, recipes
from procgen.rng import Rng


class Mode(StrEnum):
    """How a run is played."""

    ADVENTURE = "adventure"
    WORKSHOP = "workshop"


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices made before the first turn.

    ``typed_seed`` is the seed as the player wrote it; ``generator`` fixes one recipe for all
    depths, else an adventure chooses by depth; ``size`` is None for each recipe's own.
    """

    seed: Annotated[int, Meta(ge=0)]
    typed_seed: Annotated[str, Meta(max_length=200)]
    mode: Mode = Mode.ADVENTURE
    generator: Annotated[str, Meta(max_length=60)] | None = None
    depth: Annotated[int, Meta(ge=1, le=999_999)] = 1
    size: tuple[int, int] | None = None


class Stratum(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which recipes an adventure chooses from, with weights, from a depth on down."""

    from_depth: Annotated[int, Meta(ge=1)]
    recipes: dict[str, Annotated[int, Meta(ge=1)]]


@cache
def strata() -> tuple[Stratum, ...]:
    """Return the strata of an adventure, shallowest first, every recipe known."""
    name = "adventure.toml"
    table = read_toml(name).get("stratum")
    found = convert(table, tuple[Stratum, ...], f"data/{name}: stratum")
    if not found or found[0].from_depth != 1:
        raise DataError(f"data/{name}: stratum[0]: from_depth: must be 1")
    for index, stratum in enumerate(found):
        for recipe in stratum.recipes:
            if recipe not in recipes():
                where = f"data/{name}: stratum[{index}]: recipes"
                raise DataError(f"{where}: there is no generator {recipe!r}")
    return found


def recipe_at(setup: Setup, depth: int) -> Recipe:
    """Return the recipe that a run uses at ``depth``."""
    if setup.generator:
        return find_recipe(setup.generator)
    if setup.mode is Mode.WORKSHOP:
        return current_recipes()[0]
    weights = [stratum for stratum in strata() if stratum.from_depth <= depth][-1].recipes
    return find_recipe(Rng(setup.seed, "adventure", depth).weighted(weights))


def code_at(setup: Setup, depth: int) -> LevelCode:
    """Return the code of the level that a run finds at ``depth``."""
    return recipe_at(setup, depth).code(setup.seed, depth, setup.size)
