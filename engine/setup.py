"""What a run begins with: everything that, with the actions, decides it."""

from enum import StrEnum
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from entities.data import DataError, convert, read_toml
from procgen.code import LONGEST_SIDE, SEED_LIMIT, CodeError, LevelCode, parse_code
from procgen.endless.realms import Realm
from procgen.recipes import Recipe, complete, current_recipes, find_any, find_recipe, recipes
from procgen.rng import Rng

MOST_TILES = 1_000_000
"""The largest level of a run: beyond that some recipes take minutes to build."""

Side = Annotated[int, Meta(ge=1, le=LONGEST_SIDE)]
Natural = Annotated[int, Meta(ge=1, le=999_999)]
RecipeName = Annotated[str, Meta(pattern=r"^[a-z_]{1,60}(\.[0-9]{1,6})?$")]
"""A recipe, or one version of it: ``caves`` or ``caves.1``."""


class Mode(StrEnum):
    """How a run is played."""

    ADVENTURE = "adventure"
    WORKSHOP = "workshop"


class Stratum(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which recipes an adventure chooses from, with weights, from a depth on down."""

    from_depth: Natural
    recipes: Annotated[dict[RecipeName, Natural], Meta(min_length=1, max_length=200)]


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The choices made before the first turn.

    ``typed_seed`` is the seed as the player wrote it; ``generator``, and its ``version``, fix
    one recipe for all depths, else an adventure chooses by depth, from ``strata`` if there are
    any and else from those of the data; ``size`` is None for each recipe's own.
    ``grew_from`` is the run file and turn, e.g. ``a.jsonl@120``, of a run that was taken over.
    """

    seed: Annotated[int, Meta(ge=0)]
    typed_seed: Annotated[str, Meta(max_length=200)]
    mode: Mode = Mode.ADVENTURE
    generator: Annotated[str, Meta(max_length=60)] | None = None
    depth: Natural = 1
    size: tuple[Side, Side] | None = None
    grew_from: Annotated[str, Meta(max_length=120)] | None = None
    version: Natural | None = None
    strata: Annotated[tuple[Stratum, ...], Meta(max_length=100)] = ()

    def __post_init__(self) -> None:
        if self.seed >= SEED_LIMIT:
            raise CodeError("the seed of a run must be below 2^64")
        if self.strata and self.strata[0].from_depth != 1:
            raise CodeError("the strata of a run must begin at depth 1")


@cache
def strata() -> tuple[Stratum, ...]:
    """Return the strata of an adventure, shallowest first.

    Raises `DataError` unless they begin at depth 1 and every recipe in them is known.
    """
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


def pinned(setup: Setup) -> Setup:
    """Return ``setup`` with what today's data choose written out, so that later data cannot."""
    if setup.generator or setup.mode is Mode.WORKSHOP:
        recipe = recipe_at(setup, setup.depth)
        setup = replace(setup, generator=recipe.name, version=recipe.version)
        if not isinstance(recipe, Realm):  # Below one of those are dungeons of all kinds.
            return setup
    written = (
        Stratum(stratum.from_depth, {_in_full(name): n for name, n in stratum.recipes.items()})
        for stratum in setup.strata or strata()
    )
    return replace(setup, strata=tuple(written))


def _in_full(name: str) -> str:
    recipe = _named(name)
    return f"{recipe.name}.{recipe.version}"


def _named(name: str) -> Recipe:
    plain, _, version = name.partition(".")
    return find_recipe(plain, int(version) if version else None)


def recipe_at(setup: Setup, depth: int) -> Recipe | Realm:
    """Return the recipe, or the endless world, that a run uses at ``depth``."""
    if setup.generator:
        return find_any(setup.generator, setup.version)
    if setup.mode is Mode.WORKSHOP:
        return current_recipes()[0]
    known = setup.strata or strata()
    weights = [stratum for stratum in known if stratum.from_depth <= depth][-1].recipes
    return _named(Rng(setup.seed, "adventure", depth).weighted(weights))


def code_at(setup: Setup, depth: int) -> LevelCode:
    """Return the code of the level that a run finds at ``depth``."""
    return playable(recipe_at(setup, depth).code(setup.seed, depth, setup.size))


def playable(code: LevelCode) -> LevelCode:
    """Return ``code``, or raise `CodeError` if its level is too large for a run."""
    if code.width * code.height > MOST_TILES:
        size, most = f"{code.width}x{code.height}", f"{MOST_TILES:,} tiles"
        raise CodeError(f"{size} is too large to play: a level of a run has at most {most}")
    return code


def visited(text: str) -> LevelCode:
    """Return the code, in full, of the level that ``text`` names; raise what is wrong with it."""
    return playable(complete(parse_code(text)))
