"""What the ground does to the hero, and what the hero finds in it."""

from collections.abc import Callable

from engine.events import Died, Event, FoundDoor, Healed, Hurt, TookGold, Won
from engine.growth import learn
from engine.tell import who
from engine.world import World
from entities.entity import Entity
from entities.terrain import Tile
from procgen.analysis import DIRECTIONS
from procgen.blueprint import Point

Tell = Callable[[Event], None]

SECRET_DOOR = int(Tile.SECRET_DOOR)
TRAP_DAMAGE = (2, 5)
GOLD = (8, 16)
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


def tread(world: World, tell: Tell) -> None:
    """Let the tile under the hero do what it does: hurt, heal or enrich, once."""
    hero, game_map = world.hero, world.map
    match game_map.tiles[hero.y, hero.x]:
        case Tile.TRAP:
            damage = min(hero.fighter.hp, world.stream("traps").between(*TRAP_DAMAGE))
            hero.fighter.hp -= damage
            tell(Hurt(who(hero), "trap", damage))
            game_map.set_tile(hero.x, hero.y, Tile.RUBBLE)
            fell(world, hero, "trap", tell)
        case Tile.SHRINE if hero.fighter.hp < hero.fighter.max_hp:
            amount = hero.fighter.max_hp - hero.fighter.hp
            hero.fighter.hp = hero.fighter.max_hp
            tell(Healed(who(hero), "shrine", amount))
            game_map.set_tile(hero.x, hero.y, Tile.FLOOR)
        case Tile.TREASURE:
            amount = world.stream("gold").between(*GOLD) * world.depth
            world.gold += amount
            tell(TookGold(who(hero), amount))
            game_map.set_tile(hero.x, hero.y, Tile.FLOOR)
        case Tile.RELIC:
            world.won = world.turn
            tell(Won(who(hero), world.turn))
            game_map.set_tile(hero.x, hero.y, Tile.FLOOR)


def search(world: World, tell: Tell, *, waiting: bool) -> None:
    """Let the hero notice the secret doors beside it."""
    hero, game_map = world.hero, world.map
    rows, columns = slice(max(0, hero.y - 1), hero.y + 2), slice(max(0, hero.x - 1), hero.x + 2)
    if not (game_map.tiles[rows, columns] == SECRET_DOOR).any():
        return
    for dx, dy in DIRECTIONS:
        x, y = hero.x + dx, hero.y + dy
        if game_map.contains(x, y) and game_map.tiles[y, x] == SECRET_DOOR:  # noqa: SIM102
            if waiting or world.stream("search").chance(NOTICE):
                game_map.set_tile(x, y, Tile.DOOR)
                tell(FoundDoor(Point(x, y)))
