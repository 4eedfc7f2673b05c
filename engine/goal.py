"""What the run is for: what lies on the last depth, and what lies below it."""

import numpy as np

from engine.game_map import GameMap
from entities.entity import Entity
from entities.terrain import Tile
from procgen.analysis import UNREACHED, distances

LAST_DEPTH = 12
"""Where the goal lies; below, the way down has no end."""
PLAIN = (Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.GRASS, Tile.SAND, Tile.MOSS, Tile.CARPET)
HARDER = 10
"""Percent more hit points with every depth below the last; every other one adds to power."""


def set_goal(game_map: GameMap) -> None:
    """Lay the relic on a level nobody has been to, as far as can be from both stairs."""
    ground = game_map.walkable
    apart = np.minimum(distances(ground, *game_map.start), distances(ground, *game_map.exit))
    apart[apart == UNREACHED] = 0
    plain = np.isin(game_map.tiles, PLAIN)
    for entity in game_map.entities.values():
        plain[entity.y, entity.x] = False
    y, x = divmod(int(np.where(plain, apart + 1, apart > 0).argmax()), game_map.width)
    game_map.set_tile(x, y, Tile.RELIC)


def harden(creature: Entity, depth: int) -> None:
    """Make ``creature`` worthy of a ``depth`` below the last one."""
    below = depth - LAST_DEPTH
    if below <= 0:
        return
    fighter = creature.fighter
    fighter.max_hp = fighter.hp = min(100_000, fighter.max_hp * (100 + HARDER * below) // 100)
    fighter.power = min(100_000, fighter.power + (below + 1) // 2)
