"""Where to set one's feet: towards, away, around."""

from components import AiState
from engine.monsters.perception import Senses, opens_doors
from engine.pathfinding.dijkstra_maps import DijkstraMaps, DistanceField
from engine.state.actions import Action, Move, Strike, Wait
from engine.state.game_state import GameState
from entities.entity import Entity
from procgen.analysis.distances import UNREACHED

WAYPOINT_RANGE = (6, 30)
"""How near and how far the next stop of a wanderer may be, in tiles."""
SAFE_DISTANCE = 18
"""Who flees and is so far away gets its breath back."""


def strike_hero(senses: Senses, creature: Entity) -> Strike:
    """Return the blow at the hero beside ``creature``."""
    return Strike(senses.x - creature.x, senses.y - creature.y)


def step_downhill(ways: DijkstraMaps, creature: Entity, field: DistanceField) -> Action:
    """Return the free step that leads down ``field``, straight ones first, or a wait.

    With the way ahead taken, it steps aside to where the way goes on, so that a pack
    surrounds its quarry instead of queueing.
    """
    x, y, doors = creature.x, creature.y, opens_doors(creature)
    here = field.at(x, y)
    if here == UNREACHED:
        return Wait()
    free = ways.free(x, y, doors=doors)
    for dx, dy, place in free:
        if field.at(*place) < here:
            return Move(dx, dy)
    for dx, dy, place in free:
        if field.at(*place) == here:
            onward = ways.free(*place, doors=doors)
            if any(field.at(*next_place) < here for _, _, next_place in onward):
                return Move(dx, dy)
    return Wait()


def approach(state: GameState, creature: Entity, senses: Senses) -> Action:
    """Return the blow at the hero if it is in reach, else the step towards it."""
    if senses.apart(creature) == 1:
        return strike_hero(senses, creature)
    return step_downhill(senses.ways, creature, senses.way(creature))


def withdraw(state: GameState, creature: Entity, senses: Senses) -> Action | None:
    """Return the step that brings ``creature`` away from the hero; None if there is none.

    Who is beside the hero must get out of its reach by it: slipping past is no way out.
    """
    field, x, y = senses.escape(creature), creature.x, creature.y
    doors = opens_doors(creature)
    steps = senses.ways.lowest_first(field, x, y, field.at(x, y) - 1, doors=doors)
    if senses.apart(creature) == 1:
        steps = [(dx, dy) for dx, dy in steps if senses.away(x + dx, y + dy) > 1]
    return Move(*steps[0]) if steps else None


def flee(state: GameState, creature: Entity, senses: Senses) -> Action:
    """Return the step away from the hero; who is cornered strikes."""
    if senses.apart(creature) > SAFE_DISTANCE:
        return Wait()
    step = withdraw(state, creature, senses)
    if step is None and senses.apart(creature) == 1:
        return strike_hero(senses, creature)
    return step or Wait()


def seek(state: GameState, creature: Entity, senses: Senses) -> Action:
    """Return the step to where ``creature`` wants to look; once there, it looks around."""
    ai = creature.ai
    assert ai
    if ai.goal is None or not state.map.contains(*ai.goal):
        return Wait()
    field = senses.ways.to(*ai.goal, doors=opens_doors(creature))
    if field.at(creature.x, creature.y) == 0:
        return Wait()
    return step_downhill(senses.ways, creature, field)


def wander(state: GameState, creature: Entity, senses: Senses) -> Action:
    """Return the step to the next stop of a round over the level."""
    ai = creature.ai
    assert ai
    ways = senses.ways
    if ai.goal is not None and state.map.contains(*ai.goal):
        field = ways.to(*ai.goal, doors=opens_doors(creature))
        if 1 < field.at(creature.x, creature.y) < UNREACHED:
            return step_downhill(senses.ways, creature, field)
    stops = ways.stops(creature.x, creature.y, *WAYPOINT_RANGE)
    if stops:
        stop = state.stream("wandering").pick(stops)
        ai.goal = stop.x, stop.y
    else:
        ai.state, ai.goal = AiState.IDLE, None
    return Wait()
