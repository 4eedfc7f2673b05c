"""The hand-drawn sample maps of data/samples, and what is learned from each."""

from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np

from entities.data_files import DATA, DataError
from entities.terrain import terrain
from procgen.wfc.constraints import Constraints, Sheet, learn_patterns

SampleName = Literal[
    "canals",
    "chambers",
    "chapel",
    "library",
    "ossuary",
    "pools",
    "ruins",
    "temple",
    "wreck",
]
"""One for each file of data/samples, so that a recipe with a misspelt sample never loads."""


OVERLAP = 2
"""So many tiles are shared by one window and the next, and no 3x3 window goes unseen."""


def read_sheets(name: str, folder: Path = DATA) -> list[Sheet]:
    """Return the maps drawn in ``data/samples/NAME.txt``, parted by blank lines.

    Each is tile numbers, uint8 [y, x]. Raises `DataError` for a drawing that is none.
    """
    where = f"data/samples/{name}.txt"
    try:
        text = (folder / "samples" / f"{name}.txt").read_text(encoding="utf-8")
    except OSError as fault:
        raise DataError(f"{where}: cannot be read ({fault.strerror})") from None
    number = {kind.char: tile for tile, kind in enumerate(terrain().kinds)}
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
    """Return what the sample teaches, with its turned and mirrored views if asked for.

    Its windows are laid ``pace`` tiles apart and overlap by two.
    """
    return _learned(name, turns, mirrors, pace)


@cache
def _learned(name: SampleName, turns: bool, mirrors: bool, pace: int) -> Constraints:
    views = {"turns": turns, "mirrors": mirrors}
    return Constraints(learn_patterns(read_sheets(name), size=pace + OVERLAP, pace=pace, **views))
