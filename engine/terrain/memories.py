"""Memories of how a level was made: on some levels a shelf or a statue holds one.

A memory marks a part of the level on the map: its walls; then also what its rooms are for, and the
stairs; then also doors, keys, traps and locks. The floor stays to be explored.
"""

import numpy as np

from engine.state.events import Emit, FoundDoor, Remembered
from engine.state.game_map import GameMap
from entities.terrain import LOCK_TILES, OPENERS, Tile
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Point, mask_at
from procgen.position_hash import position_word

WALLS, ROOMS, LOCKS = 1, 2, 3
"""The reach of a memory; each includes those before it."""
ROOM_TILES = (Tile.SHELF, Tile.STATUE, Tile.PILLAR, Tile.SHRINE, Tile.TREASURE)
LATER_TILES = (Tile.DOOR, Tile.TRAP, *LOCK_TILES, *OPENERS)


def memory_left(game_map: GameMap) -> Point | None:
    """Return the place of the memory if it has not been recalled yet, else None."""
    place = None if game_map.remembered else game_map.memory_at
    held = place and game_map.tiles[place.y, place.x] in (Tile.SHELF, Tile.STATUE)
    return place if held else None


def recall(game_map: GameMap, emit: Emit) -> None:
    """Mark the part of the level that its memory reveals as explored, and use the memory up."""
    assert game_map.memory_at
    reach = WALLS + position_word(game_map.code.seed, "reach", *game_map.memory_at) % LOCKS
    game_map.remembered = reach
    tiles = game_map.tiles
    near = with_neighbours(game_map.walkable)
    later = np.isin(tiles, ROOM_TILES) | np.isin(tiles, LATER_TILES)
    revealed = near & ~game_map.walkable & ~later
    if reach >= ROOMS:
        revealed |= near & np.isin(tiles, ROOM_TILES)
        revealed |= mask_at((game_map.start, game_map.exit), revealed.shape)
    if reach >= LOCKS:
        for y, x in np.argwhere(tiles == Tile.SECRET_DOOR).tolist():
            game_map.set_tile(x, y, Tile.DOOR)
            emit(FoundDoor(Point(x, y)))
        revealed |= np.isin(tiles, LATER_TILES)
    game_map.discover(revealed)
    emit(Remembered(reach))
