"""Draws a snapshot of a build, close up or as an overview, and overlays on the level in play."""

import numpy as np
from tcod.console import Console

from procgen.blueprint import Point
from render.map.map_view import draw_creatures, draw_ground
from render.map.overlays import Overlay
from render.map.viewport import Viewport, VisibleLevel
from render.map.whole_level import ColoredPoints, draw_overview
from render.session.session import Session
from render.ui.frame import Frame, Rect
from render.ui.palette import colors
from render.ui.text import fill
from render.workshop.build_recording import BuildRecording
from render.workshop.overlay_picker import OverlayPicker, draw_legend

SPAWN = ord("•")


class BuildView:
    """The view of a build: its overlay, and the scroll position.

    ``close`` shows tiles even where the whole level does not fit; the view then follows the
    changes.
    """

    def __init__(self, picker: OverlayPicker | None = None, *, close: bool = False) -> None:
        self.picker = picker or OverlayPicker()
        self.close = close
        self._view = Viewport(reveal=True)
        self._at: tuple[int, int] | None = None

    def draw(self, console: Console, recording: BuildRecording, index: int, *, tall: bool) -> None:
        """Draw snapshot ``index`` on the whole of ``console``, whose cells may be ``tall``."""
        snapshot = recording.snapshots[index]
        tiles = snapshot.tiles
        chart = self.picker.on_snapshot(recording, index)
        spawns = [Point(x, y) for x, y in snapshot.spawns]
        height, width = tiles.shape
        if not self.close and (width > console.width or height > console.height):
            shown = [] if self.picker.kind is not Overlay.NONE else spawns
            dots: ColoredPoints = [(spawn, colors()["bad"]) for spawn in shown]
            dots += [(point, colors()["text"]) for point in [snapshot.start] if point]
            dots += [(point, colors()["accent"]) for point in [snapshot.exit] if point]
            draw_overview(console, tiles, recording.recipe.theme, chart, dots, tall=tall)
            return
        seen = np.ones(tiles.shape, bool)
        ground = VisibleLevel(
            tiles, seen, seen, recording.recipe.theme, snapshot.start, snapshot.exit
        )
        self._view.center(*self._look(console, recording, index), ground, console)
        draw_ground(console, ground, self._view)
        if chart:
            chart.lay(console, self._view.left, self._view.top)
        for x, y in spawns:
            column, row = x - self._view.left, y - self._view.top
            if 0 <= column < console.width and 0 <= row < console.height:
                console.rgb[row, column]["ch"] = SPAWN
                console.rgb[row, column]["fg"] = colors()["bad"]

    def _look(self, console: Console, recording: BuildRecording, index: int) -> tuple[int, int]:
        """Return the centre of the view: as before, unless something changes near its edge."""
        height, width = recording.snapshots[index].tiles.shape
        here = self._at or (width // 2, height // 2)
        box = recording.snapshots[index].changed
        if (
            box
            and box[0].stop - box[0].start < height // 2
            and box[1].stop - box[1].start < width // 2
        ):
            x, y = (box[1].start + box[1].stop) // 2, (box[0].start + box[0].stop) // 2
            if abs(x - here[0]) > console.width // 3 or abs(y - here[1]) > console.height // 3:
                here = x, y
        self._at = here
        return here


class LevelOverlays:
    """Draws overlays on the level in play."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.picker = OverlayPicker()

    def command(self, name: str) -> None:
        """Reveal the level or switch the overlay; refuse outside the Workshop."""
        if not self.session.workshop:
            self.session.say("Only the Workshop shows what you have not seen.", "dim")
        elif name == "overlay":
            self.picker.next_kind(self.session.run.state.code.recipe)
        else:
            self.session.view.reveal = not self.session.view.reveal

    def draw(self, frame: Frame) -> None:
        """Draw the overlay, if any, under the creatures, and its legend."""
        console, rect = frame.map, frame.map_rect
        if self.picker.kind is Overlay.NONE or console is None or rect is None:
            return
        state, view = self.session.run.state, self.session.view
        if chart := self.picker.on_map(state.map, Point(state.hero.x, state.hero.y)):
            left, top = self.picker.corner
            chart.lay(console, view.left - left, view.top - top)
            draw_creatures(console, state, view)
        line = Rect(rect.x, rect.y, rect.width, 1)
        fill(frame.text, line, "panel")
        start = draw_legend(frame.text, rect.y, rect.x + 2, rect.x + rect.width - 2, self.picker)
        frame.overlays.append(Rect(start - 2, rect.y, rect.x + rect.width - start + 2, 1))
