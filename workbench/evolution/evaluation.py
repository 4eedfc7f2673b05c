"""The parameters of a recipe that evolution may change, and the evaluation of trials."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import floor, log10
from typing import NamedTuple

import numpy as np
from msgspec.inspect import FloatType, IntType

from procgen.build import build_in_stages
from procgen.level_code import LevelCode
from procgen.metric_query import parse_condition
from procgen.metrics import SHAPE, Metrics, measure
from procgen.progress import run_to_end
from procgen.recipe_builder import BuildFailed
from procgen.recipe_parameters import (
    InvalidParameter,
    Parameter,
    parameter_value,
    parameters_of,
    with_value,
)
from procgen.recipes import Recipe, find_recipe
from workbench.search.metric_space import normalize_level, target_point
from workbench.search.search_jobs import (
    METRIC_NAMES,
    OtherRecipes,
    metric_values,
    recipe_fingerprint,
)

REACH, ROOM = 3, 4
"""A number of a wide range may be divided or multiplied by the first, or grow by the second."""
WIDE = 16
"""A range wider than this is narrowed to `REACH` around the recipe's own value."""
NOTCHES = 100
"""Number of steps, roughly, in the range of a float parameter."""

RANGE_WORDS = {"min": "max", "smallest": "largest", "least": "most", "low": "high"}
"""Words in names of parameters that are the ends of a range: the first must not be above."""

ParameterChange = tuple[int, str, float]
"""A step's place in the recipe, a parameter of it, and a value."""
ParameterChanges = tuple[ParameterChange, ...]


@dataclass(frozen=True)
class TunableNumber:
    """A number of a recipe, ``own`` as written; ``low`` to ``high``, in steps of ``notch``."""

    knob: Parameter
    own: float
    low: float
    high: float
    step: float

    def at(self, share: float) -> float:
        """Return the value at ``share`` (0 to 1) of the range, rounded to a step."""
        wanted = self.low + min(1.0, max(0.0, share)) * (self.high - self.low)
        notches = round((wanted - self.own) / self.step)
        changes = min(self.high, max(self.low, self.own + notches * self.step))
        return round(changes) if self.step == 1 else round(changes, 6)

    @property
    def place(self) -> float:
        """The recipe's own value as a share of the range, 0 to 1."""
        return (self.own - self.low) / (self.high - self.low)

    @property
    def step_share(self) -> float:
        """A step as a share of the range."""
        return self.step / (self.high - self.low)


def tunable_numbers(recipe: Recipe) -> list[TunableNumber]:
    """Return every number of every step that can vary."""
    found = []
    for knob in parameters_of(recipe):
        own = parameter_value(recipe, knob)
        if isinstance(knob.kind, (IntType, FloatType)) and not isinstance(own, bool):
            found.append(_tunable_number(knob, own))
    return [dial for dial in found if dial.low < dial.high]


def _tunable_number(knob: Parameter, own: float) -> TunableNumber:
    assert isinstance(knob.kind, (IntType, FloatType))
    whole, (low, high) = isinstance(knob.kind, IntType), knob.bounds
    if high - low > WIDE:
        low = max(low, own / REACH)
        high = min(high, max(REACH * own, own + (ROOM if whole else 1 - own)))
    if whole:
        return TunableNumber(knob, own, max(knob.bounds[0], floor(low)), floor(high), 1)
    step = 10.0 ** floor(log10(max(1e-6, high - low) / NOTCHES * 1.001))
    low, high = round(floor(low / step) * step, 6), round(high, 6)
    if knob.kind.gt is not None and low <= knob.kind.gt:
        low = knob.kind.gt + step
    return TunableNumber(knob, own, low, high, step)


def parameter_changes(
    numbers: Sequence[TunableNumber], shares: Iterable[float]
) -> ParameterChanges:
    """Return what to change for ``numbers`` at ``shares`` of their ranges, own values left out."""
    changes = [(number, number.at(share)) for number, share in zip(numbers, shares, strict=True)]
    return tuple(
        (number.knob.place, number.knob.name, value)
        for number, value in changes
        if value != number.own
    )


def variant(recipe: Recipe, name: str, turned: ParameterChanges) -> Recipe:
    """Return ``recipe`` under another name, with changed; raise `InvalidParameter` if invalid."""
    found = recipe
    known = {(knob.place, knob.name): knob for knob in parameters_of(recipe)}
    for place, parameter, number in turned:
        if (place, parameter) not in known:
            raise InvalidParameter(
                f"{recipe.name} has no parameter {parameter} in its step {place}"
            )
        found = with_value(found, known[place, parameter], number)
    upside_down = _inverted_ranges(found) - _inverted_ranges(recipe)
    if upside_down:
        raise InvalidParameter(
            f"{', '.join(sorted(upside_down))}: the lower end is above the upper end"
        )
    return replace(found, name=name, version=1, streams_of=recipe.streams_of or recipe.name)


def _inverted_ranges(recipe: Recipe) -> set[str]:
    """Return the lower ends of ranges, by step and name, that are above the upper ends."""
    found = set()
    for label, numbers in recipe.parameters().items():
        for name, number in numbers.items():
            for low, high in RANGE_WORDS.items():
                words = [high if word == low else word for word in name.split("_")]
                other = numbers.get("_".join(words))
                if isinstance(other, (int, float)) and float(number) > other:
                    found.add(f"{label}.{name}")
    return found


@dataclass(frozen=True)
class Trial:
    """Levels to build: ``seeds`` of the recipe of ``code`` with ``changes``, under ``name``."""

    code: LevelCode
    name: str
    changes: ParameterChanges
    seeds: range
    recipe: str


class TrialResult(NamedTuple):
    """The result of a trial: levels by seed, rejected builds, failed seeds."""

    levels: tuple[tuple[int, Metrics], ...]
    rejected: int
    failed: int

    @property
    def rejections(self) -> float:
        """The share of builds that were rejected."""
        return self.rejected / max(1, self.rejected + len(self.levels))


def run_trial(trial: Trial) -> TrialResult:
    """Build and measure the levels of ``trial``; after one that cannot be built, no more.

    Raises `OtherRecipes` on a machine whose recipe is another.
    """
    if recipe_fingerprint(trial.code.recipe, trial.code.version) != trial.recipe:
        name = trial.code.recipe
        raise OtherRecipes(f"a worker knows another recipe {name}; give it this version")
    original = find_recipe(trial.code.recipe, trial.code.version)
    try:
        recipe = variant(original, trial.name, trial.changes)
    except InvalidParameter:
        return TrialResult((), 0, len(trial.seeds))
    levels: list[tuple[int, Metrics]] = []
    rejected = 0
    for done, seed in enumerate(trial.seeds):
        code = replace(trial.code, recipe=trial.name, version=1, seed=seed)
        try:
            level = run_to_end(build_in_stages(code, recipe, digests=False))
        except BuildFailed:
            return TrialResult(tuple(levels), rejected, len(trial.seeds) - done)
        except Exception:  # noqa: BLE001 - a step may raise for unusual numbers
            return TrialResult(tuple(levels), rejected, len(trial.seeds) - done)
        rejected += len(level.rejected)
        levels.append((seed, measure(level)))
    return TrialResult(tuple(levels), rejected, 0)


@dataclass(frozen=True)
class Objective:
    """The target: metrics near ``goals``, and the condition ``where`` if there is one."""

    goals: dict[str, float]
    where: str

    def cost(self, outcome: TrialResult, width: int, height: int) -> float:
        """Return the cost of a trial, 0 at best.

        It is the sum of the mean distance from the goals (at most 1), the share of levels that
        break the condition and the share of rejected builds. Failed seeds get the highest cost.
        """
        away = [self.away(metrics, width, height) for _, metrics in outcome.levels]
        misses = [not self.holds(metrics) for _, metrics in outcome.levels]
        count = len(away) + outcome.failed
        lost = outcome.failed * (1 + bool(self.where) + 1)
        return float(sum(away) + sum(misses) + lost) / count + outcome.rejections

    def away(self, metrics: Metrics, width: int, height: int) -> float:
        """Return how far from the goals a level is, 0 to 1."""
        goal, columns = target_point(self.goals, width, height)
        if not columns:
            return 0.0
        apart = normalize_level(metrics, width, height)[columns] - goal
        return float(np.linalg.norm(apart) / len(columns) ** 0.5)

    def holds(self, metrics: Metrics) -> bool:
        """Return True if the condition is true of a level, or there is none."""
        return not self.where or parse_condition(self.where, METRIC_NAMES).holds(
            metric_values(metrics)
        )

    def measured(self, outcome: TrialResult) -> list[tuple[float, ...]]:
        """Return of each level the metrics of its shape and those that this objective names."""
        named = parse_condition(self.where, METRIC_NAMES).names if self.where else ()
        names = [*METRIC_NAMES[SHAPE], *self.goals, *sorted(named)]
        return [tuple(getattr(m, name) for name in names) for _, m in outcome.levels]

    def nearest(self, outcome: TrialResult, width: int, height: int, count: int) -> Sequence[int]:
        """Return the seeds of the levels nearest to the goals."""
        ranked = sorted(
            outcome.levels,
            key=lambda one: (not self.holds(one[1]), self.away(one[1], width, height)),
        )
        return [seed for seed, _ in ranked[:count]]
