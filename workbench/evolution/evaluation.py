"""The parameters of a recipe that evolution may change, and the fitness of its levels as a cost."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import floor, log10
from typing import NamedTuple

from msgspec.inspect import FloatType, IntType
from msgspec.structs import asdict

from procgen.level_code import LevelCode
from procgen.metric_query import parse_condition
from procgen.metrics import SHAPE, Metrics
from procgen.recipe_parameters import InvalidParameter, parameter_value, parameters_of, with_value
from procgen.recipes import Recipe
from procgen.settings import InvalidSetting, raw_recipe, settings_of
from procgen.step_registry import Parameter
from workbench.search.metric_space import distance_from
from workbench.search.search_jobs import METRIC_NAMES, JobResult

RANGE_FACTOR, RANGE_MORE = 3, 4
"""The limits of a wide range: the value divided and multiplied by the first, or the second more."""
WIDE = 16
"""A range wider than this is narrowed to the limits around the recipe's own value."""
NOTCHES = 100
"""The approximate number of steps in the range of a float parameter."""

RANGE_WORDS = {"min": "max", "smallest": "largest", "least": "most", "low": "high"}
"""Words in the names of the two ends of a range: the first must not exceed the second."""

ParameterChange = tuple[int, str, float]
"""The index of a step in the recipe, a parameter of the step, and a value."""
ParameterChanges = tuple[ParameterChange, ...]


class TunableNumber(NamedTuple):
    """A number of a recipe: ``initial`` there, ``low`` to ``high`` in steps of ``step``."""

    parameter: Parameter
    initial: float
    low: float
    high: float
    step: float

    def at(self, share: float) -> float:
        """Return the value at ``share`` (0 to 1) of the range, rounded to a step."""
        exact = self.low + min(1.0, max(0.0, share)) * (self.high - self.low)
        notches = round((exact - self.initial) / self.step)
        if not notches:
            return self.initial  # It may have more digits than a step.
        changes = min(self.high, max(self.low, self.initial + notches * self.step))
        return round(changes) if self.step == 1 else round(changes, 6)

    @property
    def place(self) -> float:
        """The initial value as a share of the range, 0 to 1."""
        return (self.initial - self.low) / (self.high - self.low)


def tunable_numbers(recipe: Recipe) -> list[TunableNumber]:
    """Return every number of every step that can vary."""
    numeric = (p for p in parameters_of(recipe) if isinstance(p.kind, (IntType, FloatType)))
    numbers = [_tunable_number(p, parameter_value(recipe, p)) for p in numeric]
    return [number for number in numbers if number.low < number.high]


def _tunable_number(parameter: Parameter, value: float) -> TunableNumber:
    assert isinstance(parameter.kind, (IntType, FloatType))
    is_int, (low, high) = isinstance(parameter.kind, IntType), parameter.bounds
    if high - low > WIDE:
        low = max(low, value / RANGE_FACTOR)
        high = min(high, max(RANGE_FACTOR * value, value + (RANGE_MORE if is_int else 1 - value)))
    if is_int:
        return TunableNumber(parameter, value, max(parameter.bounds[0], floor(low)), floor(high), 1)
    step = 10.0 ** floor(log10(max(1e-6, high - low) / NOTCHES * 1.001))
    low, high = round(floor(low / step) * step, 6), round(high, 6)
    if parameter.kind.gt is not None and low <= parameter.kind.gt:
        low = parameter.kind.gt + step
    return TunableNumber(parameter, value, low, high, step)


def parameter_changes(
    numbers: Sequence[TunableNumber], shares: Iterable[float]
) -> ParameterChanges:
    """Return the changes that set ``numbers`` to ``shares`` of their ranges, without no-ops."""
    changes = [(number, number.at(share)) for number, share in zip(numbers, shares, strict=True)]
    changed = [(number.parameter, value) for number, value in changes if value != number.initial]
    return tuple((parameter.step_index, parameter.name, value) for parameter, value in changed)


def varied_code(code: LevelCode, recipe: Recipe, changes: ParameterChanges) -> LevelCode | None:
    """Return ``code`` with ``changes`` to its ``recipe``; None if no level code can have them."""
    try:
        settings = settings_of(raw_recipe(recipe), variant(recipe, recipe.name, changes))
    except (InvalidParameter, InvalidSetting):
        return None
    return replace(code, settings=settings)


def variant(recipe: Recipe, name: str, changes: ParameterChanges) -> Recipe:
    """Return ``recipe`` with ``changes``, called ``name``; raise `InvalidParameter` if invalid."""
    varied = recipe
    known = {(p.step_index, p.name): p for p in parameters_of(recipe)}
    for index, parameter, value in changes:
        varied = with_value(varied, known[index, parameter], value)
    if upside_down := _inverted_ranges(varied) - _inverted_ranges(recipe):
        names = ", ".join(sorted(upside_down))
        raise InvalidParameter(f"{names}: the lower end is above the upper end")
    return replace(varied, name=name, version=1, streams_of=recipe.streams_of or recipe.name)


def _inverted_ranges(recipe: Recipe) -> set[str]:
    """Return the lower ends of ranges, by step and name, that exceed their upper ends."""
    inverted = set()
    for label, numbers in recipe.parameters().items():
        for name, number in numbers.items():
            for low, high in RANGE_WORDS.items():
                words = [high if word == low else word for word in name.split("_")]
                other = numbers.get("_".join(words))
                if isinstance(other, (int, float)) and float(number) > other:
                    inverted.add(f"{label}.{name}")
    return inverted


class Objective(NamedTuple):
    """The target: metrics near ``goals`` and, if there is one, the condition ``where``."""

    goals: dict[str, float]
    where: str

    def cost(self, outcome: JobResult) -> float:
        """Return the cost of the levels in ``outcome``; 0 is the best.

        It is the sum of the mean distance from the goals (at most 1), the share of levels that
        violate the condition and the share of rejected builds. Failed seeds get the highest cost.
        """
        away = [distance_from(self.goals, hit) for hit in outcome.found()]
        misses = [not self.holds(metrics) for _, metrics in outcome.hits]
        lost = len(outcome.failed) * (1 + bool(self.where) + 1)
        return float(sum(away) + sum(misses) + lost) / outcome.tried + rejections(outcome)

    def holds(self, metrics: Metrics) -> bool:
        """Return True if a level fulfils the condition, or if there is none."""
        return not self.where or parse_condition(self.where, METRIC_NAMES).holds(asdict(metrics))

    def measured(self, outcome: JobResult) -> list[tuple[float, ...]]:
        """Return, for each level, the metrics of its shape and those named in this objective."""
        named = parse_condition(self.where, METRIC_NAMES).names if self.where else ()
        names = [*METRIC_NAMES[SHAPE], *self.goals, *sorted(named)]
        return [tuple(getattr(m, name) for name in names) for _, m in outcome.hits]

    def nearest(self, outcome: JobResult, count: int) -> Sequence[int]:
        """Return the seeds of the levels nearest to the goals."""
        ranked = list(outcome.found())
        ranked.sort(key=lambda hit: (not self.holds(hit.metrics), distance_from(self.goals, hit)))
        return [hit.code.seed for hit in ranked[:count]]


def rejections(outcome: JobResult) -> float:
    """Return the share of builds that were rejected."""
    return outcome.rejected / max(1, outcome.rejected + len(outcome.hits))
