"""From a level code to a level: run the recipe, check the promises, try again if they break."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from procgen.blueprint import Blueprint, Rejected
from procgen.code import LevelCode
from procgen.endless.growing import grown
from procgen.endless.realms import SMALLEST, realms
from procgen.endless.window import window
from procgen.level import Level
from procgen.recipes import Recipe, StepUse, find_recipe
from procgen.registry import Step
from procgen.rng import Rng
from procgen.validate import validate
from procgen.watched import Watched, exhaust

__all__ = ["BuildFailed", "Level", "Stage", "build", "chain_of", "exhaust", "grow"]

ATTEMPTS = 64


class BuildFailed(RuntimeError):
    """Every attempt at a level was rejected; the message gives the code and the reasons."""


@dataclass(frozen=True)
class Stage:
    """A moment of a build: the blueprint as it stands after a change worth watching."""

    plan: Blueprint
    attempt: int
    index: int
    use: StepUse
    caption: str


def chain_of(code: LevelCode) -> Recipe:
    """Return what the level of ``code`` grows by: a recipe, or the acts of an endless world."""
    if not code.place:
        return find_recipe(code.recipe, code.version)
    realm = realms()[code.recipe]
    values, nothing = realm.values, frozenset[str]()
    steps = [Step(act, _nobody, type(values), nothing, nothing, "") for act in realm.maker.acts]
    uses = tuple(StepUse(step, values, step.name, 1) for step in steps)
    size, theme = (code.width, code.height), realm.theme
    return Recipe(realm.name, realm.version, realm.description, theme, size, SMALLEST, uses)


def _nobody(*_: Any, **__: Any) -> Iterator[str]:
    """Do nothing: the acts of an endless world are steps in name only."""
    return iter(())


def grow(
    code: LevelCode, recipe: Recipe | None = None, *, digests: bool = True
) -> Generator[Stage, None, Level]:
    """Build the level of ``code``, yielding every stage; the level is the return value.

    ``recipe`` may stand in for the one the code names (the Workshop's changed parameters).
    Without ``digests`` those of the level's steps stay empty, which is sooner.
    Raises `BuildFailed` after `ATTEMPTS` rejected builds.
    """
    if code.place:
        return (yield from _window(code))
    recipe = recipe or find_recipe(code.recipe, code.version)
    rejected: list[str] = []
    for attempt in range(ATTEMPTS):
        plan = Blueprint.solid(code.width, code.height, code.depth)
        try:
            steps = yield from _attempt(plan, code, recipe, attempt, digests)
            validate(plan)
        except Rejected as verdict:
            rejected.append(str(verdict))
            continue
        assert plan.start
        assert plan.exit
        plan.tiles.setflags(write=False)
        return Level(
            code,
            recipe.theme,
            plan.tiles,
            tuple(plan.rooms),
            plan.start,
            plan.exit,
            tuple(plan.spawns),
            tuple(steps),
            tuple(rejected),
        )
    reasons = "; ".join(sorted(set(rejected)))
    raise BuildFailed(f"{code}: no build out of {ATTEMPTS} kept its promises ({reasons})")


def _window(code: LevelCode) -> Generator[Stage, None, Level]:
    """Make what lies around a place of an endless world, its acts for steps."""
    uses, sights = chain_of(code).steps, Watched(grown(code))
    for sight in sights:
        yield Stage(sight.plan, 0, sight.act, uses[sight.act], sight.caption)
    return sights.made


def _attempt(
    plan: Blueprint, code: LevelCode, recipe: Recipe, attempt: int, digests: bool
) -> Generator[Stage, None, list[tuple[str, str]]]:
    steps = []
    for index, use in enumerate(recipe.steps):
        key = (recipe.name, code.depth, use.step.name, use.occurrence, attempt)
        for caption in use.step.run(plan, Rng(code.seed, *key), use.parameters):
            yield Stage(plan, attempt, index, use, caption)
        steps.append((use.label, plan.digest() if digests else ""))
    return steps


def build(code: LevelCode, *, digests: bool = True) -> Level:
    """Return the level of ``code``; the same one, always and everywhere.

    If the code has a place, it is what lies around there in an endless world.
    """
    return window(code) if code.place else exhaust(grow(code, digests=digests))
