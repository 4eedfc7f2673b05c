"""Breeding: generations of a recipe, each from the best of the one before."""

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
"""On how many levels a number shows whether it matters at all, when pushed so far."""
GIVEN_UP = 0.05
"""The share of the gain that may be given up to leave a parameter unchanged."""


class NothingToTune(ValueError):
    """Nothing about a recipe that evolution could turn matters to what was wished for."""


@dataclass(frozen=True)
class Candidate:
    """A recipe on trial: what was turned, and how far from the wish its levels are."""

    changes: ParameterChanges
    cost: float


class Evolution:
    """Evolves the numbers of one recipe towards a wish; ``best`` is the best so far.

    (Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies",
    2001: CMA-ES, as its author's library does it.) All candidates are tried on the same seeds.
    """

    def __init__(self, trial: Trial, objective: Objective, run_trials: RunTrials) -> None:
        self.trial, self.objective, self.run_trials = trial, objective, run_trials
        self.known: dict[ParameterChanges, float] = {}
        self.best = self.own = Candidate((), self._costs([()])[0])

    def sensitive(self, numbers: Sequence[TunableNumber]) -> list[TunableNumber]:
        """Return the dials that change anything at all that is measured.

        Raises `NothingToTune` if none of them does.
        """
        few = replace(self.trial, seeds=self.trial.seeds[:PROBES])
        pushed = [
            parameter_changes([number], [number.place + push])
            for number in numbers
            for push in (PUSH, -PUSH)
        ]
        trials = [replace(few, changes=changes) for changes in ((), *pushed)]
        usual, *others = self.run_trials(run_trial, trials)
        moved = [outcome != usual for outcome in others]
        alive = [number for n, number in enumerate(numbers) if moved[2 * n] or moved[2 * n + 1]]
        if not alive:
            raise NothingToTune("no number of this recipe changes anything that is measured")
        return alive

    def evolve(
        self, numbers: Sequence[TunableNumber], generations: int, seed: int
    ) -> Iterator[float]:
        """Breed; yield the cost of the best after each generation."""
        strategy = _strategy(numbers, generations, seed, self.trial.name)
        while not strategy.stop():
            shares = strategy.ask()
            changes = [parameter_changes(numbers, row.tolist()) for row in shares]
            costs = self._costs(changes)
            strategy.tell(shares, costs)
            for candidate in map(Candidate, changes, costs):
                self._keep(candidate)
            yield self.best.cost

    def simplify(self) -> None:
        """Set back whatever number the best does as well without, as far as that goes."""
        most = self.best.cost + GIVEN_UP * max(0.0, self.own.cost - self.best.cost)
        changes = self.best.changes
        without = [tuple(other for other in changes if other != one) for one in changes]
        ranked = sorted(zip(self._costs(without), changes, strict=True), key=lambda pair: pair[0])
        for _, one in ranked:
            fewer = tuple(other for other in self.best.changes if other != one)
            cost = self._costs([fewer])[0]
            if cost <= most:
                self.best = Candidate(fewer, cost)

    def _keep(self, candidate: Candidate) -> None:
        if candidate.cost < self.best.cost:
            self.best = candidate

    def _costs(self, wanted: Sequence[ParameterChanges]) -> list[float]:
        """Return the cost of each; what was tried before is not tried again."""
        new = [changes for changes in dict.fromkeys(wanted) if changes not in self.known]
        outcomes = self.run_trials(
            run_trial, [replace(self.trial, changes=changes) for changes in new]
        )
        size = self.trial.code.width, self.trial.code.height
        for changes, outcome in zip(new, outcomes, strict=True):
            self.known[changes] = self.objective.cost(outcome, *size)
        return [self.known[changes] for changes in wanted]


def _strategy(numbers: Sequence[TunableNumber], generations: int, seed: int, name: str) -> Any:
    """Return the strategy that proposes where dials stand; all its chance is our own stream."""
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
    with warnings.catch_warnings(action="ignore"):  # It would like to plot, and to be signalled.
        import cma  # noqa: PLC0415 - heavy, and optional

        return cma.CMAEvolutionStrategy([number.place for number in numbers], STRIDE, options)
