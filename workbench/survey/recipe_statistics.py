"""Statistics of a recipe's levels: percentiles, variety, the most typical and unusual level."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.columns import Columns
from rich.console import Console
from rich.table import Table

from procgen.level_code import LevelCode
from procgen.metrics import SHAPE, Metrics, is_share
from workbench.search.metric_space import (
    Points,
    metric_table,
    most_typical,
    most_unusual,
    normalize,
    variety,
)
from workbench.search.search_jobs import METRIC_NAMES, JobResult

PERCENTILES = (5, 50, 95)
"""The percentiles shown."""
SEARCHED = 20_000
"""Only the first so many levels are searched for the most typical and the most unusual."""


@dataclass(frozen=True, eq=False)
class RecipeStatistics:
    """The levels of one recipe: ``figures`` as measured, a row for each of ``seeds``."""

    code: LevelCode
    seeds: NDArray[np.uint64]
    metrics: Points
    failed: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The recipe's name, with its overlays."""
        return self.code.name

    @property
    def normalized(self) -> Points:
        """The metrics of the `SHAPE` scaled to 0..1, so that distances mean the same in each."""
        return normalize(self.metrics, self.code.width, self.code.height)[:, SHAPE]

    @property
    def variety(self) -> float:
        """The mean distance between two levels."""
        return variety(self.normalized)

    @property
    def percentiles(self) -> Points:
        """The 5th, 50th and 95th percentile, a row each, of every metric."""
        return percentiles(self.metrics)

    def typical(self) -> LevelCode:
        """Return the code of the level nearest to the median."""
        return self._code(most_typical(self.normalized[:SEARCHED]))

    def rarest(self) -> LevelCode:
        """Return the code of the level furthest from its nearest neighbours."""
        return self._code(most_unusual(self.normalized[:SEARCHED]))

    def _code(self, row: int) -> LevelCode:
        return replace(self.code, seed=int(self.seeds[row]))


def percentiles(rows: Points) -> Points:
    """Return the percentiles `PERCENTILES` of every column; 0 without rows."""
    if not len(rows):
        return np.zeros((len(PERCENTILES), len(METRIC_NAMES)))
    found: Points = np.percentile(rows, PERCENTILES, axis=0)
    return found


@dataclass
class StatisticsBuilder:
    """Collects job results for the statistics of one recipe."""

    code: LevelCode
    taken: list[tuple[NDArray[np.uint64], Points]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def add(self, share: JobResult) -> None:
        """Add the result of a job."""
        seeds = np.array([seed for seed, _ in share.hits], np.uint64)
        self.taken.append((seeds, metric_table([metrics for _, metrics in share.hits])))
        self.failed += share.failed

    def portrait(self) -> RecipeStatistics:
        """Return the statistics of everything added."""
        seeds = np.concatenate([seeds for seeds, _ in self.taken])
        figures = np.concatenate([figures for _, figures in self.taken])
        return RecipeStatistics(self.code, seeds, figures, tuple(self.failed))


StatisticsBuilders = dict[LevelCode, StatisticsBuilder]


def collect(builders: StatisticsBuilders, shares: Iterable[JobResult]) -> None:
    """Add ``shares`` to ``builders``; if interrupted, those added so far are kept."""
    for share in shares:
        builders.setdefault(share.code, StatisticsBuilder(share.code)).add(share)


def finished_statistics(builders: StatisticsBuilders) -> list[RecipeStatistics]:
    """Return the statistics of every recipe that has results, in order of appearance."""
    return [builder.portrait() for builder in builders.values() if builder.taken]


LOW_VARIETY = 0.04
"""Below this mean distance between two levels, a recipe is said to vary little."""
ALIKE = 1.2
"""Two recipes are alike if a level of each is, on average, hardly further apart than two levels of
one: less than this many times as far."""
COMPARED = 300
"""Levels of each recipe that are compared; every pair of them is one distance."""


def warnings(all_stats: Sequence[RecipeStatistics]) -> list[str]:
    """Return a sentence for each recipe that varies little and each pair that is alike."""
    measured = [stats for stats in all_stats if len(stats.seeds) > 1]
    found = [
        f"{stats.name} varies little: variety {stats.variety:.3f}, below {LOW_VARIETY}"
        for stats in measured
        if stats.variety < LOW_VARIETY
    ]
    for one, other in combinations(measured, 2):
        if (ratio := _separation(one, other)) < ALIKE:
            found.append(f"{one.name} and {other.name} are alike: separation {ratio:.2f} of 1")
    return found


def _separation(one: RecipeStatistics, other: RecipeStatistics) -> float:
    """Return the mean distance across two recipes over the mean distance within them.

    It is 1 for two samples of one distribution, as in the energy distance (Szekely and Rizzo,
    "Energy statistics", 2013).
    """
    rows, others = one.normalized[:COMPARED], other.normalized[:COMPARED]
    across = np.abs(rows[:, None] - others[None]).mean()
    within = (one.variety + other.variety) / 2
    return float(across / within) if within else float("inf") if across else 1.0


WHOLE = frozenset(name for name, kind in Metrics.__annotations__.items() if kind is int)


def format_percentile(name: str, value: float) -> str:
    """Format a percentile of the metric ``name``."""
    if is_share(name):
        return f"{value:.0%}"
    return f"{value:.0f}" if name in WHOLE else f"{value:.2f}"


def print_statistics(console: Console, all_stats: Sequence[RecipeStatistics]) -> None:
    """Print a table for each recipe."""
    console.print(Columns([_table(stats) for stats in all_stats], padding=(0, 1)))


def _table(stats: RecipeStatistics) -> Table:
    width, height = stats.code.width, stats.code.height
    title = f"{stats.name} {width}x{height}, {len(stats.seeds):,} levels"
    table = Table("metric", title=title, title_justify="left", title_style="bold")
    for name in ("5 %", "median", "95 %"):
        table.add_column(name, justify="right")
    for name, column in zip(METRIC_NAMES, stats.percentiles.T, strict=True):
        table.add_row(name, *(format_percentile(name, value) for value in column))
    table.add_section()
    table.add_row("variety", "", f"{stats.variety:.3f}", "")
    return table


def compared(all_stats: Sequence[RecipeStatistics]) -> list[dict[str, Any]]:
    """Return a row for each recipe that has levels, the most varied first."""
    return [
        {
            "generator": stats.name,
            "levels": len(stats.seeds),
            "variety": stats.variety,
            "most_typical": str(stats.typical()),
            "rarest": str(stats.rarest()),
        }
        for stats in sorted(all_stats, key=lambda one: -one.variety)
        if len(stats.seeds)
    ]
