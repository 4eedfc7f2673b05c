"""Breeding: generations of a recipe, each from the best of the one before."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import PCG64, RandomState, SeedSequence

from procgen.rng import stable_key
from workbench.evolution.evaluation import Dial, Outcome, Settings, Trial, Wish, settings, tried

Crew = Callable[[Callable[[Trial], Outcome], Iterable[Trial]], Iterator[Outcome]]

STRIDE = 0.2
"""How far from the recipe's own numbers the first generation strays, as a share of a dial."""
PROBES, PUSH = 3, 0.25
"""On how many levels a number shows whether it matters at all, when pushed so far."""
GIVEN_UP = 0.05
"""What share of the gain may be given up for a number left as it was."""


class NoDials(ValueError):
    """Nothing about a recipe that evolution could turn matters to what was wished for."""


@dataclass(frozen=True)
class Candidate:
    """A recipe on trial: what was turned, and how far from the wish its levels are."""

    turned: Settings
    cost: float


class Breeding:
    """Evolves the numbers of one recipe towards a wish; ``best`` is the best so far.

    (Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies",
    2001: CMA-ES, as its author's library does it.) All candidates are tried on the same seeds.
    """

    def __init__(self, trial: Trial, wish: Wish, crew: Crew) -> None:
        self.trial, self.wish, self.crew = trial, wish, crew
        self.known: dict[Settings, float] = {}
        self.best = self.own = Candidate((), self._costs([()])[0])

    def alive(self, dials: Sequence[Dial]) -> list[Dial]:
        """Return the dials that change anything at all that is measured.

        Raises `NoDials` if none of them does.
        """
        few = replace(self.trial, seeds=self.trial.seeds[:PROBES])
        pushed = [settings([dial], [dial.place + push]) for dial in dials for push in (PUSH, -PUSH)]
        trials = [replace(few, turned=turned) for turned in ((), *pushed)]
        usual, *others = self.crew(tried, trials)
        moved = [outcome != usual for outcome in others]
        alive = [dial for n, dial in enumerate(dials) if moved[2 * n] or moved[2 * n + 1]]
        if not alive:
            raise NoDials("no number of this recipe changes anything that is measured")
        return alive

    def evolve(self, dials: Sequence[Dial], generations: int, seed: int) -> Iterator[float]:
        """Breed; yield the cost of the best after each generation."""
        strategy = _strategy(dials, generations, seed, self.trial.name)
        while not strategy.stop():
            shares = strategy.ask()
            turned = [settings(dials, row.tolist()) for row in shares]
            costs = self._costs(turned)
            strategy.tell(shares, costs)
            for candidate in map(Candidate, turned, costs):
                self._keep(candidate)
            yield self.best.cost

    def simplify(self) -> None:
        """Set back whatever number the best does as well without, as far as that goes."""
        most = self.best.cost + GIVEN_UP * max(0.0, self.own.cost - self.best.cost)
        turned = self.best.turned
        without = [tuple(other for other in turned if other != one) for one in turned]
        ranked = sorted(zip(self._costs(without), turned, strict=True), key=lambda pair: pair[0])
        for _, one in ranked:
            fewer = tuple(other for other in self.best.turned if other != one)
            cost = self._costs([fewer])[0]
            if cost <= most:
                self.best = Candidate(fewer, cost)

    def _keep(self, candidate: Candidate) -> None:
        if candidate.cost < self.best.cost:
            self.best = candidate

    def _costs(self, wanted: Sequence[Settings]) -> list[float]:
        """Return the cost of each; what was tried before is not tried again."""
        new = [turned for turned in dict.fromkeys(wanted) if turned not in self.known]
        outcomes = self.crew(tried, [replace(self.trial, turned=turned) for turned in new])
        size = self.trial.code.width, self.trial.code.height
        for turned, outcome in zip(new, outcomes, strict=True):
            self.known[turned] = self.wish.cost(outcome, *size)
        return [self.known[turned] for turned in wanted]


def _strategy(dials: Sequence[Dial], generations: int, seed: int, name: str) -> Any:
    """Return the strategy that proposes where dials stand; all its chance is our own stream."""
    key = tuple(map(stable_key, ("evolve", name)))
    chance = RandomState(PCG64(SeedSequence(seed, spawn_key=key)))
    options = {
        "bounds": [0, 1],
        "randn": chance.randn,
        "seed": np.nan,
        "maxiter": generations,
        "minstd": [0.3 * dial.finest for dial in dials],
        "tolflatfitness": generations,
        "verbose": -10,
        "verb_log": 0,
        "verb_disp": 0,
    }
    with warnings.catch_warnings(action="ignore"):  # It would like to plot, and to be signalled.
        import cma  # noqa: PLC0415 - heavy, and optional

        return cma.CMAEvolutionStrategy([dial.place for dial in dials], STRIDE, options)
