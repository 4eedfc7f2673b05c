"""What the deeds of a creature's body do: one small function per kind of deed."""

from msgspec.structs import replace

from components import Mood
from components.inventory import Item
from engine.combat.damage import through
from engine.combat.melee import touch
from engine.creatures.health import fell
from engine.creatures.hearing import cry
from engine.creatures.status_effects import startle
from engine.state.action_registry import rule
from engine.state.actions import (
    Blink,
    Charge,
    Cry,
    Divide,
    Done,
    Instead,
    Outcome,
    Refused,
    Shoot,
    Steal,
    Strike,
    Summon,
    Tend,
    Wait,
)
from engine.state.events import (
    Blinked,
    Called,
    Charged,
    Divided,
    Healed,
    Moved,
    Shot,
    Stole,
    Summoned,
    Tell,
    who,
)
from engine.state.game_state import World
from engine.state.identification import what
from entities.creature_kinds import creatures, make
from entities.entity import Entity
from procgen.analysis.distances import DIRECTIONS
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


BLINK_REST, TEND_REST = 7, 3
TENDED = 6
"""Hit points that one tending closes."""
MOST = 120
"""Nobody is called, or divides, on a level where so many live."""


def born(world: World, kind: str, x: int, y: int) -> Entity:
    """Return one of ``kind``, called up at the free place (x, y), that hunts the hero at once."""
    creature = make(kind, world.number(), x, y)
    creature.called_up = True
    if creature.mind:
        creature.mind.mood, creature.mind.attention = Mood.HUNTING, creature.mind.patience
        creature.mind.goal = world.hero.x, world.hero.y
    world.map.add_entity(creature)
    return creature


def room_around(world: World, x: int, y: int) -> list[Point]:
    """Return the free tiles beside (x, y)."""
    beside = [Point(x + dx, y + dy) for dx, dy in DIRECTIONS]
    return [place for place in beside if not world.map.is_blocked(*place)]


@rule(Summon)
def summon(world: World, actor: Entity, deed: Summon, tell: Tell) -> Outcome:
    """Call others to the tiles beside one."""
    habit = creatures()[actor.kind].habits.summons
    room = room_around(world, actor.x, actor.y)
    if habit is None or actor.mind is None or not room or len(world.map.entities) > MOST:
        return Refused("no room")
    actor.mind.ready = habit.every
    for place in world.stream("summons").shuffled(room)[: habit.number]:
        tell(Summoned(who(born(world, habit.kind, *place)), who(actor)))
    return Done()


@rule(Blink)
def blink(world: World, actor: Entity, deed: Blink, tell: Tell) -> Outcome:
    """Be at another place."""
    if world.map.is_blocked(deed.x, deed.y) or actor.mind is None:
        return Refused("blocked")
    origin = Point(actor.x, actor.y)
    world.map.move_entity(actor, deed.x, deed.y)
    actor.mind.ready = BLINK_REST
    tell(Blinked(who(actor), origin))
    return Done()


@rule(Divide)
def divide(world: World, actor: Entity, deed: Divide, tell: Tell) -> Outcome:
    """Be two with half of the hit points each."""
    room, half = room_around(world, actor.x, actor.y), actor.fighter.hp // 2
    if not room or half < 1 or len(world.map.entities) > MOST:
        return Refused("no room")
    other = born(world, actor.kind, *world.stream("summons").pick(room))
    for one, share in ((actor, actor.fighter.hp - half), (other, half)):
        one.fighter.hp = one.fighter.max_hp = share
        if one.mind:
            one.mind.felt = share
    tell(Divided(who(actor), who(other)))
    return Done()


@rule(Tend)
def tend(world: World, actor: Entity, deed: Tend, tell: Tell) -> Outcome:
    """Close some of a friend's wounds."""
    patient = world.map.entities.get(deed.patient)
    if patient is None or actor.mind is None or patient is world.hero:
        return Refused("nobody there")
    fighter = patient.fighter
    amount = min(TENDED, fighter.max_hp - fighter.hp)
    fighter.hp += amount
    actor.mind.ready = TEND_REST
    if patient.mind:
        patient.mind.felt = fighter.hp
    tell(Healed(who(patient), actor.kind, amount))
    return Done()
