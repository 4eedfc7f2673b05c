"""Optimise the parameters of a recipe with CMA-ES."""

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import PCG64, RandomState, SeedSequence

from procgen.level_code import LevelCode
from procgen.recipe_builder import BuildFailed
from procgen.rng import stable_key
from procgen.settings import recipe_for_code
from workbench.evolution.evaluation import (
    Objective,
    ParameterChanges,
    TunableNumber,
    parameter_changes,
    varied_code,
)
from workbench.search.search_jobs import (
    JobResult,
    RunJobs,
    SearchJob,
    recipe_fingerprint,
    run_search_job,
)

STRIDE = 0.2
"""The initial step size, as a share of a parameter's range."""
PROBES, PUSH = 3, 0.25
"""Levels built to test whether a parameter has an effect; its change as a share of the range."""
GIVEN_UP = 0.05
"""The share of the improvement that may be lost by resetting parameters, in total."""


class Candidate(NamedTuple):
    """Changed parameters and the cost of the levels built with them."""

    changes: ParameterChanges
    cost: float


class Evolution:
    """Optimises the parameters of one recipe; ``best`` is the best candidate so far.

    (Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies",
    2001; their library ``cma``.) All candidates are tested on the same seeds: with different ones
    a lucky candidate would look better than a good one.
    """

    def __init__(
        self, code: LevelCode, name: str, seeds: range, objective: Objective, run_jobs: RunJobs
    ) -> None:
        self.code, self.name, self.seeds = code, name, seeds
        self.recipe = recipe_for_code(code)
        self.objective, self._run_jobs = objective, run_jobs
        self.known: dict[ParameterChanges, float] = {}
        self.best = self.own = Candidate((), self._costs([()])[0])

    def sensitive(self, numbers: Sequence[TunableNumber]) -> list[TunableNumber]:
        """Return the parameters that change the shape of levels or a metric of the objective.

        Raises `BuildFailed` if nothing can be built.
        """
        places = [(number, number.place + push) for number in numbers for push in (PUSH, -PUSH)]
        pushed = [parameter_changes([number], [place]) for number, place in places]
        few = self.build_all([(), *pushed], self.seeds[:PROBES])
        usual, *others = map(self.objective.measured, few)
        moved = [outcome != usual for outcome in others]
        alive = [number for n, number in enumerate(numbers) if moved[2 * n] or moved[2 * n + 1]]
        if not alive and not few[0].hits:
            raise BuildFailed(few[0].failed[0])
        return alive

    def evolve(
        self, numbers: Sequence[TunableNumber], generations: int, seed: int
    ) -> Iterator[float]:
        """Run CMA-ES; yield the best cost after each generation."""
        strategy = _strategy(numbers, generations, seed, self.name)
        while not strategy.stop():
            shares = strategy.ask()
            changes = [parameter_changes(numbers, row.tolist()) for row in shares]
            costs = self._costs(changes)
            strategy.tell(shares, costs)
            candidates = [self.best, *map(Candidate, changes, costs)]
            self.best = min(candidates, key=lambda candidate: candidate.cost)
            yield self.best.cost

    def simplify(self) -> None:
        """Reset parameters of the best candidate with little effect, the least important first."""
        most = self.best.cost + GIVEN_UP * max(0.0, self.own.cost - self.best.cost)
        changes = self.best.changes
        without = [tuple(other for other in changes if other != change) for change in changes]
        ranked = sorted(zip(self._costs(without), changes, strict=True), key=lambda pair: pair[0])
        for _, change in ranked:
            fewer = tuple(other for other in self.best.changes if other != change)
            if (cost := self._costs([fewer])[0]) <= most:
                self.best = Candidate(fewer, cost)

    def _costs(self, candidates: Sequence[ParameterChanges]) -> list[float]:
        """Return the cost of each set of changes; known costs are reused."""
        new = [changes for changes in dict.fromkeys(candidates) if changes not in self.known]
        for changes, outcome in zip(new, self.build_all(new, self.seeds), strict=True):
            self.known[changes] = self.objective.cost(outcome)
        return [self.known[changes] for changes in candidates]

    def build_all(self, candidates: Sequence[ParameterChanges], seeds: range) -> list[JobResult]:
        """Return the levels of ``seeds`` for each set of changes; all fail for an invalid one."""
        fingerprint = recipe_fingerprint(self.code.recipe, self.code.version, self.code.overlays)
        codes = [varied_code(self.code, self.recipe, changes) for changes in candidates]
        jobs = [SearchJob(code, seeds, "", fingerprint) for code in codes if code]
        results = iter(list(self._run_jobs(run_search_job, jobs)))
        none = JobResult(self.code, len(seeds), [], ["impossible"] * len(seeds))
        return [next(results) if code else none for code in codes]


def _strategy(numbers: Sequence[TunableNumber], generations: int, seed: int, name: str) -> Any:
    """Return the CMA-ES sampler; its random numbers come from a named stream of the project."""
    key = tuple(map(stable_key, ("evolve", name)))
    chance = RandomState(PCG64(SeedSequence(seed, spawn_key=key)))
    options = {
        "bounds": [0, 1],
        "randn": chance.randn,
        "seed": np.nan,
        "maxiter": generations,
        "minstd": [0.3 * number.step / (number.high - number.low) for number in numbers],
        "tolflatfitness": generations,
        "verbose": -10,
        "verb_log": 0,
        "verb_disp": 0,
    }
    with warnings.catch_warnings(action="ignore"):  # cma warns of missing plot libraries.
        import cma  # noqa: PLC0415 - heavy, and optional

        return cma.CMAEvolutionStrategy([number.place for number in numbers], STRIDE, options)
