"""Parameter curves: the effect of each parameter of a recipe on each metric; controllability.

One parameter is varied over its range in equal steps while all others are fixed, and some levels
are measured at each value. (Cook, Colton, Gow and Smith, "General analytical techniques for
parameter-based procedural content generators", 2019, as in their tool Danesh.)
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from procgen.level_code import LevelCode
from procgen.metrics import SHAPE
from procgen.recipe_parameters import idle_parameters
from procgen.settings import recipe_for_code
from workbench.evolution.evaluation import parameter_changes, tunable_numbers, varied_code
from workbench.search.metric_space import Points
from workbench.search.search_jobs import METRIC_NAMES

VALUES = 6
"""Values of a parameter that are tried, a fifth of its range apart, besides the recipe's own."""
SIGNIFICANT = 0.001
"""The significance level at which a parameter is said to affect a metric."""


class ParameterCurve(msgspec.Struct, frozen=True):
    """A metric at the ``values`` of a parameter: means and quartiles of ``levels`` levels each."""

    parameter: str
    metric: str
    explained: float
    smoothness: float
    baseline: float
    levels: int
    values: list[float]
    means: list[float]
    quartiles: list[list[float]]


def parameter_sweeps(code: LevelCode) -> dict[str, dict[float, LevelCode]]:
    """Return the code with each value of each parameter that can vary and has an effect.

    Parameters are named STEP.PARAMETER. Values that contradict other parameters are left out.
    """
    recipe, sweeps = recipe_for_code(code), {}
    idle = idle_parameters(recipe)
    for number in tunable_numbers(recipe):
        if (number.parameter.step_index, number.parameter.name) not in idle:
            shares = sorted({*np.linspace(0, 1, VALUES).tolist(), number.place})
            changes = {number.at(share): parameter_changes([number], [share]) for share in shares}
            codes = {value: varied_code(code, recipe, change) for value, change in changes.items()}
            name = f"{recipe.steps[number.parameter.step_index].label}.{number.parameter.name}"
            sweeps[name] = {value: varied for value, varied in codes.items() if varied}
    return sweeps


def parameter_curves(code: LevelCode, measured: Mapping[LevelCode, Points]) -> list[ParameterCurve]:
    """Return a curve for each parameter and metric, given the metrics of levels by code."""
    curves = []
    for name, codes in parameter_sweeps(code).items():
        values = [value for value, varied in codes.items() if varied in measured]
        if len(values) > 1:
            levels = [measured[codes[value]] for value in values]
            baseline = next(value for value, varied in codes.items() if varied == code)
            count = len(levels[0])
            means = np.array([rows.mean(axis=0) for rows in levels])
            halves = np.array([np.percentile(rows, (25, 75), axis=0) for rows in levels]).T
            shares, even = explained_variance(levels).tolist(), smoothness(values, means).tolist()
            curves += [
                ParameterCurve(name, metric, share, smooth, baseline, count, values, mean, half)
                for metric, share, smooth, mean, half in zip(
                    METRIC_NAMES, shares, even, means.T.tolist(), halves.tolist(), strict=True
                )
            ]
    return curves


def explained_variance(levels: Sequence[Points]) -> Points:
    """Return the share of each metric's variance that comes from a parameter, 0 for chance.

    ``levels`` are those at each of its values. It is epsilon squared of a one-way analysis of
    variance if the F test is `SIGNIFICANT`. (Kelley, "An unbiased correlation ratio measure", 1935)
    """
    from scipy.special import fdtrc  # noqa: PLC0415 - heavy

    rows = np.concatenate(levels)
    free, rest = len(levels) - 1, len(rows) - len(levels)
    total = rows.var(axis=0) * len(rows)
    within = sum(part.var(axis=0) * len(part) for part in levels)
    moved, noise = np.maximum(total - within, 0), np.maximum(within, 1e-9) / max(1, rest)
    share = (moved - free * noise) / np.maximum(total, 1e-9)
    return np.where(fdtrc(free, rest, moved / free / noise) < SIGNIFICANT, share, 0.0)


def smoothness(values: Sequence[float], means: Points) -> Points:
    """Return how evenly a parameter changes the mean of each metric: 1 for a straight line.

    It is the square of the mean slope divided by the mean of the squared slopes: 1/5 if all change
    is in one of five steps, 0 for a curve that returns to its first value or is constant.
    """
    widths = np.diff(values)
    slopes = np.diff(means, axis=0) / widths[:, None]
    even, square = (np.average(rows, axis=0, weights=widths) for rows in (slopes, slopes**2))
    return np.divide(even**2, square, out=np.zeros_like(even), where=square > 0)


def controllability(curves: Iterable[ParameterCurve]) -> float:
    """Return the share of a metric's variance that its best parameter explains, averaged.

    The mean is over the metrics of the shape. It says how well a metric can be set by setting a
    parameter: 0 if parameters affect no metric more than seeds do, 1 if they determine all of
    them. (Controllability as in Khalifa et al., "The procedural content generation benchmark",
    2025; the share is a first-order sensitivity index, Sobol 1993, around the recipe's own values.)
    """
    best = dict.fromkeys(METRIC_NAMES[SHAPE], 0.0)
    for curve in curves:
        if curve.metric in best:
            best[curve.metric] = max(best[curve.metric], curve.explained)
    return sum(best.values()) / len(best)
