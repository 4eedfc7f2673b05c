"""Level codes as they were typed, or as another command wrote them."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from procgen.code import LevelCode, parse_code
from procgen.recipes import complete
from render.cli.faults import UsageError


def asked_codes(
    texts: Sequence[str], depth: int | None, size: tuple[int, int] | None, most: int
) -> list[LevelCode]:
    """Return the codes of ``texts``, with ``depth`` and ``size`` where they say none.

    Raises `UsageError` if there are none, or more than ``most``.
    """
    found = [_filled(text, depth, size) for text in islice(_read(texts), most + 1)]
    if not found:
        raise UsageError("no level code came in")
    if len(found) > most:
        raise UsageError(f"more than {most:,} level codes are too many")
    return found


def _read(texts: Sequence[str]) -> Iterator[str]:
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


def _filled(text: str, depth: int | None, size: tuple[int, int] | None) -> LevelCode:
    """Return the code with ``depth`` and ``size`` where it says none; it may not say others."""
    code = parse_code(text)
    if depth and code.depth not in {None, depth}:
        raise UsageError(f"{text} is a level of depth {code.depth}, not --depth {depth}")
    if size and code.size not in {None, size}:
        raise UsageError(f"{text} says another size than --size {size[0]}x{size[1]}")
    return complete(replace(code, depth=code.depth or depth, size=code.size or size))
