"""What a creature's blows do beside harm."""

from engine.statuses import afflict
from engine.tell import Tell
from engine.world import World
from entities.entity import Entity
from entities.kinds import creatures


def touch(world: World, actor: Entity, target: Entity, tell: Tell) -> None:
    """Let the touch of ``actor`` bring its status upon ``target``; draws only if it may."""
    habit = creatures()[actor.kind].habits.touch
    if habit and target.alive and world.stream("combat").chance(habit.chance):
        afflict(target, habit.status, habit.turns, tell)
