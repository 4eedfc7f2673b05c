"""Search jobs: build many seeds of a recipe, measure and filter them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from entities.program import VERSION
from procgen.blueprint import STANDARD_AREA
from procgen.build import build, build_in_stages
from procgen.level import Level
from procgen.level_code import LevelCode, UnknownRecipe
from procgen.level_overlays import find_overlay
from procgen.metric_query import Query, parse_condition
from procgen.metrics import LazyMetrics, Metrics
from procgen.progress import run_to_end
from procgen.recipe_builder import BuildFailed
from procgen.recipes import with_overlays

METRIC_NAMES: tuple[str, ...] = Metrics.__struct_fields__
"""The names of the metrics, in their usual order."""
CHUNK = 50
"""The levels of a job if they are of `STANDARD_AREA`; fewer if they are larger."""


class SearchJob(NamedTuple):
    """Levels to measure: ``code`` with each of ``seeds``, kept if ``where`` holds."""

    code: LevelCode
    seeds: Sequence[int]
    where: str
    fingerprint: str


class Hit(NamedTuple):
    """A matching level and its metrics."""

    code: LevelCode
    metrics: Metrics


class JobResult(NamedTuple):
    """The result of a job; ``failed`` are sentences on levels that could not be built.

    ``rejected`` counts the rejected builds of levels that were built in the end.
    """

    code: LevelCode
    tried: int
    hits: list[tuple[int, Metrics]]
    failed: list[str]
    rejected: int = 0

    def found(self) -> Iterator[Hit]:
        """Yield the hits in the order of their seeds."""
        for seed, metrics in self.hits:
            yield Hit(replace(self.code, seed=seed), metrics)


RunJobs = Callable[[Callable[[SearchJob], JobResult], Iterable[SearchJob]], Iterator[JobResult]]
"""Runs jobs, in this process or in others, and yields their results in order."""


def search_jobs(
    codes: Sequence[LevelCode], seeds: Sequence[int], where: str = ""
) -> Iterator[SearchJob]:
    """Yield the jobs that try ``seeds`` with every code, a few seeds at a time.

    The order of jobs and results does not depend on the workers.
    """
    tiles = max(code.width * code.height for code in codes)
    chunk = max(1, min(CHUNK, CHUNK * STANDARD_AREA // tiles))
    prints = {code: recipe_fingerprint(code.recipe, code.version, code.overlays) for code in codes}
    for first in range(0, len(seeds), chunk):
        for code in codes:
            yield SearchJob(code, seeds[first : first + chunk], where, prints[code])


def run_search_job(job: SearchJob) -> JobResult:
    """Build and measure the levels of ``job``; a level that cannot be built is not a hit.

    Raises `OSError`, with a sentence, on a machine with a different recipe.
    """
    code = job.code
    try:
        known = recipe_fingerprint(code.recipe, code.version, code.overlays)
    except UnknownRecipe as fault:
        raise OSError(f"a worker: {fault}") from None
    if known != job.fingerprint:
        raise OSError(f"a worker knows another recipe {code.name}; give it this version")
    where = parse_condition(job.where, METRIC_NAMES) if job.where else None
    hits, failed, rejected = [], [], 0
    for seed in job.seeds:
        try:
            level, metrics = _tried(replace(code, seed=seed), where)
        except BuildFailed as fault:
            failed.append(str(fault))
            continue
        rejected += len(level.rejected)
        if metrics:
            hits.append((seed, metrics))
    return JobResult(job.code, len(job.seeds), hits, failed, rejected)


def _tried(code: LevelCode, where: Query | None) -> tuple[Level, Metrics | None]:
    """Return the level of ``code``, and its metrics if ``where`` holds.

    Creatures are placed only if it holds; if it asks for creatures, it is tested on all of them.
    """
    answers: list[bool] = []

    def matches(level: Level) -> bool:
        answers.append(where is None or where.holds(LazyMetrics(level)))
        return answers[-1]

    if where is None or "creatures" in where.names or code.place:
        matches(level := build(code))
    else:
        level = run_to_end(build_in_stages(code, spawn_if=matches))
    return level, LazyMetrics(level).all() if answers[-1] else None


@cache
def recipe_fingerprint(name: str, version: int, overlays: tuple[str, ...]) -> str:
    """Return a hash of program and recipe, to detect workers with different ones."""
    recipe = with_overlays(name, version, overlays)
    origins = [use.step.origin for use in recipe.steps if use.step.origin]
    kinds = [find_overlay(text).kind for text in overlays]  # They have monsters and light, too.
    facts = (VERSION, name, version, recipe.parameters(), *origins, *kinds)
    return blake2b(msgspec.json.encode(facts), digest_size=8).hexdigest()
