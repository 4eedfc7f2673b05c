"""`bench`: measure how long building, playing and drawing take; compare with earlier figures."""

import argparse
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta
from rich.console import Console

from cli.arguments import chosen_recipes, optional_int
from cli.errors import OK, UsageError
from cli.output import aligned_table, counted_progress
from entities.program import PROGRAM, VERSION
from workbench.benchmark import BenchmarkFigure, BenchmarkPart, benchmark_parts
from workbench.peers import RotJs, peer_parts

LEVELS, LARGEST = 20, 4 << 20


class Benchmark(msgspec.Struct, frozen=True):
    """The figures of one benchmark, with the versions and machine they were measured on."""

    seedhollow: Literal["benchmark"]
    program: str
    python: str
    numpy: str
    machine: str
    cores: int
    levels: int
    figures: Annotated[tuple[BenchmarkFigure, ...], Meta(max_length=10_000)]


def run_benchmark(options: argparse.Namespace) -> int:
    """Measure and print a table or JSON; times are processor time unless a name says otherwise."""
    levels = optional_int(options.levels, "--levels", high=10_000) or LEVELS
    recipes = chosen_recipes(options.generator)
    earlier = _read_benchmark(options.against)
    if options.peers:
        levels = 0
        with closing(RotJs()) as peer:
            figures = tuple(_measure(peer_parts(peer)))
    else:
        figures = tuple(_measure(benchmark_parts(recipes, levels)))
    versions = (VERSION, platform.python_version(), np.__version__)
    machine = (f"{platform.system()} {platform.machine()}", os.cpu_count() or 1)
    found = Benchmark("benchmark", *versions, *machine, levels, figures)
    if options.json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    else:
        _print(found, earlier)
    return OK


def _measure(wanted: list[BenchmarkPart]) -> Iterator[BenchmarkFigure]:
    with counted_progress(wanted, "measuring", len(wanted)) as parts:
        for part in parts:
            yield from part()


def _read_benchmark(path: str | None) -> dict[str, BenchmarkFigure]:
    """Read an earlier benchmark; return its figures by name."""
    if path is None:
        return {}
    try:
        with Path(path).open("rb") as file:
            found = msgspec.json.decode(file.read(LARGEST), type=Benchmark)
    except OSError as fault:
        raise OSError(f"{path}: cannot be read ({fault.strerror})") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise UsageError(
            f"--against {path} is not a file that `{PROGRAM} bench --json` wrote"
        ) from None
    return {figure.name: figure for figure in found.figures}


def _print(found: Benchmark, earlier: dict[str, BenchmarkFigure]) -> None:
    title = f"Seedhollow {found.program}, Python {found.python}, NumPy {found.numpy}"
    note = f"{found.machine}, {found.cores} cores, processor time, {found.levels} levels each"
    if found.levels == 0:
        note = f"{found.machine}, {found.cores} cores, processor time"
    heads = ("|what", "median", "99 %", "|", *(("then", "now/then") if earlier else ()))
    look = {"title_style": "bold", "title_justify": "left"}
    table = aligned_table(*heads, title=title, caption=note, **look)
    for figure in found.figures:
        row = [figure.name, _format_value(figure.median), _format_value(figure.worst), figure.unit]
        if earlier:
            before = earlier.get(figure.name)
            row += [_format_value(before.median), _ratio(figure, before)] if before else ["-", "-"]
        table.add_row(*row)
    Console().print(table)


def _format_value(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _ratio(now: BenchmarkFigure, before: BenchmarkFigure) -> str:
    return f"{now.median / before.median:.2f}" if before.median > 0 else "-"
