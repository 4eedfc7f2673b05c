"""Wandering monsters: hunters come by the stairs once the hero has stayed too long on a level.

A level is quiet for about as long as it takes to explore it and rest a little. After that hunters
come, more and more often. They give no experience, and the turns spent on a level add up over all
visits, so waiting never pays.
"""

from enum import StrEnum

from components import AiState
from engine.monsters.monster_actions import MOST_MONSTERS, spawn_hunter
from engine.state.events import Emit, HunterArrived, LevelAlerted, creature_ref
from engine.state.game_state import GameState
from engine.state.run_setup import LAST_DEPTH, Mode
from entities.creature_kinds import IMMOBILE, Hiding, creature_kinds, spawn_weights
from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Point


class LevelAlert(StrEnum):
    """The alert of a level, by the turns the hero has spent on it."""

    QUIET = "quiet"
    STIRRING = "stirring"
    HUNTED = "hunted"
    BESIEGED = "besieged"


STAGES = tuple(LevelAlert)
BASE_QUIET_TURNS = 400
"""Turns for which a level is quiet; every 3 walkable tiles add one (see `quiet_turns`)."""
STAGE_TURNS = 300
"""Turns for which each alert after the quiet one lasts."""
TURNS_BETWEEN_HUNTERS = (0, 150, 80, 40)
"""Average turns between two hunters, by alert."""
WAKING_DEPTHS = 4
"""On the way home, so many levels are quiet for less and less time, and those above never."""
MOST_HUNTERS = 6
"""The most hunters that pursue the hero at the same time."""
ENTRANCE_DISTANCE = 8
"""Hunters use no stairs that are nearer to the hero than this, in tiles."""
HUNTER_MEMORY = 400
"""Turns for which a new hunter tracks the hero without seeing it."""


def quiet_turns(state: GameState) -> int:
    """Return the turns until the level stirs; fewer below the last depth and on the way home."""
    turns = BASE_QUIET_TURNS + state.map.initial_walkable_count // 3
    below = state.depth - LAST_DEPTH
    if state.hollow and below < 0:  # Its own monsters are no match for this hero.
        return max(1, turns * (WAKING_DEPTHS + below) // WAKING_DEPTHS)
    return turns if below <= 0 else max(BASE_QUIET_TURNS // 2, turns * 20 // (20 + below))


def level_alert(state: GameState) -> LevelAlert:
    """Return the present alert of the level; the Workshop is always quiet."""
    return STAGES[_stage(state)]


def turns_until_next_alert(state: GameState) -> int | None:
    """Return the turns until the next alert; None if there is none."""
    stage = _stage(state)
    if state.map.is_infinite or state.setup.mode is Mode.WORKSHOP or stage == len(STAGES) - 1:
        return None
    return quiet_turns(state) + stage * STAGE_TURNS - state.map.turns_here


def _stage(state: GameState, ago: int = 0) -> int:
    if state.map.turns_here < BASE_QUIET_TURNS // 2 and not state.hollow:
        return 0  # A quick test: on the way down, every level is quiet for at least this long.
    over = state.map.turns_here - ago - quiet_turns(state)
    if over < 0 or state.map.is_infinite or state.setup.mode is Mode.WORKSHOP:
        return 0
    return min(1 + over // STAGE_TURNS, len(STAGES) - 1)


def send_wanderers(state: GameState, emit: Emit) -> None:
    """Tell of a new stage of the alert, and send a hunter by chance."""
    stage = _stage(state)
    if not stage:
        return
    if stage != _stage(state, ago=1):
        emit(LevelAlerted(STAGES[stage].value))
    if state.stream("unrest").chance(1 / TURNS_BETWEEN_HUNTERS[stage]):
        _send(state, stage, emit)


def _send(state: GameState, stage: int, emit: Emit) -> None:
    """Send a hunter by the stairs, unless `MOST_HUNTERS` already pursue the hero."""
    pressing = hunters_in_reach(state) if len(state.map.entities) <= MOST_MONSTERS else MOST_HUNTERS
    stairs = _entrance(state)
    place = stairs and state.map.nearest_free(*stairs, fixtures=False)
    depth = max(state.depth, LAST_DEPTH) if state.hollow else state.depth
    weights, kinds = spawn_weights(depth + stage - 1), creature_kinds()
    movers = (kind for kind in weights if kinds[kind].behaviour not in IMMOBILE)
    weights = {it: weights[it] for it in movers if kinds[it].traits.hides is Hiding.NOWHERE}
    if pressing >= MOST_HUNTERS or place is None or not weights:
        return
    creature = spawn_hunter(state, state.stream("unrest").weighted(weights), *place)
    if creature.ai:
        creature.ai.state_turns_left = HUNTER_MEMORY
    emit(HunterArrived(creature_ref(creature), stairs == state.map.start))


def hunters_in_reach(state: GameState) -> int:
    """Return the number of hunters that can reach the hero, or the shore if it levitates.

    Those that have lost track or are cut off, by a door if they open none, do not count: otherwise
    a level whose hunters are stuck would be safe for ever.
    """
    hunting = (AiState.HUNTING, AiState.SEARCHING, AiState.FLEEING)
    place, ground = state.map.nearest_ground(state.hero.x, state.hero.y), state.map.walkable
    ways = distances(ground & (state.map.tiles != Tile.DOOR), *place), distances(ground, *place)
    kinds = creature_kinds()
    return sum(
        monster.spawned_in_play and monster.ai is not None and monster.ai.state in hunting
        for monster in state.map.entities.values()
        if ways[kinds[monster.kind].traits.doors][monster.y, monster.x] < UNREACHED
    )


def _entrance(state: GameState) -> Point | None:
    """Return the farthest stairs, preferably out of view; None if all are too near.

    Stairs in view or blocked are used, too: otherwise a hero who watches the stairs, or a monster
    that stands on them, would keep all hunters away.
    """
    hero, game_map = state.hero, state.map
    candidates = [
        (not game_map.visible[y, x], away, x, y)
        for x, y in (game_map.start, game_map.exit)
        if (away := max(abs(x - hero.x), abs(y - hero.y))) >= ENTRANCE_DISTANCE
    ]
    return Point(*max(candidates)[2:]) if candidates else None
