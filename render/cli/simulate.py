"""`simulate`: a bot plays headless through the same door as a person."""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import track
from rich.table import Table

from engine.actions import Refused, Wait
from engine.bot import Bot
from engine.record import RunFileError
from engine.run import Run
from engine.setup import Setup
from procgen.recipes import find_recipe
from render.cli.asking import number, seed_range
from render.cli.faults import OK, UsageError


@dataclass(frozen=True)
class Result:
    """How one run went."""

    seed: int
    depth: int
    turns: int
    kills: int
    end: str


def simulate(options: argparse.Namespace) -> int:
    """Play a run for every seed and print a table of depth, turns and cause of death."""
    if options.runs and options.seeds:
        raise UsageError("give --runs or --seeds, not both")
    if options.generator:
        find_recipe(options.generator)
    many = seed_range(options.seeds or f"0:{number(options.runs, '--runs') or 20}")
    turns = number(options.turns, "--turns", high=10_000_000) or 1
    folder = Path(options.output) if options.output else None
    quiet = not sys.stderr.isatty()
    console = Console(stderr=True)
    results = [
        simulated(Setup(seed, str(seed), generator=options.generator), turns, folder)
        for seed in track(many, "playing", console=console, transient=True, disable=quiet)
    ]
    _print(results)
    if folder:
        print(f"{len(results)} run files in {folder}", file=sys.stderr)
    return OK


def simulated(setup: Setup, turns: int, folder: Path | None) -> Result:
    """Let the bot play one run of at most ``turns`` turns, recorded under ``folder`` if given."""
    path = folder / f"run-{setup.seed}.jsonl" if folder else None
    run, bot = Run.begin(setup, path), Bot()
    if run.recorder and run.recorder.problem:
        raise UsageError(f"{path}: {run.recorder.problem}")
    world, end = run.world, "out of turns"
    while world.hero.alive and world.turn < turns:
        events = run.act(bot.choose(world))
        if isinstance(events, Refused):
            events = run.act(Wait())
        assert not isinstance(events, Refused)
        bot.hear(events)
    if world.killed_by:
        end = f"killed by {world.killed_by}"
    run.close()
    if run.recorder and run.recorder.lost:
        raise RunFileError(f"{path}: {run.recorder.lost}")
    return Result(setup.seed, world.depth, world.turn, world.kills, end)


def _print(results: list[Result]) -> None:
    table = Table("seed", "depth", "turns", "kills", "end")
    for result in results[:50]:
        table.add_row(
            *map(str, (result.seed, result.depth, result.turns, result.kills)), result.end
        )
    if len(results) > 50:
        table.add_row("…", "", "", "", f"{len(results) - 50} more")
    summary = Table("over all runs", "lowest", "median", "highest")
    for name in ("depth", "turns", "kills"):
        values = sorted(getattr(result, name) for result in results)
        summary.add_row(name, str(values[0]), f"{median(values):g}", str(values[-1]))
    ends = Table("end", "runs", "share")
    for end, count in Counter(result.end for result in results).most_common():
        ends.add_row(end, str(count), f"{count / len(results):.0%}")
    console = Console()
    for part in (table, summary, ends):
        console.print(part)
