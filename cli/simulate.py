"""`simulate`: a bot plays headless through the same door as a person, on every core."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from cli.arguments import optional_int, seed_range
from cli.errors import INTERRUPTED, OK, UsageError
from cli.output import create_file, make_folder, progress
from engine.bots import BOTS
from engine.state.run_setup import RunSetup
from procgen.recipes import find_any
from render.panels.morgue import ending_text
from workbench.search.bot_runs import (
    BotResult,
    BotRun,
    BotTask,
    data_fingerprint,
    run_bot_task,
    run_file_name,
)
from workbench.search.process_pool import ordered_results

SHOWN = 50


def simulate_runs(options: argparse.Namespace) -> int:
    """Play a run for every seed and print a table of depth, turns and cause of death.

    After Ctrl-C it tells of those played so far, with exit 130.
    """
    if options.generator:
        find_any(options.generator)
    many = _seeds(options.seeds, optional_int(options.runs, "--runs"))
    folder = _folder(options.output, many)
    if options.bot not in BOTS:
        raise UsageError(f"there is no bot {options.bot!r}; there are {', '.join(BOTS)}")
    results, code = list[BotResult](), OK
    try:
        for one in _play_all(options, many, recorded=folder is not None):
            results.append(one.result)
            if folder:
                _write_run_files(one, folder)
    except KeyboardInterrupt:
        code = INTERRUPTED
        print(f"stopped after {len(results)} of {len(many)} runs", file=sys.stderr)
    if results:
        _print_tables(results)
    if folder and sys.stderr.isatty():
        print(f"{len(results)} run files in {folder}", file=sys.stderr)
    return code


def _seeds(seeds: str | None, runs: int | None) -> range:
    """Return the seeds to play: those asked for, and of them only the first ``runs``."""
    if seeds is None:
        return range(runs or 20)
    many = seed_range(seeds)
    if runs and runs > len(many):
        raise UsageError(f"--seeds {seeds} has but {len(many)} seeds for --runs {runs}")
    return many[:runs]


def _play_all(options: argparse.Namespace, many: range, *, recorded: bool) -> Iterator[BotRun]:
    """Yield every run in the order of the seeds, whoever played it."""
    turns = optional_int(options.turns, "--turns", high=10_000_000) or 1
    workers = optional_int(options.workers, "--workers", high=256)
    tasks = (
        BotTask(_setup(options, seed), turns, recorded, data_fingerprint(), options.bot)
        for seed in many
    )
    runs = ordered_results(run_bot_task, tasks, workers, options.cluster)
    with progress("playing", len(many), hits=False, unit="runs") as report, closing(runs):
        for one in runs:
            yield one
            report(1, 0)


def _setup(options: argparse.Namespace, seed: int) -> RunSetup:
    return RunSetup(seed, str(seed), generator=options.generator)


def _write_run_files(one: BotRun, folder: Path) -> None:
    """Write the files of a run that was played, none of them over another."""
    for name, content in one.files.items():
        with create_file(folder / name, force=False) as out:
            out.write(content)


def _folder(output: str | None, many: range) -> Path | None:
    """Return where the run files go, if they are wanted and none of them is there already."""
    if not output:
        return None
    folder = Path(output)
    for path in sorted(folder.glob(run_file_name("*"))):
        seed = path.stem.removeprefix("run-")
        if seed.isdecimal() and int(seed) in many:
            raise UsageError(f"{path} exists already; a run is not overwritten")
    return make_folder(folder)


def _print_tables(results: list[BotResult]) -> None:
    table = _table("seed", "depth", "turns", "kills", "things used", "|end")
    for one in results[:SHOWN]:
        figures = (one.seed, one.depth, one.turns, one.kills, len(one.used))
        table.add_row(*map(str, figures), ending_text(one.end))
    if len(results) > SHOWN:
        table.add_row("…", "", "", "", "", f"{len(results) - SHOWN} more")
    console = Console()
    for part in (table, _summary(results), _depth_table(results), _end_table(results)):
        console.print(part)
    if any(one.used for one in results):
        console.print(_item_table(results))


def _table(*heads: str) -> Table:
    """Return a table of figures, to the right; a head with a bar before it is one of words."""
    table = Table()
    for head in heads:
        table.add_column(head.removeprefix("|"), justify="left" if head[0] == "|" else "right")
    return table


def _summary(results: list[BotResult]) -> Table:
    table = _table("|over all runs", "lowest", "median", "highest")
    for name in ("depth", "turns", "kills"):
        values = sorted(getattr(result, name) for result in results)
        table.add_row(name, str(values[0]), f"{median(values):g}", str(values[-1]))
    values = sorted(len(result.used) for result in results)
    table.add_row("things used", str(values[0]), f"{median(values):g}", str(values[-1]))
    return table


def _end_table(results: list[BotResult]) -> Table:
    table = _table("|end", "runs", "share")
    for end, count in Counter(ending_text(one.end) for one in results).most_common():
        table.add_row(end, str(count), f"{count / len(results):.0%}")
    return table


def _depth_table(results: list[BotResult]) -> Table:
    """Return where runs ended: how many at each depth, and what share of all deaths that is."""
    dead = Counter(one.depth for one in results if one.end.startswith("killed"))
    reached = [one.deepest for one in results]
    table = _table("depth", "reached it", "died there", "share of deaths")
    for depth in range(1, max(reached) + 1):
        there = sum(deepest >= depth for deepest in reached)
        share = dead[depth] / max(1, dead.total())
        table.add_row(str(depth), str(there), str(dead[depth]), f"{share:.0%}")
    return table


def _item_table(results: list[BotResult]) -> Table:
    """Return which things were used, thrown or shot, most used first, and in how many runs."""
    table = _table(*("|thing", "used", "in runs") * 2)
    total = Counter(kind for one in results for kind in one.used)
    runs = Counter(kind for one in results for kind in dict.fromkeys(one.used))
    rows = [(kind.replace("_", " "), str(n), str(runs[kind])) for kind, n in total.most_common()]
    half = (len(rows) + 1) // 2
    for left, right in zip_longest(rows[:half], rows[half:], fillvalue=("", "", "")):
        table.add_row(*left, *right)
    return table
