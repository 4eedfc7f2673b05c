"""`find`: search seeds for levels by their metrics."""

import argparse
import csv
import io
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

import msgspec

from cli.arguments import generators, number, seed_range, size
from cli.errors import INTERRUPTED, OK, UsageError
from cli.find_evolve import evolve
from cli.output import progress
from procgen.build import build
from procgen.level_code import LevelCode
from procgen.metric_query import QueryError, condition, formula, targets
from procgen.metrics import Measured, shown
from procgen.recipe_builder import BuildFailed
from workbench.search.process_pool import ordered
from workbench.search.search_jobs import NAMES, Hit, carried_out, jobs
from workbench.search.selection import Best, Different, First, Keeper, away_from, highest

FACTS = ("code", "generator", "seed", "depth", "width", "height")

Line = Callable[[Hit], str]


def header(form: str, codes: Sequence[LevelCode], last: int, names: Sequence[str]) -> str:
    """Return what stands above the lines, with a line end if anything does."""
    if form == "csv":
        return ",".join((*FACTS, *NAMES)) + "\n"
    if form != "text":
        return ""
    cells = [f"{name:>{_wide(name)}}" for name in names]
    return "  ".join([f"{'code':<{_longest(codes, last)}}", *cells]) + "\n"


def line(form: str, codes: Sequence[LevelCode], last: int, names: Sequence[str]) -> Line:
    """Return how a hit is written in ``form``; ``last`` is the highest seed there may be."""
    match form:
        case "csv":
            return _comma_separated
        case "jsonl":
            return lambda hit: msgspec.json.encode(record(hit)).decode() + "\n"
        case "codes":
            return lambda hit: f"{hit.code}\n"
    longest = _longest(codes, last)

    def text(hit: Hit) -> str:
        cells = [f"{figure(name, hit):>{_wide(name)}}" for name in names]
        return "  ".join([f"{hit.code!s:<{longest}}", *cells]) + "\n"

    return text


def figure(name: str, hit: Hit) -> str:
    """Return a metric of a hit as people read it, without a gap."""
    return shown(name, getattr(hit.metrics, name)).replace(" ", "")


def record(hit: Hit) -> dict[str, Any]:
    """Return a hit as plain values: its code, the code's parts, and the metrics."""
    code = hit.code
    facts = (str(code), code.recipe, code.seed, code.depth, code.width, code.height)
    return {**dict(zip(FACTS, facts, strict=True)), **msgspec.structs.asdict(hit.metrics)}


def _comma_separated(hit: Hit) -> str:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow(record(hit).values())
    return row.getvalue()


def _wide(name: str) -> int:
    return max(6, len(name))


def _longest(codes: Sequence[LevelCode], last: int) -> int:
    return max(len(str(code)) for code in codes) + len(str(last)) - 1


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


SEEDS = "0:1000"
USUAL = 20
"""How many are shown of the best, if nothing else is asked."""
MOST = 100_000
"""How many of the best can be kept."""


@dataclass
class Tally:
    """How a search went."""

    tried: int = 0
    hits: int = 0
    failed: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)


def find(options: argparse.Namespace) -> int:
    """Print the levels that were looked for; after Ctrl-C those found so far, with exit 130."""
    if options.evolve is not None:
        return evolve(options)
    keeper, asked = _wishes(options)
    recipes, seeds = generators(options.generator), seed_range(options.seeds or SEEDS)
    depth, shape = number(options.depth, "--depth") or 1, size(options.size)
    codes = [recipe.code(0, depth, shape) for recipe in recipes]
    names = asked if asked and _narrow() else NAMES
    form, last = options.format, seeds[-1]
    written, tally, code = line(form, codes, last, names), Tally(), OK
    above = header(form, codes, last, names)
    try:
        for hit in _found(options, codes, seeds, keeper, tally):
            sys.stdout.write(above + written(hit))
            sys.stdout.flush()
            above = ""
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.stdout.write(above)
    best = list(keeper.rest())
    sys.stdout.writelines(map(written, best))
    if options.sort is not None and tally.hits and not best:
        print(f"there are hits, but of none of them is {options.sort} a number", file=sys.stderr)
    _said(tally, stopped=code != OK)
    if code == OK and not tally.hits:
        print("\n".join(instead(codes, seeds, tally.tried, asked)), file=sys.stderr)
    return code


def _found(
    options: argparse.Namespace,
    codes: list[LevelCode],
    seeds: range,
    keeper: Keeper,
    tally: Tally,
) -> Iterator[Hit]:
    """Yield what ``keeper`` shows while the search goes on."""
    workers = number(options.workers, "--workers", high=256)
    work = jobs(codes, seeds, options.where or "")
    shares = ordered(carried_out, work, workers, options.cluster)
    with progress("searching", len(seeds) * len(codes)) as report, closing(shares):
        for share in shares:
            tally.tried += share.tried
            tally.failed += share.failed[: 5 - len(tally.failed)]
            for hit in share.found():
                tally.hits += 1
                yield from keeper.take(hit)
            report(share.tried, tally.hits)
            if keeper.full:
                return


def _wishes(options: argparse.Namespace) -> tuple[Keeper, tuple[str, ...]]:
    """Return what keeps the hits, and the metrics that were asked for by name."""
    ways = [name for name in ("sort", "closest", "diverse") if getattr(options, name) is not None]
    if len(ways) > 1:
        raise UsageError(f"give --{ways[0]} or --{ways[1]}, not both")
    for name in ("generations", "seed"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} goes with --evolve (levels are chosen with --seeds)")
    if not ways and options.where is None:
        raise UsageError(
            "say what to look for with --where, --sort, --closest, --diverse, --evolve"
        )
    asked: set[str] = set()
    option = "where"
    try:
        if options.where is not None:
            asked.update(condition(options.where, NAMES).names)
        option = ways[0] if ways else option
        keeper, more = _keeper(options)
    except QueryError as fault:
        raise UsageError(f"--{option} {getattr(options, option)[:80]!r}: {fault}") from None
    return keeper, tuple(name for name in NAMES if name in asked | more)


def _keeper(options: argparse.Namespace) -> tuple[Keeper, set[str]]:
    limit = number(options.limit, "--limit", high=MOST)
    if options.sort is not None:
        order = formula(options.sort, NAMES)
        return Best(limit or USUAL, highest(order)), set(order.names)
    if options.closest is not None:
        wishes = targets(options.closest, NAMES)
        return Best(limit or USUAL, away_from(wishes)), set(wishes)
    if options.diverse is not None:
        if limit:
            raise UsageError("--diverse says itself how many; leave out --limit")
        return Different(number(options.diverse, "--diverse", high=1000) or 1), set()
    return First(limit), set()


def _narrow() -> bool:
    """Whether a line with every metric would be broken on the terminal."""
    return sys.stdout.isatty() and os.get_terminal_size(sys.stdout.fileno()).columns < 125


def _said(tally: Tally, *, stopped: bool) -> None:
    """Say on standard error how it went: always what failed, the rest if someone looks."""
    for sentence in tally.failed[:5]:
        print(f"not built: {sentence}", file=sys.stderr)
    if sys.stderr.isatty():
        pace = tally.tried / max(1e-9, time.perf_counter() - tally.began)
        seen = f"{tally.hits:,} hits in {tally.tried:,} levels, {pace:,.0f} a second"
        print(seen + ("; stopped early" if stopped else ""), file=sys.stderr)
