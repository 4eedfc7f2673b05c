"""Under a world without an edge: every way down leads into a dungeon of its own."""

from dataclasses import replace

from engine.infinite.infinite_map import InfiniteMap
from engine.levels.level_choice import code_at, dungeon_at
from engine.levels.level_memory import unpack_level
from engine.state.game_state import GameState
from procgen.blueprint import Point
from procgen.level_code import LevelCode


def surface(state: GameState) -> int | None:
    """Return the depth at which an endless world lies above this level, if one does."""
    higher = [depth for depth in state.remembered if depth < state.depth]
    return max((d for d in higher if unpack_level(state.remembered[d]).atlas), default=None)


def code_under(state: GameState, depth: int) -> LevelCode:
    """Return the code of the level at ``depth``, as it is remembered or as it must be."""
    if isinstance(state.map, InfiniteMap):
        return open_door(state, state.map)
    if found := state.remembered_code(depth):
        return found
    if surface(state) is not None:
        return replace(state.code, depth=depth)
    return code_at(state.setup, depth)


def above(state: GameState) -> int:
    """Return the depth that stairs up lead to: under a world without an edge, it may be far."""
    if surface(state) is None:
        return state.depth - 1
    return max(depth for depth in state.remembered if depth < state.depth)


def open_door(state: GameState, game_map: InfiniteMap) -> LevelCode:
    """Remember the levels under where the hero stands; return the code of the first."""
    hero, (left, top) = state.hero, game_map.origin
    place = hero.x + left, hero.y + top
    game_map.exit = Point(hero.x, hero.y)
    state.remembered.update(game_map.below.pop(place, {}))
    code = dungeon_at(state.setup, state.code, *place)
    return state.remembered_code(code.depth) or code


def close_door(state: GameState) -> None:
    """Back in the open, lay the levels one has come from under the way down to them."""
    game_map = state.map
    if isinstance(game_map, InfiniteMap) and state.remembered:
        place = game_map.exit.x + game_map.origin[0], game_map.exit.y + game_map.origin[1]
        game_map.below[place] = dict(state.remembered)
        state.remembered.clear()
