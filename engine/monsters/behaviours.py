"""Behaviours: what hunting monsters do, by the names that the data uses.

The target is the hero, or in war an enemy that the monster sees.
"""

from collections.abc import Callable

from tcod.los import bresenham

from engine.monsters.monster_actions import spawn_places
from engine.monsters.perception import Senses
from engine.monsters.steering import approach, flee, strike_target, withdraw
from engine.state import actions as act
from engine.state.game_state import GameState
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from procgen.analysis.distances import DIRECTIONS, UNREACHED

Behaviour = Callable[[GameState, Entity, Senses], act.AnyAction]
"""Chooses the action of a hunting monster that sees its target."""

BEHAVIOURS: dict[str, Behaviour] = {"hunter": approach, "key_carrier": flee}
"""These two are plain steering functions; `behaviour` registers the others below."""


def behaviour(function: Behaviour) -> Behaviour:
    """Register a behaviour under its function's name."""
    BEHAVIOURS[function.__name__] = function
    return function


ERRATIC_SHARE = 0.4
"""The chance of a random step of an erratic monster."""
SHOOTER_DISTANCE, CASTER_DISTANCE = 3, 4
"""Shooters, and summoners and healers, back off every other turn from a target nearer than this."""


@behaviour
def erratic(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Step at random by chance; otherwise approach and attack."""
    rng, field = state.stream("wandering"), senses.approach_map(creature)
    if rng.chance(ERRATIC_SHARE) and (ways := senses.maps.free_ways(field, creature)):
        return rng.pick(ways)
    return approach(state, creature, senses)


@behaviour
def shooter(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Shoot from afar, back off, attack when cornered."""
    return _keep_distance(state, creature, senses, SHOOTER_DISTANCE, SHOOTER_DISTANCE)


@behaviour
def rooted(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Stay in place; attack or shoot a target that comes near."""
    return _strike_or_shoot(state, creature, senses) or act.Wait()


@behaviour
def shrieker(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Call for help again and again, and do nothing else."""
    return act.CallForHelp() if creature.ai and creature.ai.cooldown == 0 else act.Wait()


def _keep_distance(
    state: GameState, creature: Entity, senses: Senses, near: int, far: int
) -> act.AnyAction:
    """Back off from a target nearer than ``near``, attack, or approach one farther than ``far``.

    It backs off on every other turn: a target that is as fast catches up.
    """
    gap = senses.distance_to(creature)
    if gap < near and state.turn % 2 and (step := withdraw(creature, senses)):
        return step
    if attack := _strike_or_shoot(state, creature, senses):
        return attack
    return act.Wait() if gap <= far else approach(state, creature, senses)


def _strike_or_shoot(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction | None:
    """Attack an adjacent target, or shoot one in range; return None if neither is possible."""
    if senses.distance_to(creature) == 1:
        return strike_target(creature, senses)
    return act.Shoot(senses.target.id) if can_shoot(state, creature, senses) else None


def can_shoot(state: GameState, creature: Entity, senses: Senses) -> bool:
    """Return True if the cooldown is over, the target in range, and no creature in the way."""
    traits = creature_kinds()[creature.kind].traits
    shot = traits.ranged_attack
    if shot is None or creature.ai is None:
        return False
    # A summoner's cooldown belongs to summoning: it shoots on every Nth turn of the run.
    waits = state.turn % shot.every if traits.summons else creature.ai.cooldown
    if waits or not senses.within(creature, shot.reach):
        return False
    if shot.through:
        return True
    line = bresenham((creature.x, creature.y), (senses.x, senses.y)).tolist()[1:-1]
    return not any(state.map.entity_at(x, y) for x, y in line)


CHARGE_RANGE = range(2, 8)
"""The distances from which a monster charges."""
BLINK_RANGE = range(3, 9)
"""The distances from which a monster blinks."""
DIVIDES_FROM = 4
"""The fewest hit points with which a monster divides: each half has at least 2."""


@behaviour
def thief(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Approach, steal something and run; attack an enemy in war."""
    steals = senses.target is state.hero and senses.distance_to(creature) == 1
    return act.Steal() if steals else approach(state, creature, senses)


def _can_summon(state: GameState, creature: Entity) -> bool:
    """Return True if a `Summon` of ``creature`` would not be refused."""
    summons = creature_kinds()[creature.kind].traits.summons
    ready = bool(summons and creature.ai and creature.ai.cooldown == 0)
    return ready and bool(spawn_places(state, creature.x, creature.y))


@behaviour
def summoner(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Summon others and stay behind them."""
    if _can_summon(state, creature):
        return act.Summon()
    return _keep_distance(state, creature, senses, CASTER_DISTANCE, 2 * CASTER_DISTANCE)


@behaviour
def mender(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Heal other monsters in sight and stay behind them."""
    assert creature.ai
    at_war = state.map.are_at_war
    if creature.ai.cooldown == 0:
        for other in state.map.entities.values():
            if other.fighter.hp >= other.fighter.max_hp:
                continue  # Most are unhurt, so this cheap test comes first.
            friend = other not in (creature, state.hero) and not at_war(creature, other)
            if friend and Senses(state, senses.maps, other).sees(creature):
                return act.Heal(other.id)
    return _keep_distance(state, creature, senses, CASTER_DISTANCE, 2 * CASTER_DISTANCE)


@behaviour
def sovereign(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Summon others, shoot from afar, and attack."""
    if _can_summon(state, creature):
        return act.Summon()
    return _strike_or_shoot(state, creature, senses) or approach(state, creature, senses)


@behaviour
def charger(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Charge along a free straight line to the target; otherwise approach."""
    dx, dy, gap = senses.x - creature.x, senses.y - creature.y, senses.distance_to(creature)
    straight = dx == 0 or dy == 0 or abs(dx) == abs(dy)
    if creature.ai and creature.ai.cooldown == 0 and straight and gap in CHARGE_RANGE:
        sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
        way = [(creature.x + sx * n, creature.y + sy * n) for n in range(1, gap)]
        if not any(state.map.is_blocked(x, y) for x, y in way):
            return act.Charge(sx, sy)
    return approach(state, creature, senses)


@behaviour
def blinker(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Blink next to the target from a distance; otherwise approach and attack."""
    if creature.ai and creature.ai.cooldown == 0 and senses.distance_to(creature) in BLINK_RANGE:
        field = senses.approach_map(creature)
        for dx, dy in DIRECTIONS:
            x, y = senses.x - dx, senses.y - dy
            taken = state.map.is_blocked(x, y) or (x, y) in state.map.fires
            if field.at(x, y) != UNREACHED and not taken:
                return act.Blink(x, y)
    return approach(state, creature, senses)


@behaviour
def splitter(state: GameState, creature: Entity, senses: Senses) -> act.AnyAction:
    """Approach and attack; divide when wounded."""
    fighter = creature.fighter
    if DIVIDES_FROM <= fighter.hp < fighter.max_hp and spawn_places(state, creature.x, creature.y):
        return act.Divide()
    return approach(state, creature, senses)
