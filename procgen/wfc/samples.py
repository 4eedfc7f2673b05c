"""The hand-drawn sample maps of data/samples, and the constraints learned from each."""

import re
from functools import cache
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import Meta

from entities.data_files import DATA, DataError, shown_path
from entities.folders import OWN, own_folder
from entities.terrain import Tile, terrain
from procgen.wfc.constraints import Constraints, Sheet, learn_patterns

FOLDER = "samples"
SAMPLES = (
    "canals",
    "chambers",
    "chapel",
    "library",
    "ossuary",
    "pools",
    "ruins",
    "temple",
    "wreck",
)
"""The files of data/samples."""
SampleName = Annotated[
    str, Meta(pattern=rf"^({'|'.join(SAMPLES)}|{OWN}[a-z_]+)$", extra={"choices": SAMPLES})
]
"""One of `SAMPLES`, or with `OWN` a file in ``samples`` of the folder of one's own."""


LEVEL_NOTES = re.compile(
    r"(?m)^(~?[a-z_]+\.[0-9]+\S*:[0-9]+\S*|.*\b(main\.py|seedhollow) map .*)\n"
)
"""The lines of an exported level that are no map: its code and the command that makes it again."""
OVERLAP = 2
"""Tiles shared by one window and the next, so that every 3x3 window lies in one of them."""


def read_sheets(name: str, folder: Path = DATA) -> list[Sheet]:
    """Return the maps drawn in ``data/samples/NAME.txt``, separated by blank lines.

    Each is tile numbers, uint8 [y, x]. A level that `map` wrote as text can be used as it is: its
    code and command are skipped, start and exit are floor. Raises `DataError` for an invalid
    drawing.
    """
    where = shown_path(f"{FOLDER}/{name}.txt", folder)
    try:
        text = (folder / FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    except OSError as fault:
        raise DataError(f"{where}: cannot be read ({fault.strerror})") from None
    number = {kind.char: tile for tile, kind in enumerate(terrain().kinds)}
    number |= dict.fromkeys("<>", Tile.FLOOR)
    text = LEVEL_NOTES.sub("", text)
    sheets = []
    for drawing in text.strip("\n").split("\n\n"):
        rows = drawing.strip("\n").split("\n")
        strange = sorted(set("".join(rows)) - set(number))
        if strange:
            raise DataError(f"{where}: no tile is drawn {strange[0]!r}")
        if len({len(row) for row in rows}) != 1:
            raise DataError(f"{where}: the rows of a map must be equally long")
        sheets.append(np.array([[number[char] for char in row] for row in rows], np.uint8))
    return sheets


def sample(
    name: SampleName, *, turns: bool = True, mirrors: bool = True, pace: int = 1
) -> Constraints:
    """Return the constraints of a sample, with its rotations and reflections if asked for.

    Its windows are laid ``pace`` tiles apart and overlap by two.
    """
    folder = own_folder() if name.startswith(OWN) else DATA
    return _learned(folder, name.removeprefix(OWN), turns, mirrors, pace)


@cache
def _learned(folder: Path, name: str, turns: bool, mirrors: bool, pace: int) -> Constraints:
    sheets, views = read_sheets(name, folder), {"turns": turns, "mirrors": mirrors}
    return Constraints(learn_patterns(sheets, size=pace + OVERLAP, pace=pace, **views))
