"""Where to set one's feet: towards, away, around."""

from components import Mood
from engine.actions import Action, Move, Strike, Wait
from engine.brains.senses import Senses, opens_doors
from engine.fields import Field
from engine.ways import free_steps
from engine.world import World
from entities.entity import Entity
from procgen.analysis import UNREACHED

ROUND = (6, 30)
"""How near and how far the next stop of a wanderer may be, in tiles."""
SAFE = 18
"""Who flees and is so far away gets its breath back."""


def strike_at(senses: Senses, creature: Entity) -> Strike:
    """Return the blow at the hero beside ``creature``."""
    return Strike(senses.x - creature.x, senses.y - creature.y)


def nearer(world: World, creature: Entity, field: Field) -> Action:
    """Return the free step that leads down ``field``, straight ones first, or a wait.

    With the way ahead taken, it steps aside to where the way goes on, so that a pack
    surrounds its quarry instead of queueing.
    """
    x, y, doors = creature.x, creature.y, opens_doors(creature)
    here = field.at(x, y)
    if here == UNREACHED:
        return Wait()
    ahead = free_steps(world.map, field, x, y, here - 1, doors=doors)
    if ahead:
        return Move(*ahead[0])
    for dx, dy in free_steps(world.map, field, x, y, here, doors=doors):
        if free_steps(world.map, field, x + dx, y + dy, here - 1, doors=doors):
            return Move(dx, dy)
    return Wait()


def approach(world: World, creature: Entity, senses: Senses) -> Action:
    """Return the blow at the hero if it is in reach, else the step towards it."""
    if senses.apart(creature) == 1:
        return strike_at(senses, creature)
    return nearer(world, creature, senses.way(creature))


def withdraw(world: World, creature: Entity, senses: Senses) -> Action | None:
    """Return the step that brings ``creature`` away from the hero; None if there is none."""
    field = senses.escape(creature)
    here = field.at(creature.x, creature.y)
    doors = opens_doors(creature)
    steps = free_steps(world.map, field, creature.x, creature.y, here - 1, doors=doors)
    return Move(*steps[0]) if steps else None


def flee(world: World, creature: Entity, senses: Senses) -> Action:
    """Return the step away from the hero; who is cornered strikes."""
    if senses.apart(creature) > SAFE:
        return Wait()
    step = withdraw(world, creature, senses)
    if step is None and senses.apart(creature) == 1:
        return strike_at(senses, creature)
    return step or Wait()


def seek(world: World, creature: Entity, senses: Senses) -> Action:
    """Return the step to where ``creature`` wants to look; once there, it looks around."""
    mind = creature.mind
    assert mind
    if mind.goal is None or not world.map.contains(*mind.goal):
        return Wait()
    field = senses.ways.to(*mind.goal, doors=opens_doors(creature))
    if field.at(creature.x, creature.y) == 0:
        return Wait()
    return nearer(world, creature, field)


def wander(world: World, creature: Entity, senses: Senses) -> Action:
    """Return the step to the next stop of a round over the level."""
    mind = creature.mind
    assert mind
    ways = senses.ways
    if mind.goal is not None and world.map.contains(*mind.goal):
        field = ways.to(*mind.goal, doors=opens_doors(creature))
        if 1 < field.at(creature.x, creature.y) < UNREACHED:
            return nearer(world, creature, field)
    stops = ways.stops(creature.x, creature.y, *ROUND)
    if stops:
        stop = world.stream("wandering").pick(stops)
        mind.goal = stop.x, stop.y
    else:
        mind.mood, mind.goal = Mood.IDLE, None
    return Wait()
