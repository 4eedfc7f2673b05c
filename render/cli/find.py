"""`find`: search seeds for levels by their metrics."""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

from procgen.code import LevelCode
from procgen.measure.query import condition, formula, targets
from procgen.measure.query_words import QueryError
from render.cli.asking import generators, number, seed_range, size
from render.cli.evolve import evolve
from render.cli.faults import INTERRUPTED, OK, UsageError
from render.cli.hits import header, line
from render.cli.no_hits import instead
from render.cli.progress import progress
from render.search.crew import ordered
from render.search.jobs import NAMES, Hit, carried_out, jobs
from render.search.keepers import Best, Different, First, Keeper, away_from, highest

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
