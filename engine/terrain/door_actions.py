"""Secret and locked doors, ledges, keys; an ordinary door is walkable ground that blocks sight."""

import numpy as np

from engine.state.action_registry import handles
from engine.state.actions import Done, Outcome, Refused, Unlock
from engine.state.events import Emit, FoundDoor, Unlocked, creature_ref
from engine.state.game_state import GameState
from entities.entity import Entity
from entities.equipment import worn_abilities
from entities.talents import has_talent
from entities.terrain import Tile
from procgen.blueprint import Point, window_around

SECRET_DOOR = int(Tile.SECRET_DOOR)
NOTICE_DOOR_CHANCE = 0.25
"""The chance per turn to notice an adjacent secret door; waiting beside it always finds it."""
KEEN_REACH = 3
"""The distance at which an item of keen sight finds secret doors, in tiles."""


def notice_secret_doors(state: GameState, emit: Emit, *, waiting: bool) -> None:
    """Search around the hero for secret doors: adjacent ones, or further with keen sight."""
    hero, game_map = state.hero, state.map
    if state.end or not game_map.has_tile(SECRET_DOOR):
        return
    for reach in (KEEN_REACH, 1):
        window, left, top = window_around(hero.x, hero.y, reach)
        near = game_map.tiles[window]
        if SECRET_DOOR not in near.tobytes():
            return  # The usual case: this test is ten times as fast as `np.argwhere`.
        if "keen" in worn_abilities(hero):
            break
    sure = waiting or reach > 1 or has_talent(hero, "keen")
    for row, column in np.argwhere(near == SECRET_DOOR).tolist():
        if sure or state.stream("search").chance(NOTICE_DOOR_CHANCE):
            place = Point(left + column, top + row)
            game_map.set_tile(*place, Tile.DOOR)
            emit(FoundDoor(place))


def is_locked_door(state: GameState, x: int, y: int) -> bool:
    """Return True if a locked door stands at (x, y)."""
    return state.map.contains(x, y) and bool(state.map.tiles[y, x] == Tile.LOCKED_DOOR)


def landing_below(state: GameState, actor: Entity, dx: int, dy: int) -> Point | None:
    """Return where the hero lands after a jump from a brink over the ledge at (dx, dy), or None."""
    (x, y), tiles = (actor.x, actor.y), state.map.tiles
    if actor is not state.hero or tiles[y, x] != Tile.BRINK or tiles[y + dy, x + dx] != Tile.LEDGE:
        return None
    place = Point(x + 2 * dx, y + 2 * dy)
    return None if (dx and dy) or state.map.is_blocked(*place) else place


@handles(Unlock)
def unlock(state: GameState, actor: Entity, action: Unlock, emit: Emit) -> Outcome:
    """Open the locked door on a neighbouring tile, if the hero has a key."""
    x, y = actor.x + action.dx, actor.y + action.dy
    if actor is not state.hero or not is_locked_door(state, x, y):
        return Refused("nothing to unlock")
    if not state.map.keys:
        return Refused("locked")
    state.map.keys -= 1
    state.map.set_tile(x, y, Tile.DOOR)
    emit(Unlocked(creature_ref(actor), Point(x, y)))
    return Done()
