"""Levitation: entering deep water and lava, and sinking when it ends."""

from engine.creatures.health import apply_damage
from engine.state.events import Emit
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from engine.terrain.forced_movement import relocate
from entities.entity import Entity
from entities.terrain import DEEP, TILE_NAMES, Tile

SWIM_DAMAGE = 3
"""Hit points lost when washed ashore."""


def can_enter(game_map: GameMap, creature: Entity, x: int, y: int) -> bool:
    """Return True if ``creature`` can stand at (x, y), ignoring other creatures."""
    height, width = game_map.tiles.shape
    if not (0 <= x < width and 0 <= y < height):  # Not by `contains`: for every step of a monster.
        return False
    floats = "levitating" in creature.statuses
    return game_map.walkable.item(y, x) or (floats and game_map.tiles.item(y, x) in DEEP)


def sink(state: GameState, emit: Emit) -> None:
    """Sink creatures that no longer levitate: lava kills, deep water washes them ashore."""
    game_map = state.map
    if not any(map(game_map.has_tile, DEEP)):
        return
    tiles = game_map.tiles.data  # For single tiles twice as fast as the array.
    for creature in list(game_map.entities.values()):
        tile = tiles[creature.y, creature.x]
        if tile not in DEEP or "levitating" in creature.statuses or not creature.alive:
            continue
        shore = game_map.nearest_ground(creature.x, creature.y, free=True)
        if tile == Tile.LAVA or shore == (creature.x, creature.y):  # Or no ground is free.
            apply_damage(state, creature, creature.fighter.hp, TILE_NAMES[tile], emit)
            continue
        relocate(state, creature, *shore, "washed", emit)
        apply_damage(state, creature, SWIM_DAMAGE, "water", emit)
        if state.map is not game_map:
            return  # The hero fell through a trapdoor on the shore.
