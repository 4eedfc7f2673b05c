"""The hand-drawn sample maps of data/samples, and the constraints learned from each."""

from functools import cache
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from entities.data_files import DATA, DataError, shown_path
from entities.folders import USER_MARK, user_folder
from procgen.map_files import map_paths, read_maps
from procgen.wfc.constraints import Constraints, Sheet, learn_patterns

FOLDER = "samples"
SAMPLES = tuple(path.stem for path in map_paths(DATA / FOLDER))
"""The files of data/samples."""
_PATTERN = rf"^({'|'.join(SAMPLES)}|{USER_MARK}[A-Za-z0-9_-]+)$"
_FORM = f"{', '.join(SAMPLES)}, or {USER_MARK}NAME of letters a to z, digits, _ and -"
SampleName = Annotated[str, Meta(pattern=_PATTERN, extra={"choices": SAMPLES, "form": _FORM})]
"""One of `SAMPLES`, or with `USER_MARK` a file in ``samples`` of the user folder."""
Pace = Annotated[int, Meta(ge=1, le=4)]
Scale = Annotated[int, Meta(ge=1, le=4)]
OVERLAP = 2
"""Tiles shared by one window and the next, so that every 3x3 window lies in one of them."""


def read_sheets(name: str, folder: Path = DATA) -> list[Sheet]:
    """Return the maps in ``data/samples/NAME.txt``, separated by blank lines, or in ``NAME.tmj``.

    Each is tile numbers, uint8 [y, x]. Start and exit are floor, and blanks rock, as for levels.
    Raises `DataError` for an invalid drawing, and for a file that is missing or there twice.
    """
    where = shown_path(f"{FOLDER}/{name}", folder)
    paths = [path for path in map_paths(folder / FOLDER) if path.stem == name]
    if len(paths) > 1:
        raise DataError(f"{where}: there is a {' and a '.join(path.suffix for path in paths)}")
    path = paths[0] if paths else folder / FOLDER / f"{name}.txt"
    return [drawing.tiles for drawing in read_maps(path, f"{where}{path.suffix}")]


def sample(
    name: SampleName,
    *,
    turns: bool = True,
    mirrors: bool = True,
    pace: int = 1,
    tiled: bool = False,
) -> Constraints:
    """Return the constraints of a sample, with its rotations and reflections if asked for.

    Its windows are laid ``pace`` tiles apart and overlap by two; if it is ``tiled``, only windows
    that begin at a multiple of ``pace`` are learned.
    """
    folder = user_folder() if name.startswith(USER_MARK) else DATA
    return _learned(folder, name.removeprefix(USER_MARK), turns, mirrors, pace, tiled)


@cache
def _learned(
    folder: Path, name: str, turns: bool, mirrors: bool, pace: int, tiled: bool
) -> Constraints:
    sheets, views = read_sheets(name, folder), {"turns": turns, "mirrors": mirrors}
    where = shown_path(f"{FOLDER}/{name}", folder)
    every, size = pace if tiled else 1, pace + OVERLAP
    patterns = learn_patterns(sheets, size=size, pace=pace, every=every, where=where, **views)
    return Constraints(patterns)
