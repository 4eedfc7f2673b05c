"""Optimise the parameters of a recipe with CMA-ES."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import PCG64, RandomState, SeedSequence

from procgen.rng import stable_key
from workbench.evolution.evaluation import (
    Objective,
    ParameterChanges,
    Trial,
    TrialResult,
    TunableNumber,
    parameter_changes,
    run_trial,
)

RunTrials = Callable[[Callable[[Trial], TrialResult], Iterable[Trial]], Iterator[TrialResult]]

STRIDE = 0.2
"""The spread of the first generation, as a share of a parameter's range."""
PROBES, PUSH = 3, 0.25
"""Levels built to see whether a parameter has an effect, and how far it is moved for that."""
GIVEN_UP = 0.05
"""The share of the gain that may be given up to leave a parameter unchanged."""


class NothingToTune(ValueError):
    """No parameter of the recipe affects any metric."""


@dataclass(frozen=True)
class Candidate:
    """Changed parameters and the cost of the levels built with them."""

    changes: ParameterChanges
    cost: float


class Evolution:
    """Optimises the parameters of one recipe; ``best`` is the best candidate so far.

    (Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies",
    2001; their library ``cma``.) All candidates are tried on the same seeds: with others for each,
    a lucky candidate would look better than a good one.
    """

    def __init__(self, trial: Trial, objective: Objective, run_trials: RunTrials) -> None:
        self.trial, self.objective, self.run_trials = trial, objective, run_trials
        self.known: dict[ParameterChanges, float] = {}
        self.best = self.own = Candidate((), self._costs([()])[0])

    def sensitive(self, numbers: Sequence[TunableNumber]) -> list[TunableNumber]:
        """Return the parameters that change the shape of levels, or a metric of the objective.

        Raises `NothingToTune` if none of them does.
        """
        few = replace(self.trial, seeds=self.trial.seeds[:PROBES])
        pushed = [
            parameter_changes([number], [number.place + push])
            for number in numbers
            for push in (PUSH, -PUSH)
        ]
        trials = [replace(few, changes=changes) for changes in ((), *pushed)]
        usual, *others = map(self.objective.measured, self.run_trials(run_trial, trials))
        moved = [outcome != usual for outcome in others]
        alive = [number for n, number in enumerate(numbers) if moved[2 * n] or moved[2 * n + 1]]
        if not alive:
            raise NothingToTune("no parameter of this recipe changes a metric")
        return alive

    def evolve(
        self, numbers: Sequence[TunableNumber], generations: int, seed: int
    ) -> Iterator[float]:
        """Run CMA-ES; yield the best cost after each generation."""
        strategy = _strategy(numbers, generations, seed, self.trial.name)
        while not strategy.stop():
            shares = strategy.ask()
            changes = [parameter_changes(numbers, row.tolist()) for row in shares]
            costs = self._costs(changes)
            strategy.tell(shares, costs)
            candidates = [self.best, *map(Candidate, changes, costs)]
            self.best = min(candidates, key=lambda one: one.cost)
            yield self.best.cost

    def simplify(self) -> None:
        """Reset parameters of the best candidate that hardly matter, least important first."""
        most = self.best.cost + GIVEN_UP * max(0.0, self.own.cost - self.best.cost)
        changes = self.best.changes
        without = [tuple(other for other in changes if other != one) for one in changes]
        ranked = sorted(zip(self._costs(without), changes, strict=True), key=lambda pair: pair[0])
        for _, one in ranked:
            fewer = tuple(other for other in self.best.changes if other != one)
            cost = self._costs([fewer])[0]
            if cost <= most:
                self.best = Candidate(fewer, cost)

    def _costs(self, wanted: Sequence[ParameterChanges]) -> list[float]:
        """Return the cost of each set of changes; known costs are reused."""
        new = [changes for changes in dict.fromkeys(wanted) if changes not in self.known]
        outcomes = self.run_trials(
            run_trial, [replace(self.trial, changes=changes) for changes in new]
        )
        size = self.trial.code.width, self.trial.code.height
        for changes, outcome in zip(new, outcomes, strict=True):
            self.known[changes] = self.objective.cost(outcome, *size)
        return [self.known[changes] for changes in wanted]


def _strategy(numbers: Sequence[TunableNumber], generations: int, seed: int, name: str) -> Any:
    """Return the CMA-ES sampler; its randomness is our own named stream."""
    key = tuple(map(stable_key, ("evolve", name)))
    chance = RandomState(PCG64(SeedSequence(seed, spawn_key=key)))
    options = {
        "bounds": [0, 1],
        "randn": chance.randn,
        "seed": np.nan,
        "maxiter": generations,
        "minstd": [0.3 * number.step_share for number in numbers],
        "tolflatfitness": generations,
        "verbose": -10,
        "verb_log": 0,
        "verb_disp": 0,
    }
    with warnings.catch_warnings(action="ignore"):  # It warns of missing plot libraries.
        import cma  # noqa: PLC0415 - heavy, and optional

        return cma.CMAEvolutionStrategy([number.place for number in numbers], STRIDE, options)
