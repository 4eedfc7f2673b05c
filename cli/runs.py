"""`runs`: list or delete the recorded runs."""

import argparse
import sys
from contextlib import suppress
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from cli.arguments import escaped_path, recorded_runs
from cli.errors import OK, UsageError
from cli.output import Record, print_records
from engine.saves.files import recorded_paths, runs_folder
from engine.saves.keyframes import keyframes_path
from engine.saves.recorder import claim
from engine.saves.run_file import Summary, summarize
from entities.wording import pluralise
from render.panels.morgue import ending_text
from render.ui.text import clipped, printable

COLUMNS = ("name", "date", "seed", "mode", "depth", "turns", "end", "size")
NUMBER_COLUMNS = ("depth", "turns", "size")
OPTIONAL_COLUMNS = ("date", "seed", "size")
"""The columns left out first on narrow terminals; a run's name contains its date and seed."""
LONGEST_SEED, LONGEST_FILE = 30, 16

FIELDS = (
    *("name", "date", "seed", "mode", "generator", "file", "depth", "turns", "end", "size"),
    *("code", "grew_from", "path"),
)
"""The fields of a row; ``size`` is in bytes, keyframes included."""


def list_runs(options: argparse.Namespace) -> int:
    """List the recorded runs, the last played first; with ``--delete`` delete some."""
    if options.delete:
        return _delete(options.delete, sure=options.yes)
    rows = list[Record]()
    for path in recorded_paths():
        with suppress(OSError):
            rows.append(_row(summarize(path)))
    if options.format != "text":
        print_records(options.format, rows, FIELDS)
        return OK
    if rows:
        _print(rows)
    print(f"{pluralise(len(rows), 'run')} in {printable(str(runs_folder()))}", file=sys.stderr)
    return OK


def _row(run: Summary) -> Record:
    size = run.size
    with suppress(OSError):
        size += keyframes_path(run.path).lstat().st_size
    setup = run.header.setup if run.header else None
    mode = setup.mode.value if setup else ""
    if run.header and (run.header.setup.grew_from is not None or run.header.state is not None):
        mode = "branch"  # It was taken over.
    return {
        "name": escaped_path(run.path.stem),
        "date": run.header.started if run.header else "",
        "seed": setup.typed_seed if setup else "",
        "mode": mode,
        "generator": setup.generator if setup else None,
        "file": setup.drawn_from if setup and setup.drawn else None,
        "depth": run.depth,
        "turns": run.turns,
        "end": run.result,
        "size": size,
        "code": run.level,
        "grew_from": setup.grew_from if setup else None,
        "path": escaped_path(run.path),
    }


def _print(rows: list[Record]) -> None:
    """Print one line per run, with as many columns as fit the terminal; all without one.

    The lines are plain text: a rich table of 5,000 rows would take longer than reading the runs.
    """
    console = Console(markup=False, highlight=False)
    cells = [_cells(row) for row in rows]
    widths = {name: max(len(name), *(cell_len(each[name]) for each in cells)) for name in COLUMNS}
    shown = list(COLUMNS)
    for name in OPTIONAL_COLUMNS if sys.stdout.isatty() else ():
        if sum(widths[each] + 1 for each in shown) - 1 > console.width:
            shown.remove(name)
    console.print(_line({name: name for name in shown}, widths), style="bold", soft_wrap=True)
    print("\n".join(_line({name: each[name] for name in shown}, widths) for each in cells))
    if left := [name for name in COLUMNS if name not in shown]:
        names = " and ".join(", ".join(left).rsplit(", ", 1))
        print(f"{names}: in a wider terminal, or with --format csv", file=sys.stderr)


def _line(cells: dict[str, str], widths: dict[str, int]) -> str:
    """Return one line of the table, with numbers aligned to the right."""
    padded = (
        f"{text:>{widths[name]}}" if name in NUMBER_COLUMNS else set_cell_size(text, widths[name])
        for name, text in cells.items()
    )
    return " ".join(padded).rstrip()


def _cells(row: Record) -> dict[str, str]:
    """Return the text of each cell of a run, by column."""
    return {
        "name": printable(row["name"]),
        "date": printable(row["date"][:10]),
        "seed": clipped(printable(row["seed"]), LONGEST_SEED),
        "mode": clipped(printable(row["file"] or row["mode"]), LONGEST_FILE),
        "depth": str(row["depth"] or ""),
        "turns": f"{row['turns']:,}",
        "end": printable(ending_text(row["end"])),
        "size": f"{-(-row['size'] // 1000):,} kB",
    }


def _delete(names: list[str], *, sure: bool) -> int:
    """Delete runs by name, after asking unless ``sure``."""
    paths = recorded_runs(names)
    if not sure and not _confirmed(paths):
        print("nothing was deleted", file=sys.stderr)
        return OK
    for path in paths:
        claim(path, new=False).close()  # Raises if another process plays it.
        for file in (path, keyframes_path(path)):
            file.unlink(missing_ok=True)
        print(f"deleted {printable(str(path))}", file=sys.stderr)
    return OK


def _confirmed(paths: list[Path]) -> bool:
    if not sys.stdin.isatty():
        raise UsageError("--delete asks first; without a terminal to answer on, add --yes")
    for path in paths:
        row = _row(summarize(path))
        ending = f"{pluralise(row['turns'], 'turn')}, {ending_text(row['end'])}"
        print(printable(f"{row['name']}: seed {row['seed']}, {ending}"))
    subject = "this run" if len(paths) == 1 else f"these {len(paths)} runs"
    with suppress(EOFError):  # Ctrl-D
        return input(f"Delete {subject} for good? [y/N] ").strip().lower() in {"y", "yes"}
    return False
