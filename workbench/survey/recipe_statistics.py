"""A recipe's portrait: what its levels measure, how varied they are, the usual and the rarest."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from rich.columns import Columns
from rich.console import Console
from rich.table import Table

from procgen.level_code import LevelCode
from procgen.metrics import Metrics
from workbench.search.metric_space import Points, points, rarest, table, typical, variety
from workbench.search.search_jobs import NAMES, Share

AT = (5, 50, 95)
"""The percentiles that are told."""
SEARCHED = 20_000
"""Among how many levels, the first ones, the usual and the rarest are looked for."""


@dataclass(frozen=True, eq=False)
class Portrait:
    """The levels of one recipe: ``figures`` as measured, a row for each of ``seeds``."""

    code: LevelCode
    seeds: NDArray[np.uint64]
    figures: Points
    failed: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The recipe's name."""
        return self.code.recipe

    @property
    def where(self) -> Points:
        """Where the levels stand in the space of all levels."""
        return points(self.figures, self.code.width, self.code.height)

    @property
    def variety(self) -> float:
        """How far two levels stand apart on average."""
        return variety(self.where)

    @property
    def percentiles(self) -> Points:
        """The 5th, 50th and 95th percentile, a row each, of every metric."""
        return percentiles(self.figures)

    def typical(self) -> LevelCode:
        """Return the code of the level nearest to the middle of all."""
        return self._code(typical(self.where[:SEARCHED]))

    def rarest(self) -> LevelCode:
        """Return the code of the level with the fewest like it."""
        return self._code(rarest(self.where[:SEARCHED]))

    def _code(self, row: int) -> LevelCode:
        return replace(self.code, seed=int(self.seeds[row]))


def percentiles(rows: Points) -> Points:
    """Return the percentiles `AT` of every column; of none there is, 0."""
    if not len(rows):
        return np.zeros((len(AT), len(NAMES)))
    found: Points = np.percentile(rows, AT, axis=0)
    return found


@dataclass
class Sitting:
    """A portrait in the making."""

    code: LevelCode
    taken: list[tuple[NDArray[np.uint64], Points]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def add(self, share: Share) -> None:
        """Take in what came of a job."""
        seeds = np.array([seed for seed, _ in share.hits], np.uint64)
        self.taken.append((seeds, table([metrics for _, metrics in share.hits])))
        self.failed += share.failed

    def portrait(self) -> Portrait:
        """Return the portrait of all that was taken in."""
        seeds = np.concatenate([seeds for seeds, _ in self.taken])
        figures = np.concatenate([figures for _, figures in self.taken])
        return Portrait(self.code, seeds, figures, tuple(self.failed))


Sittings = dict[LevelCode, Sitting]


def sit(sittings: Sittings, shares: Iterable[Share]) -> None:
    """Take in ``shares``; whoever stops that keeps the ``sittings`` as far as they are."""
    for share in shares:
        sittings.setdefault(share.code, Sitting(share.code)).add(share)


def drawn(sittings: Sittings) -> list[Portrait]:
    """Return a portrait for every recipe, in the order in which they came up."""
    return [sitting.portrait() for sitting in sittings.values() if sitting.taken]


def portraits(shares: Iterable[Share]) -> list[Portrait]:
    """Return a portrait for every recipe that ``shares`` tell of."""
    sittings = Sittings()
    sit(sittings, shares)
    return drawn(sittings)


WHOLE = frozenset(name for name, kind in Metrics.__annotations__.items() if kind is int)


def figure(name: str, value: float) -> str:
    """Return a metric's percentile as people read it."""
    if name == "floor":
        return f"{value:.0%}"
    return f"{value:.0f}" if name in WHOLE else f"{value:.2f}"


def told(console: Console, portraits: Sequence[Portrait]) -> None:
    """Print a table for every recipe, and if there are several, one that compares them."""
    console.print(Columns([_table(portrait) for portrait in portraits], padding=(0, 1)))
    if len(portraits) > 1:
        console.print(_compared(portraits))


def _table(portrait: Portrait) -> Table:
    width, height = portrait.code.width, portrait.code.height
    title = f"{portrait.name} {width}x{height}, {len(portrait.seeds):,} levels"
    table = Table("metric", title=title, title_justify="left", title_style="bold")
    for name in ("5 %", "median", "95 %"):
        table.add_column(name, justify="right")
    for name, column in zip(NAMES, portrait.percentiles.T, strict=True):
        table.add_row(name, *(figure(name, value) for value in column))
    table.add_section()
    table.add_row("variety", "", f"{portrait.variety:.3f}", "")
    return table


def _compared(portraits: Sequence[Portrait]) -> Table:
    table = Table("generator", title="from the most varied to the least", title_style="bold")
    for name in ("variety", "most typical", "rarest"):
        table.add_column(name, justify="right" if name == "variety" else "left", no_wrap=True)
    for portrait in sorted(portraits, key=lambda one: -one.variety):
        if len(portrait.seeds):
            codes = (str(portrait.typical()), str(portrait.rarest()))
            table.add_row(portrait.name, f"{portrait.variety:.3f}", *codes)
    return table
