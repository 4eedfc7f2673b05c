"""An endless world in play: a map like any other, that goes with the hero."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.endless.atlas import Left, chunk_bits, unfold_chunk
from engine.endless.moving import burn_down, leave, slide
from engine.endless.outlook import Outlook
from engine.endless.plots import Key, Plot
from engine.endless.surveyor import surveyor
from engine.game_map import DARK, GameMap
from engine.goal import harden
from engine.records.packed import CHECK
from engine.things.stock import make_item
from entities.entity import Entity
from entities.lights import LIT
from entities.terrain import Tile, terrain
from procgen.blueprint import Point
from procgen.build import Level
from procgen.endless.chunk import SIDE, chunk_of
from procgen.endless.realms import realms
from procgen.endless.window import corner_of, ground_near

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


class EndlessMap(GameMap):
    """A window of `SPAN` by `SPAN` tiles on a world without an edge.

    Its arrays and places are those of the window; ``corner`` is the chunk in the upper left of
    it. It moves by whole chunks, and only in `follow`. Where no chunk is open there is rock.
    """

    endless = True

    def __init__(self, level: Level) -> None:
        super().__init__(level)
        x, y = _ground(level)
        column, row = chunk_of(x, y)
        self.stand_at((column - RADIUS, row - RADIUS))
        self.light, self.glow = LIT if self.light == DARK else self.light, None
        self.opened: dict[Chunk, None] = {}
        self.plots: dict[Chunk, Plot] = {}
        self.left: dict[Chunk, bytes] = {}
        self.below: dict[tuple[int, int], dict[int, bytes]] = {}
        self.tiles = np.zeros((SPAN, SPAN), np.uint8)
        self.walkable = np.zeros((SPAN, SPAN), bool)
        self.transparent = np.zeros((SPAN, SPAN), bool)
        self.seen = np.zeros((SPAN, SPAN), bool)
        self.explored = np.zeros((SPAN, SPAN), bool)
        self.start = Point(x - self.origin[0], y - self.origin[1])
        self.exit = NOWHERE
        self._outlook = Outlook()

    def stand_at(self, corner: Chunk) -> None:
        """Have the chunk ``corner`` in the upper left."""
        self.corner, self.origin = corner, (corner[0] * SIDE, corner[1] * SIDE)

    def is_way_down(self, x: int, y: int) -> bool:
        """Whether a dungeon can be entered at (x, y)."""
        return bool(self.tiles[y, x] == Tile.ENTRANCE)

    def follow(self, x: int, y: int, number: Number) -> Chunk:
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
            harden(creature, found.depth)
            self._put(creature)
        for thing in found.things:
            self.lay(make_item(thing, number()), thing.x + left, thing.y + top)

    def _unfold(self, chunk: Left, left: int, top: int) -> None:
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
        return ground_near(realms()[code.recipe], code.seed, *code.place)
    left, top = corner_of(code)
    return left + start.x, top + start.y
