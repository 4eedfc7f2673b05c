"""How creatures live: what they know, what they are about, how they fight."""

from functools import cache

from components import Mood
from engine.creatures.health import mending_of
from engine.monsters import behaviours as fighting
from engine.monsters import behaviours as scheming
from engine.monsters.behaviours import BRAINS, Brain
from engine.monsters.perception import Senses, perceive
from engine.monsters.steering import flee, seek, wander
from engine.state.actions import Action, Deed, Wait
from engine.state.events import Tell
from engine.state.game_state import World
from entities.creature_kinds import creatures
from entities.data_files import DataError
from entities.entity import Entity

__all__ = ["BRAINS", "Senses", "brains", "fighting", "scheming", "think"]

FAR = 64
"""Who is further from the hero than this, in tiles, lets the time pass."""


@cache
def brains() -> dict[str, Brain]:
    """Return the brain of each kind of creature; raise `DataError` if there is no such brain."""
    for name, kind in creatures().items():
        if kind.brain is not None and kind.brain not in BRAINS:
            where = f"data/creatures.toml: [{name}]: brain"
            raise DataError(f"{where}: there is no brain {kind.brain!r}")
    return {name: BRAINS[kind.brain] for name, kind in creatures().items() if kind.brain}


def think(world: World, creature: Entity, senses: Senses, tell: Tell) -> Action | Deed:
    """Return what ``creature`` does now."""
    mind = creature.mind
    if mind is None or senses.apart(creature) > FAR:
        return Wait()
    fighter, pace = creature.fighter, mending_of(creature)
    if pace and world.turn % pace == 0 and fighter.hp < fighter.max_hp:
        fighter.hp += 1
    perceive(world, creature, senses, tell)
    match mind.mood:
        case Mood.HUNTING if senses.sees(creature):
            return brains()[creature.kind](world, creature, senses)
        case Mood.HUNTING | Mood.SEARCHING:
            return seek(world, creature, senses)
        case Mood.FLEEING:
            return flee(world, creature, senses)
        case Mood.WANDERING:
            return wander(world, creature, senses)
        case _:
            return Wait()
