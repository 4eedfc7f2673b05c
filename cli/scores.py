"""`scores`: print a board of high scores, best first."""

import argparse
import sys
from datetime import date

from msgspec.structs import asdict
from rich.console import Console

from cli.arguments import optional_int
from cli.errors import OK, UsageError
from cli.output import print_records, text_table
from engine.saves.high_scores import HighScore, bad_lines, score_board, scores_path, today
from entities.wording import pluralise
from render.panels.morgue import ending_text
from render.ui.text import clipped, printable

LONGEST_SEED, WITH_SEEDS, OTHERS = 20, 88, 72
FIGURES = ("points", "depth", "level", "turns")


def show_scores(options: argparse.Namespace) -> int:
    """Print the board of all time, of a daily dungeon, or of runs with a ghost."""
    day = "" if options.daily is None else _day(options.daily)
    board = score_board(day, ghosts=options.ghosts)
    path = printable(str(scores_path()))
    if bad := bad_lines():
        print(f"{path}: {pluralise(bad, 'line')} could not be read", file=sys.stderr)
    limit = optional_int(options.limit, "--limit") or 1
    if options.format != "text":
        print_records(options.format, map(asdict, board[:limit]), HighScore.__struct_fields__)
        return OK
    if board:
        _print_board(board[:limit], day)
    print(f"{pluralise(len(board), 'run')}{' of ' * bool(day)}{day} in {path}", file=sys.stderr)
    return OK


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text or today().isoformat()).isoformat()
    except ValueError:
        raise UsageError(f"--daily {text[:40]!r} is not a day such as {today()}") from None


def _print_board(board: list[HighScore], day: str) -> None:
    """Print a table that fits; seeds are shortened, or left out if narrow or all of a ``day``."""
    console = Console(markup=False, highlight=False)
    seed = 0 if day or console.width < WITH_SEEDS else min(LONGEST_SEED, console.width - OTHERS)
    rows = [
        {
            "": rank,
            **{name: getattr(score, name) for name in FIGURES},
            "date": score.ended[:10],
            **({"seed": clipped(score.seed, seed)} if seed else {}),
            "how it ended": ending_text(score.end, won=score.won),
        }
        for rank, score in enumerate(board, 1)
    ]
    table = text_table(rows, dict.fromkeys(FIGURES, "{:,}".format), box=None, padding=(0, 1, 0, 0))
    for column in table.columns[:-1]:
        column.no_wrap = True
    console.print(table)
