"""The chosen kind of chart, with the last chart cached, and the legend."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.state.game_map import GameMap
from procgen.blueprint import Point
from procgen.infinite.chunk_window import window_corner
from procgen.level_code import UnknownRecipe
from render.map.charts import Chart, ChartInput, ChartKind, Legend
from render.ui.frame import Frame, Rect
from render.ui.input import Key
from render.ui.keymap import bindings, key_label
from render.ui.palette import colors, palette
from render.workshop.build_recording import BuildRecording
from render.workshop.level_charts import chart, charts_for, land_chart
from render.workshop.partition_painting import PartitionPainting, is_partition

LAND = (ChartKind.HEIGHT, ChartKind.MOISTURE)
WIDE, HIGH, PACE = 320, 224, 32
"""Size in tiles of the charted part of an infinite world; tiles between two charts of it."""


@dataclass
class ChartPicker:
    """The chosen kind and the last chart made for it, so that a still picture costs nothing."""

    kind: ChartKind = ChartKind.NONE
    chart: Chart | None = None
    corner: tuple[int, int] = (0, 0)
    """The map tile under the chart's upper left tile."""
    section: str = "growth"
    """The section of the key table whose key the legend names."""
    _made_for: tuple[Hashable, ...] = ()
    _painted: tuple[BuildRecording, PartitionPainting] | None = field(default=None, repr=False)

    def next_kind(self, generator: str) -> None:
        """Switch to the next kind that makes sense for a ``generator``."""
        self.kind = self.kind.next(charts_for(generator))

    def on_snapshot(self, recording: BuildRecording, index: int) -> Chart | None:
        """Return the chart of a snapshot of ``recording``."""
        key = (self.kind, recording, index)
        if key != self._made_for:
            snapshot = recording.snapshots[index]
            canvas = self._canvas(recording, index) if self.kind is ChartKind.REGIONS else None
            level = snapshot.tiles, snapshot.start, snapshot.regions, snapshot.leaves
            subject = ChartInput(*level, canvas, mission=snapshot.mission)
            if self.kind in LAND and recording.code.place:
                corner, shape = window_corner(recording.code), snapshot.tiles.shape
                self.chart = land_chart(self.kind, recording.code.seed, corner, shape)
            else:
                self.chart = chart(self.kind, subject)
            self._made_for = key
        return self.chart

    def on_map(self, game_map: GameMap, here: Point) -> Chart | None:
        """Return the chart of a level in play; its regions come from rebuilding the level.

        In an infinite world the chart covers the surroundings of ``here``.
        """
        self.corner = (0, 0)
        key = (self.kind, palette().name, game_map, game_map.tile_edits)
        if game_map.is_infinite:
            self._around(game_map, here, key)
        elif key != self._made_for:
            subject = ChartInput(game_map.tiles, game_map.start)
            if self.kind in (ChartKind.REGIONS, ChartKind.MISSION):
                subject = self._finished(game_map)
            self.chart, self._made_for = chart(self.kind, subject), key
        return self.chart

    def _around(self, game_map: GameMap, here: Point, key: tuple[Hashable, ...]) -> None:
        """Chart the surroundings of ``here``; make a new chart every `PACE` tiles."""
        left = max(0, min((here.x - WIDE // 2) // PACE * PACE, game_map.width - WIDE))
        top = max(0, min((here.y - HIGH // 2) // PACE * PACE, game_map.height - HIGH))
        self.corner, world = (left, top), (game_map.origin[0] + left, game_map.origin[1] + top)
        place = here if self.kind is ChartKind.DISTANCE else None
        key = (*key, world, place)
        if key == self._made_for:
            return
        self._made_for = key
        if self.kind in LAND:
            self.chart = land_chart(self.kind, game_map.code.seed, world, (HIGH, WIDE))
            return
        tiles = game_map.tiles[top : top + HIGH, left : left + WIDE]
        start = Point(here.x - left, here.y - top) if place else None
        self.chart = chart(self.kind, ChartInput(tiles, start, source="you"))

    def _finished(self, game_map: GameMap) -> ChartInput:
        recording = self._painted[0] if self._painted else None
        if recording is None or recording.code != game_map.code:
            try:
                recording = BuildRecording(game_map.code)
            except UnknownRecipe:  # A user recipe that is being edited.
                return ChartInput(game_map.tiles, game_map.start)
            recording.to_end()
        last = recording.snapshots[-1]
        parts = last.regions, last.leaves, self._canvas(recording, last.index)
        return ChartInput(game_map.tiles, game_map.start, *parts, mission=last.mission)

    def _canvas(self, recording: BuildRecording, index: int) -> NDArray[np.uint8] | None:
        """Return the painted partition of a snapshot, None if there is none."""
        leaves, code = recording.snapshots[index].leaves, recording.code
        if not leaves or not is_partition(leaves, code.width, code.height):
            return None
        if self._painted is None or self._painted[0] is not recording:
            self._painted = recording, PartitionPainting(code.width, code.height)
        painting = self._painted[1]
        for snapshot in recording.snapshots[len(painting.stages) : index + 1]:
            painting.add(snapshot.leaves)
        return painting.stages[index]


def draw_legend(frame: Frame, y: int, left: int, right: int, picker: ChartPicker) -> int:
    """Write the chart's key and name, a button, and its colours, ending at column ``right``.

    Drops parts that would reach left of ``left``. Returns the first column written.
    """
    quiet, (key, *_) = colors()["dim"], bindings()[picker.section]["chart"].keys
    chosen = picker.kind is not ChartKind.NONE
    name = (picker.kind.label, colors()["text"] if chosen else quiet)
    button: Legend = [(f"{key_label(key)} ", colors()["accent"]), name]
    meaning: Legend = [("  ", None), *picker.chart.legend] if picker.chart and chosen else []
    for parts in (button + meaning, button + meaning[-1:], button):
        width = sum(len(text) for text, _ in parts)
        if width <= right - left:
            x = right - width
            pressed = Rect(x, y, sum(len(text) for text, _ in button), 1)
            frame.buttons.append((pressed, Key.read(key)))
            for text, color in parts:
                frame.text.print(x, y, text, fg=color or quiet)
                x += len(text)
            return right - width
    return right
