"""`survey`: measure many levels of each generator; print tables, write a page."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from rich.columns import Columns
from rich.console import Console

from cli import output
from cli.arguments import optional_int, pool_options, query, recipe_codes, rerun_command, seed_range
from cli.errors import CHECK_FAILED, INTERRUPTED, OK, UsageError
from entities.program import VERSION
from procgen.level_code import LevelCode
from procgen.metric_query import parse_plane
from procgen.recipe_builder import BuildFailed
from workbench.search.process_pool import ordered_results
from workbench.search.search_jobs import METRIC_NAMES, JobResult, run_search_job, search_jobs
from workbench.survey.parameter_curves import parameter_curves, parameter_sweeps
from workbench.survey.recipe_statistics import (
    RecipeStatistics,
    StatisticsParts,
    add_results,
    format_figure,
    merge_statistics,
    percentiles,
    ranking_rows,
    separations,
    statistics_table,
    warnings,
)
from workbench.survey.survey_page import survey_page

MAX_LEVELS = 2_000_000
"""The most levels of a survey; each takes about 80 bytes of memory."""
FORMATS = {n: partial(format_figure, n) for n in ("quality", "diversity", "controllability")}
SEEDS, PAGE, MOST_EACH, PLANE = "0:200", "survey.html", 1000, ("floor", "detour")
NOT_SHOWN = ("quality_interval", "diversity_interval", "most_typical", "rarest")
NO_QUALITY = "no quality: the generator has no wishes, or another size than they are for"
MEASURED = ("generator", "seeds", "depth", "size", "plane", "curves")
METRIC_FIGURES = ("levels", "mean", "mean_error", "deviation", "p5", "median", "p95")
METRIC_COLUMNS = ("generator", "metric", *METRIC_FIGURES)


def survey_generators(options: argparse.Namespace) -> int:
    """Print a table for each recipe and warnings; with ``--output`` write the page as well.

    ``--curves`` varies every parameter, too. With ``--strict`` a warning means exit 6. Ctrl-C
    prints what was measured so far and exits with 130, without a page.
    """
    options.seeds = options.seeds or SEEDS
    codes, seeds = recipe_codes(options), seed_range(options.seeds)
    if len(codes) * len(seeds) > MAX_LEVELS:
        raise UsageError(f"a survey holds at most {MAX_LEVELS:,} levels; take fewer seeds")
    each = optional_int(options.curves, "--curves", 2, MOST_EACH) or 0
    same = range(seeds.start, min(seeds.start + each, 2**64))  # For all values of a parameter.
    sweeps = [at for code in codes for at in parameter_sweeps(code).values()] if each else []
    varied = list(dict.fromkeys(variant for at in sweeps for variant in at.values()))
    plane, target = query(options, "plane", parse_plane) or PLANE, _target(options)
    builders, at_values, code = StatisticsParts(), StatisticsParts(), OK
    try:
        add_results(builders, _measure(options, codes, seeds))
        if varied:
            add_results(at_values, _measure(options, varied, same))
    except KeyboardInterrupt:
        code = INTERRUPTED
        print("stopped early: results so far", file=sys.stderr)
    results, measured = merge_statistics(builders), merge_statistics(at_values)
    if each and code == OK:
        levels = {stats.code: stats.metrics for stats in measured if len(stats.metrics)}
        results = [replace(stats, curves=parameter_curves(stats.code, levels)) for stats in results]
    shown = [stats for stats in results if len(stats.seeds)]
    failed = [sentence for stats in results for sentence in stats.failed]
    built = sum(len(stats.seeds) for stats in shown)
    output.print_not_built(failed, len(failed), built + len(failed))
    if target and shown and code == OK:  # First, since the tables may go into a closed pipe.
        _write(shown, plane, target, options)
    pairs, rows = separations(shown), ranking_rows(shown)
    doubts = warnings(shown, pairs)
    if options.format != "text":
        tables = {"metrics": _metric_rows(shown), "generators": rows, "separations": pairs}
        tables |= {"curves": _curve_rows(shown)} if each else {}
        command = rerun_command(["survey"], options, MEASURED)
        about = {"program": VERSION, "command": command, "seeds": options.seeds}
        about |= {"depth": codes[0].depth, "complete": code == OK, "warnings": doubts}
        output.print_tables(options.format, tables, {}, about, columns=METRIC_COLUMNS)
    else:  # With --output - only the page is written to standard output.
        console = Console(stderr=str(target) == output.STDOUT, markup=False)
        console.print(Columns(map(statistics_table, shown), padding=(0, 1)))
        if len(rows) > 1:
            figures = [{name: row[name] for name in row if name not in NOT_SHOWN} for row in rows]
            console.print(output.text_table(figures, FORMATS, title="most varied first"))
        for row in rows:  # Not in the table, where long codes would be wrapped.
            line = "most typical {most_typical}, rarest {rarest}".format(**row)
            console.print(f"{row['generator']}: {line}", highlight=False, soft_wrap=True)
    if any(stats.quality is None for stats in shown):
        print(NO_QUALITY, file=sys.stderr)
    for sentence in doubts:
        print(f"warning: {sentence}", file=sys.stderr)
    if not shown and code == OK:
        raise BuildFailed("no level could be built")
    return CHECK_FAILED if code == OK and doubts and options.strict else code


def _measure(
    options: argparse.Namespace, codes: list[LevelCode], seeds: range
) -> Iterator[JobResult]:
    shares = ordered_results(run_search_job, search_jobs(codes, seeds), *pool_options(options))
    total = len(seeds) * len(codes)
    with output.progress("measuring", total, hits=False) as report, closing(shares):
        for share in shares:
            yield share
            report(share.tried, 0)


def _target(options: argparse.Namespace) -> Path | None:
    """Return the page's path and create its folder; raise `UsageError` if the page exists."""
    if not options.output:
        return None
    if options.output == output.STDOUT:
        if options.format != "text":
            raise UsageError("--output - writes the page to standard output: leave out --format")
        return Path(output.STDOUT)
    if Path(options.output).suffix in (".html", ".htm"):
        raise UsageError(f"--output takes a folder, in which the page is {PAGE}")
    target = Path(options.output) / PAGE
    output.require_new_file(target, force=options.force)
    output.make_folder(target.parent)
    return target


def _metric_rows(all_stats: list[RecipeStatistics]) -> list[dict[str, Any]]:
    """Return the spread of every metric of every generator."""
    rows = []
    for stats in all_stats:
        table, count = stats.metrics, len(stats.seeds)
        deviation = table.std(axis=0, ddof=min(1, count - 1))
        moments = table.mean(axis=0), deviation / count**0.5, deviation
        for name, *values in zip(METRIC_NAMES, *moments, *percentiles(table), strict=True):
            row = (stats.name, name, count, *map(float, values))
            rows.append(dict(zip(METRIC_COLUMNS, row, strict=True)))
            rows[-1]["mean_error"] = rows[-1]["mean_error"] if count > 1 else None
    return rows


def _curve_rows(all_stats: list[RecipeStatistics]) -> list[dict[str, Any]]:
    """Return a row for each parameter of every generator and each metric that it affects."""
    curves = [(stats.name, curve) for stats in all_stats for curve in stats.curves or ()]
    return [{"generator": name, **asdict(curve)} for name, curve in curves if curve.explained]


def _write(
    shown: list[RecipeStatistics], plane: tuple[str, str], target: Path, options: argparse.Namespace
) -> None:
    command = rerun_command(["survey"], options, MEASURED, "--output", "DIR")
    text = survey_page(shown, plane, command, output.progress_bar(shown, "drawing", len(shown)))
    with output.create_file(target, force=options.force) as out:
        out.write(text.encode())
    if sys.stderr.isatty() and str(target) != output.STDOUT:
        print(f"the page is {target}", file=sys.stderr)
