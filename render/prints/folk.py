"""Who lives on a level: every kind as it looks and by name, in rows that fit a card."""

from collections import Counter
from typing import NamedTuple

from PIL import Image
from tcod.console import Console

from entities.kinds import creatures
from procgen.build import Level
from render.frame import Color
from render.glyphs import being_look
from render.palette import colors, creature_colors
from render.prints.pen import Pen, width_of
from render.tiles.sheet import picture

WORDS, ROW, GAP = 20, 32, 26
"""Heights of the letters and of a row, and the room between two kinds."""
SIDE, BELOW = 24, 5
"""The side of a creature's picture, and how far it reaches below the line."""


class Kind(NamedTuple):
    """A kind of creature: its look and colour, its name and how many there are."""

    look: int
    color: Color
    words: str

    @property
    def width(self) -> int:
        """How many pixels it takes."""
        return SIDE + width_of(self.words, WORDS)


def folk(level: Level, width: int) -> list[list[Kind]]:
    """Return who lives on ``level``, in rows of at most ``width`` pixels."""
    count = Counter(spawn.kind for spawn in level.spawns)
    rows: list[list[Kind]] = [[]]
    x = 0
    for name, kind in creatures().items():
        if not count[name]:
            continue
        many = f" ×{count[name]}" if count[name] > 1 else ""
        entry = Kind(being_look(name), creature_colors()[kind.color], f" {kind.name}{many}")
        if rows[-1] and x + entry.width > width:
            rows.append([])
            x = 0
        rows[-1].append(entry)
        x += entry.width + GAP
    return rows


def write_folk(pen: Pen, at: tuple[int, int], rows: list[list[Kind]]) -> int:
    """Write the rows from the baseline ``at`` on; return the baseline of the last."""
    x, y = at
    if not rows[0]:
        pen.write(at, "nobody lives here", colors()["dim"], WORDS)
    for number, row in enumerate(rows):
        x, y = at[0], at[1] + number * ROW
        for kind in row:
            pen.image.paste(_portrait(kind, pen.image), (x, y + BELOW - SIDE))
            x = pen.write((x + SIDE, y), kind.words, colors()["dim"], WORDS) + GAP
    return y


def _portrait(kind: Kind, page: Image.Image) -> Image.Image:
    """Return a creature as it looks on the map, on the ground of ``page``."""
    cell = Console(1, 1)
    cell.rgb[0, 0] = (kind.look, kind.color, page.getpixel((0, page.height - 1)))
    return picture(cell, SIDE)
