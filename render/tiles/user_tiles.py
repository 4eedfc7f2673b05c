"""User tiles: PNG files, in ``tiles`` of the user folder, that replace drawn ones.

``tiles/orc.png`` replaces the orc, ``tiles/floor.png`` every variant of the floor. A picture keeps
its colours; the ground shows where it is transparent. `pictures` reads pictures made of shapes.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, UnidentifiedImageError

from entities.creature_kinds import creature_kinds
from entities.data_files import DataError, folder_paths, open_regular_file
from entities.folders import user_folder
from entities.item_kinds import item_kinds
from entities.terrain import TILE_NAMES
from render.tiles import glyphs
from render.tiles.pictures import user_pictures
from render.tiles.tile_canvas import Pixels

FOLDER = "tiles"
MAX_SIDE = 1024
"""The most pixels of a side, so that a file cannot exhaust the memory."""


class UserTiles(NamedTuple):
    """Pictures by name, and one sentence for each file or drawn picture that cannot be used."""

    pictures: dict[str, Image.Image]
    faults: list[str]


@cache
def tile_names() -> dict[str, list[int]]:
    """Return the name of every picture that can be replaced, and its code points."""
    names = {name: glyphs.terrain_codes(tile) for tile, name in enumerate(TILE_NAMES)}
    names |= {kind: [glyphs.creature_tile(kind)] for kind in creature_kinds()}
    names |= {kind: [glyphs.item_tile(kind)] for kind in item_kinds()}
    marks = {"stairs_down": [glyphs.STAIRS_DOWN], "stairs_up": [glyphs.STAIRS_UP]}
    return names | marks | {"fire": [*range(glyphs.FLAMES, glyphs.FLAMES + glyphs.FLAME_PHASES)]}


@cache
def user_tiles() -> UserTiles:
    """Return the user's tiles, which are read once."""
    try:
        return _read(user_folder() / FOLDER)
    except OSError:
        return UserTiles({}, [])


def has_user_tile(name: str) -> bool:
    """Return True if the user has a tile ``name``, which is shown in its own colours."""
    return name in user_tiles().pictures


def _read(folder: Path) -> UserTiles:
    pictures: dict[str, Image.Image] = {}
    faults = list(user_pictures(folder.parent).faults)
    try:
        paths = folder_paths(folder)
    except DataError as fault:
        return UserTiles({}, [*faults, str(fault)])
    for path in [path for path in paths if path.suffix.lower() == ".png"]:
        if path.stem not in tile_names():
            faults.append(f"{path}: there is no tile of this name (list --tiles)")
            continue
        try:
            pictures[path.stem] = _opened(path)
        except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as fault:
            why = "it is no PNG picture" if isinstance(fault, UnidentifiedImageError) else fault
            faults.append(f"{path}: cannot be used as a tile ({why})")
    return UserTiles(pictures, faults)


def _opened(path: Path) -> Image.Image:
    with open_regular_file(path) as stream, Image.open(stream, formats=["PNG"]) as image:
        if max(image.size) > MAX_SIDE:
            raise ValueError(f"{image.width}x{image.height} pixels, the most is {MAX_SIDE}")
        return image.convert("RGBA")


def user_codes() -> list[int]:
    """Return the code points of the user's tiles."""
    return [code for name in user_tiles().pictures for code in tile_names()[name]]


def draw_user_tiles(size: int) -> Iterator[tuple[int, Pixels]]:
    """Yield the code point and pixels of the user's tiles, ``size`` pixels square."""
    for name, picture in user_tiles().pictures.items():
        divides = size % picture.width == 0 and size % picture.height == 0
        resampling = Image.Resampling.NEAREST if divides else Image.Resampling.LANCZOS
        pixels = np.asarray(picture.resize((size, size), resampling))
        for code in tile_names()[name]:
            yield code, pixels
