"""An archive of quality and diversity: the best level of each cell of a grid over two metrics.

(Mouret and Clune, "Illuminating search spaces by mapping elites", 2015.) Cells are equal
in metric space, where the typical value of a metric lies in the middle, so the grid does not depend
on the levels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from procgen.level_code import LevelCode, parse_code
from procgen.metric_query import Query
from procgen.metrics import Metrics, metric_scales
from procgen.recipe_builder import BuildFailed
from procgen.rng import Rng
from procgen.settings import complete, recipe_for_code
from workbench.evolution.evaluation import parameter_changes, tunable_numbers, varied_code
from workbench.search.metric_space import normalize_level
from workbench.search.search_jobs import (
    METRIC_NAMES,
    Hit,
    RunJobs,
    SearchJob,
    metric_values,
    recipe_fingerprint,
    run_search_job,
)

CELLS = 12
"""Cells along each metric."""
BATCH = 48
"""Levels tried between two looks at the archive; it does not depend on the number of workers."""
FIRST = 5
"""Batches drawn at random before levels of the archive are varied."""
VARIED, RESET, REACH = 0.1, 0.05, 0.25
"""The shares of parameters varied and reset, and how far they are varied, of their ranges."""
SEEDS = 2**32


class Elite(msgspec.Struct, forbid_unknown_fields=True):
    """The best level of a cell; ``shares`` has its parameters, 0 to 1 in their ranges."""

    code: str
    shares: list[float]
    quality: float
    metrics: Metrics

    @property
    def hit(self) -> Hit:
        """The level as a hit of a search."""
        return Hit(complete(parse_code(self.code)), self.metrics)


class Archive(msgspec.Struct, forbid_unknown_fields=True):
    """The elites by cell, ``"column,row"``, and everything that determines them.

    ``axes`` names the metrics of columns and rows; ``code`` is the code whose parameters and
    seed are varied; ``where`` and ``sort`` say which levels count and which are better.
    """

    axes: tuple[str, str]
    code: str
    where: str = ""
    sort: str = ""
    seed: int = 0
    batches: int = 0
    tried: int = 0
    cells: dict[str, Elite] = {}

    @property
    def task(self) -> tuple[object, ...]:
        """The fields that must be equal for two archives to be of the same search."""
        return self.axes, self.code, self.where, self.sort, self.seed


@dataclass
class Illumination:
    """A search that fills ``archive``; its course depends on the archive, not on the workers.

    A level is better than another of its cell if ``order`` gives a higher number, by default if
    fewer parameters differ from the recipe's own.
    """

    archive: Archive
    order: Query | None = None

    def __post_init__(self) -> None:
        code = self._code = complete(parse_code(self.archive.code))
        self._recipe = recipe_for_code(code)
        self._hash = recipe_fingerprint(code.recipe, code.version, code.overlays)
        self._numbers = tunable_numbers(self._recipe)
        self._own = np.array([number.place for number in self._numbers])

    def run(self, batches: int, run_jobs: RunJobs) -> Iterator[int]:
        """Try ``batches`` batches; yield the number of levels tried after each."""
        for _ in range(batches):
            chosen = [self._candidate(number) for number in range(BATCH)]
            known = [(code, shares) for code, shares in chosen if code]
            jobs = [
                SearchJob(code, range(code.seed, code.seed + 1), self.archive.where, self._hash)
                for code, _ in known
            ]
            results = list(run_jobs(run_search_job, jobs))  # Whole, if it is not interrupted.
            if results and all(result.failed for result in results):
                raise BuildFailed(results[0].failed[0])
            cells = dict(self.archive.cells)
            for result, (_, shares) in zip(results, known, strict=True):
                for hit in result.found():
                    self._add(hit, shares, cells)
            self.archive.cells = cells
            self.archive.batches += 1
            self.archive.tried += len(jobs)
            yield len(jobs)

    def _candidate(self, number: int) -> tuple[LevelCode | None, NDArray[np.float64]]:
        """Return a level to try and its shares; None for parameters that contradict each other."""
        archive = self.archive
        rng = Rng(archive.seed, "illuminate", archive.batches, number)
        value, choice = rng.integers(0, 10**6, 2 * len(self._numbers)).reshape(2, -1) / 10**6
        if archive.batches < FIRST or not archive.cells:
            # From the recipe as it is to any parameters, so that the usual is there as well.
            shares, seed = np.where(choice < number / BATCH, value, self._own), rng.below(SEEDS)
        else:
            parent = rng.pick(list(archive.cells.values()))
            moved = np.clip(np.array(parent.shares) + (2 * value - 1) * REACH, 0, 1)
            shares = np.where(choice < VARIED, moved, parent.shares)
            shares = np.where(choice > 1 - RESET, self._own, shares)
            seed = rng.below(SEEDS) if rng.chance(0.5) else parse_code(parent.code).seed
        changes = parameter_changes(self._numbers, shares.tolist())
        return varied_code(replace(self._code, seed=seed), self._recipe, changes), shares

    def _add(self, hit: Hit, shares: NDArray[np.float64], cells: dict[str, Elite]) -> None:
        order, fewest = self.order, -float(len(hit.code.settings))
        quality = order.number(metric_values(hit.metrics)) if order else fewest
        if quality is None:
            return
        place = ",".join(map(str, cell_of(hit, self.archive.axes)))
        elite = cells.get(place)
        if elite is None or quality > elite.quality:
            rounded = [round(share, 6) for share in shares.tolist()]
            cells[place] = Elite(str(hit.code), rounded, quality, hit.metrics)


def cell_of(hit: Hit, axes: Sequence[str]) -> tuple[int, ...]:
    """Return column and row of a level."""
    places = normalize_level(hit.metrics, hit.code.width, hit.code.height)
    return tuple(min(CELLS - 1, int(places[METRIC_NAMES.index(name)] * CELLS)) for name in axes)


def cell_edges(name: str, width: int, height: int) -> list[float]:
    """Return the lowest value of a metric in each cell along it, and infinity."""
    scale, shares = metric_scales()[name], np.arange(CELLS) / CELLS
    above = scale.typical_in(width, height) * shares / (1 - shares)
    return [*(scale.least + above).tolist(), np.inf]


def elites(archive: Archive) -> dict[tuple[int, int], Elite]:
    """Return the elites by (column, row), column by column.

    Raises `ValueError` if they are not levels of the archive, each in its cell.
    """
    count = len(tunable_numbers(recipe_for_code(complete(parse_code(archive.code)))))
    by_cell = {}
    for place, elite in archive.cells.items():
        cell = cell_of(elite.hit, archive.axes)
        if place != ",".join(map(str, cell)) or len(elite.shares) != count:
            raise ValueError(f"cell {place[:20]!r} is not that of {elite.code}")
        by_cell[cell[0], cell[1]] = elite
    return dict(sorted(by_cell.items()))
