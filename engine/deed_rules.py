"""What each deed of a creature does: one small function per kind of deed."""

from engine.actions import Done, Outcome, Refused
from engine.brains.perception import cry
from engine.deeds import Cry, Shoot
from engine.events import Called, Shot
from engine.ground import fell
from engine.ruling import Tell, rule
from engine.tell import who
from engine.world import World
from entities.entity import Entity
from entities.kinds import creatures


@rule(Shoot)
def shoot(world: World, actor: Entity, deed: Shoot, tell: Tell) -> Outcome:
    """Hit the hero for the power of the shot less its defense, one more or less by luck."""
    shot = creatures()[actor.kind].habits.shot
    if shot is None or actor.mind is None:
        return Refused("nothing to shoot")
    target = world.hero
    damage = max(0, shot.power + world.stream("combat").between(-1, 1) - target.fighter.defense)
    target.fighter.hp = max(0, target.fighter.hp - damage)
    actor.mind.ready = shot.every
    tell(Shot(who(actor), who(target), shot.missile, damage))
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
