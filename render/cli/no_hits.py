"""What to say when a search found nothing: what there is instead."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from procgen.build import BuildFailed, build
from procgen.code import LevelCode
from procgen.measure.metrics import Measured
from render.standing import shown

SAMPLE = 60
"""How many levels are looked at."""


def instead(
    codes: Sequence[LevelCode], seeds: range, tried: int, names: Sequence[str]
) -> list[str]:
    """Return sentences on what the metrics ``names`` usually are, from some of the levels."""
    levels = _sample(codes, seeds)
    if not levels or not names:
        return [f"no level of {tried:,} is like that"]
    whose = codes[0].recipe if len(codes) == 1 else f"{len(codes)} generators"
    return [
        f"no level of {tried:,} is like that; {len(levels)} levels of {whose} have",
        *(f"  {name} {_range([getattr(level, name) for level in levels], name)}" for name in names),
        "the nearest come with --closest; --evolve changes a generator until it makes them",
    ]


def _sample(codes: Sequence[LevelCode], seeds: range) -> list[Measured]:
    found = []
    for code in codes:
        for seed in seeds[: max(1, SAMPLE // len(codes))]:
            try:
                found.append(Measured(build(replace(code, seed=seed), digests=False)))
            except BuildFailed:
                continue
    return found


def _range(values: list[float], name: str) -> str:
    middle = median(values)
    least, usual, most = (
        shown(name, type(values[0])(v)) for v in (min(values), middle, max(values))
    )
    return f"{least} to {most}, usually {usual}"
