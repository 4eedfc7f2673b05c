"""Effects that put somebody elsewhere."""

from engine.effects.registry import ANY, Cast, effect
from engine.shifting import put, shove, swap, whisk
from entities.entity import Entity
from entities.reach import Shape


@effect(Shape.PLACE)
def blink(cast: Cast) -> None:
    """Put the user on the place aimed at."""
    put(cast.world, cast.user, *cast.place, "blinked", cast.tell)


@effect(*ANY)
def teleport(cast: Cast) -> None:
    """Take whoever is touched far away."""
    for creature in cast.touched():
        whisk(cast.world, creature, cast.tell)


@effect(Shape.BOLT, Shape.ONE, Shape.NEAREST)
def change_places(cast: Cast) -> None:
    """Let the user and the first who is touched change places."""
    others = [one for one in cast.touched() if one is not cast.user]
    if others:
        swap(cast.world, cast.user, others[0], cast.tell)


@effect(Shape.BOLT, Shape.ONE, Shape.CONE, Shape.BURST)
def push(cast: Cast) -> None:
    """Push whoever is touched ``strength`` steps away from the user, the furthest first."""

    def far(creature: Entity) -> int:
        return max(abs(creature.x - cast.user.x), abs(creature.y - cast.user.y))

    for creature in sorted(cast.touched(), key=far, reverse=True):
        way = _sign(creature.x - cast.user.x), _sign(creature.y - cast.user.y)
        if way != (0, 0):
            shove(cast.world, creature, way, cast.kind.strength, cast.tell, cast.user)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
