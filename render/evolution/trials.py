"""A trial: levels of a recipe with other numbers, built and measured wherever there is room."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from procgen.build import BuildFailed, exhaust, grow
from procgen.code import LevelCode
from procgen.measure.metrics import Metrics, measure
from procgen.measure.query import condition
from procgen.recipes import find_recipe
from render.evolution.dials import Settings, variant
from render.search.jobs import NAMES, OtherRecipes, fingerprint, values
from render.search.space import point, target
from render.workshop.tuning import Unfit


@dataclass(frozen=True)
class Trial:
    """Levels to grow: of the recipe of ``code`` called ``name``, with other numbers, by seeds."""

    code: LevelCode
    name: str
    turned: Settings
    seeds: range
    recipe: str


class Outcome(NamedTuple):
    """What came of a trial: levels by seed, builds that were rejected, seeds that failed."""

    levels: tuple[tuple[int, Metrics], ...]
    rejected: int
    failed: int

    @property
    def rejections(self) -> float:
        """The share of builds that were rejected."""
        return self.rejected / max(1, self.rejected + len(self.levels))


def tried(trial: Trial) -> Outcome:
    """Build and measure the levels of ``trial``; after one that cannot be built, no more.

    Raises `OtherRecipes` on a machine whose recipe is another.
    """
    if fingerprint(trial.code.recipe, trial.code.version) != trial.recipe:
        name = trial.code.recipe
        raise OtherRecipes(f"a worker knows another recipe {name}; give it this version")
    original = find_recipe(trial.code.recipe, trial.code.version)
    try:
        recipe = variant(original, trial.name, trial.turned)
    except Unfit:
        return Outcome((), 0, len(trial.seeds))
    levels: list[tuple[int, Metrics]] = []
    rejected = 0
    for done, seed in enumerate(trial.seeds):
        code = replace(trial.code, recipe=trial.name, version=1, seed=seed)
        try:
            level = exhaust(grow(code, recipe, digests=False))
        except BuildFailed:
            return Outcome(tuple(levels), rejected, len(trial.seeds) - done)
        except Exception:  # noqa: BLE001 - a step may break on numbers nobody would write
            return Outcome(tuple(levels), rejected, len(trial.seeds) - done)
        rejected += len(level.rejected)
        levels.append((seed, measure(level)))
    return Outcome(tuple(levels), rejected, 0)


@dataclass(frozen=True)
class Wish:
    """What levels should be: near ``goals``, and such that ``where`` holds, if it says anything."""

    goals: dict[str, float]
    where: str

    def cost(self, outcome: Outcome, width: int, height: int) -> float:
        """Return how far from the wish a trial's levels are: 0 if every one is as wished.

        That is their mean distance, 1 at most, and the shares of levels of which the condition is
        not true, and of builds that were rejected. What could not be built is as far as can be.
        """
        away = [self.away(metrics, width, height) for _, metrics in outcome.levels]
        misses = [not self.holds(metrics) for _, metrics in outcome.levels]
        count = len(away) + outcome.failed
        lost = outcome.failed * (1 + bool(self.where) + 1)
        return float(sum(away) + sum(misses) + lost) / count + outcome.rejections

    def away(self, metrics: Metrics, width: int, height: int) -> float:
        """Return how far from the goals a level is, 0 to 1."""
        goal, columns = target(self.goals, width, height)
        if not columns:
            return 0.0
        apart = point(metrics, width, height)[columns] - goal
        return float(np.linalg.norm(apart) / len(columns) ** 0.5)

    def holds(self, metrics: Metrics) -> bool:
        """Whether the condition is true of a level, or there is none."""
        return not self.where or condition(self.where, NAMES).holds(values(metrics))

    def nearest(self, outcome: Outcome, width: int, height: int, count: int) -> Sequence[int]:
        """Return the seeds of the levels that are nearest to what is wished for."""
        ranked = sorted(
            outcome.levels,
            key=lambda one: (not self.holds(one[1]), self.away(one[1], width, height)),
        )
        return [seed for seed, _ in ranked[:count]]
