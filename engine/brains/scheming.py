"""How the cunning fight, each way named by data: thieves, callers, chargers and worse."""

from engine.actions import Action, Wait
from engine.brains.fighting import clear_shot
from engine.brains.going import approach, strike_at, withdraw
from engine.brains.registry import brain
from engine.brains.senses import Senses
from engine.deeds import Blink, Charge, Deed, Divide, Shoot, Steal, Summon, Tend
from engine.world import World
from entities.entity import Entity
from entities.kinds import creatures
from procgen.analysis import DIRECTIONS, UNREACHED

SHY = 4
"""Who fights through others gives way to a hero that comes so near."""
RUN = range(2, 8)
"""From how far a charge is worth it."""
LEAP = range(3, 9)
"""From how far a blink is worth it."""
CARE = 8
"""How far a healer sees to others."""


@brain
def thief(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Come, take something, and be off."""
    return Steal() if senses.apart(creature) == 1 else approach(world, creature, senses)


@brain
def summoner(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Call others and stay behind them."""
    habits = creatures()[creature.kind].habits
    assert creature.mind
    if habits.summons and creature.mind.ready == 0:
        return Summon()
    return _from_behind(world, creature, senses)


@brain
def mender(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Close the wounds of others and stay behind them."""
    assert creature.mind
    if creature.mind.ready == 0:
        for other in world.map.entities.values():
            if other.fighter.hp >= other.fighter.max_hp:
                continue  # So it is with most, and nothing else need be asked of them.
            near = max(abs(other.x - creature.x), abs(other.y - creature.y)) <= CARE
            if near and other not in (creature, world.hero):
                return Tend(other.id)
    return _from_behind(world, creature, senses)


@brain
def sovereign(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Call others, shoot now and then, and come oneself."""
    habits = creatures()[creature.kind].habits
    assert creature.mind
    if habits.summons and creature.mind.ready == 0:
        return Summon()
    apart = senses.apart(creature)
    if habits.shot and apart > 1 and world.turn % 3 == 0 and clear_shot(world, creature, senses):
        return Shoot()
    return approach(world, creature, senses)


@brain
def charger(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Run down whoever stands in a straight line with it."""
    dx, dy = senses.x - creature.x, senses.y - creature.y
    apart = senses.apart(creature)
    straight = dx == 0 or dy == 0 or abs(dx) == abs(dy)
    if creature.mind and creature.mind.ready == 0 and straight and apart in RUN:
        sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
        way = [(creature.x + sx * n, creature.y + sy * n) for n in range(1, apart)]
        if not any(world.map.is_blocked(x, y) for x, y in way):
            return Charge(sx, sy)
    return approach(world, creature, senses)


@brain
def blinker(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Be beside one without having come; strike, and be gone when it hurts."""
    if creature.mind and creature.mind.ready == 0 and senses.apart(creature) in LEAP:
        field = senses.way(creature)
        for dx, dy in DIRECTIONS:
            x, y = senses.x - dx, senses.y - dy
            if field.at(x, y) != UNREACHED and not world.map.is_blocked(x, y):
                return Blink(x, y)
    return approach(world, creature, senses)


@brain
def splitter(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Come and strike; a wound makes two of one."""
    fighter = creature.fighter
    if 4 <= fighter.hp < fighter.max_hp:
        return Divide()
    return approach(world, creature, senses)


def _from_behind(world: World, creature: Entity, senses: Senses) -> Action | Deed:
    """Keep away, shoot if that is possible, strike when cornered."""
    apart = senses.apart(creature)
    if apart < SHY and (step := withdraw(world, creature, senses)):
        return step
    if apart == 1:
        return strike_at(senses, creature)
    if creature.mind and clear_shot(world, creature, senses):
        return Shoot()
    return Wait() if apart <= 2 * SHY else approach(world, creature, senses)
