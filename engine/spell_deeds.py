"""What the deeds of a creature's magic do: one small function per kind of deed."""

from components import Mood
from engine.actions import Done, Outcome, Refused
from engine.deeds import Blink, Divide, Summon, Tend
from engine.events import Blinked, Divided, Healed, Summoned
from engine.ruling import rule
from engine.tell import Tell, who
from engine.world import World
from entities.entity import Entity
from entities.kinds import creatures, make
from procgen.analysis import DIRECTIONS
from procgen.blueprint import Point

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
