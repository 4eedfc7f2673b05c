"""Parse option values: seeds, ranges, sizes, generators and level codes."""

import argparse
import csv
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from cli.errors import UsageError
from engine.saves.files import recorded_paths
from entities.folders import command_line
from entities.program import PROGRAM
from entities.wording import did_you_mean, pluralise
from procgen.level_code import LevelCode, parse_code, parse_seed, parse_size
from procgen.metric_query import QueryError
from procgen.recipes import Recipe, current_recipes, find_any, find_recipe
from procgen.settings import complete, set_up
from procgen.world_types import WorldType
from workbench.search.process_pool import MOST_WORKERS
from workbench.search.search_jobs import METRIC_NAMES

Parsed = TypeVar("Parsed")

MOST_SEEDS = 10**9
_CSV_ROW = re.compile(r"\S*@[0-9]+x[0-9]+,\S")
"""Matches rows written by `find`, but never a bare level code."""


def recipes_and_worlds(names: str | None, settings: Sequence[str]) -> list[Recipe | WorldType]:
    """Return the recipes and infinite worlds that ``--generator`` names; all recipes for None.

    They have the ``settings`` of ``--set`` and those of their own: ``all+dark,sparse;doors=off``.
    """
    every = [recipe.name for recipe in current_recipes()]
    chosen = dict[str, Recipe | WorldType]()
    for text in ("all" if names is None else names).split(","):
        name, *own = text.strip().split(";")
        base, plus, overlays = name.partition("+")
        plain, _, number = base.rpartition(".")
        pinned = number.isdecimal() and len(number) < 9
        plain, version = (plain, int(number)) if pinned else (base, None)
        for recipe in every if plain == "all" else [plain]:
            found = set_up(find_any(recipe + plus + overlays, version), (*settings, *own))
            chosen.setdefault(found.code(0).generator, found)
    return list(chosen.values())


def chosen_recipes(names: str | None, settings: Sequence[str] = ()) -> list[Recipe]:
    """Return the recipes that ``--generator`` names; raise `UnknownRecipe` for infinite worlds."""
    chosen = recipes_and_worlds(names, settings)
    return [one if isinstance(one, Recipe) else find_recipe(one.name) for one in chosen]


def recipe_codes(options: argparse.Namespace) -> list[LevelCode]:
    """Return the codes, with seed 0, of the recipes that the options choose."""
    depth, shape = optional_int(options.depth, "--depth") or 1, optional_size(options.size)
    recipes = chosen_recipes(options.generator, options.settings)
    return [recipe.code(0, depth, shape) for recipe in recipes]


def pool_options(options: argparse.Namespace) -> tuple[int | None, str | None]:
    """Return the number of workers and the cluster that the options ask for."""
    return optional_int(options.workers, "--workers", high=MOST_WORKERS), options.cluster


def query(
    options: argparse.Namespace, option: str, parse: Callable[[str, tuple[str, ...]], Parsed]
) -> Parsed | None:
    """Return an option parsed by ``parse``, None if absent; raise `UsageError` for a mistake."""
    text = getattr(options, option)
    try:
        return None if text is None else parse(text, METRIC_NAMES)
    except QueryError as fault:
        raise UsageError(f"--{option} {text[:80]!r}: {fault}") from None


def rerun_command(
    words: Sequence[str], options: argparse.Namespace, names: Iterable[str], *more: str
) -> str:
    """Return the command line of ``words`` with those of the options ``names`` that were given.

    Settings, if any, and ``more`` follow.
    """
    parts = [*words]
    for name in names:
        value = getattr(options, name)
        if value is not None and (name, value) != ("depth", "1"):
            parts += [f"--{name}={value}"] if value.startswith("-") else [f"--{name}", value]
    parts += [f"--set={setting}" for setting in options.settings]
    return command_line(*parts, *more)


def seed_range(text: str) -> range:
    """Return the half-open range ``A:B`` of seeds; raise `UsageError` if it is not one."""
    first, colon, last = text.partition(":")
    if not (colon and text.isascii() and first.strip().isdigit() and last.strip().isdigit()):
        raise UsageError(f"--seeds {text[:40]!r} is not a half-open range such as 0:100")
    low, high = parse_seed(first), int(last.strip().lstrip("0")[:40] or 0)
    if not low < high <= 2**64 or high - low > MOST_SEEDS:
        raise UsageError(f"--seeds {text[:60]} must span 1 to {MOST_SEEDS:,} seeds below 2^64")
    return range(low, high)


def chosen_seeds(seed: str | None, seeds: str | None) -> list[int] | range:
    """Return the seeds that ``--seed`` or ``--seeds`` give; seed 0 without either."""
    if seeds is not None:
        return seed_range(seeds)
    return [parse_seed(seed)] if seed is not None else [0]


def optional_int(text: str | None, option: str, low: int = 1, high: int = 999_999) -> int | None:
    """Parse an integer from ``low`` to ``high``; None stays None; raise `UsageError` otherwise."""
    if text is None:
        return None
    digits = text.lstrip("0") or text[:1]  # int() rejects more than 4300 digits.
    if not (text.isascii() and text.isdigit() and len(digits) <= 18 and low <= int(digits) <= high):
        raise UsageError(f"{option} {text[:40]!r} must be a whole number from {low} to {high}")
    return int(digits)


def recorded_runs(names: Sequence[str]) -> list[Path]:
    """Return the paths of runs by name in `runs`, each once; raise `UsageError` for others."""
    known = {escaped_path(path.name): path for path in recorded_paths()}
    known = {name.removesuffix(".jsonl"): path for name, path in known.items()} | known
    for name in names:
        if name not in known:
            quoted = f"{name[:80]!r}{did_you_mean(name, known)}"
            raise UsageError(f"there is no run {quoted}; `{PROGRAM} runs` lists them")
    return list(dict.fromkeys(known[name] for name in names))


def escaped_path(path: Path | str) -> str:
    r"""Return ``path`` as text; bytes that are not UTF-8 become escapes, such as ``\xff``."""
    return os.fsencode(path).decode(errors="backslashreplace")


def run_path(text: str) -> Path:
    """Return the path of a run file, or of a run by its name in `runs`; raise `UsageError`."""
    path = Path(text)
    return path if path.exists() else recorded_runs([text])[0]


def optional_size(text: str | None) -> tuple[int, int] | None:
    """Parse a size ``WxH``; None stays None."""
    return None if text is None else parse_size(text)


def level_codes(
    texts: Sequence[str],
    depth: int | None,
    size: tuple[int, int] | None,
    most: int,
    settings: Sequence[str] = (),
) -> list[LevelCode]:
    """Parse level codes; ``-`` stands for standard input.

    Codes without depth or size get ``depth`` and ``size``; ``settings`` are added to their own
    and replace those of the same parameter. Raises `UsageError` for more than ``most`` codes.
    """
    typed = islice(code_texts(texts), most + 1)
    codes = [_with_defaults(text, depth, size, settings) for text in typed]
    if len(codes) > most:
        raise UsageError(f"more than {most:,} level codes are too many")
    return codes


def code_texts(texts: Sequence[str]) -> Iterator[str]:
    """Yield ``texts``, with ``-`` replaced by the codes on standard input."""
    for text in texts:
        yield from _codes_from_stdin() if text == "-" else [text]


def _codes_from_stdin() -> Iterator[str]:
    """Yield the code of each level in any format of a table; skip headings and a BOM."""
    found, shared, heading, blank = False, False, list[str](), 0
    try:
        for line in filter(str.strip, (row.removeprefix("\ufeff") for row in sys.stdin)):
            # A JSON array, or an object over several lines, is taken whole.
            text = line + sys.stdin.read() if line[0] == "[" or line.strip() == "{" else line
            if shared and ":" not in line:  # Below what is shared of a run stands its way.
                continue
            shared = "Seedhollow " in line
            text.encode()  # In some locales, bytes that are not UTF-8 become surrogates.
            if ":" not in line and "code" in [*line.split(), *_cells(line)]:
                heading = _cells(line) if "code" in _cells(line) else []
                continue
            codes = _codes_in(text.strip(), heading)
            blank += codes.count("")
            found = found or any(codes)
            yield from filter(None, codes)
    except UnicodeError:
        raise UsageError("standard input is not valid UTF-8") from None
    if blank:
        print(f"{PROGRAM}: {pluralise(blank, 'row')} without a level code", file=sys.stderr)
    if not found:
        raise UsageError("standard input has no level code")


def _codes_in(text: str, heading: list[str]) -> list[str]:
    """Return the codes of JSON, the code of a row of CSV below ``heading``, or any other line."""
    if text.startswith(("{", "[")):
        records = text if text.startswith("[") else f"[{text}]"
        try:
            levels = msgspec.json.decode(records, type=list[dict[str, Any]])
            return ["" if (code := level["code"]) is None else str(code) for level in levels]
        except (msgspec.DecodeError, RecursionError, KeyError):
            raise UsageError(f"{text[:40]!r} is not a JSON record with a level code") from None
    # A bare code may contain commas: in a place of an infinite world, or in a list setting.
    if len(cells := _cells(text)) == len(heading):
        return [cells[heading.index("code")]]
    return [cells[0] if text.startswith('"') or _CSV_ROW.match(text) else text]


def _cells(text: str) -> list[str]:
    """Return the cells of a row of CSV, cut where a longer cell would be an error."""
    return next(csv.reader([text.strip()[: csv.field_size_limit()]]))


def _with_defaults(
    text: str, depth: int | None, size: tuple[int, int] | None, settings: Sequence[str]
) -> LevelCode:
    """Parse a code, filling in ``depth`` and ``size``; raise `UsageError` if it has other ones."""
    code = parse_code(text)
    if depth and code.depth not in {None, depth}:
        raise UsageError(f"{text} is a level of depth {code.depth}, not --depth {depth}")
    if size and code.size not in {None, size}:
        raise UsageError(f"{text} has another size than --size {size[0]}x{size[1]}")
    more = (*code.settings, *settings)
    return complete(replace(code, depth=code.depth or depth, size=code.size or size, settings=more))
