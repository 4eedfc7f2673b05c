"""Harm that is no blow: what it takes, whom it wakes, who is to blame."""

from engine.events import Hurt
from engine.ground import fell
from engine.tell import Tell, who
from engine.world import World
from entities.entity import Entity


def harm(
    world: World, target: Entity, damage: int, cause: str, tell: Tell, by: Entity | None = None
) -> None:
    """Take up to ``damage`` hit points from ``target``; ``by`` whoever brought it about."""
    damage = min(target.fighter.hp, damage)
    target.fighter.hp -= damage
    tell(Hurt(who(target), cause, damage))
    blamed = by is not None and by is not target
    fell(world, target, by.kind if blamed and by else cause, tell)
