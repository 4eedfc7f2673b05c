"""The origin of an exported file: its level code, and the command that recreates it."""

from hashlib import blake2b
from io import BytesIO
from pathlib import PurePath
from typing import NamedTuple

from PIL.Image import Image
from PIL.PngImagePlugin import PngInfo

from entities.folders import command_line
from entities.program import SOFTWARE
from procgen.level_code import LevelCode
from procgen.recipes import Recipe


class ExportOptions(NamedTuple):
    """Options of an export; absent ones are chosen to suit the level.

    ``tile`` is the side of a tile in pixels, ``flat`` draws plain colours, ``card`` adds name and
    metrics; ``captions`` and ``frames`` (the most) are for animated GIFs. ``source`` is the name of
    the level's file, "" for one that its code builds; ``recipe`` replaces that of the code.
    """

    tile: int | None = None
    flat: bool = False
    card: bool = False
    captions: bool = False
    frames: int | None = None
    source: str = ""
    recipe: Recipe | None = None


DEFAULT_OPTIONS = ExportOptions()


def export_command(code: LevelCode, form: str, options: ExportOptions, name: str) -> str:
    """Return the command that writes a level as ``form`` to ``name``; "" is standard output."""
    words = [options.source or str(code), "--format", form]
    words += [f"--{option}" for option in ("flat", "card", "captions") if getattr(options, option)]
    for option in ("tile", "frames"):
        if (value := getattr(options, option)) is not None:
            words += [f"--{option}", str(value)]
    return command_line("map", *words, "--output", PurePath(name).name or "-")


def file_stem(code: LevelCode) -> str:
    """Return a file name for the level of ``code``, without its ending.

    Settings would make it too long, so a hash of them takes their place.
    """
    settings = ";".join(code.settings).encode()
    hashed = f"-set-{blake2b(settings, digest_size=4).hexdigest()}" if settings else ""
    size = f"{code.width}x{code.height}"
    place = f"-{code.place[0]},{code.place[1]}" if code.place else ""
    recipe = "+".join([f"{code.recipe}.{code.version}", *code.overlays])
    return f"{recipe}{hashed}-{code.seed}-{code.depth}{place}-{size}"


def png_bytes(image: Image, title: str, origin: str) -> bytes:
    """Return ``image`` as PNG, with ``title`` and the command that made it in its text chunks."""
    notes = PngInfo()
    notes.add_text("Title", title)
    if origin:
        notes.add_text("Command", origin)
    notes.add_text("Software", SOFTWARE)
    stream = BytesIO()
    image.save(stream, "PNG", pnginfo=notes)
    return stream.getvalue()
