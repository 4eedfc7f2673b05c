"""Statistics of a recipe's levels: percentiles, quality, diversity, the most typical level."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from entities.wording import pluralise
from procgen.level_code import LevelCode
from procgen.metric_query import parse_condition
from procgen.metrics import SHAPE, format_metric
from procgen.recipe_builder import ATTEMPTS
from procgen.settings import recipe_for_code
from workbench.search.metric_space import (
    Points,
    mean_distances,
    metric_table,
    most_typical,
    most_unusual,
    normalize,
)
from workbench.search.search_jobs import METRIC_NAMES, JobResult
from workbench.survey.parameter_curves import ParameterCurve, controllability

PERCENTILES = (5, 50, 95)
"""The percentiles that are shown."""
SEARCHED = 20_000
"""The number of levels, the first ones, among which the most typical and unusual are sought."""
LOW_DIVERSITY = 0.04
"""The mean distance between two levels below which a recipe is said to vary little."""
ALIKE = 1.2
"""Two recipes are alike if the mean distance between a level of each is less than this many times
that between two levels of one."""
COMPARED = 300
"""Levels of each recipe that are compared; every pair of them is one distance."""


@dataclass(frozen=True, eq=False)
class RecipeStatistics:
    """The levels of one recipe: ``metrics`` as measured, a row for each of ``seeds``.

    ``rejected`` counts the rejected builds of levels that were built in the end; ``curves`` is
    None unless they were asked for.
    """

    code: LevelCode
    seeds: NDArray[np.uint64]
    metrics: Points
    failed: tuple[str, ...] = ()
    rejected: int = 0
    curves: Sequence[ParameterCurve] | None = None

    @property
    def name(self) -> str:
        """The recipe's name, with its overlays and settings."""
        return self.code.variant

    @property
    def normalized(self) -> Points:
        """The metrics of the `SHAPE` scaled to 0..1, so that their distances are comparable."""
        return normalize(self.metrics, self.code.width, self.code.height)[:, SHAPE]

    @property
    def builds(self) -> int:
        """The number of builds, at least 1: those of the levels and those that were rejected."""
        return max(1, len(self.seeds) + self.rejected + ATTEMPTS * len(self.failed))

    @cached_property
    def quality(self) -> float | None:
        """The share of builds that break no invariant and meet the recipe's ``wishes``.

        Wishes count rooms and steps in levels of the recipe's own size: for another, or without
        wishes, it is None. (Khalifa et al., "The procedural content generation benchmark", 2025.)
        """
        recipe, size = recipe_for_code(self.code), (self.code.width, self.code.height)
        if not recipe.wishes or size != recipe.size:
            return None
        wishes = parse_condition(recipe.wishes, METRIC_NAMES)
        rows = (dict(zip(METRIC_NAMES, row, strict=True)) for row in self.metrics.tolist())
        return sum(map(wishes.holds, rows)) / self.builds

    @cached_property
    def distances(self) -> Points:
        """The `mean_distances` of the levels; their mean is the diversity."""
        return mean_distances(self.normalized)

    @property
    def diversity(self) -> float:
        """The mean distance of two levels, 0 if all are alike (Smith and Whitehead, 2010)."""
        return float(self.distances.mean())

    @property
    def intervals(self) -> dict[str, list[float] | None]:
        """The 95% confidence intervals of quality (Wilson, 1927) and diversity (Hoeffding, 1948).

        Diversity varies as twice a level's mean distance does. Few levels have no interval of it.
        """
        share, part = self.quality or 0.0, 1.96**2 / self.builds
        half, count = (part * (share * (1 - share) + part / 4)) ** 0.5, len(self.seeds)
        ends = [(share + part / 2 + side) / (1 + part) for side in (-half, half)]
        spread = 2 * 1.96 * float(self.distances.std(ddof=1)) / count**0.5 if count > 9 else 0.0
        around = [self.diversity - spread, self.diversity + spread]
        return {
            "quality_interval": None if self.quality is None else ends,
            "diversity_interval": around if spread else None,
        }

    @cached_property
    def figures(self) -> dict[str, float | None]:
        """Quality, diversity and, if there are curves, controllability, by name."""
        last = {} if self.curves is None else {"controllability": controllability(self.curves)}
        return {"quality": self.quality, "diversity": self.diversity, **last}

    def typical(self) -> LevelCode:
        """Return the code of the level nearest to the median."""
        return self._code(most_typical(self.normalized[:SEARCHED]))

    def rarest(self) -> LevelCode:
        """Return the code of the level furthest from its nearest neighbours."""
        return self._code(most_unusual(self.normalized[:SEARCHED]))

    def _code(self, row: int) -> LevelCode:
        return replace(self.code, seed=int(self.seeds[row]))


def percentiles(rows: Points) -> Points:
    """Return the `PERCENTILES` of every column of one row or more, a row each."""
    return np.percentile(rows, PERCENTILES, axis=0)


StatisticsParts = dict[LevelCode, list[RecipeStatistics]]
"""The statistics of every job, by the code of its recipe."""


def add_results(parts: StatisticsParts, shares: Iterable[JobResult]) -> None:
    """Add ``shares`` to ``parts``; if interrupted, those added so far are kept."""
    for code, _, hits, failed, rejected in shares:
        seeds = np.array([seed for seed, _ in hits], np.uint64)
        rows = metric_table([metrics for _, metrics in hits])
        piece = RecipeStatistics(code, seeds, rows, tuple(failed), rejected)
        parts.setdefault(code, []).append(piece)


def merge_statistics(parts: StatisticsParts) -> list[RecipeStatistics]:
    """Return the statistics of every recipe that has results, in order of appearance."""
    return [
        RecipeStatistics(
            code,
            np.concatenate([piece.seeds for piece in pieces]),
            np.concatenate([piece.metrics for piece in pieces]),
            tuple(chain.from_iterable(piece.failed for piece in pieces)),
            sum(piece.rejected for piece in pieces),
        )
        for code, pieces in parts.items()
    ]


def separations(all_stats: Sequence[RecipeStatistics]) -> list[dict[str, Any]]:
    """Return a row for each pair of recipes that have two levels or more."""
    pairs = combinations([stats for stats in all_stats if len(stats.seeds) > 1], 2)
    names = ("generator", "other", "separation")
    return [dict(zip(names, (a.name, b.name, _separation(a, b)), strict=True)) for a, b in pairs]


def warnings(all_stats: Sequence[RecipeStatistics], pairs: Sequence[dict[str, Any]]) -> list[str]:
    """Return a sentence for each recipe that varies little and each of the pairs that is alike."""
    return [
        f"{stats.name} varies little: diversity {stats.diversity:.3f}, below {LOW_DIVERSITY}"
        for stats in all_stats
        if stats.diversity < LOW_DIVERSITY and len(stats.seeds) > 1
    ] + [
        f"{first} and {second} are alike: separation {ratio:.2f}, below {ALIKE}"
        for first, second, ratio in (pair.values() for pair in pairs)
        if ratio < ALIKE
    ]


def _separation(first: RecipeStatistics, second: RecipeStatistics) -> float:
    """Return the mean distance across two recipes over that within them (Szekely, Rizzo, 2013)."""
    rows, others = first.normalized[:COMPARED], second.normalized[:COMPARED]
    across = np.abs(rows[:, None] - others[None]).mean()
    within = (first.diversity + second.diversity) / 2
    return float(across / within) if within else float("inf") if across else 1.0


def rank_correlations(all_stats: Sequence[RecipeStatistics]) -> Points:
    """Return Spearman's (1904) rank correlation of all pairs of metrics.

    Ranks are taken within each generator, so that differences between generators do not count.
    """
    from scipy.stats import rankdata  # noqa: PLC0415 - heavy

    ranks = [rankdata(stats.metrics, axis=0) for stats in all_stats]
    rows = np.concatenate([(rows - rows.mean(axis=0)) / len(rows) for rows in ranks])
    lengths = np.sqrt((rows**2).sum(axis=0))
    lengths[lengths == 0] = 1.0
    correlations: Points = (rows / lengths).T @ (rows / lengths)
    return correlations


def statistics_table(stats: RecipeStatistics) -> Table:
    """Return the percentiles of every metric of a recipe, and its figures, as a table."""
    width, height = stats.code.width, stats.code.height
    title = f"{stats.name} {width}x{height}, {pluralise(len(stats.seeds), 'level')}"
    table = Table("metric", title=title, title_justify="left", title_style="bold")
    for name in ("5%", "median", "95%"):
        table.add_column(name, justify="right")
    for name, column in zip(METRIC_NAMES, percentiles(stats.metrics).T, strict=True):
        table.add_row(name, *(format_metric(name, value) for value in column))
    table.add_section()
    for name, value in stats.figures.items():
        levels = f"N={stats.curves[0].levels}" if name == "controllability" and stats.curves else ""
        table.add_row(name, "", format_figure(name, value), levels)
    return table


def format_figure(name: str, value: float | None) -> str:
    """Return one of the `RecipeStatistics.figures` as text."""
    if value is None:
        return "-"
    return f"{value:.3f}" if name == "diversity" else f"{value:.0%}"


def ranking_rows(all_stats: Sequence[RecipeStatistics]) -> list[dict[str, Any]]:
    """Return a row for each recipe, the most varied first."""
    return [
        {
            "generator": stats.name,
            "size": f"{stats.code.width}x{stats.code.height}",
            "levels": len(stats.seeds),
            **stats.figures,
            **stats.intervals,
            "most_typical": str(stats.typical()),
            "rarest": str(stats.rarest()),
        }
        for stats in sorted(all_stats, key=lambda recipe: -recipe.diversity)
    ]
