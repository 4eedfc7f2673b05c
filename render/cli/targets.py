"""Where exported levels go: one file, a folder, or names made from a pattern."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from procgen.code import LevelCode
from render.cli.faults import UsageError
from render.exports.origin import stem

FIELD = re.compile(r"\{([^{}]*)\}")


def is_folder(output: str) -> bool:
    """Whether ``output`` names a folder: one that exists, or one with a slash after it."""
    separators = tuple(filter(None, ("/", os.sep, os.altsep)))
    return output.endswith(separators) or Path(output).is_dir()


def targets(codes: Sequence[LevelCode], output: str, ending: str) -> list[Path]:
    """Return a path for the level of each of ``codes``, none of them twice.

    ``output`` may hold fields such as ``{seed}``; it may be a folder, where files are called
    by their level's code; else it is one file, or with a number after it, several.
    """
    if FIELD.search(output):
        found = [Path(_filled(output, code, number)) for number, code in enumerate(codes, 1)]
    elif is_folder(output) or (len(codes) > 1 and not Path(output).suffix):
        found = [Path(output) / f"{stem(code)}.{ending}" for code in codes]
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


def _filled(pattern: str, code: LevelCode, number: int) -> str:
    """Return ``pattern`` with its fields filled in."""
    fields = {
        "code": stem(code),
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
