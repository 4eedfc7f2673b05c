"""How creatures fight, each way named by data: what they do with the hero in sight."""

from tcod.los import bresenham

from engine.actions import Action, Move, Wait
from engine.brains.going import approach, strike_at, withdraw
from engine.brains.registry import brain
from engine.brains.senses import Senses, opens_doors
from engine.deeds import Cry, Deed, Shoot
from engine.world import World
from entities.entity import Entity
from entities.kinds import creatures
from procgen.analysis import UNREACHED

FITFUL = 0.4
"""The share of its steps that an erratic creature takes anywhere."""
SHY = 3
"""A shooter gives way to a hero that comes so near, every other turn."""


@brain
def hunter(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Come and strike."""
    return approach(world, creature, senses)


@brain
def erratic(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Flit about, and strike now and then."""
    if world.stream("wandering").chance(FITFUL):
        x, y, doors = creature.x, creature.y, opens_doors(creature)
        steps = senses.ways.lowest_first(senses.way(creature), x, y, UNREACHED - 1, doors=doors)
        if steps:
            return Move(*world.stream("wandering").pick(steps))
    return approach(world, creature, senses)


@brain
def shooter(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Shoot from afar, give way to who comes near, strike when cornered."""
    mind = creature.mind
    assert mind
    apart = senses.apart(creature)
    if apart < SHY and world.turn % 2 and (step := withdraw(world, creature, senses)):
        return step
    if apart == 1:
        return strike_at(senses, creature)
    if mind.ready == 0 and clear_shot(world, creature, senses):
        return Shoot()
    return approach(world, creature, senses) if apart > SHY else Wait()


@brain
def rooted(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Never leave the spot; strike or shoot who comes too near."""
    if senses.apart(creature) == 1:
        return strike_at(senses, creature)
    mind = creature.mind
    if mind and mind.ready == 0 and clear_shot(world, creature, senses):
        return Shoot()
    return Wait()


@brain
def shrieker(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Do no harm but cry for help, again and again."""
    return Cry() if creature.mind and creature.mind.ready == 0 else Wait()


def clear_shot(world: World, creature: Entity, senses: Senses) -> bool:
    """Whether ``creature`` can shoot the hero: near enough, and no friend in the way."""
    shot = creatures()[creature.kind].habits.shot
    if shot is None or not senses.within(creature, shot.reach):
        return False
    if shot.through:
        return True
    line = bresenham((creature.x, creature.y), (senses.x, senses.y)).tolist()[1:-1]
    return not any(world.map.entity_at(x, y) for x, y in line)
