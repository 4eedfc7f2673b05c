"""The viewport: which part of a level is on screen, and how it scrolls."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.state.game_map import is_disguised, is_hidden
from engine.state.game_state import GameState
from entities.entity import Entity
from entities.light_levels import LIT, sight
from entities.terrain import Tile
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Point, TileGrid
from render.map.sky import sky_over
from render.ui.frame import Shades


@dataclass
class VisibleLevel(TileGrid):
    """The drawn part of a level: arrays [y, x], the stairs, and the lamp, if there is one.

    ``reach`` is the radius of the lamp in tiles.
    """

    tiles: NDArray[np.uint8]
    visible: NDArray[np.bool_]
    explored: NDArray[np.bool_]
    theme: str
    start: Point | None
    exit: Point | None
    lamp: Point | None = None
    reach: int = 9
    origin: tuple[int, int] = (0, 0)
    """World coordinates of the upper left tile; tile variants depend on them."""
    fires: Collection[tuple[int, int]] = ()
    """The (x, y) of burning tiles."""
    open_doors: Collection[tuple[int, int]] = ()
    """The (x, y) of doors that somebody in sight stands in."""
    sky: Shades | None = None
    """The daylight, where there is any: factors [3] of a tile's own colours."""
    depth: int = 1
    """The depth, which makes the light colder; see `render.ui.palette.depth_tint`."""
    light: str = LIT
    """The light of a level that is shown without a lamp."""


def visible_level(state: GameState) -> VisibleLevel:
    """Return the level as the hero of ``state`` sees it."""
    game_map, hero, tiles = state.map, state.hero, state.map.tiles
    if statues := [(foe.y, foe.x) for foe in game_map.entities.values() if is_disguised(foe)]:
        tiles = tiles.copy()
        tiles[tuple(np.transpose(statues))] = Tile.STATUE
    known = game_map.visible, game_map.explored, game_map.theme, game_map.start, game_map.exit
    lamp, reach, origin = Point(hero.x, hero.y), sight(hero, game_map.light), game_map.origin
    places = [(who.x, who.y) for who in game_map.entities_in_view()]
    doors = [(x, y) for x, y in places if game_map.tiles[y, x] == Tile.DOOR]
    fires, sky = game_map.fires, sky_over(game_map.light, state.turn)
    return VisibleLevel(tiles, *known, lamp, reach, origin, fires, doors, sky, state.depth)


def drawn_level(state: GameState) -> VisibleLevel:
    """Return `visible_level` with a strip of plain floor along the walls that a memory revealed.

    A wall without floor beside it is as dark as rock.
    """
    level, walkable = visible_level(state), state.map.walkable
    if not state.map.remembered:
        return level
    strip = with_neighbours(level.explored & ~walkable) & walkable & ~level.explored
    strip &= level.tiles != Tile.DOOR  # Those are revealed on their own.
    tiles = np.where(strip, np.uint8(Tile.FLOOR), level.tiles)
    return replace(level, tiles=tiles, explored=level.explored | strip)


MARGIN = 2
"""The least distance of ``pointing_at`` from the edge of the view, in tiles."""


@dataclass
class Viewport:
    """The part of a level on screen.

    ``left, top`` is the tile in the upper left corner; ``phase`` counts animation frames. With
    ``reveal`` the whole level is shown, with ``lit`` evenly lit, with ``fitted`` small enough to be
    seen at once. ``path`` is drawn as dots. ``looking_at`` centres the view there instead of on the
    hero, ``pointing_at`` scrolls it as far as needed, or not if ``still``. ``margin`` tiles on
    each side of the console lie out of view. ``ghost`` is where an earlier run's hero stands.
    """

    left: int = 0
    top: int = 0
    phase: int = 0
    reveal: bool = False
    lit: bool = False
    fitted: bool = False
    path: list[Point] = field(default_factory=list)
    looking_at: tuple[int, int] | None = None
    pointing_at: tuple[int, int] | None = None
    still: bool = False
    margin: int = 0
    ghost: Point | None = None

    def center(self, x: int, y: int, level: VisibleLevel, console: Console) -> None:
        """Centre the view on (x, y) without leaving the map; centre a map that fits as a whole."""
        self.left = _scroll(x, level.width, console.width - 2 * self.margin) - self.margin
        self.top = _scroll(y, level.height, console.height - 2 * self.margin) - self.margin

    def follow(self, state: GameState, console: Console) -> None:
        """Centre on the hero or on ``looking_at``, or scroll until ``pointing_at`` is in view."""
        self.still &= self.pointing_at is not None
        if not self.pointing_at:
            x, y = self.looking_at or (state.hero.x, state.hero.y)
            self.center(x, y, visible_level(state), console)
        elif not self.still:  # Under the mouse it neither scrolls nor is centred again.
            x, y = self.pointing_at
            edge = MARGIN + self.margin
            self.left = max(x + edge + 1 - console.width, min(self.left, x - edge))
            self.top = max(y + edge + 1 - console.height, min(self.top, y - edge))

    def tile(self, spot: tuple[int, int]) -> tuple[int, int]:
        """Return the (x, y) of the tile at a cell of the map console."""
        return spot[0] + self.left, spot[1] + self.top

    def cell_on(self, console: Console, tile: tuple[int, int]) -> Any:
        """Return the cell of the map console that shows ``tile``, None if it is off screen."""
        column, row = tile[0] - self.left, tile[1] - self.top
        inside = 0 <= column < console.width and 0 <= row < console.height
        return console.rgb[row, column] if inside else None


def _scroll(place: int, length: int, span: int) -> int:
    if length <= span:
        return -((span - length) // 2)
    return max(0, min(place - span // 2, length - span))


def is_shown(state: GameState, creature: Entity, view: Viewport) -> bool:
    """Return whether ``creature`` is drawn: it is seen, sensed by telepathy, or revealed."""
    if view.reveal or (creature.ai and "telepathic" in state.hero.statuses):
        return True
    return bool(state.map.visible[creature.y, creature.x]) and not is_hidden(creature)
