"""Export a level to REXPaint (.xp): layers of CP437 characters."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import tcod.console
from tcod.console import Console

from engine.items.loot import items_of
from engine.monsters.initial_monsters import initial_monsters
from procgen.level import Level
from render.map.whole_level import empty_level_and_ground, place_inhabitants
from render.tiles.glyphs import plain_char
from render.ui.palette import colors
from workbench.exports.origin import ExportOptions

TRANSPARENT = (255, 0, 255)
"""The background colour that REXPaint treats as transparent."""
UNKNOWN = ord("?")
NUMBERS = {code: number for number, code in enumerate(tcod.tileset.CHARMAP_CP437)}


def xp(level: Level, _: ExportOptions, origin: str) -> bytes:
    """Return the file with three layers: ``origin`` as text, the ground, items and monsters.

    .xp has no metadata, so code and command are text on the lowest layer, hidden by the ground;
    programs that save the file keep this text.
    """
    ground = empty_level_and_ground(level)[0]
    layers = (_origin_layer(level, origin), ground, _creature_layer(level, ground))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "level.xp"
        tcod.console.save_xp(path, [*map(_in_code_page, layers)])
        return path.read_bytes()


def _in_code_page(layer: Console) -> Console:
    """Return ``layer`` with tiles replaced by characters, and characters by their CP437 numbers."""
    unique, where = np.unique(layer.rgb["ch"], return_inverse=True)
    numbers = [NUMBERS.get(ord(plain_char(code)), UNKNOWN) for code in unique.tolist()]
    layer.rgb["ch"] = np.array(numbers, np.int32)[where].reshape(layer.rgb.shape)
    return layer


def _creature_layer(level: Level, ground: Console) -> Console:
    """Return a layer with only the items and monsters, on the colours of ``ground``."""
    console = Console(ground.width, ground.height)
    console.rgb["bg"] = TRANSPARENT
    places = [(item.y, item.x) for item in items_of(level)]
    for place in [*places, *((monster.y, monster.x) for monster in initial_monsters(level))]:
        console.rgb[place]["bg"] = ground.rgb[place]["bg"]
    place_inhabitants(console, level)
    return console


def _origin_layer(level: Level, origin: str) -> Console:
    console = Console(level.code.width, level.code.height)
    console.rgb["bg"], console.rgb["fg"] = colors()["ground"], colors()["text"]
    text = f"{level.code}  {origin}"[: console.rgb.size]
    cells = console.rgb.reshape(-1)
    cells["ch"][: len(text)] = [ord(char) for char in text]
    return console
