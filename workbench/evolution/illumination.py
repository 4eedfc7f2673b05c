"""MAP-Elites (quality diversity): the best level of each cell of a grid over two metrics.

(Mouret and Clune, "Illuminating search spaces by mapping elites", 2015.) Cells are of equal size
in metric space, with the typical values in the middle, so the grid does not depend on the levels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

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
    recipe_fingerprint,
    run_search_job,
)

CELLS = 12
"""The number of cells along each metric."""
ROUNDING = 1e-9
"""The tolerance for rounding errors at edges of cells that are whole numbers."""
BATCH = 48
"""Levels tried before the archive is updated; independent of the number of workers."""
FIRST = 5
"""The number of random batches before levels of the archive are varied."""
VARIED, RESET, REACH = 0.1, 0.05, 0.25
"""The shares of parameters that are varied and reset; the largest change as a share of a range."""
SEEDS = 2**32


class Elite(msgspec.Struct, forbid_unknown_fields=True):
    """The best level of a cell; ``shares`` are its parameters as shares of their ranges.

    ``fitness`` is minus the number of settings, or what the search sorts by.
    """

    code: str
    shares: list[float]
    fitness: float
    metrics: Metrics

    @property
    def hit(self) -> Hit:
        """The level as a hit of a search."""
        return Hit(complete(parse_code(self.code)), self.metrics)


class Archive(msgspec.Struct, forbid_unknown_fields=True):
    """The elites by cell, ``"column,row"``, and everything that determines them.

    ``axes`` are the metrics of columns and rows; ``code`` is the code whose parameters and seed
    are varied; ``where`` and ``sort`` say which levels count and which are better. ``edges``, the
    lowest values of the cells, and ``parameters``, the names of the shares, are for other programs.
    """

    axes: tuple[str, str]
    code: str
    where: str = ""
    sort: str = ""
    seed: int = 0
    batches: Annotated[int, msgspec.Meta(ge=0, le=10**12)] = 0
    tried: Annotated[int, msgspec.Meta(ge=0, le=10**15)] = 0
    edges: dict[str, list[float]] = {}
    parameters: list[str] = []
    cells: dict[str, Elite] = {}

    @property
    def task(self) -> tuple[object, ...]:
        """The fields that are equal in two archives of the same search."""
        return self.axes, self.code, self.where, self.sort, self.seed


class Illumination:
    """A search that fills ``archive``; its course depends on the archive, not on the workers.

    A level is better than another in its cell if its ``order`` is higher; by default, if fewer
    parameters differ from the recipe's own.
    """

    def __init__(self, archive: Archive, order: Query | None = None) -> None:
        self.archive, self.order = archive, order
        code = self._code = complete(parse_code(archive.code))
        self._recipe = recipe_for_code(code)
        self._hash = recipe_fingerprint(code.recipe, code.version, code.overlays)
        self._numbers = tunable_numbers(self._recipe)
        self._own = np.array([number.place for number in self._numbers])
        archive.edges = {n: cell_edges(n, code.width, code.height)[:-1] for n in archive.axes}
        known, steps = (number.parameter for number in self._numbers), self._recipe.steps
        archive.parameters = [f"{steps[one.step_index].label}.{one.name}" for one in known]

    def run(self, batches: int, run_jobs: RunJobs) -> Iterator[int]:
        """Try ``batches`` batches; yield the number of levels tried after each."""
        for _ in range(batches):
            chosen = [self._candidate(number) for number in range(BATCH)]
            known = [(code, shares) for code, shares in chosen if code]
            jobs = [
                SearchJob(code, range(code.seed, code.seed + 1), self.archive.where, self._hash)
                for code, _ in known
            ]
            results = list(run_jobs(run_search_job, jobs))  # An interrupt drops the whole batch.
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
        """Return the code of a level to try, None if no code can have its shares; and these."""
        archive = self.archive
        rng = Rng(archive.seed, "illuminate", archive.batches, number)
        value, choice = rng.integers(0, 10**6, 2 * len(self._numbers)).reshape(2, -1) / 10**6
        if archive.batches < FIRST or not archive.cells:
            # From the unchanged recipe to random parameters, so that usual levels are tried, too.
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
        order, fewest = self.order, float(-len(hit.code.settings))
        fitness = order.number(msgspec.structs.asdict(hit.metrics)) if order else fewest
        if fitness is None:
            return
        place = ",".join(map(str, cell_of(hit, self.archive.axes)))
        elite = cells.get(place)
        if elite is None or fitness > elite.fitness:
            rounded = [round(share, 6) for share in shares.tolist()]
            cells[place] = Elite(str(hit.code), rounded, fitness, hit.metrics)


def cell_of(hit: Hit, axes: Sequence[str]) -> tuple[int, ...]:
    """Return the column and row of a level."""
    places = CELLS * normalize_level(hit.metrics, hit.code.width, hit.code.height) + ROUNDING
    return tuple(min(CELLS - 1, int(places[METRIC_NAMES.index(name)])) for name in axes)


def cell_edges(name: str, width: int, height: int) -> list[float]:
    """Return the lowest value of each cell along a metric, then infinity."""
    scale, shares = metric_scales()[name], np.arange(CELLS) / CELLS
    above = scale.typical_in(width, height) * shares / (1 - shares)
    return [*(scale.least + above).tolist(), np.inf]


def elites(archive: Archive) -> dict[tuple[int, int], Elite]:
    """Return the elites by (column, row), column by column.

    Raises `ValueError` if an elite is not of the archive's search or not in its cell.
    """
    count = len(tunable_numbers(recipe_for_code(complete(parse_code(archive.code)))))
    by_cell = {}
    for place, elite in archive.cells.items():
        cell = cell_of(elite.hit, archive.axes)
        if place != ",".join(map(str, cell)) or len(elite.shares) != count:
            raise ValueError(f"cell {place[:20]!r} is not that of {elite.code}")
        by_cell[cell[0], cell[1]] = elite
    return dict(sorted(by_cell.items()))
