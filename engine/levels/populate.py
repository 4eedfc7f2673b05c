"""Populate a new level: monsters, items and the goal; and the hero's starting kit."""

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from engine.infinite.infinite_map import InfiniteMap
from engine.items.loot import boss_treasure, initial_loot, make_item
from engine.monsters.initial_monsters import SMOOTH, guard_places, initial_monsters
from engine.state.game_map import GameMap, is_hidden
from engine.state.run_setup import LAST_DEPTH, EarlierRun, Mode, RunSetup
from engine.terrain.fire import ignite
from entities.creature_kinds import KEY_CARRIER, Hiding, creature_kinds
from entities.entity import Entity
from entities.item_kinds import item_kinds
from entities.pack import give_new
from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Point
from procgen.level import Level


def populated_map(level: Level, setup: RunSetup, new_id: Callable[[], int]) -> GameMap:
    """Return the map of a new level with its monsters and items, without the hero.

    ``new_id`` returns a new id at each call.
    """
    if level.code.place:
        infinite = InfiniteMap(level)
        infinite.recentre(*infinite.start, new_id)
        return infinite
    game_map = GameMap(level)
    for monster in initial_monsters(level):
        creature = monster.to_entity(new_id(), level.code.depth)
        game_map.add_entity(creature)
        if creature_kinds()[creature.kind].behaviour == KEY_CARRIER:
            game_map.set_tile(creature.x, creature.y, Tile.FLOOR)  # It carries the key from here.
        if creature_kinds()[creature.kind].traits.hides is Hiding.TREASURE and is_hidden(creature):
            game_map.set_tile(creature.x, creature.y, Tile.TREASURE)  # If there was none in reach.
    for y, x in np.argwhere(level.tiles == Tile.EMBERS).tolist():
        ignite(game_map, Point(x, y))
    for item in initial_loot(level):
        game_map.add_item(make_item(item, new_id()), item.x, item.y)
    for creature in game_map.entities.values():
        boss = creature_kinds()[creature.kind].lair
        if boss and (treasure := boss_treasure(level, creature.kind)):
            creature.inventory.append(make_item(treasure, new_id()))
    if level.code.depth == LAST_DEPTH and setup.mode is Mode.ADVENTURE:
        if game_map.goal is None:  # A level from a file may have it already.
            _place_goal(game_map)
        assert game_map.goal
        for creature in list(game_map.entities.values()):
            if creature_kinds()[creature.kind].lair:  # Elsewhere bosses stand near the exit.
                free = game_map.walkable & ~game_map.occupied
                place, *_ = guard_places(game_map.tiles, free, game_map.goal)
                game_map.move_entity(creature, *place)
    if setup.ghost and setup.ghost.level == str(level.code):
        _dig_grave(game_map, setup.ghost, new_id)
    return game_map


def _dig_grave(game_map: GameMap, dead: EarlierRun, new_id: Callable[[], int]) -> None:
    """Place the bones and an item of an earlier hero where it died, if the tile is walkable."""
    if not game_map.contains(dead.x, dead.y) or not game_map.walkable[dead.y, dead.x]:
        return
    if game_map.tiles[dead.y, dead.x] in SMOOTH:
        game_map.set_tile(dead.x, dead.y, Tile.BONES)
    if dead.item:
        game_map.add_item(replace(dead.item, id=new_id(), letter=""), dead.x, dead.y)


def _place_goal(game_map: GameMap) -> None:
    """Put the goal on the plain tile furthest from both stairs; if there is none, on the exit."""
    ground = game_map.walkable
    steps = np.minimum(distances(ground, *game_map.start), distances(ground, *game_map.exit))
    steps[steps == UNREACHED] = 0
    plain = np.isin(game_map.tiles, SMOOTH) & ~game_map.occupied
    # Without a reachable plain tile, take the furthest reachable tile of any kind.
    choice = steps * plain if steps[plain].any() else steps
    y, x = divmod(int(choice.argmax()), game_map.width)
    game_map.set_tile(*((x, y) if choice.any() else game_map.exit), Tile.RELIC)


def give_starting_kit(hero: Entity, new_id: Callable[[], int]) -> None:
    """Give ``hero`` its starting kit; the first item that fits a slot is worn there."""
    for name, kind in item_kinds().items():
        if kind.kit:
            give_new(hero, name, kind.kit, new_id())
