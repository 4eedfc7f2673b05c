"""Views of a build, close up or as an overview, and charts over it or over the level in play."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from entities.terrain import Mask, Tile, terrain
from procgen.blueprint import Point
from procgen.infinite.chunk_window import window_corner
from procgen.level_code import LevelCode, UnknownRecipe
from render.map.charts import Chart, ChartInput, ChartKind, Legend
from render.map.map_view import draw_creatures, draw_ground
from render.map.viewport import Viewport, VisibleLevel
from render.map.whole_level import ColoredPoints, Overview, draw_overview
from render.session.session import Session
from render.ui.frame import Frame, LitGround, Rect
from render.ui.input import Key
from render.ui.keymap import bindings, key_label
from render.ui.palette import colors, palette
from render.ui.text import fill
from render.workshop.build_recording import BuildRecording, Snapshot
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


SPAWN = ord("•")


class ExploredPart:
    """The part of a level that the player has explored; the rest is drawn as solid rock.

    ``mask`` is [y, x] over the whole level or window, ``center`` the hero's position in it. What is
    open in ``inferred`` [y, x] is drawn as bare floor: who knows all walls knows where floor is.
    """

    def __init__(self, mask: Mask, center: tuple[int, int], inferred: Mask) -> None:
        self.mask, self.center, self.inferred = mask, center, inferred

    def tiles(self, snapshot: Snapshot) -> NDArray[np.uint8]:
        """Return the snapshot's tiles [y, x], rock where nothing is known."""
        shown = np.where(self.mask, snapshot.tiles, np.uint8(Tile.WALL))
        shown[self.inferred & ~self.mask & terrain().walkable[snapshot.tiles]] = Tile.FLOOR
        return shown

    def cut_out(self, snapshot: Snapshot) -> Snapshot:
        """Return ``snapshot`` without stairs outside the explored part and without monsters."""
        start, exit_ = (
            point if point and self.mask[point.y, point.x] else None
            for point in (snapshot.start, snapshot.exit)
        )
        return replace(snapshot, start=start, exit=exit_, spawns=())


def explored_part(state: GameState, code: LevelCode) -> ExploredPart:
    """Return the explored part of the hero's level ``code``, or of its window in an infinite world.

    A secret door that is not found yet counts as unexplored, since its tile would reveal it.
    """
    seen = state.map.explored & (state.map.tiles != Tile.SECRET_DOOR)
    if not code.place:
        floor = state.map.walkable & (state.map.tiles != Tile.DOOR) & bool(state.map.remembered)
        return ExploredPart(seen, (state.hero.x, state.hero.y), floor)
    corner, origin = window_corner(code), state.map.origin
    left, top = corner[0] - origin[0], corner[1] - origin[1]
    rows, columns = np.ogrid[top : top + code.height, left : left + code.width]
    known = (rows >= 0) & (rows < seen.shape[0]) & (columns >= 0) & (columns < seen.shape[1])
    mask = known & seen[rows.clip(0, seen.shape[0] - 1), columns.clip(0, seen.shape[1] - 1)]
    return ExploredPart(mask, (state.hero.x - left, state.hero.y - top), np.zeros_like(mask))


class BuildView:
    """The view of a build: its chart, and the scroll position.

    ``close`` shows tiles even if the whole level does not fit; the view then follows the changes,
    unless only an `ExploredPart` may be seen. ``overview`` is None if tiles are shown.
    """

    def __init__(
        self, picker: ChartPicker | None = None, *, explored: ExploredPart | None = None
    ) -> None:
        self.picker = picker or ChartPicker()
        self.close = False
        self.explored = explored
        self._view = Viewport(reveal=True)
        self.overview: Overview | None = None
        self._at: tuple[int, int] | None = explored.center if explored else None

    def draw(
        self, console: Console, recording: BuildRecording, index: int, *, tall: bool
    ) -> LitGround | None:
        """Draw snapshot ``index`` on the whole of ``console``; ``tall`` as in `draw_overview`.

        Returns the ground with its light; None for an overview of a level that does not fit.
        """
        snapshot = recording.snapshots[index]
        if self.explored:
            snapshot = self.explored.cut_out(snapshot)
        tiles = self.explored.tiles(snapshot) if self.explored else snapshot.tiles
        chart = self.picker.on_snapshot(recording, index)
        spawns = [Point(x, y) for x, y in snapshot.spawns]
        (height, width), theme = tiles.shape, recording.recipe.theme
        if not self.close and (width > console.width or height > console.height):
            dotted = [] if self.picker.kind is not ChartKind.NONE else spawns
            dots: ColoredPoints = [(spawn, colors()["bad"]) for spawn in dotted]
            dots += [(point, colors()["text"]) for point in [snapshot.start] if point]
            dots += [(point, colors()["accent"]) for point in [snapshot.exit] if point]
            self.overview = draw_overview(console, tiles, theme, chart, dots, tall=tall)
            return None
        self.overview = None
        all_seen = np.ones(tiles.shape, bool)
        level = VisibleLevel(tiles, all_seen, all_seen, theme, snapshot.start, snapshot.exit)
        self._view.center(*self._look(console, recording, index), level, console)
        lit = draw_ground(console, level, self._view)
        if chart:
            chart.lay(console, self._view.left, self._view.top)
        for spawn in spawns:
            if (cell := self._view.cell_on(console, spawn)) is not None:
                cell["ch"], cell["fg"] = SPAWN, colors()["bad"]
        return lit

    def tile(self, spot: tuple[int, int]) -> tuple[int, int]:
        """Return the tile (x, y) under a cell of the map console, which may lie outside."""
        return self.overview.tile(spot) if self.overview else self._view.tile(spot)

    def cell(self, tile: tuple[int, int]) -> tuple[int, int]:
        """Return the cell of the map console that shows a tile, which may lie outside."""
        left, top = self._view.left, self._view.top
        return self.overview.cell(tile) if self.overview else (tile[0] - left, tile[1] - top)

    def _look(self, console: Console, recording: BuildRecording, index: int) -> tuple[int, int]:
        """Return the centre of the view: as before, unless tiles change near its edge."""
        height, width = recording.snapshots[index].tiles.shape
        center = self._at or (width // 2, height // 2)
        box = None if self.explored else recording.snapshots[index].changed
        if box and box.height < height // 2 and box.width < width // 2:
            x, y = box.x + box.width // 2, box.y + box.height // 2
            if abs(x - center[0]) > console.width // 3 or abs(y - center[1]) > console.height // 3:
                center = x, y
        self._at = center
        return center


class LevelCharts:
    """Draws charts over the level in play."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.picker = ChartPicker(section="play")

    def command(self, name: str) -> None:
        """Reveal the level or switch the chart; refuse outside the Workshop."""
        if not self.session.workshop:
            self.session.answer("Only the Workshop shows what you have not seen.")
        elif name == "chart":
            self.picker.next_kind(self.session.run.state.code.recipe)
        else:
            self.session.view.reveal = not self.session.view.reveal
            self.session.view.fitted = self.session.view.reveal

    def draw(self, frame: Frame) -> None:
        """Draw the chart, if any, under the creatures, and its legend."""
        console, rect = frame.map, frame.map_rect
        if self.picker.kind is ChartKind.NONE or console is None or rect is None:
            return
        state, view = self.session.run.state, self.session.view
        if chart := self.picker.on_map(state.map, Point(state.hero.x, state.hero.y)):
            left, top = self.picker.corner
            chart.lay(console, view.left - left, view.top - top)
            draw_creatures(console, state, view)
        fill(frame.text, rect._replace(height=1), "panel")
        start = draw_legend(frame, rect.y, rect.x + 2, rect.x + rect.width - 2, self.picker)
        frame.cover(Rect(start - 2, rect.y, rect.x + rect.width - start + 2, 1))
