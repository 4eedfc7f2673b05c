"""Throwing items and shooting with a bow."""

from components.inventory import Item
from engine.combat.melee import roll_attack
from engine.combat.targeting import Aim, blast_tiles
from engine.items.aiming import ammunition, fire_aim, missile_power, throw_aim
from engine.items.effects.effect_registry import EffectUse, all_effects
from engine.items.item_actions import handling_time
from engine.state.action_registry import handles
from engine.state.actions import Alternate, Done, Fire, Outcome, Refused, Throw
from engine.state.events import Emit, Shattered, Threw, creature_ref
from engine.state.game_state import GameState
from engine.state.identification import identify, item_ref
from entities.entity import Entity
from entities.equipment import weakened_power
from entities.item_kinds import item_kinds
from entities.pack import find_item, take_one
from procgen.blueprint import Point


@handles(Throw)
def throw(state: GameState, actor: Entity, action: Throw, emit: Emit) -> Outcome:
    """Throw one of a stack, taking it off first if it is worn."""
    item = find_item(actor, action.item)
    if item is None:
        return Refused("not in the pack")
    flight = throw_aim(state, actor, item, Point(action.x, action.y))
    if flight.why:
        return Refused(flight.why)
    time = handling_time(actor, item)
    _launch(state, actor, item, flight, emit)
    return Done(time)


@handles(Fire)
def fire(state: GameState, actor: Entity, action: Fire, emit: Emit) -> Outcome:
    """Shoot with the bow that is worn, or throw a missile."""
    ammo = ammunition(actor)
    if ammo is None:
        return Refused("nothing to fire")
    bow, missile = ammo
    if bow is None:
        return Alternate(Throw(missile.id, action.x, action.y))
    flight = fire_aim(state, actor, Point(action.x, action.y))
    if flight.why:
        return Refused(flight.why)
    _launch(state, actor, missile, flight, emit, bow)
    return Done()


def _launch(
    state: GameState, actor: Entity, stack: Item, flight: Aim, emit: Emit, bow: Item | None = None
) -> None:
    item, path = take_one(actor, stack, state.new_id), flight.path
    emit(Threw(creature_ref(actor), item_ref(state, item), path, bow.kind if bow else None))
    rest = path[-1] if path else Point(actor.x, actor.y)
    if item_kinds()[item.kind].shatters is not None:
        _shatter(state, actor, item, path, rest, emit)
        return
    target = state.map.entity_at(*rest)
    if target and target is not actor and _hit(state, actor, item, target, emit, bow):
        return
    # On the last walkable tile of its path, where exploring picks it up again.
    item.letter, ground = "", state.map.walkable
    place = next((at for at in reversed(path) if ground[at.y, at.x]), Point(actor.x, actor.y))
    state.map.add_item(item, *state.map.nearest_ground(*place))


def _shatter(
    state: GameState, actor: Entity, item: Item, path: tuple[Point, ...], rest: Point, emit: Emit
) -> None:
    """Break ``item`` at ``rest`` and run its effect on the tiles around."""
    kind = item_kinds()[item.kind]
    tiles = blast_tiles(state.map, rest, kind.shatters or 0)
    broken = item_ref(state, item)
    emit(Shattered(broken, tiles))
    if actor is state.hero:
        identify(state, item, emit)
    assert kind.effect
    all_effects()[kind.effect].apply(EffectUse(state, actor, broken, kind, Aim(path, tiles), emit))


def _hit(
    state: GameState, actor: Entity, item: Item, target: Entity, emit: Emit, bow: Item | None
) -> bool:
    """Hit ``target`` with ``item`` if it is a missile; return whether it broke."""
    kind = item_kinds()[item.kind]
    if not kind.damage:
        return False
    power = weakened_power(actor, missile_power(item, bow))
    roll_attack(state, actor, target, power, emit)
    return state.stream("missiles").chance(kind.breaks / 100)
