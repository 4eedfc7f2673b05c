"""Tactics of the careful bot: which foes matter, what a fight costs, where to stand."""

import math
from collections import Counter

import numpy as np

from components import AiState
from engine.monsters.combat_forecast import Danger, combined_danger, fight_cost, forecast
from engine.monsters.initial_monsters import initial_monsters
from engine.pathfinding.known_paths import known_ground, path_to
from engine.pathfinding.threats import enemies_in_view
from engine.state.actions import Action, Climb, Move, PlantFirstSeed
from engine.state.game_state import GameState, NoLevel
from engine.terrain.memories import memory_left
from entities.creature_kinds import IMMOBILE, KEY_CARRIER, creature_kinds, make_creature
from entities.entity import Entity
from procgen.analysis.distances import DIRECTIONS, distances
from procgen.level_code import LevelCode

RETREAT = 7
"""The most steps that the bot falls back to a narrower place."""


def is_alert(creature: Entity) -> bool:
    """Return True if ``creature`` hunts or searches for the hero."""
    return creature.ai is not None and creature.ai.state in (AiState.HUNTING, AiState.SEARCHING)


def threatening_foes(state: GameState) -> list[Entity]:
    """Return the alert monsters in view that a bot has to fight now, nearest first."""
    return [foe for foe in enemies_in_view(state) if is_alert(foe) and _harms(state, foe)]


def _harms(state: GameState, creature: Entity) -> bool:
    if creature_kinds()[creature.kind].behaviour == KEY_CARRIER:
        return True  # It must be killed for its key.
    if combined_danger(state.hero, [creature]) is Danger.HARMLESS:
        return state.hero.distance_to(creature) <= 2
    rooted = creature_kinds()[creature.kind].behaviour in IMMOBILE
    shoots = creature_kinds()[creature.kind].traits.ranged_attack is not None
    return not rooted or shoots or state.hero.distance_to(creature) == 1


def safest_choice(state: GameState) -> int:
    """Return the number of the choice whose monsters would cost the hero the fewest hit points."""
    choices = state.levels.level_choices(state)
    if len(choices) <= 1:
        return 0
    return min(range(len(choices)), key=lambda number: _level_cost(state, choices[number]))


def _level_cost(state: GameState, code: LevelCode) -> float:
    """Return the sum of `fight_cost` over a level's monsters, infinite if it cannot be built."""
    try:
        monsters = initial_monsters(state.levels.offered_level(code))
    except NoLevel:
        return math.inf
    # As from afar: where they will stand is not known yet.
    foes = Counter(monster.kind for monster in monsters).items()
    return sum(n * fight_cost(state.hero, [make_creature(kind, 0, -99, 0)]) for kind, n in foes)


def step_home(state: GameState) -> Action | None:
    """Return the planting of the First Seed; once done, the way up if it is known, or None."""
    if not state.hollow:
        return None if state.levels.hollow_fault(state) else PlantFirstSeed()
    start = state.map.start
    if (state.hero.x, state.hero.y) == start:
        return Climb()
    return step_towards(state, start) if state.map.explored[start.y, start.x] else None


MEMORY_STEPS = 12
"""The most steps that the bot walks to a memory."""


def step_to_memory(state: GameState) -> Action | None:
    """Return the step towards or into the memory of the level, None if it is unseen or too far."""
    hero, place = state.hero, memory_left(state.map)
    path = path_to(state, place) if place else []
    blocked = len(path) > 1 and state.map.is_blocked(*path[0])
    if blocked or not 0 < len(path) <= MEMORY_STEPS:
        return None
    return Move(path[0].x - hero.x, path[0].y - hero.y)


def weakest_adjacent(state: GameState, against: list[Entity]) -> Entity | None:
    """Return the adjacent foe that dies soonest, None without one."""
    near = [foe for foe in against if state.hero.distance_to(foe) == 1]
    return min(near, key=lambda foe: forecast(state.hero, foe).dealt.hits or 99, default=None)


def step_to_narrow_place(state: GameState, against: list[Entity]) -> Action | None:
    """Return the step towards a place nearby where fewer foes can be adjacent at once, or None."""
    hero, game_map = state.hero, state.map
    open_sides = _open_sides(state, hero.x, hero.y)
    if open_sides <= 2 or any(state.hero.distance_to(foe) == 1 for foe in against):
        return None
    steps = distances(known_ground(game_map), hero.x, hero.y)
    nearest = min(state.hero.distance_to(foe) for foe in against)
    places = [
        (_open_sides(state, x, y), int(steps[y, x]), y, x)
        for y, x in np.argwhere((steps > 0) & (steps <= min(RETREAT, nearest))).tolist()
        if steps[y, x] < min(max(abs(foe.x - x), abs(foe.y - y)) for foe in against)
        and not game_map.is_blocked(x, y)
    ]
    sides, _, y, x = min(places, default=(open_sides, 0, 0, 0))
    return step_towards(state, (x, y)) if sides < open_sides - 1 else None


def _open_sides(state: GameState, x: int, y: int) -> int:
    return sum(
        bool(state.map.contains(x + dx, y + dy) and state.map.walkable[y + dy, x + dx])
        for dx, dy in DIRECTIONS
    )


def step_towards(state: GameState, place: tuple[int, int]) -> Action | None:
    """Return the step on the known path to ``place``, None if it is blocked."""
    path = path_to(state, place)
    if not path or state.map.is_blocked(*path[0]):
        return None
    return Move(path[0].x - state.hero.x, path[0].y - state.hero.y)
