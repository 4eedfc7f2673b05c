"""Figures of a level that is on offer at a way down, for players and bots to choose by."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from engine.monsters.initial_monsters import initial_monsters
from entities.terrain import TILES, Tile, openable_mask
from procgen.analysis.bitboard import Bitboard
from procgen.level import Level
from procgen.metrics import TILES as TYPICAL_TILES
from procgen.metrics import LazyMetrics


@dataclass(frozen=True)
class GroundFigures:
    """The figures of a level, counted on it.

    * ``way`` is the number of steps from the start to the exit with every door open.
    * ``loops`` is the number of independent loops for each 80x45 tiles, pillars left out.
    * ``water`` and ``lava`` are shares of all tiles; ``gold`` and ``traps`` are counts of tiles.
    * ``monsters`` counts those that live there at first, by kind, the most numerous first.
    """

    theme: str
    light: str
    way: int
    loops: float
    water: float
    lava: float
    locks: int
    gold: int
    traps: int
    monsters: dict[str, int]


def ground_figures(level: Level) -> GroundFigures:
    """Measure ``level``."""
    counts = np.bincount(level.tiles.ravel(), minlength=len(TILES))
    size = level.tiles.size
    return GroundFigures(
        theme=level.theme,
        light=level.light,
        way=Bitboard.of(openable_mask()[level.tiles]).steps(level.start, level.exit),
        loops=LazyMetrics(level).loops * TYPICAL_TILES / size,
        water=float(counts[Tile.WATER] + counts[Tile.SHALLOWS]) / size,
        lava=float(counts[Tile.LAVA]) / size,
        locks=int(counts[Tile.LOCKED_DOOR]),
        gold=int(counts[Tile.TREASURE]),
        traps=int(counts[Tile.TRAP]),
        monsters=dict(Counter(one.kind for one in initial_monsters(level)).most_common()),
    )
