"""What a hero sets out with."""

import numpy as np

from components.inventory import Item
from engine.state.game_map import GameMap
from entities.entity import Entity
from entities.item_kinds import item_class_of, item_kinds
from entities.pack import stow
from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, distances

PLAIN = (Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.GRASS, Tile.SAND, Tile.MOSS, Tile.CARPET)


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


def kit(hero: Entity, number: int) -> int:
    """Give ``hero`` its kit, worn where it can be; return the first identity not taken."""
    for name, kind in item_kinds().items():
        if not kind.kit:
            continue
        item = stow(hero, Item(number, name, kind.kit, known=True))
        number += 1
        slot = item_class_of(name).slot
        if slot and slot not in hero.equipment:
            hero.equipment[slot] = item.id
    return number
