"""Actions of monsters only: shoot, call, steal, charge, summon, blink, divide, heal, swap."""

from components import AiState
from engine.combat.melee import on_hit, roll_attack
from engine.creatures.health import restore_hit_points
from engine.creatures.levelling import make_monster
from engine.creatures.noise import shout, wake_without_blame
from engine.creatures.status_effects import release_holds
from engine.state import actions as act
from engine.state import events as ev
from engine.state.action_registry import handles
from engine.state.actions import Outcome
from engine.state.game_state import GameState
from engine.state.identification import item_ref
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from entities.equipment import weakened_power
from entities.pack import take_one
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point

THIEF_FLEE_TURNS = 400
"""Turns for which a thief flees."""
GOLD_SHARE = (20, 50)
"""Percent of the gold that a thief takes, least and most."""
CHARGE_COOLDOWN = 6
"""Turns between two charges."""


@handles(act.Shoot)
def shoot(state: GameState, actor: Entity, action: act.Shoot, emit: ev.Emit) -> Outcome:
    """Shoot the hero or an enemy in war; shots never miss; armour reduces them."""
    traits = creature_kinds()[actor.kind].traits
    shot = traits.ranged_attack
    target = state.map.entities.get(action.target)
    if shot is None or actor.ai is None or target is None:
        return act.Refused("nothing to shoot")
    if traits.summons is None:  # See `behaviours.can_shoot`.
        actor.ai.cooldown = shot.every
    power = weakened_power(actor, shot.power)
    if roll_attack(state, actor, target, power, emit, shot.missile) or not shot.power:
        on_hit(state, actor, target, emit)
    wake_without_blame(target)
    return act.Done()


@handles(act.CallForHelp)
def cry_out(state: GameState, actor: Entity, action: act.CallForHelp, emit: ev.Emit) -> Outcome:
    """Alert every monster within earshot."""
    if actor.ai is None:
        return act.Refused("nobody hears")
    actor.ai.cooldown = actor.ai.memory_turns
    emit(ev.CalledForHelp(ev.creature_ref(actor)))
    shout(state, actor, creature_kinds()[actor.kind].traits.shout_radius)
    return act.Done()


@handles(act.Steal)
def steal(state: GameState, actor: Entity, action: act.Steal, emit: ev.Emit) -> Outcome:
    """Steal one item that is not worn, or else gold, and flee; attack if there is neither."""
    hero, ai = state.hero, actor.ai
    if ai is None or actor.distance_to(hero) > 1:
        return act.Refused("nobody there")
    unworn = [item for item in hero.inventory if item.id not in hero.equipment.values()]
    if unworn:
        stolen = take_one(hero, state.stream("theft").pick(unworn), state.new_id)
        stolen.letter = ""  # Without a letter it does not count as dropped.
        actor.inventory.append(stolen)
        emit(ev.Stole(ev.creature_ref(actor), item_ref(state, stolen)))
    elif state.gold:
        gold = max(1, state.gold * state.stream("theft").between(*GOLD_SHARE) // 100)
        ai.stolen_gold += gold
        state.gold -= gold
        emit(ev.Stole(ev.creature_ref(actor), None, gold))
    else:
        return act.Alternate(act.Strike(hero.x - actor.x, hero.y - actor.y))
    ai.state, ai.state_turns_left, ai.goal = AiState.FLEEING, THIEF_FLEE_TURNS, None
    return act.Done()


@handles(act.Charge)
def charge_at_target(state: GameState, actor: Entity, action: act.Charge, emit: ev.Emit) -> Outcome:
    """Run straight on until something is in the way, and strike an enemy there."""
    if actor.ai is None:
        return act.Refused("nobody charges")
    origin = Point(actor.x, actor.y)
    while not state.map.is_blocked(actor.x + action.dx, actor.y + action.dy):
        start = Point(actor.x, actor.y)
        state.map.move_entity(actor, actor.x + action.dx, actor.y + action.dy)
        emit(ev.Moved(ev.creature_ref(actor), start))
    actor.ai.cooldown = CHARGE_COOLDOWN
    emit(ev.Charged(ev.creature_ref(actor), origin))
    target = state.map.entity_at(actor.x + action.dx, actor.y + action.dy)
    if target and (target is state.hero or state.map.are_at_war(actor, target)):
        return act.Alternate(act.Strike(action.dx, action.dy))
    return act.Done()  # A refused strike would refuse the charge after it moved the actor.


BLINK_COOLDOWN, HEAL_COOLDOWN = 7, 3
HEAL_AMOUNT = 6
"""Hit points that one healing restores."""
MOST_MONSTERS = 120
"""With more creatures on a level, none is summoned, none divides, and no hunter comes."""


def spawn_hunter(state: GameState, kind: str, x: int, y: int) -> Entity:
    """Add a monster of ``kind`` at the free tile (x, y), hunting the hero at once; return it."""
    creature = make_monster(kind, state.new_id(), x, y, state.map.depth_at(x, y))
    creature.spawned_in_play = True
    if creature.ai:
        creature.ai.state = AiState.HUNTING
        creature.ai.state_turns_left = creature.ai.memory_turns
        creature.ai.goal = state.hero.x, state.hero.y
    state.map.add_entity(creature)
    return creature


def spawn_places(state: GameState, x: int, y: int) -> list[Point]:
    """Return the free tiles beside (x, y) for new monsters; [] on a level with too many."""
    if len(state.map.entities) > MOST_MONSTERS:
        return []
    places = [Point(x + dx, y + dy) for dx, dy in DIRECTIONS]
    return [place for place in places if not state.map.is_blocked(*place)]


@handles(act.Summon)
def summon_monsters(state: GameState, actor: Entity, action: act.Summon, emit: ev.Emit) -> Outcome:
    """Summon monsters on adjacent free tiles."""
    summons = creature_kinds()[actor.kind].traits.summons
    room = spawn_places(state, actor.x, actor.y)
    if summons is None or actor.ai is None or not room:
        return act.Refused("no room")
    actor.ai.cooldown = summons.every
    for place in state.stream("summons").shuffled(room)[: summons.number]:
        hunter = spawn_hunter(state, summons.kind, *place)
        emit(ev.Summoned(ev.creature_ref(hunter), ev.creature_ref(actor)))
    return act.Done()


@handles(act.Blink)
def blink_to_target(state: GameState, actor: Entity, action: act.Blink, emit: ev.Emit) -> Outcome:
    """Blink to another tile."""
    if state.map.is_blocked(action.x, action.y) or actor.ai is None:
        return act.Refused("blocked")
    origin = Point(actor.x, actor.y)
    state.map.move_entity(actor, action.x, action.y)
    actor.ai.cooldown = BLINK_COOLDOWN
    emit(ev.Blinked(ev.creature_ref(actor), origin))
    release_holds(actor, emit)
    return act.Done()


@handles(act.Divide)
def split(state: GameState, actor: Entity, action: act.Divide, emit: ev.Emit) -> Outcome:
    """Divide into two monsters with half of the hit points each."""
    room, half = spawn_places(state, actor.x, actor.y), actor.fighter.hp // 2
    if not room or half < 1:
        return act.Refused("no room")
    other = spawn_hunter(state, actor.kind, *state.stream("summons").pick(room))
    other.fighter.power = actor.fighter.power
    for creature, share in ((actor, actor.fighter.hp - half), (other, half)):
        creature.fighter.hp = creature.fighter.max_hp = share
        if creature.ai:
            creature.ai.last_seen_hp = share
    emit(ev.Divided(ev.creature_ref(actor), ev.creature_ref(other)))
    return act.Done()


@handles(act.Heal)
def heal_other(state: GameState, actor: Entity, action: act.Heal, emit: ev.Emit) -> Outcome:
    """Heal another monster."""
    patient = state.map.entities.get(action.patient)
    if patient is None or actor.ai is None or patient is state.hero:
        return act.Refused("nobody there")
    restore_hit_points(patient, HEAL_AMOUNT, actor.kind, emit)
    actor.ai.cooldown = HEAL_COOLDOWN
    if patient.ai:
        patient.ai.last_seen_hp = patient.fighter.hp
    return act.Done()


@handles(act.SwapPlaces)
def pass_monster(state: GameState, actor: Entity, action: act.SwapPlaces, emit: ev.Emit) -> Outcome:
    """Pass a monster that stands in the way by changing places with it."""
    other = state.map.entity_at(actor.x + action.dx, actor.y + action.dy)
    if other is None or other in (actor, state.hero):
        return act.Refused("nobody there")
    origin, other_origin = Point(actor.x, actor.y), Point(other.x, other.y)
    state.map.swap_entities(actor, other)
    emit(ev.Moved(ev.creature_ref(actor), origin))
    emit(ev.Moved(ev.creature_ref(other), other_origin))
    return act.Done()
