"""Death, and what the walls hide."""

import numpy as np

from engine.events import Died, FoundDoor, TookGold
from engine.growth import learn
from engine.tell import Tell, who
from engine.things.gear import gifted
from engine.world import World
from entities.entity import Entity
from entities.talents import has_talent
from entities.terrain import Tile
from procgen.blueprint import Point

SECRET_DOOR = int(Tile.SECRET_DOOR)
NOTICE = 0.25
"""The chance, each turn spent beside a secret door, to notice it; waiting beside it always does."""
FAR = 3
"""How far off a keen eye notices them."""


def fell(world: World, target: Entity, killer: str, tell: Tell) -> None:
    """Remove ``target`` if it has no hit points left; the hero stays where it lies."""
    if target.alive:
        return
    tell(Died(who(target), killer))
    if target is world.hero:
        world.killed_by = killer
    else:
        world.map.remove_entity(target)
        _leave_behind(world, target, tell)
        world.kills += 1
        world.slain[target.kind] = world.slain.get(target.kind, 0) + 1
        learn(world, target, tell)


def _leave_behind(world: World, creature: Entity, tell: Tell) -> None:
    """Give back what ``creature`` had on it."""
    for item in creature.pack:
        world.map.lay(item, creature.x, creature.y)
    if creature.mind and creature.mind.loot:
        world.gold += creature.mind.loot
        tell(TookGold(who(world.hero), creature.mind.loot))


def search(world: World, tell: Tell, *, waiting: bool) -> None:
    """Let the hero notice the secret doors around it: beside it, or further off if it is keen."""
    hero, game_map = world.hero, world.map
    reach = FAR if gifted(hero, "keen") else 1
    left, top = max(0, hero.x - reach), max(0, hero.y - reach)
    near = game_map.tiles[top : hero.y + reach + 1, left : hero.x + reach + 1]
    if SECRET_DOOR not in near.tobytes():
        return  # Hardly anybody ever stands beside one, and to ask this is quick.
    sure = waiting or reach > 1 or has_talent(hero, "keen")
    for row, column in np.argwhere(near == SECRET_DOOR).tolist():
        if sure or world.stream("search").chance(NOTICE):
            place = Point(left + column, top + row)
            game_map.set_tile(*place, Tile.DOOR)
            tell(FoundDoor(place))
