"""Export a level to REXPaint (.xp): layers of CP437 characters."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import tcod
import tcod.console
from tcod.console import Console

from engine.items.loot import items_of
from procgen.level import Level
from render.map.whole_level import ground_console, place_inhabitants
from render.tiles.glyphs import plain_char
from render.ui.palette import colors

TRANSPARENT = (255, 0, 255)
"""The background colour that REXPaint treats as transparent."""
UNKNOWN = ord("?")
CODE_PAGE = tcod.tileset.CHARMAP_CP437
NUMBERS = {code: number for number, code in enumerate(CODE_PAGE)}


def xp(level: Level, origin: str) -> bytes:
    """Return the file with three layers: ``origin`` as text, the ground, items and monsters.

    .xp has no metadata, so code and command are text on the lowest layer, hidden by the ground;
    programs that save the file keep it.
    """
    ground = _plain_characters(ground_console(level))
    return xp_bytes([_origin_layer(level, origin), ground, _creature_layer(level, ground)])


def xp_bytes(layers: Sequence[Console]) -> bytes:
    """Return ``layers`` as an .xp file, lowest first."""
    paged = []
    for layer in layers:
        console = Console(layer.width, layer.height)
        console.rgb[:] = layer.rgb
        console.rgb["ch"] = _translate(layer.rgb["ch"], NUMBERS, UNKNOWN)
        paged.append(console)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "level.xp"
        tcod.console.save_xp(path, paged)
        return path.read_bytes()


def load_layers(path: Path) -> tuple[Console, ...]:
    """Return the layers of an .xp file, lowest first, in Unicode."""
    layers = tcod.console.load_xp(path, order="C")
    for layer in layers:
        layer.rgb["ch"] = _translate(layer.rgb["ch"], dict(enumerate(CODE_PAGE)), UNKNOWN)
    return layers


def origin_text(layers: Sequence[Console]) -> str:
    """Return the text on the lowest of ``layers``."""
    return "".join(map(chr, layers[0].rgb["ch"].ravel().tolist())).replace("\0", " ").strip()


def _translate(codes: np.ndarray, table: dict[int, int], otherwise: int) -> np.ndarray:
    unique, where = np.unique(codes, return_inverse=True)
    found = np.array([table.get(code, otherwise) for code in unique.tolist()], np.int32)
    return found[where].reshape(codes.shape)


def _plain_characters(console: Console) -> Console:
    """Replace our tile code points by ordinary characters."""
    unique, where = np.unique(console.rgb["ch"], return_inverse=True)
    found = np.array([ord(plain_char(code)) for code in unique.tolist()], np.int32)
    console.rgb["ch"] = found[where].reshape(console.rgb.shape)
    return console


def _creature_layer(level: Level, ground: Console) -> Console:
    """Return a layer with only the items and monsters, on the colours of ``ground``."""
    console = Console(ground.width, ground.height)
    console.rgb["bg"] = TRANSPARENT
    places = [(item.y, item.x) for item in items_of(level)]
    for place in [*places, *((spawn.y, spawn.x) for spawn in level.spawns)]:
        console.rgb[place]["bg"] = ground.rgb[place]["bg"]
    place_inhabitants(console, level)
    return _plain_characters(console)


def _origin_layer(level: Level, origin: str) -> Console:
    console = Console(level.code.width, level.code.height)
    console.rgb["bg"], console.rgb["fg"] = colors()["ground"], colors()["text"]
    text = f"{level.code}  {origin}"[: console.rgb.size]
    cells = console.rgb.reshape(-1)
    cells["ch"][: len(text)] = [ord(char) for char in text]
    return console
