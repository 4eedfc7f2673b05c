"""Harm that is no blow: what it takes, whom it wakes, who is to blame."""

from engine.creatures.levelling import learn
from engine.state.events import Died, Hurt, Tell, TookGold, who
from engine.state.game_state import World
from entities.entity import Entity
from entities.equipment import gifts
from entities.statuses import mends


def fell(world: World, target: Entity, killer: str, tell: Tell) -> None:
    """Remove ``target`` if it has no hit points left; the hero stays where it lies."""
    if target.alive:
        return
    tell(Died(who(target), killer))
    if target is world.hero:
        world.killed_by = killer
    else:
        world.map.remove_entity(target)
        _leave_behind(world, target, tell)
        world.kills += 1
        world.slain[target.kind] = world.slain.get(target.kind, 0) + 1
        learn(world, target, tell)


def _leave_behind(world: World, creature: Entity, tell: Tell) -> None:
    """Give back what ``creature`` had on it."""
    for item in creature.pack:
        world.map.lay(item, creature.x, creature.y)
    if creature.mind and creature.mind.loot:
        world.gold += creature.mind.loot
        tell(TookGold(who(world.hero), creature.mind.loot))


def harm(
    world: World, target: Entity, damage: int, cause: str, tell: Tell, by: Entity | None = None
) -> None:
    """Take up to ``damage`` hit points from ``target``; ``by`` whoever brought it about."""
    damage = min(target.fighter.hp, damage)
    target.fighter.hp -= damage
    tell(Hurt(who(target), cause, damage))
    blamed = by is not None and by is not target
    fell(world, target, by.kind if blamed and by else cause, tell)


def heals(being: Entity) -> bool:
    """Whether rest is of any use to ``being``: nothing that it wears keeps its wounds open."""
    return bool(being.fighter.mending) and "unmending" not in gifts(being)


def mending_of(being: Entity) -> int:
    """Return the turns in which a hit point of ``being`` grows back as things are, 0 for never."""
    given = gifts(being)
    if not heals(being) or not mends(being):
        return 0
    pace = being.fighter.mending
    return max(1, pace // 2) if "mending" in given else pace
