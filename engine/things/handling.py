"""What a hero does with things: take, leave, wear."""

from engine.actions import Done, Drop, Equip, Outcome, PickUp, Refused, TakeOff
from engine.events import Dropped, Equipped, NoRoom, PickedUp, TookOff
from engine.ruling import rule
from engine.tell import Tell, who
from engine.things.lore import what
from engine.things.pack import carried, has_room, slot_of, stow, unstow
from engine.world import World
from entities.entity import Entity
from entities.item import Item
from entities.items import sort_of

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
