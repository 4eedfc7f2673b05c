"""Death, and what the walls hide."""

from collections.abc import Callable

from engine.events import Died, Event, FoundDoor, TookGold
from engine.growth import has_talent, learn
from engine.tell import who
from engine.world import World
from entities.entity import Entity
from entities.terrain import Tile
from procgen.analysis import DIRECTIONS
from procgen.blueprint import Point

Tell = Callable[[Event], None]

SECRET_DOOR = int(Tile.SECRET_DOOR)
NOTICE = 0.25
"""The chance, each turn spent beside a secret door, to notice it; waiting beside it always does."""


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
        learn(world, target, tell)


def _leave_behind(world: World, creature: Entity, tell: Tell) -> None:
    """Give back what ``creature`` had on it."""
    for item in creature.pack:
        world.map.lay(item, creature.x, creature.y)
    if creature.mind and creature.mind.loot:
        world.gold += creature.mind.loot
        tell(TookGold(who(world.hero), creature.mind.loot))


def search(world: World, tell: Tell, *, waiting: bool) -> None:
    """Let the hero notice the secret doors beside it."""
    hero, game_map = world.hero, world.map
    rows, columns = slice(max(0, hero.y - 1), hero.y + 2), slice(max(0, hero.x - 1), hero.x + 2)
    if not (game_map.tiles[rows, columns] == SECRET_DOOR).any():
        return
    sure = waiting or has_talent(hero, "keen")
    for dx, dy in DIRECTIONS:
        x, y = hero.x + dx, hero.y + dy
        if game_map.contains(x, y) and game_map.tiles[y, x] == SECRET_DOOR:  # noqa: SIM102
            if sure or world.stream("search").chance(NOTICE):
                game_map.set_tile(x, y, Tile.DOOR)
                tell(FoundDoor(Point(x, y)))
