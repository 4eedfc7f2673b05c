"""What ails or blesses a creature: how it comes, what it changes, how it goes.

A creature's ``statuses`` are turns left by name; what each name means stands in
data/statuses.toml. Everything that begins or ends one goes through here, so that it is told.
"""

from engine.creatures.health import fell
from engine.state.actions import Action, Deed, Move, Struggle, Wait
from engine.state.events import Afflicted, Hurt, Relieved, Tell, who
from engine.state.game_state import World
from entities.entity import Entity
from entities.statuses import LONGEST, Will, statuses
from entities.talents import has_talent
from entities.terrain import TILE_NAMES

ASTRAY = 0.5
"""The share of a confused creature's steps that go another way."""
TEAR = 3
"""Turns of being held that one try to get free is worth."""


def afflict(creature: Entity, name: str, turns: int, tell: Tell) -> None:
    """Let ``creature`` have the status ``name`` for at least so many ``turns`` from now."""
    for other in statuses()[name].cures:
        relieve(creature, other, tell)
    turns = lasts(creature, name, turns)
    before = creature.statuses.get(name, 0)
    if turns > before:
        creature.statuses[name] = min(turns, LONGEST)
        tell(Afflicted(who(creature), name, creature.statuses[name], again=before > 0))


def lasts(creature: Entity, name: str, turns: int) -> int:
    """Return how long the status ``name`` stays with ``creature`` that would last ``turns``."""
    halved = not statuses()[name].good and has_talent(creature, "stubborn")
    return (turns + 1) // 2 if halved else turns


def relieve(creature: Entity, name: str, tell: Tell) -> None:
    """End the status ``name`` of ``creature``, if it has it."""
    if creature.statuses.pop(name, None) is not None:
        tell(Relieved(who(creature), name))


def willed(world: World, creature: Entity, action: Action | Deed) -> Action | Deed:
    """Return what becomes of ``action`` in the state that ``creature`` is in.

    Whoever is asleep waits; a step out of a net is a struggle; a confused step may go astray.
    """
    if not creature.statuses:
        return action
    kinds = [statuses()[name] for name in creature.statuses]
    if not all(kind.acts for kind in kinds):
        return Wait()
    if isinstance(action, Move) and any(kind.moves is Will.HELD for kind in kinds):
        stepping = world.map.entity_at(creature.x + action.dx, creature.y + action.dy) is None
        return Struggle() if stepping else action
    return action


def stumbles(world: World, creature: Entity) -> bool:
    """Whether the step that ``creature`` is about to take goes astray; draws only if it may."""
    confused = any(statuses()[name].moves is Will.STUMBLES for name in creature.statuses)
    return confused and world.stream("confusion").chance(ASTRAY)


def tick(world: World, creature: Entity, tell: Tell) -> None:
    """Let a turn of every status of ``creature`` pass: it hurts, it runs out."""
    ground = TILE_NAMES[world.map.tiles[creature.y, creature.x]]
    for name in list(creature.statuses):
        kind = statuses()[name]
        creature.statuses[name] -= 1
        if creature.statuses[name] <= 0 or ground in kind.ends:
            relieve(creature, name, tell)
        if kind.harm and creature.alive:
            damage = min(creature.fighter.hp, kind.harm)
            creature.fighter.hp -= damage
            tell(Hurt(who(creature), name, damage))
            fell(world, creature, name, tell)
            if not creature.alive:
                return


def startle(creature: Entity, tell: Tell) -> None:
    """Wake ``creature`` from a sleep that is a status, as pain does."""
    for name in [name for name in creature.statuses if not statuses()[name].acts]:
        relieve(creature, name, tell)
