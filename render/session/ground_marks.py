"""Marks that stay on the ground: blood where creatures were struck, scorch where it burned.

They belong to the picture, not to the state: a session remembers them by level, and a run that is
continued later begins with those of its last turns.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from engine.state.game_state import GameState
from entities.terrain import Tile
from procgen.blueprint import Point
from render.map.viewport import Viewport
from render.session.particles import particle_table
from render.tiles.fringe_tiles import MARK_VARIANTS, MARKS_FROM
from render.ui.frame import Color, Frame, Fringes, as_color
from render.ui.palette import rgb
from render.ui.text import blend

BARE = frozenset(
    [
        *(Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.SAND, Tile.CARPET, Tile.BRIDGE, Tile.GRASS),
        *(Tile.RUBBLE, Tile.STAIN, Tile.ICE, Tile.MOSS, Tile.BONES),
    ]
)
"""Tiles on which a mark can be seen."""
TINT = 0.35
"""The share of its colour that a mark gives to the background of a cell without pixels."""

Level = tuple[str, int, int]


class GroundMarks:
    """The colours of marks, by level and place in world coordinates."""

    def __init__(self) -> None:
        self._levels: dict[Level, dict[tuple[int, int], str]] = {}
        self._new: list[tuple[Point, str]] = []

    def add(self, marks: Iterable[tuple[Point, str]]) -> None:
        """Note marks of this turn, in coordinates of the map."""
        self._new += marks

    def move(self, dx: int, dy: int) -> None:
        """Translate marks that were not drawn yet: the map has moved under them."""
        self._new = [(Point(x + dx, y + dy), color) for (x, y), color in self._new]

    def forget_new(self) -> None:
        """Drop marks that were not drawn yet: they belong to a level left behind."""
        self._new = []

    def draw(self, frame: Frame, state: GameState, view: Viewport) -> None:
        """Draw the marks of the level of ``state``: fringes where there are pixels, else tints."""
        shown = list(self._in_view(frame, state, view))
        if not shown or frame.map is None:
            return
        if frame.grain and frame.ground:
            places, numbers, colors = zip(*shown, strict=True)
            old = frame.ground.fringes
            new = (np.array(places), np.array(numbers), np.array(colors, np.uint8))
            fringes = (np.concatenate(parts) for parts in zip(*[old, new], strict=True))
            frame.ground = frame.ground._replace(fringes=Fringes(*fringes))
            return
        for (column, row), _, shade in shown:
            cell = frame.map.rgb[row, column]
            cell["bg"] = blend(as_color(cell["bg"]), shade, TINT)

    def _in_view(
        self, frame: Frame, state: GameState, view: Viewport
    ) -> Iterator[tuple[tuple[int, int], int, Color]]:
        """Yield the marks on known bare ground: cell of the map console, fringe number, colour."""
        game_map, area = state.map, frame.map
        for (x, y), color in self._of_level(state).items() if area else ():
            place = Point(x - game_map.origin[0], y - game_map.origin[1])
            column, row = place.x - view.left, place.y - view.top
            inside = area and 0 <= column < area.width and 0 <= row < area.height
            if not (inside and game_map.contains(*place)):
                continue
            known = view.reveal or game_map.explored[place.y, place.x]
            if known and int(game_map.tiles[place.y, place.x]) in BARE:
                yield (column, row), MARKS_FROM + (x * 5 + y * 3) % MARK_VARIANTS, rgb(color)

    def _of_level(self, state: GameState) -> dict[tuple[int, int], str]:
        """Return the marks of the level of ``state``, those of new blows and fires included."""
        code, game_map = state.code, state.map
        marks = self._levels.setdefault((code.recipe, code.seed, code.depth), {})
        left, top = game_map.origin
        for (x, y), color in self._new:
            marks[x + left, y + top] = color
        self._new = []
        scorch = particle_table().marks["fire"]
        for x, y in game_map.fires:
            marks[x + left, y + top] = scorch
        return marks
