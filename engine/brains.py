"""How creatures choose: small functions, each named by data."""

from collections.abc import Callable

from components import Mood
from engine.actions import Action, Move, Wait
from engine.events import Event, LostTrack, Noticed
from engine.hunt import Hunt
from engine.tell import who
from engine.world import World
from entities.entity import Entity

Tell = Callable[[Event], None]
Brain = Callable[[World, Entity, Hunt, Tell], Action]

BRAINS: dict[str, Brain] = {}


def brain(function: Brain) -> Brain:
    """Register a brain under its function's name."""
    BRAINS[function.__name__] = function
    return function


@brain
def hunter(world: World, creature: Entity, hunt: Hunt, tell: Tell) -> Action:
    """Hunt the hero on sight, follow for a while when it is gone, then give up."""
    mind = creature.mind
    assert mind
    hero = world.hero
    apart = max(abs(hero.x - creature.x), abs(hero.y - creature.y))
    if apart <= mind.sight and world.map.seen[creature.y, creature.x]:
        if mind.mood is not Mood.HUNTING:
            tell(Noticed(who(creature)))
        mind.mood, mind.attention = Mood.HUNTING, mind.patience
    elif mind.mood is Mood.HUNTING:
        mind.attention -= 1
        if mind.attention <= 0:
            mind.mood = Mood.IDLE
            tell(LostTrack(who(creature)))
    if mind.mood is not Mood.HUNTING:
        return Wait()
    if apart == 1:
        return Move(hero.x - creature.x, hero.y - creature.y)
    return hunt.step(creature)
