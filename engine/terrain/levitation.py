"""Where only those who float can be, and what becomes of them when they no longer do."""

import numpy as np

from engine.creatures.health import harm
from engine.state.events import Tell
from engine.state.game_map import GameMap
from engine.state.game_state import World
from engine.terrain.forced_movement import put
from entities.entity import Entity
from entities.statuses import has
from entities.terrain import Tile
from procgen.blueprint import Point

DEEP = (Tile.WATER, Tile.LAVA)
SWIM = 3
"""What it costs to be washed ashore."""


def bears(game_map: GameMap, creature: Entity, x: int, y: int) -> bool:
    """Whether the ground at (x, y) lets ``creature`` step there, nobody being in the way."""
    if not game_map.contains(x, y):
        return False
    if game_map.walkable[y, x]:
        return True
    return has(creature, "levitating") and game_map.tiles[y, x] in DEEP


def sink(world: World, tell: Tell) -> None:
    """Let go under who no longer floats: lava is the end, water costs the way ashore."""
    walkable = world.map.walkable
    for creature in list(world.map.entities.values()):
        if walkable[creature.y, creature.x]:
            continue
        tile = world.map.tiles[creature.y, creature.x]
        if tile not in DEEP or has(creature, "levitating") or not creature.alive:
            continue
        shore = _shore(world.map, creature)
        if tile == Tile.LAVA or shore is None:
            harm(world, creature, creature.fighter.hp, "lava", tell)
            continue
        put(world, creature, *shore, "washed", tell)
        harm(world, creature, SWIM, "water", tell)


def _shore(game_map: GameMap, creature: Entity) -> Point | None:
    """Return the free ground nearest to ``creature`` as the crow flies."""
    ys, xs = game_map.walkable.nonzero()
    far = np.maximum(abs(ys - creature.y), abs(xs - creature.x))
    for index in far.argsort(kind="stable").tolist():
        place = Point(int(xs[index]), int(ys[index]))
        if not game_map.is_blocked(*place):
            return place
    return None
