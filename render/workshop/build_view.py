"""A moment of a growth on the map console: close up, or the whole of it from afar."""

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
from render.workshop.overlay_picker import Lens, draw_legend

SPAWN = ord("•")


class BuildWindow:
    """What one looks through at a growth: the lens, and where the view lies if it is close.

    ``close`` shows tiles even where the whole level does not fit; the view then follows what
    changes.
    """

    def __init__(self, lens: Lens | None = None, *, close: bool = False) -> None:
        self.lens = lens or Lens()
        self.close = close
        self._view = Viewport(reveal=True)
        self._at: tuple[int, int] | None = None

    def draw(self, console: Console, growth: BuildRecording, index: int, *, tall: bool) -> None:
        """Draw moment ``index`` on the whole of ``console``, whose cells may be ``tall``."""
        moment = growth.moments[index]
        tiles = moment.tiles
        chart = self.lens.on_moment(growth, index)
        spawns = [Point(x, y) for x, y in moment.spawns]
        height, width = tiles.shape
        if not self.close and (width > console.width or height > console.height):
            shown = [] if self.lens.kind is not Overlay.NONE else spawns
            dots: ColoredPoints = [(spawn, colors()["bad"]) for spawn in shown]
            dots += [(point, colors()["text"]) for point in [moment.start] if point]
            dots += [(point, colors()["accent"]) for point in [moment.exit] if point]
            draw_overview(console, tiles, growth.recipe.theme, chart, dots, tall=tall)
            return
        seen = np.ones(tiles.shape, bool)
        ground = VisibleLevel(tiles, seen, seen, growth.recipe.theme, moment.start, moment.exit)
        self._view.center(*self._look(console, growth, index), ground, console)
        draw_ground(console, ground, self._view)
        if chart:
            chart.lay(console, self._view.left, self._view.top)
        for x, y in spawns:
            column, row = x - self._view.left, y - self._view.top
            if 0 <= column < console.width and 0 <= row < console.height:
                console.rgb[row, column]["ch"] = SPAWN
                console.rgb[row, column]["fg"] = colors()["bad"]

    def _look(self, console: Console, growth: BuildRecording, index: int) -> tuple[int, int]:
        """Return where to look: on, unless something changes near the rim or beyond."""
        height, width = growth.moments[index].tiles.shape
        here = self._at or (width // 2, height // 2)
        box = growth.moments[index].changed
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


class Workbench:
    """Lays overlays on the level in play."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lens = Lens()

    def command(self, name: str) -> None:
        """Show the whole level or the next overlay; say so where that would be cheating."""
        if not self.session.workshop:
            self.session.say("Only the Workshop shows what you have not seen.", "dim")
        elif name == "overlay":
            self.lens.turn(self.session.run.state.code.recipe)
        else:
            self.session.view.reveal = not self.session.view.reveal

    def draw(self, frame: Frame) -> None:
        """Lay the overlay, if any, between the map and who walks on it, and name it."""
        console, rect = frame.map, frame.map_rect
        if self.lens.kind is Overlay.NONE or console is None or rect is None:
            return
        state, view = self.session.run.state, self.session.view
        if chart := self.lens.on_map(state.map, Point(state.hero.x, state.hero.y)):
            left, top = self.lens.corner
            chart.lay(console, view.left - left, view.top - top)
            draw_creatures(console, state, view)
        line = Rect(rect.x, rect.y, rect.width, 1)
        fill(frame.text, line, "panel")
        start = draw_legend(frame.text, rect.y, rect.x + 2, rect.x + rect.width - 2, self.lens)
        frame.overlays.append(Rect(start - 2, rect.y, rect.x + rect.width - start + 2, 1))
