"""Effects on bodies: what mends and what hurts them."""

from engine.effects.registry import ANY, Cast, effect
from engine.events import Healed
from engine.harm import harm
from engine.tell import who
from entities.reach import Shape

LUCK = 4
"""Harm varies by so many parts of it, up and down."""


@effect(*ANY)
def heal(cast: Cast) -> None:
    """Close the wounds of whoever is touched; beyond the most there are, by one for good."""
    for creature in cast.touched():
        fighter = creature.fighter
        amount = min(cast.kind.strength, fighter.max_hp - fighter.hp)
        fighter.hp += amount
        cast.tell(Healed(who(creature), cast.name, amount))


def varied(cast: Cast) -> int:
    """Return the harm of ``cast`` this time."""
    swing = cast.kind.strength // LUCK
    return max(1, cast.kind.strength + cast.world.stream("effects").between(-swing, swing))


@effect(Shape.NEAREST, Shape.ONE, Shape.BOLT, Shape.VIEW)
def strike_down(cast: Cast) -> None:
    """Let lightning strike whoever is touched."""
    for creature in cast.touched():
        harm(cast.world, creature, varied(cast), "lightning", cast.tell, cast.user)


@effect(Shape.BALL, Shape.BOLT, Shape.CONE, Shape.BURST)
def burn(cast: Cast) -> None:
    """Set fire to everything that is touched."""
    for creature in cast.touched():
        harm(cast.world, creature, varied(cast), "fire", cast.tell, cast.user)
