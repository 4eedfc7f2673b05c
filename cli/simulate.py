"""`simulate`: let a bot play many runs without a screen, on all cores."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from cli.arguments import chosen_seeds, optional_int, pool_options
from cli.errors import INTERRUPTED, OK, UsageError
from cli.output import STDOUT, create_file, make_folder, print_tables, progress
from engine.bots import BOTS
from engine.state.run_setup import RunSetup
from entities.program import VERSION
from procgen.recipes import find_any
from render.messages.names import item_kind_name
from render.panels.morgue import ending_text
from workbench.search import bot_runs
from workbench.search.process_pool import ordered_results

MAX_ROWS = 50
RUN_COLUMNS = ("seed", "depth", "deepest", "points", "turns", "kills", "items_used", "end")
FORMATS: dict[str, Callable[[Any], str]] = {
    "end": ending_text,
    **dict.fromkeys(("points", "turns", "lowest", "median", "highest"), "{:,.10g}".format),
    "kind": item_kind_name,
    "over_all_runs": lambda name: str(name).replace("_", " "),
    **dict.fromkeys(("share", "share_of_deaths", "share_refused"), "{:.0%}".format),
}


def simulate_runs(options: argparse.Namespace) -> int:
    """Play a run for each seed; print depths, turns, causes of death and items used.

    Ctrl-C prints the runs played so far and exits with 130.
    """
    if options.generator is not None:
        find_any(options.generator)
    if options.bot not in BOTS:
        raise UsageError(f"there is no bot {options.bot!r}; there are {', '.join(BOTS)}")
    seeds = _seeds(options, optional_int(options.runs, "--runs"))
    turns = optional_int(options.turns, "--turns", high=10_000_000) or 1
    workers, cluster = pool_options(options)
    folder = _folder(options.output, seeds)  # Last, so that a wrong option leaves no folder.
    setups = (RunSetup(seed, str(seed), generator=options.generator) for seed in seeds)
    play = partial(bot_runs.play_run, turns=turns, bot=options.bot, recorded=folder is not None)
    play = partial(play, fingerprint=bot_runs.data_fingerprint())
    results, code = list[bot_runs.BotResult](), OK
    try:
        runs = ordered_results(play, setups, workers, cluster)
        with progress("playing", len(seeds), hits=False, unit="runs") as report, closing(runs):
            for result, files in runs:
                results.append(result)
                for name, content in files.items():
                    with create_file(Path(options.output) / name, force=False) as out:
                        out.write(content)
                report(1, 0)
    except KeyboardInterrupt:
        code = INTERRUPTED
        print(f"stopped after {len(results)} of {len(seeds)} runs", file=sys.stderr)
    about = {"program": VERSION, "bot": options.bot, "generator": options.generator}
    about["most_turns"] = turns
    tables = result_tables(results)
    print_tables(options.format, tables, FORMATS, about, most=MAX_ROWS, columns=RUN_COLUMNS)
    if folder and sys.stderr.isatty():
        print(f"{len(results)} run files in {folder}", file=sys.stderr)
    return code


def _seeds(options: argparse.Namespace, runs: int | None) -> Sequence[int]:
    """Return the first ``runs`` of the seeds that the options name."""
    if options.seed is None and options.seeds is None:
        return range(runs or 20)
    seeds = chosen_seeds(options.seed, options.seeds)
    if runs and runs > len(seeds):
        raise UsageError(f"--runs {runs} is more than the number of seeds given ({len(seeds)})")
    return seeds[:runs]


def _folder(output: str | None, seeds: Sequence[int]) -> Path | None:
    """Create the folder for run files, if any; raise `UsageError` if it contains one of them."""
    if not output:
        return None
    if output == STDOUT:
        raise UsageError("--output - is not possible here: a simulation writes several files")
    folder = Path(output)
    for path in sorted(folder.glob(bot_runs.run_file_name("*"))):
        seed = path.stem.removeprefix("run-")
        if seed.isdecimal() and int(seed) in seeds:
            raise UsageError(f"{path} exists already; a run is not overwritten")
    return make_folder(folder)


def result_tables(results: list[bot_runs.BotResult]) -> dict[str, list[dict[str, Any]]]:
    """Return a table of the runs, and tables that summarise them."""
    every = [{**result._asdict(), "items_used": len(result.used)} for result in results]
    runs = [{name: facts[name] for name in RUN_COLUMNS} for facts in every]
    if not runs:
        return {"runs": runs}
    columns = {name: [run[name] for run in runs] for name in RUN_COLUMNS[1:-1]}
    ends = Counter(ending_text(result.end) for result in results)  # Two causes are called fire.
    items = Counter(kind for result in results for kind in result.used).most_common()
    users = Counter(kind for result in results for kind in {*result.used})
    return {
        "runs": runs,
        "summary": [
            {"over_all_runs": name}
            | {"lowest": min(values), "median": median(values), "highest": max(values)}
            for name, values in columns.items()
        ],
        "depths": _depth_table(results),
        "ends": [{"end": end, "runs": n, "share": n / len(runs)} for end, n in ends.most_common()],
        "items": [{"kind": kind, "used": n, "in_runs": users[kind]} for kind, n in items],
        "seeds": _seed_table(results),
    }


def _depth_table(results: list[bot_runs.BotResult]) -> list[dict[str, Any]]:
    """Return how many runs reached each depth, how many died there, and their share of deaths."""
    dead = Counter(run.depth for run in results if run.end.startswith("killed"))
    reached = [run.deepest for run in results]
    return [
        {
            "depth": depth,
            "reached_it": sum(deepest >= depth for deepest in reached),
            "died_there": dead[depth],
            "share_of_deaths": dead[depth] / max(1, dead.total()),
        }
        for depth in range(1, max(reached) + 1)
    ]


def _seed_table(results: list[bot_runs.BotResult]) -> list[dict[str, Any]]:
    """Return how often a bot tried to plant each kind of seed, and how often it was refused."""
    tries = Counter(tried for run in results for tried in run.tried)
    table = []
    for kind in dict.fromkeys(kind for kind, _ in tries):
        refused, both = tries[kind, True], tries[kind, True] + tries[kind, False]
        table.append({"kind": kind, "tried": both, "share_refused": refused / both})
    return table
