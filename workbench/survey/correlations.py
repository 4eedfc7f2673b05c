"""Correlations between the metrics of a generator's levels."""

from collections.abc import Sequence

import numpy as np

from workbench.search.metric_space import Points
from workbench.search.search_jobs import METRIC_NAMES
from workbench.survey.recipe_statistics import RecipeStatistics
from workbench.survey.survey_charts import part

WIDE, HIGH, LEFT = 40, 24, 84
"""Size of a cell, and the room for names on the left."""
LEAST = 0.005
"""Smaller correlations are shown as 0."""


def rank_correlations(all_stats: Sequence[RecipeStatistics]) -> Points:
    """Return Spearman's rank correlation of all pairs of metrics.

    Ranks are taken within each generator, so that differences between generators do not count.
    (Spearman, "The proof and measurement of association between two things", 1904.)
    """
    parts = [ranks(stats.metrics) for stats in all_stats]
    rows = np.concatenate(parts) if parts else np.zeros((0, len(METRIC_NAMES)))
    lengths = np.sqrt((rows**2).sum(axis=0))
    lengths[lengths == 0] = 1.0
    found: Points = (rows / lengths).T @ (rows / lengths)
    return found


def ranks(figures: Points) -> Points:
    """Return every column's ranks, -1/2 to 1/2 about their mean; of equals, the middle one."""
    found = np.zeros(figures.shape)
    for column, values in enumerate(figures.T):
        _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
        middles = counts.cumsum() - (counts + 1) / 2
        found[:, column] = (middles[which] - middles[which].mean()) / max(1, len(values))
    return found


def correlation_chart(together: Points) -> str:
    """Return the lower triangle of the correlation matrix as SVG."""
    count = len(METRIC_NAMES)
    width, height = LEFT + count * WIDE + 30, count * HIGH
    parts = []
    for row, name in enumerate(METRIC_NAMES):
        y = row * HIGH
        said = name.replace("_", " ")
        if row < count - 1:
            parts.append(part("stair_name", x=LEFT + row * WIDE + 6, y=y + 16, name=said))
        if row:
            parts.append(part("stair_row", x=LEFT - 6, y=y + 16, name=said))
        parts += [
            _cell(together[row, column], column, y, f"{said}, {METRIC_NAMES[column]}")
            for column in range(row)
        ]
    return part("stairs", width=width, height=height, inside="".join(parts))


def _cell(bond: float, column: int, y: int, title: str) -> str:
    x = LEFT + column * WIDE
    return part(
        "bond",
        place=part("place", x=x, y=y, width=WIDE - 1, height=HIGH - 1),
        kind="heat" if bond > 0 else "cool",
        strength=min(1.0, abs(bond)),
        title=title.replace("_", " "),
        shown=f"{bond:+.2f}".replace("0.", ".").replace("-", "−") if abs(bond) >= LEAST else "0",
        x=x + WIDE / 2 - 0.5,
        y=y + 16,
    )
