"""Status effects: apply, cure, and change what a creature does.

A creature's ``statuses`` map a name to the turns left; data/statuses.toml says what each does. They
start and end only here and in `health.tick_statuses`, so that an event is always emitted.
"""

from engine.state.actions import AnyAction, Charge, Choose, Climb, Descend, Move, Struggle, Wait
from engine.state.events import Emit, StatusApplied, StatusEnded, creature_ref
from engine.state.game_state import GameState
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from entities.equipment import worn_abilities
from entities.statuses import LONGEST_STATUS, StepEffect, can_walk, is_asleep, status_kinds
from entities.talents import has_talent

STUMBLE_CHANCE = 0.5
"""The chance that a step of a confused creature goes in a random direction."""
STRUGGLE_TURNS = 3
"""Turns that one struggle takes off a status that holds a creature."""


def apply_status(creature: Entity, name: str, turns: int, emit: Emit) -> None:
    """Give ``creature`` the status ``name`` for at least ``turns`` turns, unless it is immune."""
    turns = status_duration(creature, name, turns)
    for other in status_kinds()[name].cures if turns else ():
        cure_status(creature, other, emit)
    before = creature.statuses.get(name, 0)
    if turns > before:
        again = before > 0 or (name == "asleep" and is_asleep(creature))
        creature.statuses[name] = min(turns, LONGEST_STATUS)
        emit(StatusApplied(creature_ref(creature), name, creature.statuses[name], again))


def status_duration(creature: Entity, name: str, turns: int) -> int:
    """Return the turns of status ``name``, 0 if immune; bosses and Stubborn halve bad ones."""
    kind = creature_kinds()[creature.kind]
    fireproof = name == "burning" and "fireproof" in worn_abilities(creature)
    if fireproof or name in kind.traits.immune:
        return 0
    halved = kind.lair or has_talent(creature, "stubborn")
    return (turns + 1) // 2 if halved and not status_kinds()[name].good else turns


def cure_status(creature: Entity, name: str, emit: Emit) -> None:
    """End the status ``name`` of ``creature``, if it has it; a natural sleep goes on unsaid."""
    ended = creature.statuses.pop(name, None) is not None
    if ended and not (name == "asleep" and is_asleep(creature)):
        emit(StatusEnded(creature_ref(creature), name))


def release_holds(creature: Entity, emit: Emit) -> None:
    """End every status that holds ``creature`` in place, because it is moved elsewhere."""
    for name in [*creature.statuses]:
        if status_kinds()[name].moves is StepEffect.HELD:
            cure_status(creature, name, emit)


def action_after_statuses(state: GameState, creature: Entity, action: AnyAction) -> AnyAction:
    """Return the action that the statuses of ``creature`` turn ``action`` into.

    A sleeper waits, but can choose a talent; a held creature struggles where it would walk.
    """
    if not all(status_kinds()[name].acts for name in creature.statuses):
        return action if isinstance(action, Choose) else Wait()
    held = isinstance(action, (Move, Charge, Climb, Descend)) and not can_walk(creature)
    if held and isinstance(action, (Move, Charge)):
        held = state.map.entity_at(creature.x + action.dx, creature.y + action.dy) is None
    return Struggle() if held else action


def stumbles(state: GameState, creature: Entity) -> bool:
    """Return True if ``creature`` is confused and steps astray now; draw only if it is confused."""
    confused = any(status_kinds()[name].moves is StepEffect.STUMBLES for name in creature.statuses)
    return confused and state.stream("confusion").chance(STUMBLE_CHANCE)


def wake_up(creature: Entity, emit: Emit) -> None:
    """End a magical sleep of ``creature``, as damage does."""
    for name in [name for name in creature.statuses if not status_kinds()[name].acts]:
        cure_status(creature, name, emit)
