"""An endless world in play: a map like any other, that goes with the hero."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components import AiState
from engine.infinite.chunk_loader import ChunkPrefetch, surveyor
from engine.infinite.chunk_memory import SavedChunk, chunk_bits, fold_chunk, unfold_chunk
from engine.infinite.populated_chunks import Key, PopulatedChunk
from engine.items.loot import make_item
from engine.monsters.initial_monsters import scale_to_depth
from engine.state.compression import CHECK
from engine.state.game_map import DARK, GameMap
from entities.entity import Entity
from entities.light_levels import LIT
from entities.terrain import Tile, terrain
from procgen.blueprint import Point
from procgen.chunk import SIDE, chunk_of
from procgen.infinite.chunk_window import nearest_ground, window_corner
from procgen.level import Level
from procgen.world_types import world_types

AFTER_SOMETHING = (AiState.HUNTING, AiState.SEARCHING, AiState.FLEEING)
"""Who is left behind in one of these moods forgets what it was after."""

FIRES = 64
"""Fires further from the hero than this go out: a world that burnt down would take for ever."""

Box = tuple[slice, slice]


def leave(game_map: GameMap, box: Box) -> bytes | None:
    """Take all that is in ``box``, a chunk, off the map; return it folded up.

    None stands for what nobody has seen or touched: it grows again as it was.
    """
    rows, columns = box
    top, left = rows.start, columns.start
    creatures = [one for one in game_map.entities.values() if _inside(one.x, one.y, box)]
    for one in creatures:
        game_map.remove_entity(one)
        _forget(one)
        one.x, one.y = one.x - left, one.y - top
    piles = [(x - left, y - top, pile) for x, y, pile in game_map.piles() if _inside(x, y, box)]
    for x, y, _ in piles:
        del game_map.items[x + left, y + top]
    changes = {}
    for place in list(game_map.changes):
        y, x = divmod(place, game_map.width)
        if _inside(x, y, box):
            changes[(y - top) * SIDE + x - left] = game_map.changes.pop(place)
    explored = game_map.explored[box]
    if explored.any() or changes or any(map(_met, creatures)):
        seen = np.packbits(explored).tobytes()
        return fold_chunk(SavedChunk(seen, changes, creatures, piles))
    return None


def _inside(x: int, y: int, box: Box) -> bool:
    rows, columns = box
    return bool(rows.start <= y < rows.stop and columns.start <= x < columns.stop)


def _met(creature: Entity) -> bool:
    """Whether ``creature`` is not as it was born."""
    hurt = creature.fighter.hp < creature.fighter.max_hp
    return hurt or bool(creature.inventory) or creature.called_up


def _forget(creature: Entity) -> None:
    """Let ``creature`` lose track of places that are no longer on the map."""
    ai = creature.ai
    if ai is None:
        return
    ai.goal = None
    if ai.state in AFTER_SOMETHING:
        ai.state, ai.turns_left_tracking = AiState.WANDERING, 0


def burn_down(game_map: GameMap, x: int, y: int) -> None:
    """Let the fires far from (x, y) go out."""
    near = range(-FIRES, FIRES + 1)
    if game_map.fires:
        game_map.fires = {
            place: turns
            for place, turns in game_map.fires.items()
            if place[0] - x in near and place[1] - y in near
        }


def slide(game_map: GameMap, right: int, down: int) -> None:
    """Move the map ``right`` and ``down`` over the world by so many tiles."""
    for name in ("tiles", "walkable", "transparent", "seen", "explored"):
        setattr(game_map, name, _slid(getattr(game_map, name), right, down))
    game_map.recall(game_map.seen, game_map.explored)
    width, height = game_map.width, game_map.height
    game_map.fires = {(x - right, y - down): n for (x, y), n in game_map.fires.items()}
    changes = {divmod(place, width)[::-1]: tile for place, tile in game_map.changes.items()}
    game_map.changes = {(y - down) * width + x - right: tile for (x, y), tile in changes.items()}
    game_map.items = {(x - right, y - down): pile for (x, y), pile in game_map.items.items()}
    everyone = list(game_map.entities.values())
    for one in everyone:
        game_map.remove_entity(one)
    for one in everyone:
        one.x, one.y = one.x - right, one.y - down
        if one.ai and one.ai.goal:
            one.ai.goal = one.ai.goal[0] - right, one.ai.goal[1] - down
        game_map.add_entity(one)
    if game_map.exit != (-1, -1):
        door = Point(game_map.exit.x - right, game_map.exit.y - down)
        inside = 0 <= door.x < width and 0 <= door.y < height
        game_map.exit = door if inside else Point(-1, -1)
    game_map.edits += 1


def _slid(old: NDArray[np.generic], right: int, down: int) -> NDArray[np.generic]:
    """Return ``old`` moved, nothing where there was nothing."""
    new = np.zeros_like(old)
    height, width = old.shape
    rows, columns = height - abs(down), width - abs(right)
    if rows > 0 and columns > 0:
        from_y, from_x = max(0, down), max(0, right)
        to_y, to_x = max(0, -down), max(0, -right)
        new[to_y : to_y + rows, to_x : to_x + columns] = old[
            from_y : from_y + rows, from_x : from_x + columns
        ]
    return new


RADIUS = 2
"""How many chunks are on the map beyond the middle one, every way."""
SPAN = (2 * RADIUS + 1) * SIDE
"""Tiles along the map's side."""
SLACK = 64
"""How far the hero may leave the middle chunk before the map moves on."""
NEAR = 112
"""Chunks are opened when the hero comes so near: further than anybody sees."""

NOWHERE = Point(-1, -1)
"""Where the start is once one has come, and the exit until a way down is taken."""

Chunk = tuple[int, int]
Number = Callable[[], int]


class InfiniteMap(GameMap):
    """A window of `SPAN` by `SPAN` tiles on a world without an edge.

    Its arrays and places are those of the window; ``corner`` is the chunk in the upper left of
    it. It moves by whole chunks, and only in `recentre`. Where no chunk is open there is rock.
    """

    is_infinite = True

    def __init__(self, level: Level) -> None:
        super().__init__(level)
        x, y = _ground(level)
        column, row = chunk_of(x, y)
        self.stand_at((column - RADIUS, row - RADIUS))
        self.light, self.glow = LIT if self.light == DARK else self.light, None
        self.opened: dict[Chunk, None] = {}
        self.plots: dict[Chunk, PopulatedChunk] = {}
        self.left: dict[Chunk, bytes] = {}
        self.below: dict[tuple[int, int], dict[int, bytes]] = {}
        self.tiles = np.zeros((SPAN, SPAN), np.uint8)
        self.walkable = np.zeros((SPAN, SPAN), bool)
        self.transparent = np.zeros((SPAN, SPAN), bool)
        self.seen = np.zeros((SPAN, SPAN), bool)
        self.explored = np.zeros((SPAN, SPAN), bool)
        self.start = Point(x - self.origin[0], y - self.origin[1])
        self.exit = NOWHERE
        self._outlook = ChunkPrefetch()

    def stand_at(self, corner: Chunk) -> None:
        """Have the chunk ``corner`` in the upper left."""
        self.corner, self.origin = corner, (corner[0] * SIDE, corner[1] * SIDE)

    def is_way_down(self, x: int, y: int) -> bool:
        """Whether a dungeon can be entered at (x, y)."""
        return bool(self.tiles[y, x] == Tile.ENTRANCE)

    def recentre(self, x: int, y: int, number: Number) -> Chunk:
        """Go with the hero at (x, y): move on, and open what comes near.

        Returns how many tiles right and down the map has moved, which all places on it are less
        by now. ``number`` gives new identities.
        """
        moved = self._move_on(x, y)
        x, y = x - moved[0], y - moved[1]
        burn_down(self, x, y)
        for chunk in self._around(x, y, NEAR):
            if chunk not in self.opened:
                self._open(chunk, number)
        place = x + self.origin[0], y + self.origin[1]
        surveyor().expect([self._key(c) for c in self._outlook.wanted(*place, self.opened)])
        surveyor().let_work(map(self._key, self._outlook.pressing))
        return moved

    def _move_on(self, x: int, y: int) -> Chunk:
        """Move the map by whole chunks if (x, y) is too far from its middle."""
        low, high = RADIUS * SIDE - SLACK, (RADIUS + 1) * SIDE + SLACK
        if low <= x < high and low <= y < high:
            return 0, 0
        columns, rows = x // SIDE - RADIUS, y // SIDE - RADIUS
        left, top = self.corner[0] + columns, self.corner[1] + rows
        for chunk in list(self.opened):
            if not (0 <= chunk[0] - left < 2 * RADIUS + 1 and 0 <= chunk[1] - top < 2 * RADIUS + 1):
                if folded := leave(self, self._box(chunk)):
                    self.left[chunk] = folded
                del self.opened[chunk], self.plots[chunk]
        slide(self, columns * SIDE, rows * SIDE)
        self.stand_at((left, top))
        return columns * SIDE, rows * SIDE

    def _around(self, x: int, y: int, reach: int) -> list[Chunk]:
        """Return the chunks on the map within ``reach`` of (x, y)."""
        columns = range(max(0, x - reach) // SIDE, min(SPAN - 1, x + reach) // SIDE + 1)
        rows = range(max(0, y - reach) // SIDE, min(SPAN - 1, y + reach) // SIDE + 1)
        left, top = self.corner
        return [(left + column, top + row) for row in rows for column in columns]

    def facts(self) -> tuple[Any, ...]:
        """Return all that makes this map beside who is on it, as plain values."""
        known = [(*chunk, folded[:CHECK]) for chunk, folded in self.left.items()]
        levels = [
            (*place, depth, folded[:CHECK])
            for place, below in self.below.items()
            for depth, folded in below.items()
        ]
        return *super().facts(), self.corner, list(self.opened), self.exit, known, levels

    def _key(self, chunk: Chunk) -> Key:
        return self.code.recipe, self.code.seed, *chunk

    def _box(self, chunk: Chunk) -> tuple[slice, slice]:
        x, y = (chunk[0] - self.corner[0]) * SIDE, (chunk[1] - self.corner[1]) * SIDE
        return slice(y, y + SIDE), slice(x, x + SIDE)

    def lay_out(self, chunk: Chunk) -> None:
        """Put the tiles of ``chunk`` on the map as they grew."""
        plot, box = surveyor().plot(self._key(chunk), bare=True), self._box(chunk)
        self.plots[chunk], tiles = plot, plot.tiles
        self.tiles[box] = tiles
        self.walkable[box] = terrain().walkable[tiles]
        self.transparent[box] = terrain().transparent[tiles]
        self.opened[chunk] = None
        self.edits += 1

    def lay_out_all(self, chunks: Sequence[Chunk]) -> None:
        """Put the tiles of ``chunks`` on the map; the surveyor makes some of them meanwhile."""
        surveyor().expect([self._key(chunk) for chunk in reversed(chunks)], bare=True)
        for chunk in chunks:
            self.lay_out(chunk)

    def _open(self, chunk: Chunk, number: Number) -> None:
        """Put ``chunk`` on the map: as it was left, or as it grew."""
        self.lay_out(chunk)
        rows, columns = self._box(chunk)
        left, top = columns.start, rows.start
        if folded := self.left.pop(chunk, None):
            self._unfold(unfold_chunk(folded), left, top)
            return
        found = surveyor().plot(self._key(chunk))
        for dweller in found.dwellers:
            creature = dweller.born(number())
            creature.x, creature.y = creature.x + left, creature.y + top
            scale_to_depth(creature, found.depth)
            self._put(creature)
        for thing in found.things:
            self.lay(make_item(thing, number()), thing.x + left, thing.y + top)

    def _unfold(self, chunk: SavedChunk, left: int, top: int) -> None:
        for place, tile in chunk.changes.items():
            y, x = divmod(place, SIDE)
            self.set_tile(left + x, top + y, tile)
        self.explored[top : top + SIDE, left : left + SIDE] = chunk_bits(chunk.explored)
        for creature in chunk.entities:
            creature.x, creature.y = creature.x + left, creature.y + top
            self._put(creature)
        for x, y, pile in chunk.items:
            for item in pile:
                self.lay(item, x + left, y + top)

    def _put(self, creature: Entity) -> None:
        """Put ``creature`` on the map, or beside who stands there already."""
        spot = self.nearest_free(creature.x, creature.y)
        if spot:
            creature.x, creature.y = spot
            self.add_entity(creature)


def _ground(level: Level) -> tuple[int, int]:
    """Return the place in the world where one comes to stand first."""
    code, start = level.code, level.start
    assert code.place
    if not terrain().walkable[level.tiles[start.y, start.x]]:
        return nearest_ground(world_types()[code.recipe], code.seed, *code.place)
    left, top = window_corner(code)
    return left + start.x, top + start.y
