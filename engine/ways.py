"""Ways over one map: distance maps to a place, and away from it, shared by all who ask."""

import numpy as np
from numpy.typing import NDArray

from engine.fields import REACH, Approach, Field, Flight
from engine.game_map import GameMap
from entities.terrain import Tile, terrain
from procgen.analysis import DIRECTIONS, UNREACHED, distances, spread
from procgen.blueprint import Point

FLIGHT = 20
"""How far a field to flee along goes."""
KEPT = 256
"""As many distance maps are kept at a time."""
BLOCK = 10
"""There is a stop for wanderers in every block of so many tiles square that has ground."""
FEAR = 12
"""In tenths: how much further from the quarry it must be for a way towards it to be worth it."""


class Ways:
    """Distance maps over ``game_map`` as it is now, made when first asked for.

    They depend on the map alone, so a world that was restored finds the same ones. ``doors``
    says whether who walks can open them.
    """

    def __init__(self, game_map: GameMap) -> None:
        self.map = game_map
        self.edits = game_map.edits
        self._fields: dict[tuple[int, int, bool, bool], Field] = {}
        self._stops: dict[tuple[int, int], Point | None] = {}

    def to(self, x: int, y: int, *, doors: bool = True) -> Field:
        """Return the steps to (x, y)."""
        return self._kept((x, y, doors, False))

    def away(self, x: int, y: int, *, doors: bool = True) -> Field:
        """Return a field to run down from who is at (x, y): lowest where it is safest."""
        return self._kept((x, y, doors, True))

    def stops(self, x: int, y: int, low: int, high: int) -> list[Point]:
        """Return places ``low`` to ``high`` tiles from (x, y) that one may go round by.

        There is one in every block that had ground as the level grew, in reading order.
        """
        last_row, last_column = (self.map.height - 1) // BLOCK, (self.map.width - 1) // BLOCK
        rows = range(max(0, y - high) // BLOCK, min(last_row, (y + high) // BLOCK) + 1)
        columns = range(max(0, x - high) // BLOCK, min(last_column, (x + high) // BLOCK) + 1)
        found = [self._stop(column, row) for row in rows for column in columns]
        return [
            stop for stop in found if stop and low <= max(abs(stop.x - x), abs(stop.y - y)) <= high
        ]

    def _stop(self, column: int, row: int) -> Point | None:
        """Return the ground nearest to the middle of a block, if it has any."""
        if (column, row) not in self._stops:
            self._stops[column, row] = _stop(self.map, column * BLOCK, row * BLOCK)
        return self._stops[column, row]

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
        return Approach(x, y, *self._window(x, y, doors))

    def _away(self, x: int, y: int, doors: bool) -> Field:
        left, top, ground = self._window(x, y, doors, FLIGHT)
        near = distances(ground, x - left, y - top)
        field = np.where(near < UNREACHED, near * -FEAR, UNREACHED).astype(np.int32)
        return Flight(left, top, spread(field, ground.astype(np.int8) * 10, diagonal=True))


def _stop(game_map: GameMap, left: int, top: int) -> Point | None:
    """Return the walkable tile nearest to the middle of a block, whatever has been dug since."""
    box = np.s_[top : top + BLOCK, left : left + BLOCK]
    if game_map.endless:
        open_tiles = game_map.walkable[box]
    else:
        open_tiles = terrain().walkable[game_map.level.tiles[box]]
    ys, xs = np.nonzero(open_tiles)
    if not len(ys):
        return None
    nearest = int(((ys - BLOCK // 2) ** 2 + (xs - BLOCK // 2) ** 2).argmin())
    return Point(left + int(xs[nearest]), top + int(ys[nearest]))


def free_steps(
    game_map: GameMap, field: Field, x: int, y: int, at_most: int, *, doors: bool = True
) -> list[tuple[int, int]]:
    """Return the steps from (x, y) to free tiles with at most ``at_most``, lowest first."""
    found = []
    for number, (dx, dy) in enumerate(DIRECTIONS):
        there = x + dx, y + dy
        steps = field.at(*there)
        if steps > at_most or steps == UNREACHED or there in game_map.fires:
            continue
        if game_map.is_blocked(*there) or (not doors and game_map.tiles[there[::-1]] == Tile.DOOR):
            continue
        found.append((steps, number, dx, dy))
    found.sort()
    return [(dx, dy) for _, _, dx, dy in found]
