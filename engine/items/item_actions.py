"""What a hero does with things: take, leave, wear."""

from dataclasses import replace

from components.inventory import Item
from engine.combat.targeting import Aim, aim, foes_in_view
from engine.items.aiming import MISSILE, aim_of
from engine.items.effects.effect_registry import Cast
from engine.items.effects.mind_and_item_effects import improvable
from engine.items.item_table import all_effects, wares
from engine.state.action_registry import rule
from engine.state.actions import (
    Done,
    Drop,
    Equip,
    Instead,
    Outcome,
    PickUp,
    Refused,
    TakeOff,
    Throw,
    Use,
)
from engine.state.events import (
    Dropped,
    Equipped,
    Fizzled,
    NoRoom,
    PickedUp,
    Tell,
    TookOff,
    Used,
    who,
)
from engine.state.game_state import World
from engine.state.identification import knows, learn, what
from entities.entity import Entity
from entities.item_kinds import sort_of
from entities.pack import carried, has_room, one_of, slot_of, stow, unstow
from entities.target_shapes import Reach, Shape
from procgen.blueprint import Point

DONNING = 400
"""The time it takes to put armour on or off."""


@rule(PickUp)
def pick_up(world: World, actor: Entity, action: PickUp, tell: Tell) -> Outcome:
    """Take what lies underfoot, as far as the pack has room."""
    pile = [
        item
        for item in reversed(world.map.items_at(actor.x, actor.y))
        if action.item in (None, item.id)
    ]
    if not pile:
        return Refused("nothing here")
    if not any(has_room(actor, item) for item in pile):
        return Refused("pack full")
    for item in pile:
        if has_room(actor, item):
            world.map.lift(item, actor.x, actor.y)
            tell(PickedUp(who(actor), what(world, stow(actor, item))))
        else:
            tell(NoRoom(what(world, item)))
    return Done()


@rule(Drop)
def drop(world: World, actor: Entity, action: Drop, tell: Tell) -> Outcome:
    """Lay a stack down, taking it off first if it is worn."""
    item = carried(actor, action.item)
    if item is None:
        return Refused("not in the pack")
    time = _fuss(actor, item)
    unstow(actor, item)
    world.map.lay(item, actor.x, actor.y)
    tell(Dropped(who(actor), what(world, item)))
    return Done(time)


@rule(Equip)
def equip(world: World, actor: Entity, action: Equip, tell: Tell) -> Outcome:
    """Wear a thing in place of what is worn there; whoever wears it knows how good it is."""
    item = carried(actor, action.item)
    if item is None:
        return Refused("not in the pack")
    slot = sort_of(item.kind).slot
    if slot is None:
        return Refused("cannot be worn")
    if slot_of(actor, item):
        return Refused("already worn")
    actor.worn[slot] = item.id
    item.known = True
    tell(Equipped(who(actor), what(world, item)))
    return Done(_fuss(actor, item))


@rule(TakeOff)
def take_off(world: World, actor: Entity, action: TakeOff, tell: Tell) -> Outcome:
    """Put a thing that is worn back into the pack."""
    item = carried(actor, action.item)
    slot = slot_of(actor, item) if item else None
    if item is None or slot is None:
        return Refused("not worn")
    time = _fuss(actor, item)
    del actor.worn[slot]
    tell(TookOff(who(actor), what(world, item)))
    return Done(time)


def _fuss(actor: Entity, item: Item) -> int:
    """Return the time it takes to handle ``item``."""
    return DONNING if slot_of(actor, item) == "armour" else 100


@rule(Use)
def use(world: World, actor: Entity, action: Use, tell: Tell) -> Outcome:
    """Drink, read, zap, wear or throw, as the thing is there for."""
    item = carried(actor, action.item)
    if item is None:
        return Refused("not in the pack")
    if sort_of(item.kind).slot:
        return Instead(TakeOff(item.id) if slot_of(actor, item) else Equip(item.id))
    kind = wares()[item.kind]
    if kind.sort == MISSILE:
        aimed = action.target
        return Instead(Throw(item.id, *aimed)) if aimed else Refused("needs a target")
    if kind.effect is None or kind.target is None:
        return Refused("no use")
    if kind.charges[1] and not item.charges:
        return Refused("empty")
    other = None if action.on is None else carried(actor, action.on)
    if kind.target.shape is Shape.ITEM and (other is None or not improvable(other)):
        return Refused("needs a thing" if action.on is None else "cannot be improved")
    target = Point(*action.target) if action.target else None
    found = aim_of(world, actor, item, target)
    if found.why and (knows(world, item.kind) or target):
        return Refused(found.why)
    if not knows(world, item.kind):
        found = _blind(world, actor, kind.target, target)
    _spend(world, actor, item, found, tell, other)
    return Done()


def _blind(world: World, actor: Entity, reach: Reach, target: Point | None) -> Aim:
    """Return where something falls that is used by someone who does not know how to aim it."""
    if reach.aimed and target is None:
        foes = foes_in_view(world.map, actor)
        target = Point(foes[0].x, foes[0].y) if foes else None
    if reach.shape is Shape.PLACE:
        target = _somewhere(world, actor, reach)
    return aim(world.map, actor, reach, target)


def _somewhere(world: World, actor: Entity, reach: Reach) -> Point | None:
    """Return a free tile in view that ``reach`` can be aimed at, drawn at random."""
    ys, xs = world.map.seen.nonzero()
    places = [Point(int(x), int(y)) for y, x in zip(ys, xs, strict=True)]
    fit = [place for place in places if aim(world.map, actor, reach, place).why is None]
    return world.stream("effects").pick(fit) if fit else None


def _spend(
    world: World, actor: Entity, item: Item, found: Aim, tell: Tell, other: Item | None
) -> None:
    """Use up a thing, or a charge of it, let it work, and learn what it does."""
    kind, name = wares()[item.kind], item.kind
    tell(Used(who(actor), replace(what(world, item), count=1), *_shown(found)))
    if sort_of(name).spent:
        item = one_of(actor, item, item.id)
    elif item.charges:
        item.charges -= 1
    if actor is world.hero:
        item.known = True
        learn(world, item, tell)
    if found.why:
        tell(Fizzled(what(world, item)))
        return
    assert kind.effect
    all_effects()[kind.effect].work(Cast(world, actor, name, kind, found, tell, other))


def _shown(found: Aim) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    return found.path, found.tiles
