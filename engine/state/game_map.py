"""The level in play: tiles, creatures, items, fires, field of view and exploration."""

from collections.abc import Callable
from functools import cached_property
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from components import AiState
from components.inventory import Item
from entities.creature_kinds import Hiding, creature_kinds
from entities.entity import Entity
from entities.terrain import DEEP, Tile, terrain, tile_mask
from procgen.analysis.distances import DIRECTIONS, closest_tile, reachable, with_neighbours
from procgen.analysis.field_of_view import field_of_view
from procgen.blueprint import Point, TileGrid, Window, cached_point, mask_at
from procgen.level import Level
from procgen.level_code import FROM_FILE
from procgen.level_light import GLOW, GLOWING, glow_of
from procgen.level_overlays import sides_of
from procgen.position_hash import position_word

DARK = "dark"
"""The light level at which the hero sees only nearby tiles and glowing ones."""
MOST_SIGHTS = 256
"""The most fields of view cached until a tile changes: heroes rest, walk back and fight."""
ROW = 1 << 16
"""A place as one number is y * ROW + x: the quickest key, and its neighbours are sums."""
HIDDEN = AiState.HIDDEN  # Python 3.11 takes five times as long for `AiState.HIDDEN`.

Sight = tuple[Window, NDArray[np.bool_]]
"""A window of the map, and what is seen in it."""
FLOOD = "flood"
"""The kind of `Growing` that is rising water: it bears no fruit, and washes creatures aside."""


class Growing(msgspec.Struct, array_like=True):
    """Changes that a planted seed of ``kind``, or a `FLOOD`, has yet to make, turn by turn.

    ``turns`` holds, for each turn to come, the changed tiles as (y * width + x, new tile). At the
    end the ``items``, a fruit first, are placed at or near ``center`` (y * width + x), and there
    sleeps a monster of the kind ``monster``, unless that is empty.
    """

    kind: str
    turns: list[list[tuple[int, int]]]
    center: int
    items: Annotated[list[Item], Meta(max_length=2)] = []
    monster: str = ""


def is_hidden(entity: Entity) -> bool:
    """Return True if ``entity`` lies in wait and cannot be seen."""
    return entity.ai is not None and entity.ai.state is HIDDEN


def is_disguised(entity: Entity) -> bool:
    """Return True if ``entity`` lies in wait and looks like a statue."""
    return is_hidden(entity) and creature_kinds()[entity.kind].traits.hides is Hiding.PLACE


class GameMap(TileGrid):
    """A level in play: its state and queries on it. The rules that change it are elsewhere.

    Arrays are indexed [y, x]; all other places are (x, y).

    * ``tiles`` (uint8); ``walkable`` and ``transparent`` (bool) are derived from it.
    * ``visible`` (bool) is in view now, ``explored`` (bool) was seen at any time.
    * ``level`` is the level as generated, ``name`` its code as text; ``changes`` the tiles that
      differ from it since, by y * width + x. A save stores ``changes`` only and builds the level
      again from its code.
    * ``entities`` are the creatures by id, in the order added; ``places`` hold them by y * ROW + x.
    * ``sides`` are the sides, by kind of monster, that fight each other on a level at war.
    * ``items`` are the piles on the ground by (x, y), top item last; no pile is empty.
    * ``fires`` are the turns left to burn by (x, y).
    * ``growing`` is what planted seeds and floods have yet to change, the oldest first.
    * ``tile_edits``, ``item_edits``, ``entity_edits`` (those added or removed) and ``discoveries``
      (of ``explored``) count changes: caches compare them to know when they are stale.
    * ``initial_walkable_count`` is the number of walkable tiles at first, ``turns_here`` the turns
      the hero has spent here, ``keys`` the keys it holds for locks of this level. ``remembered`` is
      the reach of the memory that the hero has recalled here, 0 before that.
    * ``goal`` is the place of the goal or None; ``goal_known`` is set once it was reported.
    * ``origin`` is the world position of the upper left tile if the map is a window on a world.
    """

    is_infinite = False
    """True if the map is a moving window on an infinite world."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.code = level.code
        self.name = str(level.code)
        self.theme = level.theme
        self.light, self.sides = level.light, sides_of(level.code)
        self.start = level.start
        self.exit = level.exit
        self.tiles: NDArray[np.uint8] = level.tiles.copy()
        self.walkable: NDArray[np.bool_] = terrain().walkable[self.tiles]
        self.transparent: NDArray[np.bool_] = terrain().transparent[self.tiles]
        self.initial_walkable_count = int(np.count_nonzero(self.walkable))
        self.visible = np.zeros(self.tiles.shape, bool)
        self.explored = np.zeros(self.tiles.shape, bool)
        self.entities: dict[int, Entity] = {}
        self.items: dict[tuple[int, int], list[Item]] = {}
        self.fires: dict[tuple[int, int], int] = {}
        self.growing: list[Growing] = []
        self.turns_here = self.keys = self.remembered = 0
        relics = np.argwhere(level.tiles == Tile.RELIC).tolist()
        self.goal = next((Point(x, y) for y, x in relics), None)
        self.goal_known = False
        self.origin = (0, 0)
        self.tile_edits = self.discoveries = self.item_edits = self.entity_edits = 0
        self.changes: dict[int, int] = {}
        self.places: dict[int, Entity] = {}
        self._view = (slice(0, 0), slice(0, 0))
        self._lit_by: tuple[object, ...] = ()
        self._glow: NDArray[np.bool_] | None = None
        self._in_view: list[Entity] | None = None
        self._sights: dict[tuple[object, ...], Sight] = {}
        self._sights_edits = 0
        self._found: dict[int, tuple[int, bool]] = {}
        self._packed = (-1, -1), b""

    @cached_property
    def memory_at(self) -> Point | None:
        """The shelf or statue beside open ground that holds a memory of the level, if any does."""
        if self.code.place or self.code.recipe == FROM_FILE:
            return None
        tiles, seed = self.level.tiles, self.code.seed
        exposed = with_neighbours(terrain().walkable[tiles], diagonal=False)
        cells = np.argwhere(exposed & ((tiles == Tile.SHELF) | (tiles == Tile.STATUE))).tolist()
        places = [Point(x, y) for y, x in cells]
        return min(places, default=None, key=lambda at: position_word(seed, "memory", *at))

    def are_at_war(self, creature: Entity, other: Entity) -> bool:
        """Return True if two monsters are of sides that fight each other here."""
        sides = self.sides.get(creature.kind), self.sides.get(other.kind)
        return None not in sides and sides[0] != sides[1]

    def set_tile(self, x: int, y: int, tile: int) -> None:
        """Change the tile at (x, y) and everything derived from it.

        Always use this method: writing to ``tiles`` directly would leave monsters walking through
        the new wall, cached Dijkstra maps stale, and the change missing from saves.
        """
        if self.light == DARK and tile_mask(GLOWING)[[int(self.tiles[y, x]), tile]].any():
            self._lit_by = ()
        self.tiles[y, x] = tile
        self.walkable[y, x] = terrain().walkable[tile]
        self.transparent[y, x] = terrain().transparent[tile]
        self.tile_edits += 1
        self.changes[y * self.width + x] = int(tile)
        if tile == Tile.RELIC:
            self.goal = Point(x, y)
        elif self.goal == (x, y):
            self.goal = None

    def has_tile(self, tile: int) -> bool:
        """Return True if ``tile`` is on the map; cached, as rules look for rare tiles each turn."""
        if self._found.get(tile, (-1,))[0] != self.tile_edits:
            self._found[tile] = self.tile_edits, tile in self.tiles.tobytes()
        return self._found[tile][1]

    def add_entity(self, entity: Entity) -> None:
        """Put ``entity`` on the map at its x and y; raise `ValueError` if that tile is taken."""
        if entity.y * ROW + entity.x in self.places:
            raise ValueError(f"({entity.x}, {entity.y}) is taken")
        self.entities[entity.id] = entity
        self.places[entity.y * ROW + entity.x] = entity
        self.entity_edits += 1
        self._in_view = None

    def remove_entity(self, entity: Entity) -> None:
        """Take ``entity`` off the map."""
        del self.entities[entity.id]
        self.entity_edits += 1
        del self.places[entity.y * ROW + entity.x]
        self._in_view = None

    def move_entity(self, entity: Entity, x: int, y: int) -> Point:
        """Move ``entity`` to the free tile (x, y); return the place it left."""
        left, top = entity.x, entity.y
        del self.places[top * ROW + left]
        self.places[y * ROW + x] = entity
        if self._in_view is not None and (self.visible.item(top, left) or self.visible.item(y, x)):
            self._in_view = None  # Most creatures move out of sight.
        entity.x, entity.y = x, y
        return cached_point(left, top)

    def swap_entities(self, entity: Entity, other: Entity) -> None:
        """Exchange the places of two creatures."""
        origin, other_origin = (entity.x, entity.y), (other.x, other.y)
        self.remove_entity(other)
        self.move_entity(entity, *other_origin)
        other.x, other.y = origin
        self.add_entity(other)

    def add_item(self, item: Item, x: int, y: int) -> None:
        """Put ``item`` on top of the pile at (x, y)."""
        self.items.setdefault((x, y), []).append(item)
        self.item_edits += 1

    def remove_item(self, item: Item, x: int, y: int) -> None:
        """Take ``item`` from the ground at (x, y)."""
        pile = self.items[x, y]
        pile.remove(item)
        self.item_edits += 1
        if not pile:
            del self.items[x, y]

    def items_at(self, x: int, y: int) -> list[Item]:
        """Return the pile of items at (x, y), top item last."""
        return self.items.get((x, y), [])

    def shown_items(self) -> dict[tuple[int, int], list[Item]]:
        """Return the piles by (x, y), without those under monsters that look like statues."""
        statues = {(foe.x, foe.y) for foe in self.entities.values() if is_disguised(foe)}
        return {place: pile for place, pile in self.items.items() if place not in statues}

    def entity_at(self, x: int, y: int) -> Entity | None:
        """Return the creature on (x, y), if any."""
        return self.places.get(y * ROW + x)

    @property
    def occupied(self) -> NDArray[np.bool_]:
        """The tiles with a creature, as a new array, bool [y, x]."""
        return mask_at(((who.x, who.y) for who in self.entities.values()), self.tiles.shape)

    def is_blocked(self, x: int, y: int) -> bool:
        """Return True if (x, y) cannot be stepped on: off the map, not walkable or taken."""
        return not self.contains(x, y) or not self.walkable[y, x] or y * ROW + x in self.places

    def add_near(self, entity: Entity, x: int, y: int) -> bool:
        """Put ``entity`` on the free tile nearest to (x, y); return False if all are taken.

        Except at (x, y), a trap, gold or another fixture is taken only if no other tile is free:
        fixtures act on a hero that steps on them, not on one that is put there.
        """
        spot = self.nearest_free(x, y, fixtures=False) or self.nearest_free(x, y)
        if spot:
            entity.x, entity.y = spot
            self.add_entity(entity)
        return spot is not None

    def nearest_free(self, x: int, y: int, *, fixtures: bool = True) -> Point | None:
        """Return the free tile nearest to (x, y), which may be (x, y); None if all are taken.

        Without ``fixtures``, tiles with fixtures are skipped, except (x, y). A breadth-first search
        over walkable tiles, occupied or not, then `nearest_ground` if (x, y) is not walkable.
        """
        reached, queue, fixture = {(x, y)}, [(x, y)], terrain().fixture
        for column, row in queue:  # The queue grows while it is read: breadth-first search.
            fit = fixtures or (column, row) == (x, y) or not fixture[self.tiles[row, column]]
            if fit and not self.is_blocked(column, row):
                return Point(column, row)
            for place in [(column + dx, row + dy) for dx, dy in DIRECTIONS]:
                if place not in reached and self.contains(*place):
                    reached.add(place)
                    if self.walkable[place[1], place[0]]:
                        queue.append(place)
        ground = self.nearest_ground(x, y, free=True, fixtures=fixtures)
        return None if self.walkable[y, x] or ground == (x, y) else ground

    def nearest_ground(self, x: int, y: int, *, free: bool = False, fixtures: bool = True) -> Point:
        """Return the walkable tile nearest to (x, y), which may be (x, y); (x, y) if there is none.

        A tile behind a wall or lock is taken only if there is no other. With ``free``, no creature
        is on it; without ``fixtures``, it has none.
        """
        ground = self.walkable & ~self.occupied if free else self.walkable
        if not fixtures:
            ground = ground & ~terrain().fixture[self.tiles]
        if ground[y, x]:
            return Point(x, y)
        near = ground & reachable(self.walkable | tile_mask(DEEP)[self.tiles], x, y)
        return closest_tile(near if near.any() else ground, x, y, steps=True) or Point(x, y)

    @property
    def glow(self) -> NDArray[np.bool_] | None:
        """The tiles lit by glowing tiles and fires, bool [y, x]; None if the level is not dark."""
        if self.light == DARK and self._lit_by != (lit_by := (True, *self.fires)):
            self._glow, self._lit_by = glow_of(self.tiles, self.fires), lit_by
        return self._glow

    def look(self, x: int, y: int, radius: int, glimpse: int = 0) -> None:
        """Compute the field of view from (x, y) with ``radius`` tiles, and mark it explored.

        Tiles that glow in the dark are seen as far as ``glimpse`` tiles. Only a window of the map
        is computed, and fields of view are cached until a tile changes. Radius 1 is all neighbours.
        """
        if self._sights_edits != self.tile_edits or len(self._sights) >= MOST_SIGHTS:
            self._sights, self._sights_edits = {}, self.tile_edits
        key = (x, y, radius, glimpse, *(self.fires if self.light == DARK else ()))
        sight = self._sights.get(key)
        if sight is None:
            sight = self._sights[key] = self._seen_from(x, y, radius, glimpse)
            self.discover(sight[1], sight[0])
        window, seen = sight
        if window is not self._view:
            self.visible[self._view] = False
            self.visible[window] = seen
            self._view, self._in_view = window, None

    def discover(self, seen: NDArray[np.bool_], window: Window | None = None) -> None:
        """Mark the tiles ``seen``, bool [y, x] of the map or a ``window`` of it, as explored."""
        self.explored[window or self._whole] |= seen
        self.discoveries += 1

    @property
    def _whole(self) -> Window:
        return slice(0, self.height), slice(0, self.width)

    def _seen_from(self, x: int, y: int, radius: int, glimpse: int) -> Sight:
        """Return the field of view, with the light around the goal if that is in clear view."""
        near, field = field_of_view(self.transparent, x, y, radius, corners=radius == 1)
        window, seen = near, field
        if (glow := self.glow) is not None and glimpse > radius:
            window, seen = field_of_view(self.transparent, x, y, glimpse)
            seen &= glow[window]
            top, left = near[0].start - window[0].start, near[1].start - window[1].start
            seen[top : top + field.shape[0], left : left + field.shape[1]] |= field
        if self.goal is None or not glimpse:
            return window, seen
        # With the usual sight radius, players would walk past the goal without seeing it.
        column, row = self.goal
        around, clear = field_of_view(self.transparent, x, y, abs(column - x) + abs(row - y) + GLOW)
        lit = np.zeros(self.tiles.shape, bool)
        lit[max(0, row - GLOW) : row + GLOW + 1, max(0, column - GLOW) : column + GLOW + 1] = True
        lit[around] &= clear
        if not lit[row, column]:
            return window, seen
        lit[window] |= seen
        return self._whole, lit

    @property
    def goal_found(self) -> bool:
        """True if the goal (the First Seed) is on this map and the hero has seen it."""
        return self.goal is not None and bool(self.explored[self.goal.y, self.goal.x])

    def restore_view(self, visible: NDArray[np.bool_], explored: NDArray[np.bool_]) -> None:
        """Restore the field of view ``visible`` and the ``explored`` tiles, bool [y, x]."""
        self.visible[:], self.explored[:] = visible, explored
        self._view, self._in_view, self._sights = self._whole, None, {}
        self.goal_known = self.goal_found
        self.discoveries += 1

    def facts(self) -> tuple[object, ...]:
        """Return everything in this map except its creatures, as plain values for the digest."""
        now = self.tile_edits, self.discoveries
        if self._packed[0] != now:  # Cached: only this part grows with the map.
            self._packed = now, np.packbits(self.explored).tobytes()
        marks = self.turns_here, self.keys, self.growing, *filter(None, [self.remembered])
        return self.name, marks, self.changes, self._packed[1], self.piles(), self.burning()

    def piles(self) -> list[tuple[int, int, list[Item]]]:
        """Return the piles on the ground as (x, y, items), in the order they were started."""
        return [(x, y, pile) for (x, y), pile in self.items.items()]

    def burning(self) -> dict[int, int]:
        """Return the turns that each fire has left, by y * width + x."""
        return {y * self.width + x: turns for (x, y), turns in self.fires.items()}

    def entities_in_view(self) -> list[Entity]:
        """Return the creatures in view, oldest first, without monsters lying in ambush."""
        if self._in_view is None:
            # Cached: asked for several times a turn, but it changes only when a creature moves.
            rows, columns, visible = *self._view, self.visible
            top, bottom, left, right = rows.start, rows.stop, columns.start, columns.stop
            self._in_view = [
                who
                for who in self.entities.values()
                if left <= who.x < right and top <= who.y < bottom and visible[who.y, who.x]
            ]
        return [who for who in self._in_view if who.ai is None or who.ai.state is not HIDDEN]

    def recentre(self, _x: int, _y: int, _new_id: Callable[[], int]) -> tuple[int, int]:
        """Follow the hero to (x, y); return how many tiles right and down the window moved.

        Only an infinite map moves; it takes the ids of new creatures and items from ``new_id``.
        """
        return 0, 0

    def depth_at(self, _x: int, _y: int) -> int:
        """Return the depth that decides which monsters and how much gold belong to (x, y)."""
        return self.code.depth

    def world_place(self, x: int, y: int) -> tuple[int, int]:
        """Return the world coordinates of (x, y), which stay valid when an infinite map moves."""
        return x + self.origin[0], y + self.origin[1]

    def is_way_down(self, x: int, y: int) -> bool:
        """Return True if (x, y) leads down: stairs, or an entrance of an infinite world."""
        return (x, y) == self.exit
