"""Choose the recipe and level code of each depth: by the run's strata, or one recipe for all.

The strata of an adventure come from data/adventure.toml.
"""

from functools import cache, lru_cache

from msgspec.structs import replace

from engine.levels.drawn_level import unpack_drawn
from engine.state.run_setup import MOST_TILES, Mode, RunSetup, Stratum
from entities.data_files import DataError, convert, read_toml
from procgen.build import build
from procgen.chunk import chunk_of
from procgen.infinite.chunk_monsters import chunk_danger
from procgen.level import Level
from procgen.level_code import FROM_FILE, CodeError, LevelCode, UnknownRecipe, parse_code
from procgen.position_hash import position_word
from procgen.recipes import Recipe, current_recipes, find_any, find_recipe
from procgen.rng import Rng
from procgen.settings import complete, set_up
from procgen.world_types import WorldType


@cache
def strata() -> tuple[Stratum, ...]:
    """Return the strata of an adventure, shallowest first.

    Raises `DataError` unless they begin at depth 1 and every recipe in them is known.
    """
    name = "adventure.toml"
    table = convert(read_toml(name).get("stratum"), tuple[Stratum, ...], f"data/{name}: stratum")
    if not table or table[0].from_depth != 1:
        raise DataError(f"data/{name}: stratum[0]: from_depth: must be 1")
    for index, stratum in enumerate(table):
        for recipe in stratum.recipes:
            try:
                _named(recipe)
            except (UnknownRecipe, CodeError) as fault:
                raise DataError(f"data/{name}: stratum[{index}]: recipes: {fault}") from None
    return table


def pinned(setup: RunSetup) -> RunSetup:
    """Return ``setup`` with recipe versions and strata written out in full.

    Without that, a later change of the data files would change the levels of a recorded run.
    """
    if setup.generator or setup.mode is Mode.WORKSHOP:
        recipe = recipe_at(setup, setup.depth)
        setup = replace(setup, generator=recipe.name, version=recipe.version)
        if not isinstance(recipe, WorldType):  # Dungeons below an infinite world need strata.
            generator = "+".join([recipe.plain_name, *recipe.overlays])
            return replace(setup, generator=generator, settings=recipe.settings)
    written = (
        Stratum(stratum.from_depth, {_in_full(name): n for name, n in stratum.recipes.items()})
        for stratum in setup.strata or strata()
    )
    return replace(setup, strata=tuple(written))


@lru_cache(maxsize=256)
def _in_full(name: str) -> str:
    recipe = _named(name)
    return "+".join([f"{recipe.plain_name}.{recipe.version}", *recipe.overlays])


def _named(name: str) -> Recipe:
    base, *overlays = name.split("+")
    plain, _, version = base.partition(".")
    return find_recipe("+".join([plain, *overlays]), int(version) if version else None)


def recipe_at(setup: RunSetup, depth: int) -> Recipe | WorldType:
    """Return the recipe, or the infinite world, that a run uses at ``depth``."""
    if setup.generator:
        return set_up(find_any(setup.generator, setup.version), setup.settings)
    if setup.mode is Mode.WORKSHOP:
        return current_recipes()[0]
    return _named(Rng(setup.seed, "adventure", depth).weighted(_weights_at(setup, depth)))


def _weights_at(setup: RunSetup, depth: int) -> dict[str, int]:
    """Return the weights of the recipes at ``depth`` that fit the run's size, or of all."""
    run_strata = setup.strata or strata()
    weights = [stratum for stratum in run_strata if stratum.from_depth <= depth][-1].recipes
    if setup.size is None:
        return weights
    width, height = setup.size
    smallest = {name: _named(name).smallest for name in weights}
    fitting = {n: weights[n] for n, (w, h) in smallest.items() if w <= width and h <= height}
    return fitting or weights


def code_at(setup: RunSetup, depth: int) -> LevelCode:
    """Return the level code of a run at ``depth``; raise `CodeError` if it is too large."""
    if setup.drawn and depth == setup.depth:
        return unpack_drawn(setup.drawn, depth).code
    recipe = recipe_at(setup, depth)
    place = (setup.place,) if isinstance(recipe, WorldType) else ()
    return playable(recipe.code(setup.seed, depth, setup.size, *place))


def level_of(setup: RunSetup, code: LevelCode, *, nothing_changed: bool = False) -> Level:
    """Return the level of ``code`` in a run: the drawn one of ``setup``, or built by `build`."""
    if setup.drawn and code.recipe == FROM_FILE:
        level = unpack_drawn(setup.drawn, code.depth)
        if level.code == code:
            return level
    return build(code, nothing_changed=nothing_changed)


MAX_LEVEL_CHOICES = 3
"""The most levels that one way down offers."""
CHOICE_SEEDS = 10**9
"""Seeds of all choices but the first are below this, so that their level codes stay short."""


def level_choices_at(setup: RunSetup, seed: int, depth: int) -> list[LevelCode]:
    """Return the codes of the levels at ``depth`` to choose from below a level of ``seed``.

    Their recipes differ. The first keeps ``seed``, so that a run that always takes the first visits
    the levels of `code_at`. Each other has a new seed, which determines all levels below it: the
    seed of a level thus encodes the choices that led to it.
    """
    codes = [code_at(replace(setup, seed=seed), depth)]
    if setup.generator or setup.mode is Mode.WORKSHOP:
        return codes
    weights = _weights_at(setup, depth)
    for number in range(1, MAX_LEVEL_CHOICES):
        offered = {code.recipe for code in codes}
        choices = {name: n for name, n in weights.items() if _named(name).plain_name not in offered}
        if not choices:
            break
        own_seed = position_word(seed, "ground", depth, number) % CHOICE_SEEDS
        recipe = _named(Rng(own_seed, "ground").weighted(choices))
        codes.append(playable(recipe.code(own_seed, depth, setup.size)))
    return codes


def playable(code: LevelCode) -> LevelCode:
    """Return ``code``, or raise `CodeError` if its level is too large for a run."""
    if code.width * code.height > MOST_TILES:
        size, most = f"{code.width}x{code.height}", f"{MOST_TILES:,} tiles"
        raise CodeError(f"{size} is too large to play: a level of a run has at most {most}")
    return code


def parse_playable_code(text: str) -> LevelCode:
    """Parse a level code and return it in full; raise `CodeError` or `UnknownRecipe`."""
    return playable(complete(parse_code(text)))


def setup_at(code: LevelCode) -> RunSetup:
    """Return the setup of a run in the Workshop that begins on the level of ``code``."""
    size, typed = (code.width, code.height), str(code.seed)
    setup = RunSetup(code.seed, typed, Mode.WORKSHOP, code.name, code.depth, size, code.place)
    return replace(setup, version=code.version, settings=code.settings)


def dungeon_at(setup: RunSetup, above: LevelCode, x: int, y: int) -> LevelCode:
    """Return the code of the first level under the stairs down at (x, y) in the world ``above``.

    It depends only on the world, the place and the strata of ``setup``: every visit finds the same.
    """
    seed = position_word(above.seed, "dungeon", x, y)
    depth = above.depth + chunk_danger(*chunk_of(x, y))
    weights = _weights_at(replace(setup, size=None), depth)  # That size is the world's.
    return _named(Rng(seed, "dungeon").weighted(weights)).code(seed, depth)
