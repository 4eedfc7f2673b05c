"""What there is to look at, and which part of it is looked at."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.state.field_of_view import sight
from engine.state.game_map import is_hidden
from engine.state.game_state import GameState
from entities.entity import Entity
from entities.statuses import has_status
from procgen.blueprint import Point


@dataclass
class VisibleLevel:
    """What there is to see of a level: arrays [y, x], and where the lamp is, if anywhere.

    ``reach`` is how many tiles the lamp shines.
    """

    tiles: NDArray[np.uint8]
    seen: NDArray[np.bool_]
    explored: NDArray[np.bool_]
    theme: str
    start: Point | None
    exit: Point | None
    lamp: Point | None = None
    reach: int = 9
    origin: tuple[int, int] = (0, 0)
    """The place in the world of the upper left tile, which the looks of tiles go by."""

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.tiles.shape[0])


def visible_level(state: GameState) -> VisibleLevel:
    """Return what the hero of ``state`` has to look at."""
    game_map, hero = state.map, state.hero
    return VisibleLevel(
        game_map.tiles,
        game_map.seen,
        game_map.explored,
        game_map.theme,
        game_map.start,
        game_map.exit,
        Point(hero.x, hero.y),
        sight(hero, game_map.light),
        game_map.origin,
    )


MARGIN = 2
"""How many tiles what is pointed at keeps from the edge of the view."""


@dataclass
class Viewport:
    """Which part of a level is looked at, and what lies over it for a moment.

    ``left, top`` is the tile in the upper left corner; ``phase`` counts frames of slow motion;
    ``reveal`` shows all there is, as in the Workshop; ``path`` is a way to draw; ``looking_at``
    keeps the view off the hero, ``pointing_at`` moves it only as far as that place needs.
    """

    left: int = 0
    top: int = 0
    phase: int = 0
    reveal: bool = False
    path: list[Point] = field(default_factory=list)
    looking_at: tuple[int, int] | None = None
    pointing_at: tuple[int, int] | None = None

    def center(self, x: int, y: int, ground: VisibleLevel, console: Console) -> None:
        """Look at (x, y), staying on the map; a map smaller than the view lies in its middle."""
        self.left = _scroll(x, ground.width, console.width)
        self.top = _scroll(y, ground.height, console.height)

    def follow(self, state: GameState, console: Console) -> None:
        """Look at the hero, or where ``looking_at`` says, and so that one sees ``pointing_at``."""
        x, y = self.looking_at or (state.hero.x, state.hero.y)
        self.center(x, y, visible_level(state), console)
        if self.pointing_at:
            x, y = self.pointing_at
            self.left = max(x + MARGIN + 1 - console.width, min(self.left, x - MARGIN))
            self.top = max(y + MARGIN + 1 - console.height, min(self.top, y - MARGIN))

    def tile(self, spot: tuple[int, int]) -> tuple[int, int]:
        """Return the (x, y) of the tile at a cell of the map console."""
        return spot[0] + self.left, spot[1] + self.top


def _scroll(place: int, length: int, span: int) -> int:
    if length <= span:
        return -((span - length) // 2)
    beyond = span // 4  # some void past the edge keeps the hero off the rim of the view
    return max(-beyond, min(place - span // 2, length - span + beyond))


def is_shown(state: GameState, creature: Entity, view: Viewport) -> bool:
    """Whether ``creature`` appears in ``view``: it is seen, or its mind is felt."""
    if view.reveal or (creature.ai and has_status(state.hero, "telepathic")):
        return True
    return bool(state.map.seen[creature.y, creature.x]) and not is_hidden(creature)
