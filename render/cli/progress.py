"""How far a long search is: a bar on standard error, if someone looks at it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

Report = Callable[[int, int], None]
"""Takes in how many levels were tried since the last time, and how many hits there are."""


@contextmanager
def progress(what: str, total: int, *, hits: bool = True, unit: str = "levels") -> Iterator[Report]:
    """Yield a function that says how far we are; it is silent unless stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _tried, _hits: None
        return
    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[pace]}"),
        TimeRemainingColumn(),
    ]
    console = Console(stderr=True)
    # Room for the ^C that a terminal echoes: in the last column it would begin a line.
    console.width -= len("^C") + 1
    bar = Progress(
        *columns,
        console=console,
        transient=True,
        # Lines for a file or a pipe must not be taken for the terminal's.
        redirect_stdout=sys.stdout.isatty(),
    )
    with bar:
        task = bar.add_task(what, total=total, pace="")

        def report(tried: int, found: int) -> None:
            bar.advance(task, tried)
            spent = bar.tasks[0].elapsed or 0
            pace = f"{_round(bar.tasks[0].completed / spent)} {unit}/s" if spent > 0.2 else ""
            said = f"{pace}  {found:,} hit{'s' * (found != 1)}" if hits else pace
            bar.update(task, pace=said)

        yield report


def _round(pace: float) -> str:
    """Return a pace as people read it: of slow work a digit more."""
    return f"{pace:,.0f}" if pace >= 10 else f"{pace:.1f}"
