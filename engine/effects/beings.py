"""Effects that bring creatures forth, or make others of them."""

from engine.effects.registry import Cast, effect
from engine.events import Appeared, Changed
from engine.tell import who
from entities.entity import Entity
from entities.kinds import HERO, make, weights_at
from entities.reach import Shape

ABOVE = 2
"""A creature changes into one that appears up to so many depths further down."""


@effect(Shape.SELF)
def summon(cast: Cast) -> None:
    """Call up ``strength`` creatures of this depth around the user, and not as friends."""
    world = cast.world
    for _ in range(cast.kind.strength):
        place = world.map.nearest_free(cast.user.x, cast.user.y)
        if place is None:
            return
        kind = world.stream("effects").weighted(weights_at(world.depth))
        creature = make(kind, world.number(), *place)
        creature.called_up = True
        world.map.add_entity(creature)
        cast.tell(Appeared(who(creature)))


@effect(Shape.BOLT, Shape.ONE)
def polymorph(cast: Cast) -> None:
    """Make another creature of whoever is touched, for better or worse."""
    world = cast.world
    for creature in cast.touched():
        if creature.kind == HERO:
            continue
        weights = weights_at(world.depth + ABOVE)
        others = {name: weight for name, weight in weights.items() if name != creature.kind}
        if others:
            _become(cast, creature, world.stream("effects").weighted(others))


def _become(cast: Cast, creature: Entity, kind: str) -> None:
    """Give ``creature`` the body and the mind of a ``kind``; what it carries it keeps."""
    before, form = creature.kind, make(kind, creature.id, creature.x, creature.y)
    creature.kind, creature.fighter, creature.mind = kind, form.fighter, form.mind
    creature.energy.speed = form.energy.speed
    cast.tell(Changed(who(creature), before))
