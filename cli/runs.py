"""`runs`: list or delete the recorded runs."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from cli.arguments import escaped_path, recorded_runs
from cli.errors import CHECK_FAILED, EXIT_CODES, OK, UsageError
from cli.output import Record, print_records, progress_bar
from engine.saves.files import recorded_paths, runs_folder
from engine.saves.high_scores import why_unscored
from engine.saves.keyframes import keyframes_path
from engine.saves.playback import Playback
from engine.saves.recorder import claim
from engine.saves.run_file import Summary, read_run, summarize
from engine.state.score import score
from entities.program import PROGRAM
from entities.wording import pluralise
from render.panels.morgue import ending_text
from render.ui.text import clipped, printable

COLUMNS = ("name", "date", "seed", "mode", "depth", "turns", "end", "size")
NUMBER_COLUMNS = ("depth", "turns", "size", "points")
OPTIONAL_COLUMNS = ("date", "seed", "size")
"""The columns left out first on narrow terminals; a run's name contains its date and seed."""
VERIFIED = ("verified", "points", "scored", "why_not", "identity")
NO_RUN = Summary(Path("none"), None, 0, "", 0, "", 0)
LONGEST_SEED, LONGEST_FILE = 30, 16


def list_runs(options: argparse.Namespace) -> int:
    """List the recorded runs, the last played first or, verified, by points; or delete some."""
    if options.delete:
        return _delete(options.delete, sure=options.yes)
    folder = Path(options.folder or runs_folder())
    if options.folder and not folder.is_dir():
        hint = f"; `{PROGRAM} replay FILE --verify` is for one run" if folder.is_file() else ""
        raise UsageError(f"there is no folder {options.folder[:200]!r}{hint}")
    below = sorted(folder.glob("*/")) if options.folder else []  # Such as `agent --record` makes.
    rows, paths = list[Record](), [path for one in (folder, *below) for path in recorded_paths(one)]
    counted = dict[str, tuple[int, int, str]]()  # The longest copy, then the oldest.
    for path in progress_bar(paths, "verifying", len(paths), hidden=not options.verify):
        with suppress(OSError):
            name = escaped_path(path.relative_to(folder).with_suffix(""))
            more = _verified(path) if options.verify else {}
            row: Record = {**_row(summarize(path)), "name": name, **more}
            copy, run = (-row["turns"], path.stat().st_mtime_ns, name), row.get("identity") or name
            counted[run] = min(copy, counted.get(run, copy))
            rows.append(row)
    for number, row in enumerate(rows):
        if (first := counted[row.get("identity") or row["name"]][-1]) != row["name"]:
            rows[number] = {**row, "scored": False, "why_not": f"it is the same run as {first}"}
    rows.sort(key=lambda row: (-(row.get("points") or 0), not row.get("scored")))
    added = VERIFIED if options.verify else ()
    if options.format != "text":
        print_records(options.format, rows, (*_row(NO_RUN), *added))
    else:
        if rows:
            _print(rows, (*COLUMNS, *added[:-1]))  # Identities are for programs.
        print(f"{pluralise(len(rows), 'run')} in {printable(str(folder))}", file=sys.stderr)
    return OK if all(row.get("verified", True) for row in rows) else CHECK_FAILED


def _verified(path: Path) -> Record:
    """Play a run and return its `VERIFIED` fields; ``why_not`` says what is wrong, too."""
    try:
        recorded = read_run(path)
        state = Playback(recorded).verify()
    except tuple(EXIT_CODES) as fault:
        return dict(zip(VERIFIED, (False, None, False, str(fault), ""), strict=True))
    why = why_unscored(recorded.header, state)
    facts = True, score(state).total, not why, why, recorded.identity.hex()
    return dict(zip(VERIFIED, facts, strict=True))


def _row(run: Summary) -> Record:
    """Return the fields of a run; ``size`` is in bytes, keyframes included."""
    size = run.size
    with suppress(OSError):
        size += keyframes_path(run.path).lstat().st_size
    setup = run.header.setup if run.header else None
    return {
        "name": escaped_path(run.path.stem),
        "date": run.header.started if run.header else "",
        "seed": setup.typed_seed if setup else "",
        "mode": run.header.kind if run.header else "",
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


def _print(rows: list[Record], columns: Sequence[str]) -> None:
    """Print one line per run, with as many columns as fit the terminal; all without one.

    The lines are plain text: a rich table of 5,000 rows would take longer than reading the runs.
    """
    console = Console(markup=False, highlight=False)
    cells = [_cells(row) for row in rows]
    widths = {name: max(len(name), *(cell_len(each[name]) for each in cells)) for name in columns}
    shown = list(columns)
    for name in OPTIONAL_COLUMNS if sys.stdout.isatty() else ():
        if sum(widths[each] + 1 for each in shown) - 1 > console.width:
            shown.remove(name)
    console.print(_line({name: name for name in shown}, widths), style="bold", soft_wrap=True)
    print("\n".join(_line({name: each[name] for name in shown}, widths) for each in cells))
    if left := [name for name in columns if name not in shown]:
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
    generator = row["generator"] if row["mode"] == "adventure" else None
    return {
        "name": printable(row["name"]),
        "date": printable(row["date"][:10]),
        "seed": clipped(printable(row["seed"]), LONGEST_SEED),
        "mode": clipped(printable(row["file"] or generator or row["mode"]), LONGEST_FILE),
        "depth": str(row["depth"] or ""),
        "turns": f"{row['turns']:,}",
        "end": printable(ending_text(row["end"])),
        "size": f"{-(-row['size'] // 1000):,} kB",
        **{name: printable(str(row[name])) for name in VERIFIED if name in row},
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
    _print([_row(summarize(path)) for path in paths], COLUMNS)
    subject = "this run" if len(paths) == 1 else f"these {len(paths)} runs"
    with suppress(EOFError):  # Ctrl-D
        return input(f"Delete {subject} for good? [y/N] ").strip().lower() in {"y", "yes"}
    return False
