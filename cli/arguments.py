"""What options mean: seeds, ranges, sizes, generators."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from cli.errors import UsageError
from procgen.level_code import LevelCode, parse_code, parse_place, parse_seed, parse_size
from procgen.recipes import Recipe, complete, current_recipes, find_recipe
from procgen.world_types import WorldType, world_types

MOST_SEEDS = 10**9


def recipes_and_worlds(names: str | None) -> Sequence[Recipe | WorldType]:
    """Return the endless worlds that ``--generator`` names, or what `chosen_recipes` does."""
    if names is None or "all" in _split_names(names):
        return chosen_recipes(names)
    return [world_types().get(name) or find_recipe(name) for name in _split_names(names)]


def optional_place(text: str | None) -> tuple[int, int] | None:
    """Return the place an option was given, or None."""
    return None if text is None else parse_place(text)


def chosen_recipes(names: str | None) -> list[Recipe]:
    """Return the recipes that ``--generator`` names, with commas between; all of them for none."""
    if names is None or "all" in _split_names(names):
        return current_recipes()
    return [find_recipe(name) for name in _split_names(names)]


def _split_names(names: str) -> list[str]:
    """Return what stands between commas, each once."""
    return list(dict.fromkeys(name.strip() for name in names.split(",")))


def seed_range(text: str) -> range:
    """Return the seeds of a half-open range ``A:B``; raise `UsageError` if it is none."""
    first, colon, last = text.partition(":")
    if not (colon and text.isascii() and first.strip().isdigit() and last.strip().isdigit()):
        raise UsageError(f"--seeds {text!r} is not a half-open range such as 0:100")
    low, high = parse_seed(first), int(last[:40])
    if not low < high <= 2**64 or high - low > MOST_SEEDS:
        raise UsageError(f"--seeds {text} is not a range of 1 to {MOST_SEEDS} seeds below 2^64")
    return range(low, high)


def chosen_seeds(seed: str | None, many: str | None) -> list[int] | range:
    """Return the seeds that ``--seed`` or ``--seeds`` ask for; 0 without either."""
    if many is not None:
        return seed_range(many)
    return [parse_seed(seed)] if seed is not None else [0]


def optional_int(text: str | None, option: str, low: int = 1, high: int = 999_999) -> int | None:
    """Return the integer an option was given, or None; raise `UsageError` out of bounds."""
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or not low <= int(text[:9]) <= high:
        raise UsageError(f"{option} {text!r} must be a whole number from {low} to {high}")
    return int(text)


def optional_size(text: str | None) -> tuple[int, int] | None:
    """Return the size an option was given, or None."""
    return None if text is None else parse_size(text)


def level_codes(
    texts: Sequence[str], depth: int | None, size: tuple[int, int] | None, most: int
) -> list[LevelCode]:
    """Return the codes of ``texts``, with ``depth`` and ``size`` where they have none.

    Raises `UsageError` if there are none, or more than ``most``.
    """
    found = [_with_defaults(text, depth, size) for text in islice(_code_texts(texts), most + 1)]
    if not found:
        raise UsageError("no level code came in")
    if len(found) > most:
        raise UsageError(f"more than {most:,} level codes are too many")
    return found


def _code_texts(texts: Sequence[str]) -> Iterator[str]:
    """Yield ``texts``; for ``-`` what standard input brings, the first word of every line.

    So a table that `find` prints may come in as it is.
    """
    for text in texts:
        if text != "-":
            yield text
            continue
        for line in sys.stdin:
            word = line.split(maxsplit=1)[0] if line.strip() else ""
            if word not in {"", "code"}:
                yield word


def _with_defaults(text: str, depth: int | None, size: tuple[int, int] | None) -> LevelCode:
    """Fill in ``depth`` and ``size`` where the code has none; `UsageError` if it has others."""
    code = parse_code(text)
    if depth and code.depth not in {None, depth}:
        raise UsageError(f"{text} is a level of depth {code.depth}, not --depth {depth}")
    if size and code.size not in {None, size}:
        raise UsageError(f"{text} says another size than --size {size[0]}x{size[1]}")
    return complete(replace(code, depth=code.depth or depth, size=code.size or size))
