"""Locked doors and the keys that open them; a key fits any lock of its level, once."""

from engine.actions import Done, Outcome, Refused, Unlock
from engine.events import Unlocked
from engine.ruling import rule
from engine.tell import Tell, who
from engine.world import World
from entities.entity import Entity
from entities.terrain import Tile
from procgen.blueprint import Point


def locked(world: World, x: int, y: int) -> bool:
    """Whether a locked door stands at (x, y)."""
    return world.map.contains(x, y) and bool(world.map.tiles[y, x] == Tile.LOCKED_DOOR)


@rule(Unlock)
def unlock(world: World, actor: Entity, action: Unlock, tell: Tell) -> Outcome:
    """Open the locked door on a neighbouring tile, if there is a key for it."""
    x, y = actor.x + action.dx, actor.y + action.dy
    if actor is not world.hero or not locked(world, x, y):
        return Refused("nothing to unlock")
    if not world.map.keys:
        return Refused("locked")
    world.map.keys -= 1
    world.map.set_tile(x, y, Tile.DOOR)
    tell(Unlocked(who(actor), Point(x, y)))
    return Done()
