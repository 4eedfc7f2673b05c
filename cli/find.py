"""`find`: search seeds for levels by their metrics."""

import argparse
import math
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from statistics import median

from cli import arguments
from cli.errors import INTERRUPTED, OK, UsageError
from cli.find_evolve import find_by_evolution
from cli.find_illuminate import find_by_illumination
from cli.output import MOST_FAILED, Ranks, print_hits, print_not_built, progress
from entities.wording import pluralise
from procgen.level_code import LevelCode
from procgen.metric_query import parse_condition, parse_formula, parse_targets
from procgen.metrics import format_metric
from procgen.recipe_builder import BuildFailed
from procgen.word_query import NearestLevels, WordQuery, parse_words
from workbench.search.metric_space import distance_from
from workbench.search.process_pool import ordered_results
from workbench.search.search_jobs import METRIC_NAMES, Hit, JobResult, run_search_job, search_jobs
from workbench.search.selection import DiverseHits, TopHits, highest_first

SAMPLE = 60
"""The number of levels measured to show usual values when nothing matches."""


def no_hits_hint(
    codes: Sequence[LevelCode], seeds: range, tried: int, names: Sequence[str]
) -> list[str]:
    """Return lines that say nothing matches and which values the metrics ``names`` usually have."""
    jobs = search_jobs(codes, seeds[: max(1, SAMPLE // len(codes))])
    levels = [metrics for job in jobs for _, metrics in run_search_job(job).hits]
    if not levels or not names:
        return [f"no match in {pluralise(tried, 'level')}"]
    source = codes[0].name if len(codes) == 1 else f"{len(codes)} generators"
    measured = pluralise(len(levels), "level")
    lines = [f"no match in {pluralise(tried, 'level')}; {measured} of {source}:"]
    for name in names:
        values = [getattr(level, name) for level in levels]
        ends = (format_metric(name, end(values)) for end in (min, max, median))
        lines.append("  {} {} to {}, usually {}".format(name, *ends))
    varying = [it for it in names if len({getattr(level, it) for level in levels}) > 1]
    if len(levels) > 1 and not varying:
        return [*lines, "the same in all of them: take another generator, or --set a step"]
    goal = f"{(varying or names)[0]}=N"
    hint = f"--closest {goal} shows near misses; --evolve {goal} fits a generator to it"
    return [*lines, hint]


SEEDS = "0:1000"
DEFAULT_LIMIT = 20
"""The number of best levels shown by default."""
BEST_BY_WORDS, LEVELS_BY_WORDS = 10, 1000
"""The default numbers of levels shown and of levels tried in total with ``--words``."""
LONGEST_REQUEST = 1000
"""The most characters of ``--words``."""
MAX_LIMIT = 100_000
"""The highest ``--limit``."""
RERUN_OPTIONS = ("generator", "where", "closest", "sort", "depth", "size", "seeds")
"""The options of a search that the equivalent command without ``--words`` needs."""


@dataclass
class SearchTally:
    """Counts of a search, for the summary at the end."""

    tried: int = 0
    built: int = 0
    hits: int = 0
    failed: list[str] = field(default_factory=list)
    stopped: bool = False
    began: float = field(default_factory=time.perf_counter)


def find_levels(options: argparse.Namespace) -> int:
    """Print the matching levels; Ctrl-C prints those found so far and exits with 130."""
    if (options.words or options.evolve or options.illuminate) and not {";", "."}.isdisjoint(
        options.generator or ""
    ):
        raise UsageError("--words, --evolve and --illuminate take a plain name in --generator")
    if options.evolve is not None:
        return find_by_evolution(options)
    if options.illuminate is not None:
        return find_by_illumination(options)
    ways = (options.words, options.where, options.sort, options.closest, options.diverse)
    if options.seeds is None and all(way is None for way in ways):
        raise UsageError(
            "say what to look for: --words, --where, --sort, --closest, --diverse, --evolve or "
            "--illuminate; or list all levels of --seeds"
        )
    request = word_query(options)
    nearest = NearestLevels(request) if request else None
    where = arguments.query(options, "where", parse_condition)
    limit = arguments.optional_int(options.limit, "--limit", high=MAX_LIMIT)
    selector, used, ranks = _selector(options, nearest, limit)
    used.update(where.names if where else ())
    metrics = tuple(name for name in METRIC_NAMES if name in used)
    if request:
        shape = arguments.optional_size(options.size)
        codes = request.codes(arguments.optional_int(options.depth, "--depth") or 1, shape)
        options.seeds = options.seeds or f"0:{max(20, LEVELS_BY_WORDS // len(codes))}"
    else:
        codes = arguments.recipe_codes(options)
    seeds = arguments.seed_range(options.seeds or SEEDS)
    jobs = search_jobs(codes, seeds, options.where or "")
    shares = ordered_results(run_search_job, jobs, *arguments.pool_options(options))
    if request:  # Only now, so that a fault in the options is reported alone.
        print(f"understood: {request}", file=sys.stderr)
        if request.unknown:
            hint = " (--depth gives the depth)" if "depth" in request.unknown else ""
            print(f"not understood: {', '.join(request.unknown)}{hint}", file=sys.stderr)
        print(f"without words: {_command(request, options)}", file=sys.stderr)
    longest = max(len(str(code)) for code in codes) + len(str(seeds[-1])) - 1  # They have seed 0.
    names = metrics if sys.stdout.isatty() else METRIC_NAMES  # All would wrap in a terminal.
    tally, first = SearchTally(), list[Hit]()
    hits = _search(shares, len(seeds) * len(codes), selector, limit or math.inf, tally)
    try:
        first += islice(hits, 1)  # If this fails, no heading is printed.
        print_hits(options.format, chain(first, hits), longest, names, ranks)
    except KeyboardInterrupt:
        tally.stopped = True
    if options.sort is not None and tally.hits and not first:
        why = f"but --sort {options.sort} is not a number for any of them"
        print(f"{pluralise(tally.hits, 'hit')}, {why}", file=sys.stderr)
    if nearest:
        print("".join(f"{line}\n" for line in nearest.unmet()), end="", file=sys.stderr)
    _report(tally)
    if tally.stopped:
        return INTERRUPTED
    if not tally.built:
        raise BuildFailed("no level could be built")
    if not tally.hits:
        print("\n".join(no_hits_hint(codes, seeds, tally.tried, metrics)), file=sys.stderr)
    return OK


Selector = TopHits | DiverseHits | None
"""Chooses among all hits; None takes the first."""


def _search(
    shares: Generator[JobResult, None, None],
    levels: int,
    selector: Selector,
    limit: float,
    tally: SearchTally,
) -> Iterator[Hit]:
    """Yield the first hits, up to ``limit``, or at the end or on Ctrl-C those of ``selector``."""
    try:
        with progress("searching", levels) as report, closing(shares):
            for share in shares:
                tally.tried += share.tried
                tally.built += share.tried - len(share.failed)
                tally.failed += share.failed[: MOST_FAILED - len(tally.failed)]
                for hit in share.found():
                    tally.hits += 1
                    if selector:
                        selector.add(hit)
                    elif tally.hits <= limit:
                        yield hit
                report(share.tried, tally.hits)
                if not selector and tally.hits >= limit:
                    break
    except KeyboardInterrupt:
        tally.stopped = True
    yield from selector.chosen() if selector else ()


def _selector(
    options: argparse.Namespace, nearest: NearestLevels | None, limit: int | None
) -> tuple[Selector, set[str], Ranks]:
    """Return the selector for the options, the metrics it uses, and what it ranks hits by."""
    if nearest:
        metrics = {wish.metric for wish in nearest.query.wishes}
        return TopHits(limit or BEST_BY_WORDS, lambda hit: nearest.add(*hit)), metrics, {}
    if order := arguments.query(options, "sort", parse_formula):
        cost = highest_first(order)
        ranks: Ranks = {"value": lambda hit: 0 - (cost(hit) or 0)}
        return TopHits(limit or DEFAULT_LIMIT, cost), set(order.names), ranks
    if goals := arguments.query(options, "closest", parse_targets):
        distance = partial(distance_from, goals)
        return TopHits(limit or DEFAULT_LIMIT, distance), set(goals), {"distance": distance}
    if options.diverse is not None:
        count = arguments.optional_int(options.diverse, "--diverse", high=1000) or 1
        return DiverseHits(count), set(), {}
    return None, set(), {}


def _report(tally: SearchTally) -> None:
    """Print failed builds on stderr; also counts if it is a terminal or the search was stopped."""
    print_not_built(tally.failed, tally.tried - tally.built, tally.tried)
    if tally.stopped or sys.stderr.isatty():
        pace = tally.tried / max(1e-9, time.perf_counter() - tally.began)
        levels = pluralise(tally.tried, "level")
        seen = f"{pluralise(tally.hits, 'hit')} in {levels}, {pace:,.0f} a second"
        print(seen + ("; stopped early" if tally.stopped else ""), file=sys.stderr)


def word_query(options: argparse.Namespace) -> WordQuery | None:
    """Return the query of ``--words``, None if absent; raise `UsageError` if no word is known."""
    if options.words is None:
        return None
    if len(options.words) > LONGEST_REQUEST:
        raise UsageError(f"--words has more than {LONGEST_REQUEST} characters")
    try:
        query = parse_words(options.words)
    except ValueError as fault:
        raise UsageError(f"--words {options.words[:80]!r}: {fault}") from None
    if query.is_empty:  # Asked before `--generator` fills in recipes that no word named.
        raise UsageError(f"--words {options.words[:80]!r}: nothing in it is understood")
    if options.generator is not None:
        recipes = tuple(recipe.name for recipe in arguments.chosen_recipes(options.generator))
        plain = {name.partition("+")[0] for name in recipes}
        query.unknown += [f"{it} beside --generator" for it in query.recipes if it not in plain]
        query.recipes = recipes
    if options.size:
        query.size = None  # The option has priority over a word for the size.
    return query


def _command(request: WordQuery, options: argparse.Namespace) -> str:
    """Return the command that makes the same search without ``--words``."""
    plain_options = argparse.Namespace(**vars(options))
    plain_options.generator = request.kinds
    more = [f"{wish.relation}{wish.metric}" for wish in request.wishes if not wish.numbers]
    goals = [f"{w.metric}={w.numbers[0]:.12g}" for w in request.wishes if w.relation == "~"]
    plain_options.closest = ", ".join(goals) or None
    plain_options.sort = "".join(more).removeprefix("+") if more and not goals else None
    conditions = [request.where, f"({options.where})" if options.where else ""]
    plain_options.where = " and ".join(filter(None, conditions)) or None
    if request.size:
        plain_options.size = f"{request.size[0]}x{request.size[1]}"
    return arguments.rerun_command(["find"], plain_options, RERUN_OPTIONS)
