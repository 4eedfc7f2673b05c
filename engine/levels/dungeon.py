"""Under a world without an edge: every way down leads into a dungeon of its own."""

from dataclasses import replace

from engine.infinite.infinite_map import EndlessMap
from engine.levels.level_choice import code_at, dungeon_at
from engine.levels.level_memory import unfold
from engine.state.game_state import World
from procgen.blueprint import Point
from procgen.level_code import LevelCode


def surface(world: World) -> int | None:
    """Return the depth at which an endless world lies above this level, if one does."""
    higher = [depth for depth in world.remembered if depth < world.depth]
    return max((d for d in higher if unfold(world.remembered[d]).atlas), default=None)


def code_under(world: World, depth: int) -> LevelCode:
    """Return the code of the level at ``depth``, as it is remembered or as it must be."""
    if isinstance(world.map, EndlessMap):
        return open_door(world, world.map)
    if found := world.remembered_code(depth):
        return found
    if surface(world) is not None:
        return replace(world.code, depth=depth)
    return code_at(world.setup, depth)


def above(world: World) -> int:
    """Return the depth that stairs up lead to: under a world without an edge, it may be far."""
    if surface(world) is None:
        return world.depth - 1
    return max(depth for depth in world.remembered if depth < world.depth)


def open_door(world: World, game_map: EndlessMap) -> LevelCode:
    """Remember the levels under where the hero stands; return the code of the first."""
    hero, (left, top) = world.hero, game_map.origin
    place = hero.x + left, hero.y + top
    game_map.exit = Point(hero.x, hero.y)
    world.remembered.update(game_map.below.pop(place, {}))
    code = dungeon_at(world.setup, world.code, *place)
    return world.remembered_code(code.depth) or code


def close_door(world: World) -> None:
    """Back in the open, lay the levels one has come from under the way down to them."""
    game_map = world.map
    if isinstance(game_map, EndlessMap) and world.remembered:
        place = game_map.exit.x + game_map.origin[0], game_map.exit.y + game_map.origin[1]
        game_map.below[place] = dict(world.remembered)
        world.remembered.clear()
