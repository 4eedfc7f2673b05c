"""Metric space: levels as points, with every metric scaled to 0..1, and distances."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from procgen.metrics import Metrics, metric_scales, position
from workbench.search.search_jobs import METRIC_NAMES, Hit

Points = NDArray[np.float64]
"""One row per level, one column per metric in the order of `METRIC_NAMES`."""


def metric_table(levels: Sequence[Metrics]) -> Points:
    """Return the metrics of ``levels``, not scaled."""
    rows = [[getattr(metrics, name) for name in METRIC_NAMES] for metrics in levels]
    return np.array(rows, np.float64).reshape(-1, len(METRIC_NAMES))


def normalize(table: Points, width: int, height: int) -> Points:
    """Scale metrics to 0..1, with 1/2 at the typical value for the size.

    x / (x + typical) flattens large values, so that no metric dominates the distance.
    """
    scales = [metric_scales()[name] for name in METRIC_NAMES]
    above: Points = np.maximum(table - [float(scale.least) for scale in scales], 0)
    return above / (above + [scale.typical_in(width, height) for scale in scales])


def normalize_level(metrics: Metrics, width: int, height: int) -> Points:
    """Return the metrics of one level, scaled by `normalize`: a point of `METRIC_NAMES` numbers."""
    row: Points = normalize(metric_table([metrics]), width, height)[0]
    return row


def distance_from(goals: Mapping[str, float], hit: Hit) -> float:
    """Return the distance of a level from ``goals`` (values of metrics by name): 0 to 1."""
    size = hit.code.width, hit.code.height
    targets = [position(name, goal, *size) for name, goal in goals.items()]
    reached = [position(name, getattr(hit.metrics, name), *size) for name in goals]
    differences = np.subtract(reached, targets)
    return float(np.linalg.norm(differences) / max(1, len(differences)) ** 0.5)


def mean_distances(points: Points) -> Points:
    """Return each level's mean distance from all others, the mean absolute difference of a metric.

    The mean of these is the Gini mean difference: 0 if all levels are alike.
    """
    order, count = points.argsort(axis=0), len(points)
    rows = np.take_along_axis(points, order, axis=0) - points.min(axis=0)
    weights = 2 * np.arange(1, count + 1)[:, None] - count
    sums = rows.sum(axis=0) + weights * rows - 2 * rows.cumsum(axis=0)
    means: Points = np.take_along_axis(sums, order.argsort(axis=0), axis=0).mean(axis=1)
    return np.maximum(means, 0) / max(1, count - 1)


def farthest_points(points: Points, count: int) -> list[int]:
    """Return up to ``count`` rows of ``points`` that are far apart, the most unusual first.

    There must be at least one row. (Gonzalez, "Clustering to minimize the maximum intercluster
    distance", 1985: always add the point furthest from all chosen ones.)
    """
    chosen: list[int] = []
    columns = np.ascontiguousarray(points.T)  # Long rows are summed four times as fast.
    nearest = ((columns - columns.mean(axis=1)[:, None]) ** 2).sum(axis=0)
    while len(chosen) < min(count, len(points)):
        row = int(nearest.argmax())
        distance = ((columns - columns[:, row, None]) ** 2).sum(axis=0)
        nearest = np.minimum(nearest, distance) if chosen else distance
        nearest[row] = -1
        chosen.append(row)
    return chosen


def most_typical(points: Points) -> int:
    """Return the row nearest to the median."""
    spans = np.maximum(points.std(axis=0), 1e-9)
    return int((((points - np.median(points, axis=0)) / spans) ** 2).sum(axis=1).argmin())


def most_unusual(points: Points) -> int:
    """Return the row whose fifth nearest neighbour is furthest away."""
    from scipy.spatial import KDTree  # noqa: PLC0415 - heavy

    spans = np.maximum(points.std(axis=0), 1e-9)
    distances, _ = KDTree(points / spans).query(points / spans, k=[min(1 + 5, len(points))])
    return int(np.asarray(distances).argmax())
