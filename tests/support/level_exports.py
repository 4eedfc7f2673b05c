"""Levels to export, the command that does, and .xp files read back."""

from pathlib import Path

import numpy as np
import tcod
import tcod.console

import main
from procgen.build import build
from procgen.level_code import parse_code
from procgen.settings import complete

CODES = ("vaulted:7:5@60x40", "caves:3:2@44x30", "keep+dark:1:6@50x34", "mission:3:4@60x34")


def level_of(text):
    return build(complete(parse_code(text)))


def run(*arguments):
    """Return the exit code of the command line."""
    try:
        return main.main([str(argument) for argument in arguments])
    except SystemExit as end:
        return end.code


def xp_layers(path: Path):
    """Return the layers of an .xp file, lowest first, in Unicode."""
    layers = tcod.console.load_xp(path, order="C")
    for layer in layers:
        layer.rgb["ch"] = np.array(tcod.tileset.CHARMAP_CP437)[layer.rgb["ch"]]
    return layers


def xp_origin(path: Path):
    """Return the text on the lowest layer of an .xp file."""
    codes = xp_layers(path)[0].rgb["ch"].ravel().tolist()
    return "".join(map(chr, codes)).replace("\0", " ").strip()
