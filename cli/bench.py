"""`bench`: measure the time to build, play and draw; compare it with an earlier benchmark."""

import argparse
import os
import platform
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta
from msgspec.structs import asdict

from cli.arguments import chosen_recipes, optional_int
from cli.errors import OK
from cli.output import counted_progress, print_tables
from entities.data_files import DataError, open_regular_file
from entities.program import PROGRAM, VERSION
from workbench.benchmark import BenchmarkFigure, BenchmarkPart, benchmark_parts
from workbench.peers import RotJs, peer_parts

LEVELS, LARGEST = 20, 4 << 20
NUMBERS = ("median", "worst", "then", "ratio")


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
    """Measure and print a table or JSON; times are processor times unless a name says otherwise."""
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
    result = Benchmark("benchmark", *versions, *machine, levels, figures)
    rows = [{**asdict(figure), **_compared(figure, earlier)} for figure in figures]
    if options.format == "text":
        facts = [f"{name} {value}" for name, value in asdict(result).items() if name != "figures"]
        print(*facts[1:], "processor time", sep=", ")
        if earlier:
            print("ratio: median / then; below 1 is faster, but slower for values per second")
    print_tables(options.format, {"figures": rows}, dict.fromkeys(NUMBERS, _text), asdict(result))
    return OK


def _measure(all_parts: list[BenchmarkPart]) -> Iterator[BenchmarkFigure]:
    with counted_progress(all_parts, "measuring", len(all_parts)) as parts:
        for part in parts:
            yield from part()


def _read_benchmark(path: str | None) -> dict[str, BenchmarkFigure]:
    """Read an earlier benchmark; return its figures by name."""
    if path is None:
        return {}
    try:
        with open_regular_file(Path(path)) as file:
            earlier = msgspec.json.decode(file.read(LARGEST), type=Benchmark)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise DataError(f"--against {path} is not what `{PROGRAM} bench --json` wrote") from None
    return {figure.name: figure for figure in earlier.figures}


def _compared(now: BenchmarkFigure, earlier: dict[str, BenchmarkFigure]) -> dict[str, float | None]:
    """Return the earlier median and the ratio of the new one to it, if figures are compared."""
    if not earlier:
        return {}
    then = earlier[now.name].median if now.name in earlier else None
    return {"then": then, "ratio": now.median / then if then else None}


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
