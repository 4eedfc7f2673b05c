"""Types of charts over a map, and drawing; `render.workshop.level_charts` computes charts."""

from enum import Enum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from tcod.console import Console

from entities.terrain import Mask
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.mission import Mission
from render.tiles.glyphs import STAIRS_DOWN, STAIRS_UP
from render.ui.frame import Color, Shades

Labels = NDArray[np.int32]
Legend = list[tuple[str, Color | None]]
"""Pieces of text with their colours, None for the dim colour of notes."""


class ChartKind(Enum):
    """The kinds of chart, by name."""

    NONE = "none"
    REGIONS = "regions"
    DISTANCE = "distance"
    CHOKEPOINTS = "chokepoints"
    MISSION = "mission"
    HEIGHT = "height"
    MOISTURE = "moisture"

    @property
    def label(self) -> str:
        """The name shown on screen."""
        return "no chart" if self is ChartKind.NONE else self.value

    def next(self, kinds: tuple["ChartKind", ...]) -> "ChartKind":
        """Return the kind after this one in ``kinds``."""
        return kinds[(kinds.index(self) + 1) % len(kinds)] if self in kinds else kinds[0]


LEVEL_CHARTS = (ChartKind.NONE, ChartKind.REGIONS, ChartKind.DISTANCE, ChartKind.CHOKEPOINTS)
MISSION_CHARTS = (ChartKind.NONE, ChartKind.MISSION, *LEVEL_CHARTS[1:])
INFINITE_CHARTS = (ChartKind.NONE, ChartKind.HEIGHT, ChartKind.MOISTURE, *LEVEL_CHARTS[1:3])
"""The charts that the key cycles through: on a level, with a mission, in an infinite world."""


class ChartInput(Struct, frozen=True, eq=False):
    """The level data a chart is computed from; ``canvas`` is the painted partition, if any."""

    tiles: NDArray[np.uint8]
    start: Point | None
    regions: NDArray[np.int32] | None = None
    leaves: tuple[RectangularRoom, ...] = ()
    canvas: NDArray[np.uint8] | None = None
    source: str = "the start"
    """The name of ``start`` in the legend."""
    mission: Mission | None = None

    @property
    def open(self) -> Mask:
        """The walkable tiles, bool [y, x]."""
        return Blueprint(self.tiles).open


class Chart(Struct, frozen=True, eq=False):
    """Colours to blend over a level: ``paper`` by the share ``cover``, ``ink`` by ``hold``.

    Arrays are [y, x]; ``marks`` are code points that replace the tile, 0 where it stays.
    """

    paper: Shades
    cover: NDArray[np.float32]
    ink: Shades
    hold: NDArray[np.float32]
    marks: NDArray[np.int32]
    legend: Legend

    def lay(self, console: Console, left: int, top: int) -> None:
        """Blend the chart over ``console``, whose upper left cell is the tile (left, top)."""
        height, width = self.cover.shape
        x0, y0 = max(0, left), max(0, top)
        x1, y1 = min(width, left + console.width), min(height, top + console.height)
        if x0 >= x1 or y0 >= y1:
            return
        box = np.s_[y0:y1, x0:x1]
        cells = console.rgb[y0 - top : y1 - top, x0 - left : x1 - left]
        free = (cells["ch"] != STAIRS_DOWN) & (cells["ch"] != STAIRS_UP)
        marks = self.marks[box]
        cells["ch"] = np.where(marks * free, marks, cells["ch"])
        layers = (("bg", self.paper, self.cover[box]), ("fg", self.ink, self.hold[box] * free))
        for field, paint, share in layers:
            part = share[..., None]
            cells[field] = (cells[field] * (1 - part) + paint[box] * part).astype(np.uint8)
