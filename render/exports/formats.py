"""The formats a level can be written in, by name."""

from collections.abc import Callable
from typing import NamedTuple

from procgen.build import Level
from render.exports.gif import gif
from render.exports.npz import npz
from render.exports.origin import NO_WISHES, Wishes, command
from render.exports.png import png
from render.exports.record import json, json_line
from render.exports.text import text
from render.exports.tmj import tmj
from render.exports.xp import xp

Files = dict[str, bytes]
"""What is in each file; the level itself has the name ``""``, others lie beside it."""


class Format(NamedTuple):
    """How a level is written, and which wishes mean something for it.

    ``one_stream`` says whether levels can follow one another in one file or on a terminal.
    """

    make: Callable[[Level, Wishes, str], Files]
    wishes: frozenset[str] = frozenset()
    one_stream: bool = False


FORMATS: dict[str, Format] = {
    "text": Format(lambda level, _, origin: {"": text(level, origin)}, one_stream=True),
    "json": Format(lambda level, _, origin: {"": json(level, origin)}),
    "jsonl": Format(lambda level, _, origin: {"": json_line(level, origin)}, one_stream=True),
    "png": Format(
        lambda level, wishes, origin: {"": png(level, wishes, origin)},
        frozenset({"tile", "flat", "card"}),
    ),
    "gif": Format(
        lambda level, wishes, origin: {"": gif(level, wishes, origin)},
        frozenset({"tile", "flat", "captions", "frames"}),
    ),
    "tmj": Format(tmj, frozenset({"tile"})),
    "xp": Format(lambda level, _, origin: {"": xp(level, origin)}),
    "npz": Format(lambda level, _, origin: {"": npz(level, origin)}),
}


def files(level: Level, form: str, wishes: Wishes = NO_WISHES, name: str = "") -> Files:
    """Return ``level`` as the files of a format, the first of which will be called ``name``.

    Without a name it goes to a terminal or a pipe, where text needs no command.
    """
    silent = form == "text" and not name
    origin = "" if silent else command(level.code, form, wishes, name)
    return FORMATS[form].make(level, wishes, origin)
