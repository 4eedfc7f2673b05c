"""Who lives on a level: every kind by its glyph and name, in rows that fit a card."""

from collections import Counter
from typing import NamedTuple

from entities.kinds import creatures
from procgen.build import Level
from render.frame import Color
from render.palette import colors, creature_colors
from render.prints.pen import Pen, width_of

WORDS, ROW, GAP = 20, 30, 28
"""Heights of the letters and of a row, and the room between two kinds."""


class Kind(NamedTuple):
    """A kind of creature: its glyph in its colour, its name and how many there are."""

    glyph: str
    color: Color
    words: str

    @property
    def width(self) -> int:
        """How many pixels it takes."""
        return width_of(self.glyph, WORDS, "Bold") + width_of(self.words, WORDS)


def folk(level: Level, width: int) -> list[list[Kind]]:
    """Return who lives on ``level``, in rows of at most ``width`` pixels."""
    count = Counter(spawn.kind for spawn in level.spawns)
    rows: list[list[Kind]] = [[]]
    x = 0
    for name, kind in creatures().items():
        if not count[name]:
            continue
        many = f" ×{count[name]}" if count[name] > 1 else ""
        entry = Kind(kind.glyph, creature_colors()[kind.color], f" {kind.name}{many}")
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
            x = pen.write((x, y), kind.glyph, kind.color, WORDS, "Bold")
            x = pen.write((x, y), kind.words, colors()["dim"], WORDS) + GAP
    return y
