"""Rewrite rules as text: ``floor wall wall -> floor tunnel floor``.

The words are names of tiles, so that a rule can be read without a legend.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

from entities.terrain import TILE_NAMES, terrain
from entities.wording import did_you_mean
from procgen.placement.painting import Paint

ARROW, ROW_END = "->", "/"
ANY, SAME = "any", "same"
GROUND, SOLID = "ground", "solid"
LONGEST = 32
"""Tiles along a side of a pattern."""
FIXED = 64
"""Added to the number of a tile that must stay: on the border, or under a start or a monster."""
OUTSIDE = 2 * FIXED - 1
"""The ground beyond the map; no pattern accepts it."""
_REPEAT = re.compile(r"(.*)\*([0-9]{1,3})")


@dataclass(frozen=True)
class Cell:
    """A tile of a pattern: which values it ``accepts``, bytes [128] of 0 or 1, and its successor.

    ``becomes`` is the tile number after the rewrite, or None if the tile stays as it is.
    """

    accepts: bytes
    becomes: int | None

    @property
    def accepts_all(self) -> bool:
        """True if every tile is accepted and stays as it is."""
        return self.becomes is None and sum(self.accepts) == 2 * len(TILE_NAMES)


Rows = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule as it was written, and its pattern [y][x]."""

    text: str
    rows: Rows

    def views(self, *, turns: bool, mirrors: bool) -> list[Rows]:
        """Return the pattern, its quarter ``turns`` and their ``mirrors``, each different one once.

        A turned pattern has its rows and columns exchanged.
        """
        views = [self.rows]
        if turns:
            for _ in range(3):
                views.append(tuple(zip(*views[-1][::-1], strict=True)))
        if mirrors:
            views += [tuple(row[::-1] for row in rows) for rows in views]
        return list(dict.fromkeys(views))


@lru_cache(maxsize=256)
def parse_rule(text: str) -> Rule:
    """Return the rule that ``text`` means; raise `ValueError`, quoting it, if it is invalid.

    The pattern stands before the arrow: rows of tile names, separated by ``/``. ``floor|tunnel``
    accepts both tiles, ``ground`` any walkable tile, ``solid`` any other, ``any`` every tile of the
    map. ``wall*5`` is the same tile five times; ``*5`` at the end of a row repeats the row. After
    the arrow, the new tiles stand in the same shape; ``same`` leaves a tile as it is.
    """
    try:
        return Rule(text, _rows(text))
    except ValueError as fault:
        raise ValueError(f"rules: {text[:200]!r}: {fault}") from None


def _rows(text: str) -> Rows:
    words = text.split()
    if words.count(ARROW) != 1:
        raise ValueError("a rule is a pattern, -> and what it becomes: floor wall -> floor floor")
    middle = words.index(ARROW)
    before, after = _words(words[:middle]), _words(words[middle + 1 :])
    shapes = [f"{len(rows[0])} by {len(rows)}" for rows in (before, after)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"the pattern has {shapes[0]} tiles, what it becomes {shapes[1]}")
    alone = sum(word != SAME for row in after for word in row) == 1
    rows = tuple(
        tuple(_cell(old, new, alone) for old, new in zip(*pair, strict=True))
        for pair in zip(before, after, strict=True)
    )
    changed = [cell for row in rows for cell in row if cell.becomes is not None]
    if all(cell.accepts[cell.becomes or 0] or not any(cell.accepts) for cell in changed):
        raise ValueError("at least one tile must become what it cannot have been before")
    return rows


def _words(words: list[str]) -> list[list[str]]:
    """Return the names of tiles by row, repetitions written out."""
    rows: list[list[str]] = []
    for text in " ".join(words).split(ROW_END):
        row: list[str] = []
        times = 1
        for word in text.split():
            match = _REPEAT.fullmatch(word)
            name, number = (match[1], int(match[2])) if match else (word, 1)
            if not 1 <= number <= LONGEST:
                fault = f"repeats a tile {number} times: it can be 1 to {LONGEST}"
                raise ValueError(f"{word!r} {fault}")
            if name:
                row += [name] * number
            else:
                times = number
        rows += [row] * times
    if not all(rows):
        raise ValueError("a row has no tiles")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise ValueError(f"row {number} has {len(row)} tiles, the first has {len(rows[0])}")
    if max(len(rows), len(rows[0])) > LONGEST:
        raise ValueError(f"a pattern has at most {LONGEST} by {LONGEST} tiles")
    return rows


def _cell(before: str, after: str, alone: bool) -> Cell:
    """Return the cell; if it changes ``alone``, it does not accept the tile that it becomes."""
    becomes = None if after == SAME else _successor(after)
    accepts = bytearray(OUTSIDE + 1)
    for name in before.split("|"):
        for tile in _tiles(name):
            accepts[tile] = 1
            accepts[tile + FIXED] = becomes is None
    if alone and becomes is not None:
        accepts[becomes] = 0
    return Cell(bytes(accepts), becomes)


def _tiles(name: str) -> list[int]:
    """Return the tile numbers that a word of a pattern accepts."""
    if name in TILE_NAMES:
        return [TILE_NAMES.index(name)]
    walkable = terrain().walkable.tolist()
    groups = {ANY: (True, False), GROUND: (True,), SOLID: (False,)}
    if name not in groups:
        raise ValueError(f"there is no tile {name!r}{did_you_mean(name, [*TILE_NAMES, *groups])}")
    return [tile for tile, open_ground in enumerate(walkable) if open_ground in groups[name]]


def _successor(name: str) -> int:
    """Return the number of the tile that a word after the arrow means."""
    allowed = [tile for tile in TILE_NAMES if tile in get_args(Paint)]
    if name not in allowed:
        hint = did_you_mean(name, [*allowed, SAME])
        raise ValueError(f"a tile can become one tile that steps paint with, not {name!r}{hint}")
    return TILE_NAMES.index(name)
