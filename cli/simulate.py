"""`simulate`: let a bot play many runs without a screen, on all cores."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from cli.arguments import chosen_seeds, optional_int, pool_options
from cli.errors import INTERRUPTED, OK, UsageError
from cli.output import STDOUT, aligned_table, create_file, make_folder, progress
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
    """Play a run for each seed; print depths, turns, causes of death and items used.

    Ctrl-C prints the runs played so far and exits with 130.
    """
    if options.generator:
        find_any(options.generator)
    many = _seeds(options, optional_int(options.runs, "--runs"))
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


def _seeds(options: argparse.Namespace, runs: int | None) -> Sequence[int]:
    """Return the first ``runs`` of the seeds asked for."""
    if options.seed is None and options.seeds is None:
        return range(runs or 20)
    many = chosen_seeds(options.seed, options.seeds)
    if runs and runs > len(many):
        given = len(many)
        raise UsageError(f"--runs {runs} is more than the number of seeds given ({given})")
    return many[:runs]


def _play_all(
    options: argparse.Namespace, many: Sequence[int], *, recorded: bool
) -> Iterator[BotRun]:
    """Play the runs on all workers; yield them in the order of the seeds."""
    turns = optional_int(options.turns, "--turns", high=10_000_000) or 1
    setups = (RunSetup(seed, str(seed), generator=options.generator) for seed in many)
    tasks = (BotTask(one, turns, recorded, data_fingerprint(), options.bot) for one in setups)
    runs = ordered_results(run_bot_task, tasks, *pool_options(options))
    with progress("playing", len(many), hits=False, unit="runs") as report, closing(runs):
        for one in runs:
            yield one
            report(1, 0)


def _write_run_files(one: BotRun, folder: Path) -> None:
    """Write the files of a run; never overwrite one."""
    for name, content in one.files.items():
        with create_file(folder / name, force=False) as out:
            out.write(content)


def _folder(output: str | None, many: Sequence[int]) -> Path | None:
    """Create the folder for run files, if wanted; raise `UsageError` if it has one of them."""
    if not output:
        return None
    if output == STDOUT:
        raise UsageError("--output - is not possible here: a simulation writes several files")
    folder = Path(output)
    for path in sorted(folder.glob(run_file_name("*"))):
        seed = path.stem.removeprefix("run-")
        if seed.isdecimal() and int(seed) in many:
            raise UsageError(f"{path} exists already; a run is not overwritten")
    return make_folder(folder)


def _print_tables(results: list[BotResult]) -> None:
    table = aligned_table("seed", "depth", "turns", "kills", "items used", "|end")
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
    if any(one.tried for one in results):
        console.print(_seed_table(results))


def _summary(results: list[BotResult]) -> Table:
    table = aligned_table("|over all runs", "lowest", "median", "highest")
    for name in ("depth", "turns", "kills"):
        values = sorted(getattr(result, name) for result in results)
        table.add_row(name, str(values[0]), f"{median(values):g}", str(values[-1]))
    values = sorted(len(result.used) for result in results)
    table.add_row("items used", str(values[0]), f"{median(values):g}", str(values[-1]))
    return table


def _end_table(results: list[BotResult]) -> Table:
    table = aligned_table("|end", "runs", "share")
    for end, count in Counter(ending_text(one.end) for one in results).most_common():
        table.add_row(end, str(count), f"{count / len(results):.0%}")
    return table


def _depth_table(results: list[BotResult]) -> Table:
    """Return how many runs reached each depth, how many died there, and their share of deaths."""
    dead = Counter(one.depth for one in results if one.end.startswith("killed"))
    reached = [one.deepest for one in results]
    table = aligned_table("depth", "reached it", "died there", "share of deaths")
    for depth in range(1, max(reached) + 1):
        there = sum(deepest >= depth for deepest in reached)
        share = dead[depth] / max(1, dead.total())
        table.add_row(str(depth), str(there), str(dead[depth]), f"{share:.0%}")
    return table


def _seed_table(results: list[BotResult]) -> Table:
    """Return how often a bot tried to plant each kind of seed, and how often it was refused."""
    table = aligned_table("|seed", "tried", "refused")
    tries = Counter(tried for one in results for tried in one.tried)
    for kind in dict.fromkeys(kind for kind, _ in tries):
        refused, both = tries[kind, True], tries[kind, True] + tries[kind, False]
        table.add_row(kind.replace("_", " "), str(both), f"{refused / both:.0%}")
    return table


def _item_table(results: list[BotResult]) -> Table:
    """Return how often each item was used, thrown or shot, and in how many runs."""
    table = aligned_table(*("|item", "used", "in runs") * 2)
    total = Counter(kind for one in results for kind in one.used)
    runs = Counter(kind for one in results for kind in dict.fromkeys(one.used))
    rows = [(kind.replace("_", " "), str(n), str(runs[kind])) for kind, n in total.most_common()]
    half = (len(rows) + 1) // 2
    for left, right in zip_longest(rows[:half], rows[half:], fillvalue=("", "", "")):
        table.add_row(*left, *right)
    return table
