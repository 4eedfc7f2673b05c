"""The export formats by name, and PNG."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from procgen.level import Level
from procgen.level_code import CodeError, LevelCode
from workbench.exports.build_film import build_gif, build_page
from workbench.exports.ldtk import LdtkProject
from workbench.exports.level_record import json, json_line, npz, text
from workbench.exports.origin import DEFAULT_OPTIONS, ExportOptions, export_command, png_bytes
from workbench.exports.print_map import PrintedMap
from workbench.exports.rexpaint import xp
from workbench.exports.tiled import TiledMap
from workbench.exports.vector_page import VectorPage, pdf_bytes, svg_bytes
from workbench.images.level_card import card
from workbench.images.level_pictures import fitting_tile, flat_picture, flat_tile, level_picture


def png(level: Level, options: ExportOptions, origin: str) -> bytes:
    """Return a picture or card as PNG."""
    drawn = flat_picture if options.flat else level_picture
    picture = card(level) if options.card else drawn(level, options.tile)
    return png_bytes(picture, str(level.code), origin)


def printed(
    write: Callable[[VectorPage, str, str], bytes], level: Level, _: ExportOptions, origin: str
) -> bytes:
    """Return the map to print, written by `svg_bytes` or `pdf_bytes`."""
    return write(PrintedMap(level).page(), str(level.code), origin)


def refuse_large(code: LevelCode, options: ExportOptions) -> None:
    """Raise `TooLarge` if the picture of a level would be too large, before it is built."""
    if not options.card:
        (flat_tile if options.flat else fitting_tile)(code.width, code.height, options.tile)


Files = dict[str, bytes]
"""File contents by name; ``""`` is the level itself, other files lie beside it."""


class Format(NamedTuple):
    """An export format, and which options apply to it.

    ``make`` also gets the command that makes the file. ``one_stream`` says whether several levels
    can be written to one file or a terminal.
    """

    make: Callable[[Level, ExportOptions, str], bytes | Files]
    options: frozenset[str] = frozenset()
    one_stream: bool = False


FORMATS: dict[str, Format] = {
    "text": Format(text, one_stream=True),
    "json": Format(json),
    "jsonl": Format(json_line, one_stream=True),
    "png": Format(png, frozenset({"tile", "flat", "card"})),
    "gif": Format(build_gif, frozenset({"tile", "flat", "captions", "frames"})),
    "html": Format(build_page, frozenset({"tile", "flat", "frames"})),
    "svg": Format(partial(printed, svg_bytes)),
    "pdf": Format(partial(printed, pdf_bytes)),
    "tmj": Format(TiledMap.files, frozenset({"tile"})),
    "ldtk": Format(LdtkProject.files, frozenset({"tile"})),
    "xp": Format(xp),
    "npz": Format(npz),
}


def export_files(
    level: Level, form: str, options: ExportOptions = DEFAULT_OPTIONS, name: str = ""
) -> Files:
    """Return ``level`` in a format; ``name`` is the name of its file.

    Without a name the level is for a terminal or a pipe; text then omits the command at its end.
    """
    if form not in FORMATS:
        raise ValueError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
    if options.source and form in {"gif", "html"}:
        raise CodeError(f"{form} shows how a level grows, which no level file says")
    silent = form == "text" and not name
    origin = "" if silent or options.recipe else export_command(level.code, form, options, name)
    files = FORMATS[form].make(level, DEFAULT_OPTIONS if silent else options, origin)
    return {"": files} if isinstance(files, bytes) else files
