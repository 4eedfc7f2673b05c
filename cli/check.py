"""`check`: build many levels, validate each, count rejected builds; check level files."""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from cli.arguments import chosen_recipes, optional_size, pool_options, seed_range
from cli.errors import CHECK_FAILED, EXIT_CODES, INTERRUPTED, OK
from cli.output import print_records, print_tables, progress_bar
from engine.items.effects.effect_registry import validate_items
from engine.monsters.choose_action import behaviours_by_kind
from entities.folders import USER_MARK
from entities.wording import pluralise
from procgen.build import build
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.recipe_builder import BuildFailed
from procgen.validate import broken_level
from render.ui.text import printable
from workbench.level_files import read_level
from workbench.search.process_pool import ordered_results

SEEDS, CHUNK = "0:200", 25
TWICE = 5
"""Of our levels, those whose seeds are multiples of this are built twice, to compare the two."""
MOST_REASONS = 100
"""The most reasons for broken levels that are printed."""
WARM = 999_999
"""The seed of a level that each process builds first, to time neither imports nor caching."""
FORMATS = {"median_ms": "{:.1f}".format, "p99_ms": "{:.1f}".format, "rejected": "{:.2%}".format}


@dataclass
class CheckResult:
    """Results for one generator: processor time per build in ms, rejected codes, broken levels."""

    times: list[float] = field(default_factory=list)
    rejected: dict[str, list[str]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def add(self, other: "CheckResult") -> None:
        """Add the results of another job."""
        self.times += other.times
        for reason, codes in other.rejected.items():
            self.rejected.setdefault(reason, []).extend(codes)
        self.broken += other.broken


def check_levels(options: argparse.Namespace) -> int:
    """Print a table of generators and one of rejected builds; exit 6 if a level is broken.

    First the data of items and monsters is checked, which levels only name.

    Ctrl-C prints the results so far and exits with 130. Given files, it checks their levels.
    """
    if options.files:
        return _check_files(options)
    validate_items()
    behaviours_by_kind()
    recipes = chosen_recipes(options.generator, options.settings)
    shape, seeds = optional_size(options.size), seed_range(options.seeds or SEEDS)
    results = {recipe.code(0, 1, shape): CheckResult() for recipe in recipes}
    parts = [seeds[start : start + CHUNK] for start in range(0, len(seeds), CHUNK)]
    jobs = [(code, part) for code in results for part in parts]
    interrupted = OK
    try:
        with closing(ordered_results(_check_job, jobs, *pool_options(options))) as shares:
            for code, findings in progress_bar(shares, "checking", len(jobs)):
                results[code].add(findings)
    except KeyboardInterrupt:
        interrupted = INTERRUPTED
        print("stopped early: results so far", file=sys.stderr)
    broken = [sentence for row in results.values() for sentence in row.broken]
    print_tables(options.format, _tables(results), FORMATS, {"broken": broken})
    if options.format == "text":
        _print_broken(broken)
    return interrupted or (CHECK_FAILED if broken else OK)


def _print_broken(broken: Sequence[str]) -> None:
    """Print the code of the first level for each reason, and how many others share it."""
    codes: dict[str, list[str]] = {}
    for sentence in broken:
        code, _, reason = sentence.partition(": ")
        codes.setdefault(reason, []).append(code)
    for reason, (first, *others) in list(codes.items())[:MOST_REASONS]:
        also = f" (and {pluralise(len(others), 'other level')})" if others else ""
        print(f"broken: {first}: {reason}{also}")
    if len(codes) > MOST_REASONS:
        print(f"and {pluralise(len(codes) - MOST_REASONS, 'other reason')}, which --json lists")


def _check_files(options: argparse.Namespace) -> int:
    """Print what is wrong with the levels in files; exit 6 if anything is wrong."""
    rows, faults = [], []
    for path in options.files:
        try:
            broken = list(broken_level_invariants(read_level(Path(path)), again=False))
        except tuple(EXIT_CODES) as fault:
            faults.append(fault)
            continue
        rows.append({"file": path, "broken": broken})
        if options.format == "text":
            print(printable(f"{path}: {'; '.join(broken) or 'healthy'}"))
    if options.format != "text":
        print_records(options.format, rows, ("file", "broken"))
    if faults:  # Raised last, so that the other files are checked nevertheless.
        raise faults[0]
    return CHECK_FAILED if any(row["broken"] for row in rows) else OK


def _check_job(job: tuple[LevelCode, range]) -> tuple[LevelCode, CheckResult]:
    """Build the levels of a job: a code that gives recipe and size, and a range of seeds."""
    code, seeds = job
    findings = CheckResult()
    _warm_up(code)
    for seed in seeds:
        _check_level(replace(code, seed=seed, depth=1 + seed % 12), findings)
    return code, findings


@cache
def _warm_up(code: LevelCode) -> None:
    """Build a level that is not timed, once per process."""
    with suppress(BuildFailed):
        build(replace(code, seed=WARM))


def _check_level(code: LevelCode, findings: CheckResult) -> None:
    started = time.process_time()
    try:
        level = build(code)
        findings.times.append(1000 * (time.process_time() - started))
        rejected = level.rejected
        again = code.seed % TWICE == 0 or USER_MARK in code.variant
        broken = broken_level_invariants(level, again=again)
        findings.broken += [f"{code}: {reason}" for reason in broken]
    except BuildFailed as fault:
        rejected = fault.rejected
        why = f"{code}: all {len(rejected)} attempts were rejected"  # The table has the reasons.
        findings.broken.append(why if rejected else str(fault))
    for reason in rejected:  # The part after a colon names the rooms of this level.
        findings.rejected.setdefault(reason.partition(":")[0], []).append(str(code))


def broken_level_invariants(level: Level, *, again: bool = True) -> Iterator[str]:
    """Yield a sentence for each invariant the level breaks; ``again`` builds it twice."""
    yield from broken_level(level)
    if level.tiles.shape != (level.code.height, level.code.width):
        yield "the level does not have the size in its code"
    if again:
        other = build(level.code)
        if (other.steps, other.spawns) != (level.steps, level.spawns):
            yield "building the same code twice gave different levels"


def _tables(results: dict[LevelCode, CheckResult]) -> dict[str, list[dict[str, Any]]]:
    """Return a table of generators and one of rejected builds."""
    generators, rejected = [], []
    for code, row in results.items():
        times, name = sorted(row.times), code.variant
        count = sum(map(len, row.rejected.values()))
        figures = {
            "levels": len(times),
            "median_ms": median(times) if times else None,
            "p99_ms": times[len(times) * 99 // 100] if times else None,
            "rejected": count / max(1, len(times) + count),
            "broken": len(row.broken),
        }
        generators.append({"generator": name, "size": f"{code.width}x{code.height}", **figures})
        rejected += [
            {"generator": name, "reason": reason, "builds": len(examples), "example": examples[0]}
            for reason, examples in sorted(row.rejected.items(), key=lambda pair: -len(pair[1]))
        ]
    return {"generators": generators, "rejected": rejected}
