"""Auto-explore, travel, rest and run: many steps for one key.

A journey looks at the state and yields one ordinary action after another, so that a run file holds
plain actions; it returns why it stopped. It never goes on once something dangerous has come up.
"""

from collections.abc import Callable, Generator
from enum import StrEnum
from functools import partial

import numpy as np

from engine.creatures.health import can_regenerate
from engine.pathfinding.known_paths import next_to_explore, path_to, pickup_targets, wants_item_at
from engine.state.actions import Action, Move, PickUp, Wait
from engine.state.events import Event, Hurt, ShotFired, Stirred, Struck
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from engine.terrain.door_actions import is_locked_door
from entities.entity import Entity
from procgen.blueprint import Point


class Stop(StrEnum):
    """Why a journey ended."""

    ARRIVED = "arrived"
    ENEMY = "enemy in view"
    HURT = "hurt"
    EXPLORED = "explored"
    NO_WAY = "no way"
    HEALED = "healed"
    UNHEALING = "nothing heals"
    BLOCKED = "blocked"
    JUNCTION = "junction"
    UNREST = "unrest"


FRUITLESS_WALKS = 100
"""Walks in a row without a new tile after which exploring ends."""

Journey = Generator[Action, list[Event], Stop]
"""Yields actions, receives the events of each, returns why it stopped."""


def enemies_in_view(state: GameState) -> list[Entity]:
    """Return the monsters the hero sees, nearest first."""
    hero = state.hero
    seen = [creature for creature in state.map.entities_in_view() if creature is not hero]
    return sorted(seen, key=lambda e: (max(abs(e.x - hero.x), abs(e.y - hero.y)), e.id))


def _danger(state: GameState, events: list[Event]) -> Stop | None:
    hero = state.hero.id
    if any(isinstance(event, Struck | ShotFired) and event.target.id == hero for event in events):
        return Stop.HURT
    if any(isinstance(event, Hurt) and event.who.id == hero for event in events):
        return Stop.HURT
    if any(isinstance(event, Stirred) for event in events):
        return Stop.UNREST
    return Stop.ENEMY if enemies_in_view(state) else None


def _follow(
    state: GameState, path: list[Point], done: Callable[[], bool] = lambda: False
) -> Generator[Action, list[Event], Stop]:
    """Walk along ``path`` until its end, danger, an obstacle, or ``done``."""
    game_map, origin = state.map, state.map.origin
    for step in path:
        point = translated(game_map, step, origin)
        if tuple(point) in game_map.fires:
            return Stop.BLOCKED
        if game_map.is_blocked(*point) and not (game_map.keys and is_locked_door(state, *point)):
            return Stop.BLOCKED
        events = yield Move(point.x - state.hero.x, point.y - state.hero.y)
        if state.map is not game_map or not state.hero.alive:
            return Stop.ARRIVED
        if danger := _danger(state, events):
            return danger
        if done() or (state.hero.x, state.hero.y) != translated(game_map, step, origin):
            break
    return Stop.ARRIVED


def travel(state: GameState, goal: tuple[int, int]) -> Journey:
    """Walk the known way to ``goal``."""
    if danger := _danger(state, []):
        return danger
    path = path_to(state, goal)
    if not path:
        here = (state.hero.x, state.hero.y) == goal
        return Stop.ARRIVED if here else Stop.NO_WAY
    return (yield from _follow(state, path))


def explore(state: GameState, *, avoid_exit: bool = False) -> Journey:
    """Walk to the nearest frontier or item, again and again, until none is left.

    ``avoid_exit`` keeps off the exit tile, where touching it would end the level. It always ends:
    every round yields an action or returns, and `FRUITLESS_WALKS` without a new tile stop it.
    """
    game_map, known, vain = state.map, -1, 0
    while True:
        vain = vain + 1 if known == (known := int(np.count_nonzero(game_map.explored))) else 0
        if vain > FRUITLESS_WALKS:
            return Stop.EXPLORED
        if danger := _danger(state, []):
            return danger
        if wants_item_at(state, state.hero.x, state.hero.y):
            yield PickUp()
            continue
        goal = next_to_explore(state, avoid_exit=avoid_exit)
        path = path_to(state, goal) if goal else []
        if goal is None or not path:
            return Stop.EXPLORED
        done = partial(_nothing_left, state, goal, game_map.origin)
        end = yield from _follow(state, path, done)
        if end is not Stop.ARRIVED or state.map is not game_map or not state.hero.alive:
            return end


def _nothing_left(state: GameState, goal: Point, origin: tuple[int, int]) -> bool:
    """Whether nothing is left to see around ``goal``, nor to pick up there."""
    game_map = state.map
    x, y = translated(game_map, goal, origin)
    if not game_map.contains(x, y):
        return True
    around = np.s_[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
    here = np.s_[y : y + 1, x : x + 1]
    return bool(game_map.explored[around].all()) and not pickup_targets(state, here).any()


def translated(game_map: GameMap, place: Point, origin: tuple[int, int]) -> Point:
    """Return ``place``, given when the map had this ``origin``, in today's coordinates.

    The infinite map recentres on the hero, which shifts all coordinates in the middle of a walk.
    """
    left, top = game_map.origin
    return Point(place.x + origin[0] - left, place.y + origin[1] - top)


def attack_nearest(state: GameState) -> Action | None:
    """Return the attack on the nearest monster in view or the step towards it; None without any."""
    enemies = enemies_in_view(state)
    if not enemies:
        return None
    path = path_to(state, (enemies[0].x, enemies[0].y))
    if not path:
        return None
    return Move(path[0].x - state.hero.x, path[0].y - state.hero.y)


def rest(state: GameState) -> Journey:
    """Wait until healed or disturbed."""
    fighter = state.hero.fighter
    events: list[Event] = []
    while True:
        if danger := _danger(state, events):
            return danger
        if fighter.hp >= fighter.max_hp:
            return Stop.HEALED
        if not can_regenerate(state.hero):
            return Stop.UNHEALING
        events = yield Wait()


def run(state: GameState, dx: int, dy: int) -> Journey:
    """Keep stepping the same way until the corridor changes shape or something comes up."""
    game_map = state.map
    shape = None
    while True:
        x, y = state.hero.x + dx, state.hero.y + dy
        if game_map.is_blocked(x, y):
            return Stop.BLOCKED
        events = yield Move(dx, dy)
        if state.map is not game_map or not state.hero.alive:
            return Stop.ARRIVED
        if danger := _danger(state, events):
            return danger
        # Along a row or column: the tiles on both sides, and those beside the next step.
        sides = tuple(
            bool(game_map.walkable[state.hero.y + sy, state.hero.x + sx])
            for sx, sy in ((dy, dx), (-dy, -dx), (dx + dy, dy + dx), (dx - dy, dy - dx))
            if game_map.contains(state.hero.x + sx, state.hero.y + sy)
        )
        if shape is not None and sides != shape:
            return Stop.JUNCTION
        shape = sides
        if (state.hero.x, state.hero.y) == state.map.exit:
            return Stop.ARRIVED
