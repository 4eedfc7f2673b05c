"""Item actions: pick up, drop, equip, take off, use, throw and fire."""

from dataclasses import replace

from components.inventory import Item
from engine.combat.melee import roll_attack
from engine.combat.targeting import Aim, aim, blast_tiles
from engine.creatures.status_effects import cure_status
from engine.items.aiming import MISSILE, aim_of, ammunition, fire_aim, missile_power, throw_aim
from engine.items.effects.effect_registry import EffectUse, all_effects
from engine.items.plant_seed import plant
from engine.pathfinding.threats import foes_in_view
from engine.state import actions as act
from engine.state import events as ev
from engine.state.action_registry import handles
from engine.state.game_state import GameState
from engine.state.identification import identify, is_identified, item_ref, knows_pack
from entities.entity import Entity
from entities.equipment import equipped, slot_of, weakened_power, worn_abilities
from entities.item_kinds import item_class_of, item_kinds
from entities.pack import add_to_pack, find_item, has_room, improvable, remove_from_pack, take_one
from entities.statuses import status_kinds
from entities.target_shapes import Targeting, TargetShape
from procgen.blueprint import Point

ARMOUR_TIME = 400
"""Time to put on or take off armour; an ordinary step takes 100."""
HEALING, INSIGHT = "heal", "enlighten"
"""Effects refused to a hero who is unhurt, or knows all it carries, so that nothing is wasted."""


@handles(act.PickUp)
def pick_up(state: GameState, actor: Entity, action: act.PickUp, emit: ev.Emit) -> act.Outcome:
    """Pick up all items underfoot, or the chosen one, as far as the pack has room."""
    lying = reversed(state.map.items_at(actor.x, actor.y))
    pile = [item for item in lying if action.item in (None, item.id)]
    if not pile:
        return act.Refused("nothing here")
    if not any(has_room(actor, item) for item in pile):
        return act.Refused("pack full")
    for item in pile:
        if has_room(actor, item):
            state.map.remove_item(item, actor.x, actor.y)
            who, count, stack = ev.creature_ref(actor), item.count, add_to_pack(actor, item)
            merged = stack is not item and item_kinds()[item.kind].charges[1]
            emit(ev.PickedUp(who, item_ref(state, stack), 0 if merged else count))
        else:
            emit(ev.NoRoom(item_ref(state, item)))
    return act.Done()


@handles(act.Drop)
def drop(state: GameState, actor: Entity, action: act.Drop, emit: ev.Emit) -> act.Outcome:
    """Drop a stack, taking it off first if it is worn."""
    item = find_item(actor, action.item)
    if item is None:
        return act.Refused("not in the pack")
    time = handling_time(actor, item)
    remove_from_pack(actor, item)
    state.map.add_item(item, *state.map.nearest_ground(actor.x, actor.y))
    emit(ev.Dropped(ev.creature_ref(actor), item_ref(state, item)))
    return act.Done(time)


@handles(act.Equip)
def equip(state: GameState, actor: Entity, action: act.Equip, emit: ev.Emit) -> act.Outcome:
    """Wear an item in place of the one in its slot; wearing identifies it."""
    item = find_item(actor, action.item)
    if item is None:
        return act.Refused("not in the pack")
    slot = item_class_of(item.kind).slot
    if slot is None:
        return act.Refused("cannot be worn")
    if slot_of(actor, item):
        return act.Refused("already worn")
    if before := equipped(actor, slot):
        emit(ev.TookOff(ev.creature_ref(actor), item_ref(state, before)))
    actor.equipment[slot] = item.id
    item.identified = True
    emit(ev.Equipped(ev.creature_ref(actor), item_ref(state, item)))
    identify(state, item, emit)
    if "fireproof" in worn_abilities(actor):
        cure_status(actor, "burning", emit)
    return act.Done(handling_time(actor, item))


@handles(act.TakeOff)
def take_off(state: GameState, actor: Entity, action: act.TakeOff, emit: ev.Emit) -> act.Outcome:
    """Put a worn item back into the pack."""
    item = find_item(actor, action.item)
    slot = slot_of(actor, item) if item else None
    if item is None or slot is None:
        return act.Refused("not worn")
    time = handling_time(actor, item)
    del actor.equipment[slot]
    emit(ev.TookOff(ev.creature_ref(actor), item_ref(state, item)))
    return act.Done(time)


def handling_time(actor: Entity, item: Item) -> int:
    """Return the time to put ``item`` on, off or down, or to throw it."""
    return ARMOUR_TIME if slot_of(actor, item) == "armour" else 100


@handles(act.Use)
def use(state: GameState, actor: Entity, action: act.Use, emit: ev.Emit) -> act.Outcome:
    """Use an item: drink, read, zap, wear or throw it, by its class."""
    item = find_item(actor, action.item)
    if item is None:
        return act.Refused("not in the pack")
    if item_class_of(item.kind).slot:
        return act.Alternate(act.TakeOff(item.id) if slot_of(actor, item) else act.Equip(item.id))
    kind = item_kinds()[item.kind]
    if kind.item_class == MISSILE:
        aimed = action.target
        return act.Alternate(act.Throw(item.id, *aimed)) if aimed else act.Refused("needs a target")
    if kind.seed:
        why = plant(state, actor, item, Point(*action.target) if action.target else None, emit)
        return act.Refused(why) if why else act.Done()
    if kind.effect is None or kind.target is None:
        return act.Refused("no use")
    if kind.charges[1] and not item.charges:
        return act.Refused("empty")
    if is_identified(state, item.kind) and (waste := _waste(state, actor, kind.effect)):
        return act.Refused(waste)
    other = None if action.on is None else find_item(actor, action.on)
    if kind.target.shape is TargetShape.ITEM and (other is None or not improvable(other)):
        return act.Refused("needs a thing" if action.on is None else "cannot be improved")
    target = Point(*action.target) if action.target else None
    item_aim = aim_of(state, actor, item, target)
    if item_aim.why and (is_identified(state, item.kind) or target):
        return act.Refused(item_aim.why)
    if not is_identified(state, item.kind):
        item_aim = _aim_unidentified(state, actor, kind.target, target)
    _use_up(state, actor, item, item_aim, emit, other)
    return act.Done()


def _waste(state: GameState, actor: Entity, effect: str) -> str | None:
    """Return why ``effect`` would be wasted on ``actor``, None if it would not."""
    harmed = any(status_kinds()[name].harm for name in actor.statuses)
    if effect == HEALING and actor.fighter.hp >= actor.fighter.max_hp and not harmed:
        return "nothing to heal"
    return "nothing unknown" if effect == INSIGHT and knows_pack(state, actor) else None


def _aim_unidentified(
    state: GameState, actor: Entity, targeting: Targeting, target: Point | None
) -> Aim:
    """Return the aim of an unidentified item at ``target`` or the nearest foe.

    Where a `PLACE` must be chosen, it is a random one: the hero cannot know what to choose.
    """
    if targeting.aimed and target is None:
        foes = foes_in_view(state.map, actor)
        target = Point(foes[0].x, foes[0].y) if foes else None
    if targeting.shape is TargetShape.PLACE:
        tiles = zip(*state.map.visible.nonzero(), strict=True)
        places = [Point(int(x), int(y)) for y, x in tiles]
        fit = [place for place in places if aim(state.map, actor, targeting, place).why is None]
        target = state.stream("effects").pick(fit) if fit else None
    return aim(state.map, actor, targeting, target)


def _use_up(
    state: GameState, actor: Entity, item: Item, item_aim: Aim, emit: ev.Emit, other: Item | None
) -> None:
    """Take one item or charge, identify the kind, and run its effect."""
    kind = item_kinds()[item.kind]
    used = replace(item_ref(state, item), count=1)
    emit(ev.Used(ev.creature_ref(actor), used, item_aim.path, item_aim.tiles))
    if item_class_of(item.kind).spent:
        item = take_one(actor, item)
    elif item.charges:
        item.charges -= 1
    if actor is state.hero:
        item.identified = True
        identify(state, item, emit)
    if item_aim.why:
        emit(ev.Fizzled(item_ref(state, item)))
        return
    assert kind.effect
    all_effects()[kind.effect].apply(EffectUse(state, actor, used, kind, item_aim, emit, other))


@handles(act.Throw)
def throw(state: GameState, actor: Entity, action: act.Throw, emit: ev.Emit) -> act.Outcome:
    """Throw one of a stack, taking it off first if it is worn."""
    item = find_item(actor, action.item)
    if item is None:
        return act.Refused("not in the pack")
    flight = throw_aim(state, actor, item, Point(action.x, action.y))
    if flight.why:
        return act.Refused(flight.why)
    time = handling_time(actor, item)
    _launch(state, actor, item, flight, emit)
    return act.Done(time)


@handles(act.Fire)
def fire(state: GameState, actor: Entity, action: act.Fire, emit: ev.Emit) -> act.Outcome:
    """Shoot with the bow that is worn, or throw a missile."""
    ammo = ammunition(actor)
    if ammo is None:
        return act.Refused("nothing to fire")
    bow, missile = ammo
    if bow is None:
        return act.Alternate(act.Throw(missile.id, action.x, action.y))
    flight = fire_aim(state, actor, Point(action.x, action.y))
    if flight.why:
        return act.Refused(flight.why)
    _launch(state, actor, missile, flight, emit, bow)
    return act.Done()


def _launch(
    state: GameState,
    actor: Entity,
    stack: Item,
    flight: Aim,
    emit: ev.Emit,
    bow: Item | None = None,
) -> None:
    item, path = take_one(actor, stack, state.new_id), flight.path
    emit(ev.Threw(ev.creature_ref(actor), item_ref(state, item), path, bow.kind if bow else None))
    rest = path[-1] if path else Point(actor.x, actor.y)
    kind = item_kinds()[item.kind]
    if kind.shatters is not None:
        broken, tiles = item_ref(state, item), blast_tiles(state.map, rest, kind.shatters)
        emit(ev.Shattered(broken, tiles))
        if actor is state.hero:
            identify(state, item, emit)
        assert kind.effect
        use = EffectUse(state, actor, broken, kind, Aim(path, tiles), emit)
        all_effects()[kind.effect].apply(use)
        return
    target = state.map.entity_at(*rest)
    if target and target is not actor and _hit(state, actor, item, target, emit, bow):
        return
    # On the last walkable tile of its path, where exploring picks it up again.
    item.letter, ground = "", state.map.walkable
    place = next((at for at in reversed(path) if ground[at.y, at.x]), Point(actor.x, actor.y))
    state.map.add_item(item, *state.map.nearest_ground(*place))


def _hit(
    state: GameState, actor: Entity, item: Item, target: Entity, emit: ev.Emit, bow: Item | None
) -> bool:
    """Hit ``target`` with ``item`` if it is a missile; return whether it broke."""
    kind = item_kinds()[item.kind]
    if not kind.damage:
        return False
    roll_attack(state, actor, target, weakened_power(actor, missile_power(actor, item, bow)), emit)
    return state.stream("missiles").chance(kind.breaks / 100)
