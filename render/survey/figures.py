"""A survey's figures as people read them, and as tables of the terminal."""

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Console
from rich.table import Table

from procgen.measure.metrics import Metrics
from render.search.jobs import NAMES
from render.survey.portrait import Portrait

WHOLE = frozenset(name for name, kind in Metrics.__annotations__.items() if kind is int)


def figure(name: str, value: float) -> str:
    """Return a metric's percentile as people read it."""
    if name == "floor":
        return f"{value:.0%}"
    return f"{value:.0f}" if name in WHOLE else f"{value:.2f}"


def told(console: Console, portraits: Sequence[Portrait]) -> None:
    """Print a table for every recipe, and if there are several, one that compares them."""
    console.print(Columns([_table(portrait) for portrait in portraits], padding=(0, 1)))
    if len(portraits) > 1:
        console.print(_compared(portraits))


def _table(portrait: Portrait) -> Table:
    width, height = portrait.code.width, portrait.code.height
    title = f"{portrait.name} {width}x{height}, {len(portrait.seeds):,} levels"
    table = Table("metric", title=title, title_justify="left", title_style="bold")
    for name in ("5 %", "median", "95 %"):
        table.add_column(name, justify="right")
    for name, column in zip(NAMES, portrait.percentiles.T, strict=True):
        table.add_row(name, *(figure(name, value) for value in column))
    table.add_section()
    table.add_row("variety", "", f"{portrait.variety:.3f}", "")
    return table


def _compared(portraits: Sequence[Portrait]) -> Table:
    table = Table("generator", title="from the most varied to the least", title_style="bold")
    for name in ("variety", "most typical", "rarest"):
        table.add_column(name, justify="right" if name == "variety" else "left", no_wrap=True)
    for portrait in sorted(portraits, key=lambda one: -one.variety):
        if len(portrait.seeds):
            codes = (str(portrait.typical()), str(portrait.rarest()))
            table.add_row(portrait.name, f"{portrait.variety:.3f}", *codes)
    return table
