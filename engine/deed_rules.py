"""What the deeds of a creature's body do: one small function per kind of deed."""

from msgspec.structs import replace

from components import Mood
from engine.actions import Done, Instead, Outcome, Refused, Strike, Wait
from engine.brains.perception import cry
from engine.deeds import Charge, Cry, Shoot, Steal
from engine.events import Called, Charged, Moved, Shot, Stole
from engine.ground import fell
from engine.ruling import rule
from engine.statuses import startle
from engine.tell import Tell, who
from engine.things.armour import through
from engine.things.lore import what
from engine.touch import touch
from engine.world import World
from entities.entity import Entity
from entities.item import Item
from entities.kinds import creatures
from procgen.blueprint import Point

RUN = 400
"""Turns for which a thief runs with what it has."""
PURSE = (20, 50)
"""Percent of one's gold that a thief gets hold of."""
REST = 6
"""Turns before one can charge again."""


@rule(Shoot)
def shoot(world: World, actor: Entity, deed: Shoot, tell: Tell) -> Outcome:
    """Hit the hero for what gets through of the shot's power, one more or less by luck."""
    shot = creatures()[actor.kind].habits.shot
    if shot is None or actor.mind is None:
        return Refused("nothing to shoot")
    target = world.hero
    damage = through(shot.power, world.stream("combat").between(-1, 1), target)
    target.fighter.hp = max(0, target.fighter.hp - damage)
    actor.mind.ready = shot.every
    tell(Shot(who(actor), who(target), shot.missile, damage))
    if damage:
        startle(target, tell)
    if damage or not shot.power:
        touch(world, actor, target, tell)
    fell(world, target, actor.kind, tell)
    return Done()


@rule(Cry)
def cry_out(world: World, actor: Entity, deed: Cry, tell: Tell) -> Outcome:
    """Alert everyone within earshot."""
    if actor.mind is None:
        return Refused("nobody hears")
    actor.mind.ready = actor.mind.patience
    tell(Called(who(actor)))
    cry(world, actor, creatures()[actor.kind].habits.calls)
    return Done()


@rule(Steal)
def steal(world: World, actor: Entity, deed: Steal, tell: Tell) -> Outcome:
    """Take one thing that is not worn, else gold, and run; strike who has neither."""
    hero, mind = world.hero, actor.mind
    if mind is None or max(abs(hero.x - actor.x), abs(hero.y - actor.y)) > 1:
        return Refused("nobody there")
    loose = [item for item in hero.pack if item.id not in hero.worn.values()]
    if loose:
        taken = _one_of(world, hero, world.stream("theft").pick(loose))
        actor.pack.append(taken)
        tell(Stole(who(actor), what(world, taken)))
    elif world.gold:
        mind.loot = max(1, world.gold * world.stream("theft").between(*PURSE) // 100)
        world.gold -= mind.loot
        tell(Stole(who(actor), None, mind.loot))
    else:
        return Instead(Strike(hero.x - actor.x, hero.y - actor.y))
    mind.mood, mind.attention, mind.goal = Mood.FLEEING, RUN, None
    return Done()


def _one_of(world: World, owner: Entity, item: Item) -> Item:
    """Return one of ``item`` out of the pack of ``owner``."""
    if item.count == 1:
        owner.pack.remove(item)
        return item
    item.count -= 1
    return replace(item, id=world.number(), count=1)


@rule(Charge)
def charge(world: World, actor: Entity, deed: Charge, tell: Tell) -> Outcome:
    """Run up to the hero and strike it; what gets in the way ends the run."""
    origin = Point(actor.x, actor.y)
    while not world.map.is_blocked(actor.x + deed.dx, actor.y + deed.dy):
        if (deed.dx, deed.dy) == (0, 0) or actor.mind is None:
            return Refused("nowhere to run")
        start = Point(actor.x, actor.y)
        world.map.move_entity(actor, actor.x + deed.dx, actor.y + deed.dy)
        tell(Moved(who(actor), start))
    if actor.mind:
        actor.mind.ready = REST
    tell(Charged(who(actor), origin))
    ahead = world.map.entity_at(actor.x + deed.dx, actor.y + deed.dy)
    return Instead(Strike(deed.dx, deed.dy) if ahead is world.hero else Wait())
