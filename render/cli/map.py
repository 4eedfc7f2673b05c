"""`map`: generate levels and print them."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import msgspec

from procgen.build import Level, build
from procgen.code import LevelCode, parse_code
from procgen.recipes import complete
from render.cli.asking import generators, number, seeds, size
from render.cli.faults import OK, UsageError
from render.export import level_record, level_text


def maps(options: argparse.Namespace) -> int:
    """Write the levels that were asked for, one after another."""
    codes = list(_codes(options))
    if options.format == "json" and len(codes) != 1:
        raise UsageError("--format json holds one level; use jsonl for several")
    with _opened(options.output) as out:
        for code in codes:
            out.write(_written(build(code), options.format))
    return OK


@contextmanager
def _opened(path: str | None) -> Iterator[TextIO]:
    """Yield a new file at ``path``, or standard output."""
    if path is None:
        yield sys.stdout
        return
    try:
        with Path(path).open("x", encoding="utf-8") as stream:
            yield stream
    except FileExistsError:
        raise UsageError(f"{path} exists already and is not overwritten") from None


def _codes(options: argparse.Namespace) -> Iterator[LevelCode]:
    if options.codes and (options.generator or options.seed or options.seeds or options.size):
        raise UsageError("give level codes or --generator, --seed and --size, not both")
    for text in options.codes:
        yield complete(parse_code(text))
    if not options.codes:
        depth, shape = number(options.depth, "--depth") or 1, size(options.size)
        for recipe in generators(options.generator):
            for seed in seeds(options.seed, options.seeds):
                yield recipe.code(seed, depth, shape)


def _written(level: Level, form: str) -> str:
    match form:
        case "json":
            return msgspec.json.format(msgspec.json.encode(level_record(level))).decode() + "\n"
        case "jsonl":
            return msgspec.json.encode(level_record(level)).decode() + "\n"
        case _:
            return "\n".join([str(level.code), *level_text(level), "", ""])
