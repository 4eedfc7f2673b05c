"""A moment of a growth on the map console: close up, or the whole of it from afar."""

import numpy as np
from tcod.console import Console

from procgen.blueprint import Point
from render.map_view import draw_ground
from render.palette import colors
from render.prints.overview import Dots, draw_overview
from render.view import Ground, View
from render.workshop.growth import Growth
from render.workshop.lens import Lens
from render.workshop.overlays import Overlay

SPAWN = ord("•")


class Window:
    """What one looks through at a growth: the lens, and where the view lies if it is close.

    ``close`` shows tiles even where the whole level does not fit; the view then follows what
    changes.
    """

    def __init__(self, lens: Lens | None = None, *, close: bool = False) -> None:
        self.lens = lens or Lens()
        self.close = close
        self._view = View(reveal=True)
        self._at: tuple[int, int] | None = None

    def draw(self, console: Console, growth: Growth, index: int, *, tall: bool) -> None:
        """Draw moment ``index`` on the whole of ``console``, whose cells may be ``tall``."""
        moment = growth.moments[index]
        tiles = moment.tiles
        chart = self.lens.on_moment(growth, index)
        spawns = [Point(x, y) for x, y in moment.spawns]
        height, width = tiles.shape
        if not self.close and (width > console.width or height > console.height):
            shown = [] if self.lens.kind is not Overlay.NONE else spawns
            dots: Dots = [(spawn, colors()["bad"]) for spawn in shown]
            dots += [(point, colors()["text"]) for point in [moment.start] if point]
            dots += [(point, colors()["accent"]) for point in [moment.exit] if point]
            draw_overview(console, tiles, growth.recipe.theme, chart, dots, tall=tall)
            return
        seen = np.ones(tiles.shape, bool)
        ground = Ground(tiles, seen, seen, growth.recipe.theme, moment.start, moment.exit)
        self._view.center(*self._look(console, growth, index), ground, console)
        draw_ground(console, ground, self._view)
        if chart:
            chart.lay(console, self._view.left, self._view.top)
        for x, y in spawns:
            column, row = x - self._view.left, y - self._view.top
            if 0 <= column < console.width and 0 <= row < console.height:
                console.rgb[row, column]["ch"] = SPAWN
                console.rgb[row, column]["fg"] = colors()["bad"]

    def _look(self, console: Console, growth: Growth, index: int) -> tuple[int, int]:
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
