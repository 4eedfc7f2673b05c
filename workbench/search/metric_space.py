"""Metric space: levels as points, with every metric scaled to 0..1, and distances."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from procgen.metrics import Metrics, metric_scales
from workbench.search.search_jobs import METRIC_NAMES

Points = NDArray[np.float64]
"""One row a level, one column a metric in the order of `METRIC_NAMES`."""


def metric_table(levels: Sequence[Metrics]) -> Points:
    """Return the metrics of ``levels`` as they are."""
    rows = [[getattr(metrics, name) for name in METRIC_NAMES] for metrics in levels]
    return np.array(rows, np.float64).reshape(-1, len(METRIC_NAMES))


def normalize(figures: Points, width: int, height: int) -> Points:
    """Scale metrics to 0..1, with 1/2 at the typical value for the size.

    x / (x + typical) flattens large values, so that no metric dominates the distance.
    """
    usual, least = typical_values(width, height)
    above: Points = np.maximum(figures - least, 0)
    where: Points = above / (above + usual)
    return where


def normalize_level(metrics: Metrics, width: int, height: int) -> Points:
    """Return where one level stands."""
    row: Points = normalize(metric_table([metrics]), width, height)[0]
    return row


def target_point(goals: Mapping[str, float], width: int, height: int) -> tuple[Points, list[int]]:
    """Return where a level with the wished metrics would stand, and which metrics those are."""
    columns = [METRIC_NAMES.index(name) for name in goals]
    figures = np.zeros((1, len(METRIC_NAMES)))
    figures[0, columns] = list(goals.values())
    return normalize(figures, width, height)[0, columns], columns


def typical_values(width: int, height: int) -> tuple[Points, Points]:
    """Return each metric's typical and lowest value in levels of this size: float [metric]."""
    scales = [metric_scales()[name] for name in METRIC_NAMES]
    usual = [scale.typical_in(width, height) for scale in scales]
    return np.array(usual), np.array([float(scale.least) for scale in scales])


def mean_differences(where: Points) -> Points:
    """Return the mean absolute difference of two levels, for each metric (Gini mean difference)."""
    count = len(where)
    if count < 2:
        return np.zeros(where.shape[1])
    weights = 2 * np.arange(count) - count + 1
    sums = (weights[:, None] * np.sort(where, axis=0)).sum(axis=0)
    apart: Points = np.maximum(sums, 0) * 2 / (count * (count - 1))
    return apart


def variety(where: Points) -> float:
    """Return how far two levels stand apart on average, over all metrics: 0 if all are alike."""
    return float(mean_differences(where).mean())


def farthest_points(where: Points, count: int) -> list[int]:
    """Return up to ``count`` rows that are far apart, the most unusual first.

    (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985: always add
    the point furthest from all chosen ones.)
    """
    chosen: list[int] = []
    if not len(where):
        return chosen
    columns = np.ascontiguousarray(where.T)  # Long rows sum four times as fast.
    nearest = ((columns - columns.mean(axis=1)[:, None]) ** 2).sum(axis=0)
    while len(chosen) < min(count, len(where)):
        row = int(nearest.argmax())
        apart = ((columns - columns[:, row, None]) ** 2).sum(axis=0)
        nearest = np.minimum(nearest, apart) if chosen else apart
        nearest[row] = -1
        chosen.append(row)
    return chosen


def most_typical(where: Points) -> int:
    """Return the row nearest to the median."""
    spans = np.maximum(where.std(axis=0), 1e-9)
    return int((((where - np.median(where, axis=0)) / spans) ** 2).sum(axis=1).argmin())


def most_unusual(where: Points, neighbours: int = 5) -> int:
    """Return the row whose nearest ``neighbours`` are the furthest away."""
    from scipy.spatial import KDTree  # noqa: PLC0415 - heavy

    spans = np.maximum(where.std(axis=0), 1e-9)
    count = min(neighbours + 1, len(where))
    apart, _ = KDTree(where / spans).query(where / spans, k=[count])
    return int(np.asarray(apart).argmax())
