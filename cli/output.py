"""Write the output of commands: files, standard output, tables, JSON, CSV, progress bars."""

import csv
import json
import os
import re
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec
from rich.console import Console, JustifyMethod
from rich.progress import Progress, TextColumn, track
from rich.table import Table

from cli.errors import UsageError
from entities.wording import pluralise
from procgen.level_code import LevelCode
from procgen.metrics import format_metric
from render.ui.text import printable
from workbench.exports.origin import file_stem
from workbench.search.search_jobs import METRIC_NAMES, Hit

T = TypeVar("T")
FIELD = re.compile(r"\{([^{}]*)\}")

ReportProgress = Callable[[int, int], None]
"""Called with the number of levels done since the last call and the total number of hits."""


@contextmanager
def progress(
    label: str, total: int, *, hits: bool = True, unit: str = "levels"
) -> Iterator[ReportProgress]:
    """Yield a function that advances a progress bar, shown only if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _tried, _hits: None
        return
    console = Console(stderr=True)
    # A terminal echoes ^C after the bar, which would wrap to a new line without room for it.
    console.width -= len("^C") + 1
    bar = Progress(
        *Progress.get_default_columns(),
        TextColumn("{task.fields[pace]}"),
        console=console,
        transient=True,
        # rich must not redirect stdout if it is a file or a pipe.
        redirect_stdout=sys.stdout.isatty(),
    )
    with bar:
        task = bar.add_task(label, total=total, pace="")

        def report(tried: int, found: int) -> None:
            bar.advance(task, tried)
            spent = bar.tasks[0].elapsed or 0
            rate = bar.tasks[0].completed / spent if spent > 0.2 else 0
            pace = f"{rate:,.{0 if rate >= 10 else 1}f} {unit}/s" if rate else ""
            bar.update(task, pace=f"{pace}  {pluralise(found, 'hit')}" if hits else pace)

        yield report


def progress_bar(
    items: Iterable[T], label: str, total: int | None, *, hidden: bool = False
) -> Iterable[T]:
    """Iterate over ``items`` with a bar if stderr is a terminal; without ``total`` it pulses."""
    quiet, console = hidden or not sys.stderr.isatty(), Console(stderr=True)
    return track(items, label, total, console=console, transient=True, disable=quiet)


@contextmanager
def counted_progress(
    items: Iterable[T], label: str, total: int | None = None, *, hidden: bool = False
) -> Iterator[Iterable[T]]:
    """Yield ``items`` with a `progress_bar`; if interrupted, print on stderr how many were done."""
    done = 0

    def count() -> Iterator[T]:
        nonlocal done
        for item in items:
            yield item
            done += 1

    try:
        yield progress_bar(count(), label, total, hidden=hidden)
    except KeyboardInterrupt:
        of = "" if total is None else f" of {total:,}"
        print(f"{label}: interrupted after {done:,}{of}", file=sys.stderr)
        raise


def make_folder(folder: Path) -> Path:
    """Create ``folder`` if it is missing and return it; raise `OSError` with a sentence."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise OSError(f"{folder}: the folder cannot be created ({fault.strerror})") from None
    return folder


STDOUT = "-"
"""The name that stands for standard output."""


@contextmanager
def create_file(target: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Yield a file that becomes ``target`` once it is complete; ``-`` is standard output.

    Its folder is created. With ``force`` an existing file is replaced, or the target of a symbolic
    link. Raises `UsageError` if the target exists or is no file, `OSError` if it is not writable.
    """
    if str(target) == STDOUT:
        if sys.stdout.isatty():
            raise UsageError("--output - would print binary data on the terminal; redirect it")
        yield sys.stdout.buffer
        return
    require_new_file(target, force=force)
    make_folder(target.parent)
    final = Path(os.path.realpath(target)) if force else target
    path = final.with_name(f"{final.name}.{os.getpid()}.part") if force else final
    try:
        if force:
            path.unlink(missing_ok=True)  # Left by a killed process of this PID, or a planted link.
        # "x" never opens an existing file and never follows a link, so the target of a link
        # called NAME.PID.part in a shared folder cannot be overwritten.
        stream = path.open("xb")
    except OSError as fault:
        raise OSError(f"{target}: cannot be written ({fault.strerror})") from None
    try:
        with stream:
            yield stream
        path.replace(final)
    except BaseException as fault:
        path.unlink(missing_ok=True)
        if isinstance(fault, OSError) and fault.errno and not fault.filename:
            raise OSError(f"{target}: cannot be written ({fault.strerror})") from None
        raise


def require_new_file(target: Path, *, force: bool) -> None:
    """Raise `UsageError` if ``target`` exists and is not to be overwritten, or is not a file."""
    if str(target) == STDOUT or not os.path.lexists(target):
        return
    if target.exists() and not target.is_file():
        kind = "a folder" if target.is_dir() else "a device or pipe"
        raise UsageError(f"{target} is {kind}, not a file; --output - writes to standard output")
    if not force:
        raise UsageError(f"{target} exists already and is not overwritten without --force")


Record = Mapping[str, Any]
Formats = Mapping[str, Callable[[Any], str]]
FEW_COLUMNS = 6
MOST_FAILED = 5
"""The most levels that are named because they could not be built."""


def text_table(rows: Sequence[Record], formats: Formats, **look: Any) -> Table:
    """Return a table of ``rows`` under their fields' names; ``formats`` are functions by field."""
    table = Table(**look)
    for name, value in rows[0].items():
        side: JustifyMethod = "left" if isinstance(value, str) else "right"
        # If there are many columns, narrow numeric columns leave room for names at 80 columns.
        gap = "\n" if side == "right" and len(rows[0]) > FEW_COLUMNS else " "
        table.add_column(name.replace("_", gap), justify=side, overflow="fold")
    for row in rows:
        cells = ("-" if v is None else formats.get(k, str)(v) for k, v in row.items())
        table.add_row(*map(printable, cells))
    return table


def print_tables(
    form: str,
    tables: Mapping[str, Sequence[Record]],
    formats: Formats,
    about: Record | None = None,
    most: int | None = None,
    columns: Sequence[str] = (),
) -> None:
    """Print ``tables``: as text, at most ``most`` rows each; as CSV the first; as JSON all.

    JSON also has the fields of ``about``. ``columns`` are the first table's, needed if it is empty.
    """
    main = next(iter(tables.values()))
    if form == "json":
        print_json({**(about or {}), **tables})
    elif form == "csv":
        print_records(form, main, columns or [*main[0]])
    elif form == "text":
        for rows in filter(None, tables.values()):
            more = f"and {len(rows) - most:,} more" if most and len(rows) > most else None
            Console(markup=False).print(text_table(rows[:most], formats, caption=more))


def print_records(form: str, records: Iterable[Record], columns: Sequence[str]) -> None:
    """Print a table as CSV with ``columns``, each row at once, or as a JSON array."""
    if form == "json":
        rows = list[Record]()
        try:
            rows.extend(records)
        except BaseException:
            if rows:  # Rows before a fault or Ctrl-C are printed, as in the other formats.
                print_json(rows)
            raise
        print_json(rows)
        return
    write = csv.writer(sys.stdout, lineterminator="\n").writerow
    write(columns)
    for record in records:
        write([_csv_cell(record[name]) for name in columns])
        sys.stdout.flush()


def print_not_built(failed: Sequence[str], count: int, tried: int) -> None:
    """Print on stderr some of the sentences on levels that could not be built, and their number."""
    for sentence in failed[:MOST_FAILED]:
        print(f"not built: {sentence}", file=sys.stderr)
    if count:
        print(f"{count:,} of {pluralise(tried, 'level')} could not be built", file=sys.stderr)


FACTS = ("code", "generator", "seed", "depth", "width", "height")
Ranks = Mapping[str, Callable[[Hit], float | None]]
"""Functions that give what hits are ranked by, under the names of their columns."""


def print_hits(
    form: str, hits: Iterable[Hit], longest: int, metrics: Sequence[str], ranks: Ranks
) -> None:
    """Print ``hits`` in ``form``, each as soon as it is found, with what they are ranked by.

    A line of text has a code of at most ``longest`` characters and the ``metrics``. If
    ``longest`` is 0, the code comes last.
    """
    names = [*metrics, *ranks]
    records = (
        {**_facts(hit.code), **msgspec.structs.asdict(hit.metrics)}
        | {name: rank(hit) for name, rank in ranks.items()}
        for hit in hits
    )
    if form in {"csv", "json"}:
        print_records(form, records, (*FACTS, *METRIC_NAMES, *ranks))
        return

    def print_line(code: object, cells: Iterable[str]) -> None:
        padded = [f"{cell:>{max(6, len(name))}}" for name, cell in zip(names, cells, strict=True)]
        line = [f"{code!s:<{longest}}", *padded] if longest else [*padded, code]
        print(*line, sep="  ", flush=True)

    if form == "text":
        print_line("code", names)
    for record in records:
        if form == "text":
            cells = (format_metric(name, record[name]).replace(",", "") for name in names)
            print_line(record["code"], cells)
        else:
            line = msgspec.json.encode(record).decode() if form == "jsonl" else record["code"]
            print(line, flush=True)


def _facts(code: LevelCode) -> dict[str, str | int]:
    """Return the `FACTS` of ``code`` by name."""
    facts = (str(code), code.name, code.seed, code.depth, code.width, code.height)
    return dict(zip(FACTS, facts, strict=True))


def print_wrapped(text: str, first: str = "", others: str = "", piped: int = sys.maxsize) -> None:
    """Print ``text``, wrapped at spaces to the terminal; to ``piped`` columns without one."""
    room = min(100, shutil.get_terminal_size().columns) if sys.stdout.isatty() else piped
    form = textwrap.TextWrapper(room, first, others, break_on_hyphens=False)
    form.break_long_words = piped < sys.maxsize  # Level codes are printed in one piece.
    print(form.fill(printable(text)))


def print_json(value: object) -> None:
    """Print ``value`` as indented JSON, all in ASCII for any output encoding and terminal."""
    print(json.dumps(json.loads(msgspec.json.encode(value)), indent=2))


def _csv_cell(value: object) -> object:
    """Return a number unchanged, text without control characters, and anything else as JSON."""
    if isinstance(value, str):
        return printable(value)
    as_json = isinstance(value, bool | Sequence | Mapping)
    missing = value in (inf, -inf)  # As null in JSON.
    return msgspec.json.encode(value).decode() if as_json else None if missing else value


def is_folder(output: str) -> bool:
    """Return True if ``output`` is an existing folder or ends with a slash."""
    separators = tuple(filter(None, ("/", os.sep, os.altsep)))
    return output.endswith(separators) or Path(output).is_dir()


def output_paths(codes: Sequence[LevelCode], output: str, ending: str) -> list[Path]:
    """Return a distinct path for the level of each of ``codes``.

    ``output`` may be a pattern with fields such as ``{seed}``, or a folder in which files are named
    by level code. Otherwise it is one file or, for several levels, gets numbers appended.
    """
    if FIELD.search(output):
        paths = [Path(_fill_fields(output, code, number)) for number, code in enumerate(codes, 1)]
    elif is_folder(output) or (len(codes) > 1 and not Path(output).suffix):
        paths = [Path(output) / f"{file_stem(code)}.{ending}" for code in codes]
    elif len(codes) == 1:
        paths = [Path(output)]
    else:
        path, digits = Path(output), len(str(len(codes)))
        endings = [f"-{number:0{digits}}{path.suffix}" for number in range(1, len(codes) + 1)]
        paths = [path.with_name(path.stem + end) for end in endings]
    for path, levels in Counter(paths).items():
        if levels > 1:
            raise UsageError(f"two levels would be written to {path}: put {{code}} in the name")
    return paths


def _fill_fields(pattern: str, code: LevelCode, number: int) -> str:
    """Replace the fields of ``pattern``; raise `UsageError` for an unknown one."""
    fields = {**_facts(code), "code": file_stem(code), "number": number}

    def value(match: re.Match[str]) -> str:
        if match[1] not in fields:
            raise UsageError(f"--output has no field {match[0]}; there are {', '.join(fields)}")
        return str(fields[match[1]])

    return FIELD.sub(value, pattern)
