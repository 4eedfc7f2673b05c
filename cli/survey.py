"""`survey`: measure many levels of each generator; print tables, write a page."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from cli.arguments import pool_options, query, recipe_codes, same_command, seed_range
from cli.errors import CHECK_FAILED, INTERRUPTED, OK, UsageError
from cli.output import (
    STDOUT,
    create_file,
    make_folder,
    print_tables,
    progress,
    refuse_existing,
    text_table,
)
from procgen.level_code import LevelCode
from procgen.metric_query import parse_plane
from workbench.search.process_pool import ordered_results
from workbench.search.search_jobs import METRIC_NAMES, JobResult, run_search_job, search_jobs
from workbench.survey.recipe_statistics import (
    RecipeStatistics,
    StatisticsBuilders,
    collect,
    compared,
    finished_statistics,
    print_statistics,
    warnings,
)
from workbench.survey.survey_page import survey_page

MOST = 2_000_000
"""Most levels of a survey; each takes about 80 bytes of memory."""
SEEDS, PAGE = "0:200", "survey.html"


def survey_generators(options: argparse.Namespace) -> int:
    """Print a table for each recipe and warnings; with ``--output`` write the page as well.

    With ``--strict`` a warning means exit 6. Ctrl-C prints what was measured so far and exits
    with 130, without a page.
    """
    codes, seeds = recipe_codes(options), seed_range(options.seeds or SEEDS)
    if len(codes) * len(seeds) > MOST:
        raise UsageError(f"a survey holds at most {MOST:,} levels; take fewer seeds")
    plane, target = query(options, "plane", parse_plane), _target(options)
    builders, code = StatisticsBuilders(), OK
    try:
        collect(builders, _measure(options, codes, seeds))
    except KeyboardInterrupt:
        code = INTERRUPTED
        print("stopped early: results so far", file=sys.stderr)
    found = finished_statistics(builders)
    for sentence in [sentence for stats in found for sentence in stats.failed][:5]:
        print(f"not built: {sentence}", file=sys.stderr)
    doubts = warnings(found)
    if options.format != "text":
        tables = {"metrics": _metric_rows(found), "generators": compared(found)}
        print_tables(options.format, tables, {}, {"warnings": doubts})
    else:  # With --output - the page has standard output to itself.
        console = Console(stderr=str(target) == STDOUT)
        print_statistics(console, found)
        if len(found) > 1 and (rows := compared(found)):
            console.print(text_table(rows, {"variety": "{:.3f}".format}, title="most varied first"))
    for sentence in doubts:
        print(f"warning: {sentence}", file=sys.stderr)
    if target and plane and code == OK:
        _write(found, plane, target, options)
    return CHECK_FAILED if code == OK and doubts and options.strict else code


def _measure(
    options: argparse.Namespace, codes: list[LevelCode], seeds: range
) -> Iterator[JobResult]:
    jobs = search_jobs(codes, seeds)
    shares = ordered_results(run_search_job, jobs, *pool_options(options))
    total = len(seeds) * len(codes)
    with progress("measuring", total, hits=False) as report, closing(shares):
        for share in shares:
            yield share
            report(share.tried, 0)


def _target(options: argparse.Namespace) -> Path | None:
    """Return where the page goes; raise `UsageError` if it exists. Creates the folder."""
    if not options.output:
        return None
    if options.output == STDOUT:
        if options.format != "text":
            raise UsageError("--output - writes the page to standard output: leave out --format")
        return Path(STDOUT)
    target = Path(options.output) / PAGE
    refuse_existing(target, force=options.force)
    make_folder(target.parent)
    return target


def _metric_rows(found: list[RecipeStatistics]) -> list[dict[str, Any]]:
    """Return the percentiles of every metric of every generator."""
    return [
        {"generator": stats.name, "metric": name, "p5": low, "median": middle, "p95": high}
        for stats in found
        if len(stats.seeds)
        for name, (low, middle, high) in zip(
            METRIC_NAMES, stats.percentiles.T.tolist(), strict=True
        )
    ]


def _write(
    found: list[RecipeStatistics], plane: tuple[str, str], target: Path, options: argparse.Namespace
) -> None:
    shown = [stats for stats in found if len(stats.seeds)]
    if not shown:
        raise UsageError("no level could be built, so there is no page to write")
    quiet = not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("drawing", total=len(shown))
        names = ("generator", "seeds", "depth", "size", "plane")
        command = same_command(["survey"], options, names, "--output", "DIR")
        text = survey_page(shown, plane, command, lambda: bar.advance(task))
    with create_file(target, force=options.force) as out:
        out.write(text.encode())
    if not quiet and str(target) != STDOUT:
        print(f"the page is {target}", file=sys.stderr)
