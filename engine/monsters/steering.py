"""Steering: steps towards the target, away from it, to a goal and around the level."""

from collections.abc import Iterable

from components import AiState
from engine.monsters.perception import HUNTING, Senses
from engine.pathfinding.dijkstra_maps import ApproachMap, DijkstraMaps, Way
from engine.state.actions import Action, AnyAction, Move, Strike, SwapPlaces, Wait
from engine.state.game_map import ROW, GameMap
from engine.state.game_state import GameState
from entities.creature_kinds import IMMOBILE
from entities.entity import Entity
from entities.statuses import can_walk
from procgen.analysis.distances import UNREACHED

WAYPOINT_RANGE = (6, 30)
"""The least and greatest distance of a wanderer's next waypoint, in tiles."""
SAFE_DISTANCE = 18
"""A fleeing monster further away than this, in tiles, stops."""
WAIT = Wait()
"""One for all that are stuck or arrived: in a crowd, most of its monsters in every turn."""


def strike_target(creature: Entity, senses: Senses) -> Strike:
    """Return the attack of ``creature`` on the adjacent target."""
    return Strike(senses.x - creature.x, senses.y - creature.y)


HUNTING_PRECEDENCE = {"shooter": 2, "summoner": 2, "mender": 2} | dict.fromkeys(IMMOBILE, -1)
"""The precedence of hunters by behaviour, 3 for others, which these let pass to the front."""
PRECEDENCE = {AiState.SEARCHING: 1, AiState.WANDERING: 0, AiState.IDLE: 0}


def _precedence(creature: Entity) -> int:
    """Return the rank for passing in a corridor: higher passes lower, -1 takes no part.

    It is a strict order, so that two monsters never change places back and forth.
    """
    ai = creature.ai
    if ai is None or (creature.statuses and not can_walk(creature)):
        return -1
    if ai.state is HUNTING:
        return HUNTING_PRECEDENCE.get(ai.behaviour, 3)
    if ai.behaviour in IMMOBILE:
        return -1
    return PRECEDENCE.get(ai.state, -1)


def _pass_by(game_map: GameMap, creature: Entity, ahead: Iterable[Way]) -> AnyAction | None:
    """Return the swap with a monster of lower precedence on a way ``ahead``, if any.

    Without such swaps, hunters would queue for ever behind wanderers in a corridor. An enemy in war
    that stands there, noticed or not, is attacked instead.
    """
    here, places = creature.y * ROW + creature.x, game_map.places
    for offset, move in ahead:
        other = places.get(here + offset)
        if other is None or (ai := other.ai) is None:
            continue
        if ai.state is HUNTING and ai.behaviour not in HUNTING_PRECEDENCE:
            continue  # Most are plain hunters, which let nobody pass.
        if 0 <= _precedence(other) < _precedence(creature):
            enemies = game_map.are_at_war(creature, other)
            return Strike(move.dx, move.dy) if enemies else SwapPlaces(move.dx, move.dy)
    return None


def step_downhill(maps: DijkstraMaps, creature: Entity, field: ApproachMap) -> AnyAction:
    """Return the free step that leads down ``field``, orthogonal ones first, or a wait.

    If all such tiles are taken, it is a sidestep to where a step down is free, so that a pack
    surrounds its target instead of queueing; in a corridor, a swap with one of lower precedence.
    """
    game_map, here = maps.map, creature.y * ROW + creature.x
    occupied, ahead = game_map.places, field[here]
    fires = game_map.fires and not maps.burns(here)  # From a fire it runs through others.
    for offset, move in ahead:
        if here + offset not in occupied and not (fires and maps.burns(here + offset)):
            return move
    for offset, move in field.sideways(here) if ahead else ():
        beside = here + offset
        if beside not in occupied and not (fires and maps.burns(beside)):
            for onward, _ in field[beside]:
                if beside + onward not in occupied and not (fires and maps.burns(beside + onward)):
                    return move
    return _pass_by(game_map, creature, ahead) or WAIT


def approach(state: GameState, creature: Entity, senses: Senses) -> AnyAction:
    """Return the attack on the target if it is adjacent, otherwise the step towards it."""
    if senses.distance_to(creature) == 1:
        return strike_target(creature, senses)
    return step_downhill(senses.maps, creature, senses.approach_map(creature))


def withdraw(creature: Entity, senses: Senses) -> Action | None:
    """Return the step that takes ``creature`` away from the target; None if there is none.

    From an adjacent tile the step or, in a side passage, a second one must end the adjacency: a
    step around the target gains nothing.
    """
    x, y, doors = creature.x, creature.y, senses.maps.opens_doors(creature)
    field = senses.maps.away(senses.x, senses.y, doors=doors)

    def away_from(x: int, y: int) -> list[tuple[int, int]]:
        return senses.maps.lowest_first(field, x, y, field.at(x, y) - 1, doors=doors)

    def escapes(x: int, y: int, *, later: bool) -> bool:
        """Return True if (x, y) is out of the target's reach or, ``later``, a step from it is."""
        onward = away_from(x, y) if later else []
        out_of_reach = senses.distance(x, y) > 1
        return out_of_reach or any(escapes(x + dx, y + dy, later=False) for dx, dy in onward)

    steps = away_from(x, y)
    if senses.distance_to(creature) == 1:
        now, soon = (
            [(dx, dy) for dx, dy in steps if escapes(x + dx, y + dy, later=later)]
            for later in (False, True)
        )
        steps = now or soon
    return Move(*steps[0]) if steps else None


def flee(state: GameState, creature: Entity, senses: Senses) -> Action:
    """Return the step away from the target, or a wait if it is far; a cornered monster attacks."""
    if senses.distance_to(creature) > SAFE_DISTANCE:
        return Wait()
    step = withdraw(creature, senses)
    if step is None and senses.distance_to(creature) == 1:
        return strike_target(creature, senses)
    return step or Wait()


def seek(state: GameState, creature: Entity, senses: Senses) -> AnyAction:
    """Return the step towards the place that ``creature`` searches, or a wait once there."""
    assert creature.ai
    goal = creature.ai.goal
    if goal is None or goal == (creature.x, creature.y):
        return WAIT
    maps = senses.maps
    return step_downhill(maps, creature, maps.to(*goal, maps.opens_doors(creature)))


def wander(state: GameState, creature: Entity, senses: Senses) -> AnyAction:
    """Return the step to the next waypoint of a walk over the level.

    A monster that can reach no waypoint, such as an animal in a room with closed doors, becomes
    idle: otherwise it would look for one on every turn.
    """
    ai = creature.ai
    assert ai
    maps, x, y, doors = senses.maps, creature.x, creature.y, senses.maps.opens_doors(creature)
    if ai.goal is not None:
        field = maps.to(*ai.goal, doors)
        if 1 < field.at(x, y) < UNREACHED:
            step = step_downhill(maps, creature, field)
            if type(step) is Wait:
                ai.goal = None  # Or groups that meet in a corridor would block each other.
            return step
    if stops := maps.waypoints(x, y, *WAYPOINT_RANGE, doors=doors):
        stop = state.stream("wandering").pick(stops)
        ai.goal = stop.x, stop.y
    else:
        ai.state, ai.goal = AiState.IDLE, None
    return Wait()
