"""What the ground does to the hero who steps on it, and what the hero finds there."""

from engine.events import Healed, TookGold, TookKey, Won
from engine.tell import Tell, who
from engine.traps import spring
from engine.world import World
from entities.terrain import Tile

GOLD = (8, 16)
MEANINGFUL = frozenset(
    map(int, (Tile.TRAP, Tile.SHRINE, Tile.TREASURE, Tile.KEY, Tile.RELIC)),
)
"""The tiles that do something."""


def tread(world: World, tell: Tell) -> None:
    """Let the tile under the hero do what it does: hurt, heal or enrich, once."""
    hero, game_map = world.hero, world.map
    tile = int(game_map.tiles[hero.y, hero.x])
    if tile not in MEANINGFUL:
        return
    match tile:
        case Tile.TRAP:
            spring(world, tell)
            return
        case Tile.SHRINE if hero.fighter.hp < hero.fighter.max_hp:
            amount = hero.fighter.max_hp - hero.fighter.hp
            hero.fighter.hp = hero.fighter.max_hp
            tell(Healed(who(hero), "shrine", amount))
        case Tile.TREASURE:
            amount = world.stream("gold").between(*GOLD) * world.depth
            world.gold += amount
            tell(TookGold(who(hero), amount))
        case Tile.KEY:
            game_map.keys += 1
            tell(TookKey(who(hero)))
        case Tile.RELIC:
            world.won = world.turn
            tell(Won(who(hero), world.turn))
        case _:
            return
    game_map.set_tile(hero.x, hero.y, Tile.FLOOR)
