"""Dijkstra maps: steps to a place, computed lazily, cached for as long as the map is unchanged.

Most monsters are near their goal, and the whole level for each goal took most of the time of a turn
on a large level: a map starts at its goal, and widens when a monster asks for a tile outside it.
"""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache, partial
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from engine.state.actions import Move
from engine.state.game_map import ROW, GameMap
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from entities.terrain import Mask, Tile
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import DIRECTIONS, UNREACHED, closest_tile, distances, regions
from procgen.analysis.field_of_view import field_of_view
from procgen.blueprint import Point, window_around

APPROACH_REACH = 80
"""The radius of the window of an approach map, in tiles."""
MOST_FLOODED = 1 << 21
"""The most tiles in all floods of an approach map; beyond that it computes an array instead."""

Step = tuple[int, int, tuple[int, int]]
"""A step (dx, dy) and the place it leads to."""
Way = tuple[int, Move]
"""A step, and what it adds to the number of a place (see `ROW`)."""
WAYS: tuple[Way, ...] = tuple((dy * ROW + dx, Move(dx, dy)) for dx, dy in DIRECTIONS)


class ApproachMap(dict[int, tuple[Way, ...]]):
    """A Dijkstra map towards (x, y), computed breadth first, only as far as it is queried.

    ``field[y * ROW + x]`` are the ways that lead nearer from (x, y), occupied or not; none if it is
    `UNREACHED`. A dict gives them, not a method, as hundreds of monsters ask in every turn.

    ``board`` is the walkable part of the window of `APPROACH_REACH` tiles, (left, top) its corner.
    ``_floods[n]`` holds, as bits, the tiles at most n steps away: a step of the search takes a
    microsecond, and a monster beside the hero needs only one.
    """

    def __init__(self, x: int, y: int, left: int, top: int, board: Bitboard) -> None:
        self._start, self._corner, self._board = (x - left, y - top), (left, top), board
        self._stride, self._around = board.stride, (1 << 2 * board.stride + 3) - 1
        # If the start is not walkable, as under a levitating hero, no step leads to it.
        self._last = board.at(*self._start)
        self._floods = [self._last & board.bits]
        self._known = {y * ROW + x: 0}
        self._sideways: dict[int, tuple[Way, ...]] = {}
        self._beyond: NDArray[np.int32] | None = None

    def at(self, x: int, y: int) -> int:
        """Return the value at (x, y), `UNREACHED` if too far or cut off."""
        (left, top), place = self._corner, y * ROW + x
        steps = self._known.get(place)
        if steps is None:
            steps = self._known[place] = self._search(x - left, y - top)
        return steps

    def within(self, x: int, y: int, most: int) -> tuple[Way, ...]:
        """Return the ways from (x, y) to tiles at most ``most`` steps from the goal.

        A shift tests all of them at once, while `at` would search the floods for each. Only the
        three rows of the flood around (x, y) are kept: each further shift copies what is left.
        """
        (left, top), stride, flooded = self._corner, self._stride, 0 <= most < len(self._floods)
        flood, first = self._floods[most] if flooded else self._board.bits, y - top
        first = first * stride + x - left - 1  # The bit of the tile above (x, y), to the left.
        around = (flood >> first if first >= 0 else flood << 1) & self._around
        rows = around & 7 | (around >> stride & 7) << 3 | (around >> 2 * stride) << 6
        ways = _ways(rows)
        if flooded:
            return ways
        return tuple(way for way in ways if self.at(x + way[1].dx, y + way[1].dy) <= most)

    def __missing__(self, here: int) -> tuple[Way, ...]:
        """Return the ways that lead nearer from the place ``here``, and remember them.

        A step changes the distance by at most one, so that of the next tile need not be searched.
        """
        y, x = divmod(here, ROW)
        nearer = self.at(x, y) - 1
        ways = self.within(x, y, nearer) if 0 <= nearer < UNREACHED - 1 else ()
        for offset, _ in ways:
            self._known[here + offset] = nearer
        self[here] = ways
        return ways

    def sideways(self, here: int) -> tuple[Way, ...]:
        """Return the ways from the place ``here`` that lead neither nearer nor further."""
        level = self._sideways.get(here)
        if level is None:
            (y, x), nearer = divmod(here, ROW), self[here]
            near = self.within(x, y, self.at(x, y))
            level = self._sideways[here] = tuple(way for way in near if way not in nearer)
        return level

    def _search(self, column: int, row: int) -> int:
        """Return the steps from a tile of the window."""
        board = self._board
        if not (0 <= column < board.width and 0 <= row < board.height):
            return UNREACHED
        tile, floods, stride = board.at(column, row), self._floods, self._stride
        if not board.bits & tile:
            return UNREACHED
        while not floods[-1] & tile:
            if len(floods) * stride * board.height > MOST_FLOODED:
                # In a maze, floods up to the last tile would take many times an array's memory.
                if self._beyond is None:
                    self._beyond = distances(board.mask, *self._start)
                return int(self._beyond[row, column])
            flood = self._last | self._last << 1 | self._last >> 1
            flood = (flood | flood << stride | flood >> stride) & board.bits
            if flood == self._last:
                return UNREACHED
            floods.append(flood)
            self._last = flood
        # The first flood that holds the tile; a lambda as the key would be 1.5 times as slow.
        return bisect_left(floods, tile, key=tile.__and__)


@cache
def _ways(rows: int) -> tuple[Way, ...]:
    """Return those `WAYS` whose bits are set in three ``rows`` of three bits."""
    return tuple(way for way in WAYS if rows >> 3 * way[1].dy + way[1].dx + 4 & 1)


SAFETY_REACH = 20
"""The radius of a safety map, in tiles."""
SAFETY_FACTOR = 12
"""Safety map factor in tenths, negative: Brogue's -1.2.

With -1 a fleeing monster runs into the nearest dead end; with a larger factor it may pass the hero
to reach a place that is much safer.
"""
STEP_UP = 10
"""The most by which a tile of a safety map is above its lowest neighbour."""


class SafetyMap:
    """A safety map away from (x, y), lowest where it is safest, computed from there upwards.

    It is computed only as far as it is queried. A fleeing monster needs a new one each turn:
    `dijkstra` over the whole window takes four times as long as these floods of a bitboard.
    """

    def __init__(self, x: int, y: int, left: int, top: int, board: Bitboard) -> None:
        self._corner, self._board = (left, top), board
        self._layers = list(board.bfs_layers((x - left, y - top)))
        self._lowest = -SAFETY_FACTOR * (len(self._layers) - 1)
        self._waves, self._floods = self._rise(), [0]

    def at(self, x: int, y: int) -> int:
        """Return the value at (x, y), `UNREACHED` if too far or cut off."""
        column, row, floods = x - self._corner[0], y - self._corner[1], self._floods
        if not (0 <= column < self._board.width and 0 <= row < self._board.height):
            return UNREACHED
        tile = self._board.at(column, row)
        while not floods[-1] & tile:
            if (wave := next(self._waves, None)) is None:
                return UNREACHED
            floods.append(floods[-1] | wave)
        return self._lowest + 2 * (bisect_left(floods, tile, key=tile.__and__) - 1)

    def _rise(self) -> Iterator[int]:
        """Yield the tiles of each value as bits, from the lowest value up; all values are even."""
        left, stride, waves = self._board.bits, self._board.stride, [0] * (STEP_UP // 2)
        for value in range(self._lowest, 1, 2):
            if edge := waves[-STEP_UP // 2]:
                edge |= edge << 1 | edge >> 1
                edge |= edge << stride | edge >> stride
            if value % SAFETY_FACTOR == 0:
                edge |= self._layers[-value // SAFETY_FACTOR]
            edge &= left
            left ^= edge
            waves.append(edge)
            yield edge


DOOR = int(Tile.DOOR)
CACHE_SIZE = 256
"""The most cached maps of each sort; the least recently used is dropped first."""
WAYPOINT_BLOCK = 10
"""The side of a block in tiles; each block with walkable tiles has one waypoint for wanderers."""


class DijkstraMaps:
    """Dijkstra maps over ``game_map`` as it is now, made on demand.

    They depend only on the map, never on earlier queries, so a restored game computes the same
    ones. ``doors`` says whether the walker opens doors; on a ``doorless`` map all walkers share the
    same maps. ``made`` counts the maps: keyframes use it as a measure of work.
    """

    def __init__(self, game_map: GameMap) -> None:
        self.map = game_map
        self.tile_edits = game_map.tile_edits
        self.doorless = not game_map.has_tile(DOOR)
        # Not methods: in reference cycles with their caches, old maps would outlive their use.
        self.to = lru_cache(CACHE_SIZE)(partial(_approach_map, game_map, {}))
        """The Dijkstra map towards (x, y), for walkers that open doors or not."""
        self._escape = lru_cache(CACHE_SIZE)(partial(_safety_map, game_map))
        self._stop = cache(partial(_waypoint, game_map))
        self._labels: dict[tuple[int, int, bool], NDArray[np.int32]] = {}
        self._steps: dict[tuple[int, int, bool], list[Step]] = {}
        self._waypoints: dict[tuple[int, int, int, int, bool], list[Point]] = {}
        self.seen_from = cache(partial(field_of_view, game_map.transparent))
        """The window around (x, y) within a radius, and which tiles see that place (symmetric)."""

    @property
    def made(self) -> int:
        """The number of maps made so far."""
        return self.to.cache_info().misses + self._escape.cache_info().misses

    def opens_doors(self, creature: Entity) -> bool:
        """Return `opens_doors`, but True where there are none: then all share the same maps."""
        return self.doorless or opens_doors(self.map, creature)

    def away(self, x: int, y: int, *, doors: bool = True) -> SafetyMap:
        """Return a safety map away from (x, y): lowest where it is safest."""
        return self._escape(x, y, doors)

    def waypoints(self, x: int, y: int, low: int, high: int, *, doors: bool) -> list[Point]:
        """Return the reachable `stops`; cached, because many monsters ask for the same ones."""
        asked = x, y, low, high, doors
        if asked not in self._waypoints:
            stops = self.stops(x, y, low, high)
            self._waypoints[asked] = self.connected(x, y, stops, doors=doors)
        return self._waypoints[asked]

    def stops(self, x: int, y: int, low: int, high: int) -> list[Point]:
        """Return waypoints ``low`` to ``high`` tiles from (x, y), in reading order."""
        rows, columns = (
            range(max(0, at - high) // WAYPOINT_BLOCK, min(last, at + high) // WAYPOINT_BLOCK + 1)
            for at, last in ((y, self.map.height - 1), (x, self.map.width - 1))
        )
        stops = [stop for row in rows for column in columns if (stop := self._stop(column, row))]
        return [point for point in stops if low <= max(abs(point.x - x), abs(point.y - y)) <= high]

    def connected(self, x: int, y: int, places: list[Point], *, doors: bool = True) -> list[Point]:
        """Return those of ``places`` that can be walked to from (x, y).

        In an infinite world only ways near (x, y) count: all of its ground takes 100 times as long.
        """
        reach = APPROACH_REACH if self.map.is_infinite else max(self.map.tiles.shape)
        left, top, ground = ground_around(self.map, x, y, doors, reach)
        if (left, top, doors) not in self._labels:
            self._labels[left, top, doors] = regions(ground, diagonal=True)[0]
        labels, x, y = self._labels[left, top, doors], x - left, y - top
        # The tile itself may be a door, but all ground beside a tile is of one region.
        home = labels[y, x] or labels[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].max()
        return [place for place in places if labels[place.y - top, place.x - left] == home]

    def burns(self, place: int) -> bool:
        """Return True if there is fire at ``place``, y * ROW + x."""
        return divmod(place, ROW)[::-1] in self.map.fires

    def lowest_first(
        self, field: ApproachMap | SafetyMap, x: int, y: int, at_most: int, *, doors: bool = True
    ) -> list[tuple[int, int]]:
        """Return the free steps from (x, y) to values up to ``at_most``, the lowest first."""
        steps, game_map = self.steps(x, y, doors=doors), self.map
        free = [step for step in steps if not game_map.entity_at(*step[2])]
        free = [step for step in free if step[2] not in game_map.fires]
        ranked = [(field.at(*place), dx, dy) for dx, dy, place in free]
        ranked = [step for step in ranked if step[0] <= at_most and step[0] != UNREACHED]
        return [(dx, dy) for _, dx, dy in sorted(ranked, key=itemgetter(0))]

    def free_ways(self, field: ApproachMap, creature: Entity) -> list[Move]:
        """Return the free steps from ``creature`` to reached tiles, the lowest first."""
        x, y, here = creature.x, creature.y, creature.y * ROW + creature.x
        if (away := field.at(x, y)) == UNREACHED:  # It floats: the tiles around it may be reached.
            around = self.lowest_first(field, x, y, UNREACHED - 1, doors=self.opens_doors(creature))
            return [Move(dx, dy) for dx, dy in around]
        # Neighbours differ by 1 at most, and in a dict the first of equal keys keeps its place.
        ways = dict([*field[here], *field.within(x, y, away), *field.within(x, y, away + 1)])
        free = [offset for offset in ways if here + offset not in self.map.places]
        return [ways[to] for to in free if not (self.map.fires and self.burns(here + to))]

    def steps(self, x: int, y: int, *, doors: bool = True) -> list[Step]:
        """Return the steps from (x, y) to walkable tiles, occupied or not, as in `DIRECTIONS`."""
        possible = self._steps.get((x, y, doors))
        if possible is None:
            steps = [(dx, dy, (x + dx, y + dy)) for dx, dy in DIRECTIONS]
            bears, tiles = self.map.walkable, self.map.tiles
            steps = [step for step in steps if self.map.contains(*step[2]) and bears[step[2][::-1]]]
            possible = [step for step in steps if doors or tiles[step[2][::-1]] != DOOR]
            self._steps[x, y, doors] = possible
        return possible


def opens_doors(game_map: GameMap, creature: Entity) -> bool:
    """Return True if ``creature`` can open doors, or stands in one, which it can leave."""
    doors = creature_kinds()[creature.kind].traits.doors
    return doors or game_map.tiles.item(creature.y, creature.x) == DOOR


def ground_around(
    game_map: GameMap, x: int, y: int, doors: bool, reach: int
) -> tuple[int, int, Mask]:
    """Return left and top of the window within ``reach`` of (x, y), and its walkable tiles."""
    window, left, top = window_around(x, y, reach)
    ground = game_map.walkable[window]
    return left, top, ground if doors else ground & (game_map.tiles[window] != DOOR)


def _approach_map(
    game_map: GameMap, boards: dict[bool, Bitboard], x: int, y: int, doors: bool = True
) -> ApproachMap:
    if not game_map.contains(x, y):  # An infinite map has left it behind: no path leads there.
        return ApproachMap(x, y, x, y, Bitboard(0, 0, 0))
    left, top, ground = ground_around(game_map, x, y, doors, APPROACH_REACH)
    if ground.shape != game_map.tiles.shape:
        return ApproachMap(x, y, left, top, Bitboard.of(ground))
    if doors not in boards:
        boards[doors] = Bitboard.of(ground)
    return ApproachMap(x, y, left, top, boards[doors])


def _safety_map(game_map: GameMap, x: int, y: int, doors: bool) -> SafetyMap:
    left, top, ground = ground_around(game_map, x, y, doors, SAFETY_REACH)
    return SafetyMap(x, y, left, top, Bitboard.of(ground))


def _waypoint(game_map: GameMap, column: int, row: int) -> Point | None:
    """Return the walkable tile nearest to the middle of a block.

    The current map is used, so no monster heads for a place that has become rock or water.
    """
    left, top = WAYPOINT_BLOCK * column, WAYPOINT_BLOCK * row
    open_tiles = game_map.walkable[top : top + WAYPOINT_BLOCK, left : left + WAYPOINT_BLOCK]
    place = closest_tile(open_tiles, WAYPOINT_BLOCK // 2, WAYPOINT_BLOCK // 2)
    return Point(left + place.x, top + place.y) if place else None
