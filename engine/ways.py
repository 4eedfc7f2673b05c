"""Ways over one map: distance maps to a place, and away from it, shared by all who ask."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game_map import GameMap
from entities.terrain import Tile, terrain
from procgen.analysis import DIRECTIONS, UNREACHED, distances, spread
from procgen.blueprint import Point

REACH = 80
"""How far a distance map goes from its place, in tiles."""
FLIGHT = 20
"""How far a field to flee along goes."""
KEPT = 256
"""As many distance maps are kept at a time."""
BLOCK = 10
"""There is a stop for wanderers in every block of so many tiles square that has ground."""
FEAR = 12
"""In tenths: how much further from the quarry it must be for a way towards it to be worth it."""


class Field(NamedTuple):
    """Steps to a place from the tiles around it: ``steps[y - top, x - left]``."""

    left: int
    top: int
    steps: NDArray[np.int32]

    def at(self, x: int, y: int) -> int:
        """Return the steps from (x, y), `UNREACHED` if too far or cut off."""
        row, column = y - self.top, x - self.left
        height, width = self.steps.shape
        if 0 <= row < height and 0 <= column < width:
            return int(self.steps[row, column])
        return UNREACHED


class Ways:
    """Distance maps over ``game_map`` as it is now, made when first asked for.

    They depend on the map alone, so a world that was restored finds the same ones. ``doors``
    says whether who walks can open them.
    """

    def __init__(self, game_map: GameMap) -> None:
        self.map = game_map
        self.edits = game_map.edits
        self._fields: dict[tuple[int, int, bool, bool], Field] = {}
        self._stops: list[Point] | None = None

    def to(self, x: int, y: int, *, doors: bool = True) -> Field:
        """Return the steps to (x, y)."""
        return self._kept((x, y, doors, False))

    def away(self, x: int, y: int, *, doors: bool = True) -> Field:
        """Return a field to run down from who is at (x, y): lowest where it is safest."""
        return self._kept((x, y, doors, True))

    def stops(self) -> list[Point]:
        """Return places all over the map that one may go round by."""
        if self._stops is None:
            self._stops = _stops(self.map)
        return self._stops

    def _kept(self, key: tuple[int, int, bool, bool]) -> Field:
        field = self._fields.pop(key, None)
        if field is None:
            x, y, doors, away = key
            field = self._away(x, y, doors) if away else self._to(x, y, doors)
            if len(self._fields) >= KEPT:
                del self._fields[next(iter(self._fields))]
        self._fields[key] = field
        return field

    def _window(
        self, x: int, y: int, doors: bool, reach: int = REACH
    ) -> tuple[int, int, NDArray[np.bool_]]:
        left, top = max(0, x - reach), max(0, y - reach)
        window = np.s_[top : y + reach + 1, left : x + reach + 1]
        ground = self.map.walkable[window]
        return left, top, ground if doors else ground & (self.map.tiles[window] != Tile.DOOR)

    def _to(self, x: int, y: int, doors: bool) -> Field:
        left, top, ground = self._window(x, y, doors)
        return Field(left, top, distances(ground, x - left, y - top))

    def _away(self, x: int, y: int, doors: bool) -> Field:
        left, top, ground = self._window(x, y, doors, FLIGHT)
        near = distances(ground, x - left, y - top)
        field = np.where(near < UNREACHED, near * -FEAR, UNREACHED).astype(np.int32)
        return Field(left, top, spread(field, ground.astype(np.int8) * 10, diagonal=True))


def _stops(game_map: GameMap) -> list[Point]:
    """Return the walkable tile nearest to the middle of each block, in reading order.

    They are those of the level as it grew, whatever has been dug since.
    """
    if game_map.endless:
        return _stops_on(game_map.walkable)
    return _stops_on(terrain().walkable[game_map.level.tiles])


def _stops_on(open_tiles: NDArray[np.bool_]) -> list[Point]:
    found = []
    for top in range(0, open_tiles.shape[0], BLOCK):
        for left in range(0, open_tiles.shape[1], BLOCK):
            ys, xs = np.nonzero(open_tiles[top : top + BLOCK, left : left + BLOCK])
            if len(ys):
                middle = (ys - BLOCK // 2) ** 2 + (xs - BLOCK // 2) ** 2
                nearest = int(middle.argmin())
                found.append(Point(left + int(xs[nearest]), top + int(ys[nearest])))
    return found


def free_steps(
    game_map: GameMap, field: Field, x: int, y: int, at_most: int, *, doors: bool = True
) -> list[tuple[int, int]]:
    """Return the steps from (x, y) to free tiles with at most ``at_most``, lowest first."""
    found = []
    for number, (dx, dy) in enumerate(DIRECTIONS):
        steps = field.at(x + dx, y + dy)
        fit = (x + dx, y + dy) not in game_map.fires and not game_map.is_blocked(x + dx, y + dy)
        if steps <= at_most and steps != UNREACHED and fit:
            if not doors and game_map.tiles[y + dy, x + dx] == Tile.DOOR:
                continue
            found.append((steps, number, dx, dy))
    found.sort()
    return [(dx, dy) for _, _, dx, dy in found]
