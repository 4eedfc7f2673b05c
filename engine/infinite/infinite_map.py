"""The map of an infinite world: a window of chunks that follows the hero.

All coordinates count from the upper left tile of the window, so the rules, FOV and pathfinding work
on a plain array and need not know that the world is larger. When the hero comes too near the edge,
the window moves by whole chunks and all coordinates change (`InfiniteMap.recentre`).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from components import AiState
from engine.infinite.chunk_loader import ChunkPrefetch, chunk_loader
from engine.infinite.populated_chunks import Key, PopulatedChunk
from engine.infinite.saved_chunks import SavedChunk, unpack_chunk, unpack_mask
from engine.items.loot import make_item
from engine.state.compression import CHECK, compress
from engine.state.game_map import DARK, GameMap
from engine.terrain.growth import finish_growth
from entities.entity import Entity
from entities.light_levels import LIT
from entities.terrain import Tile, terrain
from procgen.blueprint import Point, Window, paste_clipped
from procgen.chunk import SIDE, ChunkIndex, chunk_of
from procgen.infinite.chunk_monsters import chunk_danger
from procgen.infinite.chunk_window import nearest_ground, window_corner
from procgen.level import Level
from procgen.world_types import world_types

AFTER_HERO = (AiState.HUNTING, AiState.SEARCHING, AiState.FLEEING)
"""A monster in one of these states forgets the hero when its chunk is unloaded."""
FIRE_DISTANCE = 64
"""Fires farther from the hero than this, in tiles, go out, or they would spread for ever."""
NOWHERE = Point(-1, -1)
"""A place off the map: the start after arrival, and the exit until the hero takes stairs down."""


def unload_chunk(game_map: GameMap, box: Window, generated: PopulatedChunk) -> bytes | None:
    """Remove the contents of the chunk ``box`` from the map and return them packed.

    Returns None for an unexplored chunk in which the player may notice no difference from how it
    was ``generated``: it has the same kinds of creatures and items, and no creature is hurt.
    """
    top, left = box[0].start, box[1].start
    creatures = [who for who in game_map.entities.values() if _inside(who.x, who.y, box)]
    for creature in creatures:
        game_map.remove_entity(creature)
        if ai := creature.ai:
            ai.goal = None  # Its coordinates will not be valid when the creature comes back.
            if ai.state in AFTER_HERO:
                ai.state, ai.state_turns_left = AiState.WANDERING, 0
        creature.x, creature.y = creature.x - left, creature.y - top
    piles = [(x - left, y - top, pile) for x, y, pile in game_map.piles() if _inside(x, y, box)]
    for x, y, _ in piles:
        del game_map.items[x + left, y + top]
    changes = {}
    for place in list(game_map.changes):
        y, x = divmod(place, game_map.width)
        if _inside(x, y, box):
            changes[(y - top) * SIDE + x - left] = game_map.changes.pop(place)
    explored = game_map.explored[box]
    if not (explored.any() or changes or any(map(_changed, creatures))):
        # A monster may have walked out of this chunk, or an item been thrown into it.
        kinds = [who.kind for who in creatures] + [item.kind for *_, pile in piles for item in pile]
        initial = [who.kind for who in generated.monsters] + [item.kind for item in generated.items]
        if sorted(kinds) == sorted(initial):
            return None
    return compress(SavedChunk(np.packbits(explored).tobytes(), changes, creatures, piles))


def _inside(x: int, y: int, box: Window) -> bool:
    rows, columns = box
    return bool(rows.start <= y < rows.stop and columns.start <= x < columns.stop)


def _changed(creature: Entity) -> bool:
    """Return True if ``creature`` differs from its initial state in a way the player may notice."""
    hurt = creature.fighter.hp < creature.fighter.max_hp
    carries = bool(creature.inventory or (creature.ai and creature.ai.stolen_gold))
    return hurt or carries or creature.spawned_in_play


def put_out_far_fires(game_map: GameMap, x: int, y: int) -> None:
    """Put out the fires far from (x, y)."""
    near = range(-FIRE_DISTANCE, FIRE_DISTANCE + 1)
    game_map.fires = {
        place: turns
        for place, turns in game_map.fires.items()
        if place[0] - x in near and place[1] - y in near
    }


def shift_map(game_map: GameMap, right: int, down: int) -> None:
    """Move the window by ``right`` and ``down`` tiles; subtract that from all coordinates."""
    for name in ("tiles", "walkable", "transparent", "visible", "explored"):
        old = getattr(game_map, name)
        setattr(game_map, name, np.zeros_like(old))
        paste_clipped(getattr(game_map, name), old, -right, -down)
    game_map.restore_view(game_map.visible, game_map.explored)
    width = game_map.width
    game_map.fires = {(x - right, y - down): n for (x, y), n in game_map.fires.items()}
    changes = {divmod(place, width)[::-1]: tile for place, tile in game_map.changes.items()}
    game_map.changes = {(y - down) * width + x - right: tile for (x, y), tile in changes.items()}
    game_map.items = {(x - right, y - down): pile for (x, y), pile in game_map.items.items()}
    # Remove all before adding any: moved one by one, they would land on each other's tiles.
    creatures = list(game_map.entities.values())
    for creature in creatures:
        game_map.remove_entity(creature)
    for creature in creatures:
        creature.x, creature.y = creature.x - right, creature.y - down
        if creature.ai and creature.ai.goal:
            creature.ai.goal = creature.ai.goal[0] - right, creature.ai.goal[1] - down
        game_map.add_entity(creature)
    if game_map.exit != NOWHERE:
        door = Point(game_map.exit.x - right, game_map.exit.y - down)
        game_map.exit = door if game_map.contains(*door) else NOWHERE
    game_map.tile_edits += 1


RADIUS = 2
"""Chunks on each side of the middle one."""
SPAN = (2 * RADIUS + 1) * SIDE
"""Tiles along one side of the window."""
SLACK = 64
"""Tiles the hero may be outside the middle chunk before the window moves.

Without slack, a hero who walks back and forth over a chunk border would move it every turn.
"""
LOAD_DISTANCE = 112
"""Chunks within this many tiles of the hero are loaded: farther than the hero can see."""

NewId = Callable[[], int]


class InfiniteMap(GameMap):
    """A map that is a window of `SPAN` by `SPAN` tiles on an infinite world.

    ``corner`` is the upper left chunk; ``chunks`` those on the map, in the order in which they
    were loaded; ``saved_chunks`` those unloaded since, packed; ``levels_below`` the
    packed levels under each entrance, by the entrance's coordinates in the world, then by depth.
    Tiles of chunks that are not loaded are rock.
    """

    is_infinite = True

    def __init__(self, level: Level) -> None:
        super().__init__(level)
        x, y = _first_place(level)
        column, row = chunk_of(x, y)
        self.place_window((column - RADIUS, row - RADIUS))
        self.light = LIT if self.light == DARK else self.light
        self.chunks: dict[ChunkIndex, PopulatedChunk] = {}
        self.saved_chunks: dict[ChunkIndex, bytes] = {}
        self.levels_below: dict[tuple[int, int], dict[int, bytes]] = {}
        self.tiles = np.zeros((SPAN, SPAN), np.uint8)
        self.walkable, self.transparent = np.zeros((2, SPAN, SPAN), bool)
        self.visible, self.explored = np.zeros((2, SPAN, SPAN), bool)
        self.start = Point(x - self.origin[0], y - self.origin[1])
        self.exit = NOWHERE
        self._prefetch = ChunkPrefetch()

    def place_window(self, corner: ChunkIndex) -> None:
        """Set the upper left chunk of the window."""
        self.corner, self.origin = corner, (corner[0] * SIDE, corner[1] * SIDE)

    def depth_at(self, x: int, y: int) -> int:
        """Return the danger of the chunk at (x, y), as a depth."""
        return chunk_danger(*chunk_of(*self.world_place(x, y)))

    def is_way_down(self, x: int, y: int) -> bool:
        """Return True if there is an entrance to a dungeon at (x, y)."""
        return bool(self.tiles[y, x] == Tile.ENTRANCE)

    def move_to(self, level: Level, new_id: NewId) -> Point:
        """Move the window, but not the hero, to where ``level`` starts, and return that place."""
        x, y = (at - edge for at, edge in zip(_first_place(level), self.origin, strict=True))
        right, down = self.recentre(x, y, new_id)
        return Point(x - right, y - down)

    def recentre(self, x: int, y: int, new_id: NewId) -> tuple[int, int]:
        """Follow the hero to (x, y): load the chunks nearby and move the window if necessary.

        Returns how many tiles right and down the window moved; all coordinates became smaller by
        that. ``new_id`` returns a new id for each monster and item of new chunks.
        """
        moved = self._move_window(x, y, new_id)
        x, y = x - moved[0], y - moved[1]
        put_out_far_fires(self, x, y)
        # Load every chunk in range, finished or not. Taking only those that the thread has ready
        # would make the map, and with it each replay, depend on the speed of the machine.
        for chunk in self._chunks_near(x, y, LOAD_DISTANCE):
            if chunk not in self.chunks:
                self._load(chunk, new_id)
        place = self.world_place(x, y)
        chunk_loader().prefetch([self.key(c) for c in self._prefetch.choose(*place, self.chunks)])
        chunk_loader().wait_for(map(self.key, self._prefetch.urgent))
        return moved

    def _move_window(self, x: int, y: int, new_id: NewId) -> tuple[int, int]:
        """Move the window by whole chunks if (x, y) is too far from its middle."""
        low, high = RADIUS * SIDE - SLACK, (RADIUS + 1) * SIDE + SLACK
        if low <= x < high and low <= y < high:
            return 0, 0
        # A growing seed would have to be cut in two if one of its chunks were unloaded.
        finish_growth(self, new_id)
        columns, rows = x // SIDE - RADIUS, y // SIDE - RADIUS
        left, top = self.corner[0] + columns, self.corner[1] + rows
        for chunk in list(self.chunks):
            if not (0 <= chunk[0] - left < 2 * RADIUS + 1 and 0 <= chunk[1] - top < 2 * RADIUS + 1):
                if packed := unload_chunk(self, self.box(chunk), self.chunks[chunk]):
                    self.saved_chunks[chunk] = packed
                del self.chunks[chunk]
        shift_map(self, columns * SIDE, rows * SIDE)
        self.place_window((left, top))
        return columns * SIDE, rows * SIDE

    def _chunks_near(self, x: int, y: int, reach: int) -> list[ChunkIndex]:
        """Return the chunks of the window within ``reach`` tiles of (x, y)."""
        columns = range(max(0, x - reach) // SIDE, min(SPAN - 1, x + reach) // SIDE + 1)
        rows = range(max(0, y - reach) // SIDE, min(SPAN - 1, y + reach) // SIDE + 1)
        left, top = self.corner
        return [(left + column, top + row) for row in rows for column in columns]

    def facts(self) -> tuple[Any, ...]:
        """Return everything in this map except its creatures, as plain values for the digest."""
        saved = [(*chunk, packed[:CHECK]) for chunk, packed in self.saved_chunks.items()]
        levels = [
            (*place, depth, packed[:CHECK])
            for place, below in self.levels_below.items()
            for depth, packed in below.items()
        ]
        return *super().facts(), self.corner, list(self.chunks), self.exit, saved, levels

    def key(self, chunk: ChunkIndex) -> Key:
        """Return the key of ``chunk`` in the chunk loader."""
        return self.code.recipe, self.code.seed, *chunk

    def box(self, chunk: ChunkIndex) -> Window:
        """Return the part of the map's arrays that holds ``chunk``, [y, x]."""
        x, y = (chunk[0] - self.corner[0]) * SIDE, (chunk[1] - self.corner[1]) * SIDE
        return slice(y, y + SIDE), slice(x, x + SIDE)

    def place_chunk(self, chunk: ChunkIndex) -> None:
        """Put the tiles of ``chunk`` on the map as they were generated."""
        populated, box = chunk_loader().load(self.key(chunk), tiles_only=True), self.box(chunk)
        self.chunks[chunk], tiles = populated, populated.tiles
        self.tiles[box] = tiles
        self.walkable[box] = terrain().walkable[tiles]
        self.transparent[box] = terrain().transparent[tiles]
        self.tile_edits += 1

    def place_chunks(self, chunks: Sequence[ChunkIndex]) -> None:
        """Put the tiles of ``chunks`` on the map; the loader thread helps from the other end."""
        chunk_loader().prefetch([self.key(chunk) for chunk in reversed(chunks)], tiles_only=True)
        for chunk in chunks:
            self.place_chunk(chunk)

    def _load(self, chunk: ChunkIndex, new_id: NewId) -> None:
        """Put ``chunk`` on the map with its contents, saved or new."""
        self.place_chunk(chunk)
        rows, columns = self.box(chunk)
        left, top = columns.start, rows.start
        if packed := self.saved_chunks.pop(chunk, None):
            self._restore(unpack_chunk(packed), left, top)
            return
        populated = chunk_loader().load(self.key(chunk))
        for monster in populated.monsters:
            creature = monster.to_entity(new_id(), populated.depth)
            self.add_near(creature, creature.x + left, creature.y + top)
        for item in populated.items:
            self.add_item(make_item(item, new_id()), item.x + left, item.y + top)

    def _restore(self, chunk: SavedChunk, left: int, top: int) -> None:
        for place, tile in chunk.changes.items():
            y, x = divmod(place, SIDE)
            self.set_tile(left + x, top + y, tile)
        explored = unpack_mask(SIDE, SIDE, chunk.explored)
        self.explored[top : top + SIDE, left : left + SIDE] = explored
        for creature in chunk.entities:
            self.add_near(creature, creature.x + left, creature.y + top)
        for x, y, pile in chunk.items:
            for item in pile:
                self.add_item(item, x + left, y + top)


def _first_place(level: Level) -> tuple[int, int]:
    """Return the world coordinates where the hero starts."""
    code, start = level.code, level.start
    assert code.place
    if not terrain().walkable[level.tiles[start.y, start.x]]:
        return nearest_ground(world_types()[code.recipe], code.seed, *code.place)
    left, top = window_corner(code)
    return left + start.x, top + start.y
