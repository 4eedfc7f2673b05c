"""The lens: which overlay a person looks through, and the chart it shows."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.state.game_map import GameMap
from procgen.blueprint import Point
from procgen.infinite.chunk_window import window_corner
from render.map.overlays import Chart, Legend, Overlay, OverlayInput
from render.ui.keymap import first_key
from render.ui.palette import colors
from render.workshop.build_recording import BuildRecording
from render.workshop.overlay_charts import chart, kinds_for, land_chart
from render.workshop.partition_painting import Painting, covers

LAND = (Overlay.HEIGHT, Overlay.MOISTURE)
WIDE, HIGH, PACE = 320, 224, 32
"""How much of an endless world is charted, and how far one goes before it is charted again."""


@dataclass
class Lens:
    """An overlay, and the last chart made for it: a still picture costs nothing."""

    kind: Overlay = Overlay.NONE
    chart: Chart | None = None
    corner: tuple[int, int] = (0, 0)
    """The tile that the chart's upper left one lies on."""
    _made_for: tuple[Hashable, ...] = ()
    _painted: tuple[BuildRecording, Painting] | None = field(default=None, repr=False)

    def turn(self, generator: str = "") -> None:
        """Look through the next overlay that makes sense for a ``generator``."""
        self.kind = self.kind.next(kinds_for(generator))

    def on_moment(self, growth: BuildRecording, index: int) -> Chart | None:
        """Return the chart of a moment of ``growth``."""
        key = (self.kind, growth, index)
        if key != self._made_for:
            moment = growth.moments[index]
            canvas = self._canvas(growth, index) if self.kind is Overlay.REGIONS else None
            subject = OverlayInput(
                moment.tiles, moment.start, moment.regions, moment.leaves, canvas
            )
            if self.kind in LAND and growth.code.place:
                corner = window_corner(growth.code)
                self.chart = land_chart(self.kind, growth.code.seed, corner, moment.tiles.shape)
            else:
                self.chart = chart(self.kind, subject)
            self._made_for = key
        return self.chart

    def on_map(self, game_map: GameMap, here: Point) -> Chart | None:
        """Return the chart of a level in play, for which its whole build is looked up.

        In an endless world it is one of what lies around ``here``.
        """
        self.corner = (0, 0)
        key = (self.kind, game_map, game_map.edits)
        if self.kind is Overlay.NONE:
            self.chart, self._made_for = None, ()
        elif game_map.is_infinite:
            self._around(game_map, here)
        elif key != self._made_for:
            subject = OverlayInput(game_map.tiles, game_map.start)
            if self.kind is Overlay.REGIONS:
                subject = self._finished(game_map)
            self.chart, self._made_for = chart(self.kind, subject), key
        return self.chart

    def _around(self, game_map: GameMap, here: Point) -> None:
        """Chart what lies around ``here``, and keep it until one has gone on a while."""
        left = max(0, min((here.x - WIDE // 2) // PACE * PACE, game_map.width - WIDE))
        top = max(0, min((here.y - HIGH // 2) // PACE * PACE, game_map.height - HIGH))
        self.corner, world = (left, top), (game_map.origin[0] + left, game_map.origin[1] + top)
        place = here if self.kind is Overlay.DISTANCE else None
        key = (self.kind, game_map, game_map.edits, world, place)
        if key == self._made_for:
            return
        self._made_for = key
        if self.kind in LAND:
            self.chart = land_chart(self.kind, game_map.code.seed, world, (HIGH, WIDE))
            return
        tiles = game_map.tiles[top : top + HIGH, left : left + WIDE]
        start = Point(here.x - left, here.y - top) if place else None
        self.chart = chart(self.kind, OverlayInput(tiles, start, source="you"))

    def _finished(self, game_map: GameMap) -> OverlayInput:
        growth = self._painted[0] if self._painted else None
        if growth is None or growth.code != game_map.code:
            growth = BuildRecording(game_map.code)
            growth.to_end()
        last = growth.moments[-1]
        canvas = self._canvas(growth, last.index)
        return OverlayInput(game_map.tiles, game_map.start, last.regions, last.leaves, canvas)

    def _canvas(self, growth: BuildRecording, index: int) -> NDArray[np.uint8] | None:
        """Return the partition at a moment as painted stage by stage, if there is one."""
        leaves, code = growth.moments[index].leaves, growth.code
        if not leaves or not covers(leaves, code.width, code.height):
            return None
        if self._painted is None or self._painted[0] is not growth:
            self._painted = growth, Painting(code.width, code.height)
        painting = self._painted[1]
        for moment in growth.moments[len(painting.stages) : index + 1]:
            painting.add(moment.leaves)
        return painting.stages[index]


def draw_legend(console: Console, y: int, left: int, right: int, lens: Lens) -> int:
    """Write the overlay's key, name and colours up to column ``right``; return where they begin.

    Where they would begin left of ``left`` some are left out.
    """
    quiet = colors()["dim"]
    key: Legend = [(f"{first_key('growth', 'overlay')} ", colors()["accent"])]
    chosen = lens.kind is not Overlay.NONE
    name: Legend = [(lens.kind.label, colors()["text"] if chosen else quiet)]
    meaning: Legend = [("  ", None), *lens.chart.legend] if lens.chart and chosen else []
    for parts in (key + name + meaning, key + name + meaning[-1:], key + name):
        width = sum(len(text) for text, _ in parts)
        if width <= right - left:
            x = right - width
            for text, color in parts:
                console.print(x, y, text, fg=color or quiet)
                x += len(text)
            return right - width
    return right
