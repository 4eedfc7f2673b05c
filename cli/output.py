"""How far a long search is: a bar on standard error, if someone looks at it."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cli.errors import UsageError
from procgen.level_code import LevelCode
from workbench.exports.origin import file_stem

ReportProgress = Callable[[int, int], None]
"""Takes in how many levels were tried since the last time, and how many hits there are."""


@contextmanager
def progress(
    what: str, total: int, *, hits: bool = True, unit: str = "levels"
) -> Iterator[ReportProgress]:
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
            pace = f"{_format_rate(bar.tasks[0].completed / spent)} {unit}/s" if spent > 0.2 else ""
            said = f"{pace}  {found:,} hit{'s' * (found != 1)}" if hits else pace
            bar.update(task, pace=said)

        yield report


def _format_rate(pace: float) -> str:
    """Return a pace as people read it: of slow work a digit more."""
    return f"{pace:,.0f}" if pace >= 10 else f"{pace:.1f}"


def make_folder(folder: Path) -> Path:
    """Return ``folder``, made if it was not there; raise `OSError` with a sentence."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise OSError(f"{folder}: cannot be made a folder ({fault.strerror})") from None
    return folder


@contextmanager
def create_file(target: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Yield a file that becomes ``target`` once all is written; with ``force``, in its place.

    Raises `UsageError` if it exists, `OSError` with a sentence if it cannot be written.
    """
    path = target.with_name(f"{target.name}.part") if force else target
    try:
        stream = path.open("wb" if force else "xb")
    except FileExistsError:
        raise UsageError(f"{target} exists already; --force overwrites it") from None
    except OSError as fault:
        raise OSError(f"{target}: cannot be written ({fault.strerror})") from None
    try:
        with stream:
            yield stream
        path.replace(target)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


FIELD = re.compile(r"\{([^{}]*)\}")


def is_folder(output: str) -> bool:
    """Whether ``output`` names a folder: one that exists, or one with a slash after it."""
    separators = tuple(filter(None, ("/", os.sep, os.altsep)))
    return output.endswith(separators) or Path(output).is_dir()


def output_paths(codes: Sequence[LevelCode], output: str, ending: str) -> list[Path]:
    """Return a path for the level of each of ``codes``, none of them twice.

    ``output`` may hold fields such as ``{seed}``; it may be a folder, where files are called
    by their level's code; else it is one file, or with a number after it, several.
    """
    if FIELD.search(output):
        found = [Path(_fill_fields(output, code, number)) for number, code in enumerate(codes, 1)]
    elif is_folder(output) or (len(codes) > 1 and not Path(output).suffix):
        found = [Path(output) / f"{file_stem(code)}.{ending}" for code in codes]
    elif len(codes) == 1:
        found = [Path(output)]
    else:
        path, digits = Path(output), len(str(len(codes)))
        found = [
            path.with_name(f"{path.stem}-{number:0{digits}}{path.suffix}")
            for number in range(1, len(codes) + 1)
        ]
    seen: set[Path] = set()
    for path in found:
        if path in seen:
            raise UsageError(f"two levels would be written to {path}: put {{code}} in its name")
        seen.add(path)
    return found


def _fill_fields(pattern: str, code: LevelCode, number: int) -> str:
    """Return ``pattern`` with its fields filled in."""
    fields = {
        "code": file_stem(code),
        "generator": code.recipe,
        "seed": code.seed,
        "depth": code.depth,
        "width": code.width,
        "height": code.height,
        "number": number,
    }

    def value(match: re.Match[str]) -> str:
        if match[1] not in fields:
            raise UsageError(f"--output has no field {match[0]}; there are {', '.join(fields)}")
        return str(fields[match[1]])

    return FIELD.sub(value, pattern)
