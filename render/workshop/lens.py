"""The lens: which overlay a person looks through, and the chart it shows."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.game_map import GameMap
from render.keys import first_key
from render.palette import colors
from render.workshop.charts import chart
from render.workshop.growth import Growth
from render.workshop.overlays import Chart, Legend, Overlay, Subject
from render.workshop.painting import Painting, covers


@dataclass
class Lens:
    """An overlay, and the last chart made for it: a still picture costs nothing."""

    kind: Overlay = Overlay.NONE
    chart: Chart | None = None
    _made_for: tuple[Hashable, ...] = ()
    _painted: tuple[Growth, Painting] | None = field(default=None, repr=False)

    def turn(self) -> None:
        """Look through the next overlay."""
        self.kind = self.kind.next

    def on_moment(self, growth: Growth, index: int) -> Chart | None:
        """Return the chart of a moment of ``growth``."""
        key = (self.kind, growth, index)
        if key != self._made_for:
            moment = growth.moments[index]
            canvas = self._canvas(growth, index) if self.kind is Overlay.REGIONS else None
            subject = Subject(moment.tiles, moment.start, moment.regions, moment.leaves, canvas)
            self.chart, self._made_for = chart(self.kind, subject), key
        return self.chart

    def on_map(self, game_map: GameMap) -> Chart | None:
        """Return the chart of a level in play, for which its whole build is looked up."""
        key = (self.kind, game_map, game_map.edits)
        if self.kind is Overlay.NONE or game_map.endless:
            self.chart, self._made_for = None, ()
        elif key != self._made_for:
            subject = Subject(game_map.tiles, game_map.start)
            if self.kind is Overlay.REGIONS:
                subject = self._finished(game_map)
            self.chart, self._made_for = chart(self.kind, subject), key
        return self.chart

    def _finished(self, game_map: GameMap) -> Subject:
        growth = self._painted[0] if self._painted else None
        if growth is None or growth.code != game_map.code:
            growth = Growth(game_map.code)
            growth.to_end()
        last = growth.moments[-1]
        canvas = self._canvas(growth, last.index)
        return Subject(game_map.tiles, game_map.start, last.regions, last.leaves, canvas)

    def _canvas(self, growth: Growth, index: int) -> NDArray[np.uint8] | None:
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
