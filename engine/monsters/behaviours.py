"""How creatures fight, each way named by data: what they do with the hero in sight."""

from collections.abc import Callable

from tcod.los import bresenham

from engine.monsters.perception import Senses, opens_doors
from engine.monsters.steering import approach, strike_hero, withdraw
from engine.state.actions import (
    Action,
    Blink,
    Charge,
    Cry,
    Divide,
    MonsterAction,
    Move,
    Shoot,
    Steal,
    Summon,
    Tend,
    Wait,
)
from engine.state.game_state import GameState
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from procgen.analysis.distances import DIRECTIONS, UNREACHED

Behaviour = Callable[[GameState, Entity, Senses], Action | MonsterAction]
"""Chooses what a creature does that hunts and has its quarry in sight."""

BEHAVIOURS: dict[str, Behaviour] = {}


def behaviour(function: Behaviour) -> Behaviour:
    """Register a brain under its function's name."""
    BEHAVIOURS[function.__name__] = function
    return function


ERRATIC_SHARE = 0.4
"""The share of its steps that an erratic creature takes anywhere."""
SHOOTER_DISTANCE = 3
"""A shooter gives way to a hero that comes so near, every other turn."""


@behaviour
def hunter(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Come and strike."""
    return approach(state, creature, senses)


@behaviour
def erratic(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Flit about, and strike now and then."""
    if state.stream("wandering").chance(ERRATIC_SHARE):
        x, y, doors = creature.x, creature.y, opens_doors(creature)
        steps = senses.ways.lowest_first(senses.way(creature), x, y, UNREACHED - 1, doors=doors)
        if steps:
            return Move(*state.stream("wandering").pick(steps))
    return approach(state, creature, senses)


@behaviour
def shooter(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Shoot from afar, give way to who comes near, strike when cornered."""
    ai = creature.ai
    assert ai
    apart = senses.apart(creature)
    if apart < SHOOTER_DISTANCE and state.turn % 2 and (step := withdraw(state, creature, senses)):
        return step
    if apart == 1:
        return strike_hero(senses, creature)
    if ai.cooldown == 0 and clear_shot(state, creature, senses):
        return Shoot()
    return approach(state, creature, senses) if apart > SHOOTER_DISTANCE else Wait()


@behaviour
def rooted(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Never leave the spot; strike or shoot who comes too near."""
    if senses.apart(creature) == 1:
        return strike_hero(senses, creature)
    ai = creature.ai
    if ai and ai.cooldown == 0 and clear_shot(state, creature, senses):
        return Shoot()
    return Wait()


@behaviour
def shrieker(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Do no harm but cry for help, again and again."""
    return Cry() if creature.ai and creature.ai.cooldown == 0 else Wait()


def clear_shot(state: GameState, creature: Entity, senses: Senses) -> bool:
    """Whether ``creature`` can shoot the hero: near enough, and no friend in the way."""
    shot = creature_kinds()[creature.kind].traits.ranged_attack
    if shot is None or not senses.within(creature, shot.reach):
        return False
    if shot.through:
        return True
    line = bresenham((creature.x, creature.y), (senses.x, senses.y)).tolist()[1:-1]
    return not any(state.map.entity_at(x, y) for x, y in line)


CASTER_DISTANCE = 4
"""Who fights through others gives way to a hero that comes so near."""
CHARGE_RANGE = range(2, 8)
"""From how far a charge is worth it."""
BLINK_RANGE = range(3, 9)
"""From how far a blink is worth it."""
HEAL_RANGE = 8
"""How far a healer sees to others."""


@behaviour
def thief(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Come, take something, and be off."""
    return Steal() if senses.apart(creature) == 1 else approach(state, creature, senses)


@behaviour
def summoner(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Call others and stay behind them."""
    traits = creature_kinds()[creature.kind].traits
    assert creature.ai
    if traits.summons and creature.ai.cooldown == 0:
        return Summon()
    return _keep_distance(state, creature, senses)


@behaviour
def mender(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Close the wounds of others and stay behind them."""
    assert creature.ai
    if creature.ai.cooldown == 0:
        for other in state.map.entities.values():
            if other.fighter.hp >= other.fighter.max_hp:
                continue  # So it is with most, and nothing else need be asked of them.
            near = max(abs(other.x - creature.x), abs(other.y - creature.y)) <= HEAL_RANGE
            if near and other not in (creature, state.hero):
                return Tend(other.id)
    return _keep_distance(state, creature, senses)


@behaviour
def sovereign(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Call others, shoot now and then, and come oneself."""
    traits = creature_kinds()[creature.kind].traits
    assert creature.ai
    if traits.summons and creature.ai.cooldown == 0:
        return Summon()
    apart = senses.apart(creature)
    if (
        traits.ranged_attack
        and apart > 1
        and state.turn % 3 == 0
        and clear_shot(state, creature, senses)
    ):
        return Shoot()
    return approach(state, creature, senses)


@behaviour
def charger(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Run down whoever stands in a straight line with it."""
    dx, dy = senses.x - creature.x, senses.y - creature.y
    apart = senses.apart(creature)
    straight = dx == 0 or dy == 0 or abs(dx) == abs(dy)
    if creature.ai and creature.ai.cooldown == 0 and straight and apart in CHARGE_RANGE:
        sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
        way = [(creature.x + sx * n, creature.y + sy * n) for n in range(1, apart)]
        if not any(state.map.is_blocked(x, y) for x, y in way):
            return Charge(sx, sy)
    return approach(state, creature, senses)


@behaviour
def blinker(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Be beside one without having come; strike, and be gone when it hurts."""
    if creature.ai and creature.ai.cooldown == 0 and senses.apart(creature) in BLINK_RANGE:
        field = senses.way(creature)
        for dx, dy in DIRECTIONS:
            x, y = senses.x - dx, senses.y - dy
            if field.at(x, y) != UNREACHED and not state.map.is_blocked(x, y):
                return Blink(x, y)
    return approach(state, creature, senses)


@behaviour
def splitter(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Come and strike; a wound makes two of one."""
    fighter = creature.fighter
    if 4 <= fighter.hp < fighter.max_hp:
        return Divide()
    return approach(state, creature, senses)


def _keep_distance(state: GameState, creature: Entity, senses: Senses) -> Action | MonsterAction:
    """Keep away, shoot if that is possible, strike when cornered."""
    apart = senses.apart(creature)
    if apart < CASTER_DISTANCE and (step := withdraw(state, creature, senses)):
        return step
    if apart == 1:
        return strike_hero(senses, creature)
    if creature.ai and clear_shot(state, creature, senses):
        return Shoot()
    return Wait() if apart <= 2 * CASTER_DISTANCE else approach(state, creature, senses)
