"""Monster AI: perceive, then choose an action by AI state and behaviour."""

from collections.abc import Iterator
from functools import cache

from components import Ai, AiState
from engine.creatures.health import regenerate
from engine.creatures.noise import WALKING
from engine.monsters.behaviours import BEHAVIOURS, Behaviour
from engine.monsters.perception import (
    AMBUSH_RANGE,
    FLEEING,
    FURTHEST_SIGHT,
    HUNTING,
    Senses,
    perceive,
    senses_of_enemy,
)
from engine.monsters.steering import flee, seek, wander
from engine.state.actions import AnyAction, Wait
from engine.state.events import Emit, Event, Moved, Spotted
from engine.state.game_state import GameState
from entities.creature_kinds import IMMOBILE, creature_kinds
from entities.data_files import check_names
from entities.entity import Entity

ACTIVE_RANGE = 64
"""Monsters of the level farther from the hero than this, in tiles, wait: it saves pathfinding."""


@cache
def behaviours_by_kind() -> dict[str, Behaviour]:
    """Return the behaviour of each monster kind; raise `DataError` for an unknown one."""
    kinds = creature_kinds().items()
    words = {name: kind.behaviour for name, kind in kinds if kind.behaviour is not None}
    for name, word in words.items():
        check_names(f"data/creatures.toml: [{name}]: behaviour", [word], BEHAVIOURS, "behaviour")
    return {name: BEHAVIOURS[word] for name, word in words.items()}


WANDERING, SEARCHING = AiState.WANDERING, AiState.SEARCHING
WAITING = {AiState.ASLEEP: 0, AiState.HIDDEN: AMBUSH_RANGE, AiState.IDLE: FURTHEST_SIGHT}
"""The states of monsters that stay in place, and the distance within which the hero matters."""


def is_undisturbed(creature: Entity, senses: Senses) -> bool:
    """Return True if the turn of ``creature`` would be a wait that changes nothing about it.

    Most monsters of a level sleep far from all noise. This test takes a tenth of the time of
    `choose_action`. Within `ACTIVE_RANGE` it may be True only if that changes and draws nothing.
    """
    ai, x, y = creature.ai, creature.x, creature.y
    if ai is None:
        return True
    near = WAITING.get(ai.state, ACTIVE_RANGE)
    if -near <= x - senses.x <= near and -near <= y - senses.y <= near:
        return False
    if near == ACTIVE_RANGE:
        return not creature.spawned_in_play  # A hunter comes from the farthest stairs.
    if not _is_steady(creature, ai):
        return senses.distance(x, y) > ACTIVE_RANGE
    hearing = creature_kinds()[creature.kind].traits.hearing
    for noise in senses.noises:
        far = noise.loudness * hearing // 100
        if -far <= x - noise.x <= far and -far <= y - noise.y <= far:
            return False
    return True


def _is_steady(creature: Entity, ai: Ai) -> bool:
    """Return True if perceiving changes nothing about ``creature`` while no enemy is near."""
    unhurt = creature.fighter.max_hp <= creature.fighter.hp == ai.last_seen_hp
    return unhurt and not creature.statuses and ai.cooldown <= 0


QUIET = frozenset({Moved, Spotted})
"""Events that change nothing about other monsters; any other may wake, hurt or move them."""


class Wakeups:
    """The turns in which to test undisturbed monsters again; `Engine` schedules the turns of all.

    They hold while the hero takes single steps and all is quiet; after anything else all monsters
    are tested. They change speed only. Code outside the rules that changes monsters begins anew.
    """

    def __init__(self) -> None:
        self.senses: Senses
        self._turn, self._due = 0, list[int]()
        self._known: object = None

    def disturbed(self, state: GameState, events: list[Event]) -> Iterator[Entity]:
        """Yield the monsters whose turn may change anything according to `senses`, oldest first."""
        everyone, seen, quiet = [*state.map.entities.values()], len(events), QUIET.issuperset
        turn = self._turn = self._turn + 1
        before, self._known = self._known, (state.map, state.map.entity_edits)
        calm = all(noise.loudness <= WALKING for noise in state.noises) and quiet(map(type, events))
        if not calm or self._known != before:
            self._due = [0] * len(everyone)
        due, acted = self._due, False
        for index, creature in enumerate(everyone):
            if due[index] > turn and not acted:
                continue
            if not is_undisturbed(creature, self.senses):
                yield creature
                acted = True  # Ask the next monster, too: it may have been disturbed.
                continue
            if acted and calm:
                calm, seen = quiet(map(type, events[seen:])), len(events)
                acted = not calm
            if calm:
                away, near = self.senses.distance_to(creature), ACTIVE_RANGE
                if away <= ACTIVE_RANGE and creature.ai:
                    hearing = creature_kinds()[creature.kind].traits.hearing
                    near = max(WAITING[creature.ai.state], WALKING * hearing // 100)
                due[index] = turn + away - near
        if not (calm and quiet(map(type, events[seen:]))):
            self._due = [0] * len(everyone)


def choose_action(state: GameState, creature: Entity, senses: Senses, emit: Emit) -> AnyAction:
    """Let ``creature`` perceive, and return the action that it chooses."""
    ai, fighter, sides = creature.ai, creature.fighter, state.map.sides
    assert ai
    alone = ai.state is WANDERING and not senses.in_range(creature) and not sides
    if alone and _is_steady(creature, ai):
        return wander(state, creature, senses)  # The most frequent case.
    if fighter.hp < fighter.max_hp:
        regenerate(creature, state.turn)
    if "asleep" in creature.statuses:  # Or it would call for help in its sleep.
        return Wait()
    hunts_in_sight = perceive(state, creature, senses, emit)
    if sides and (enemy := senses_of_enemy(state, creature, senses)):
        return behaviours_by_kind()[creature.kind](state, creature, enemy)
    if hunts_in_sight:
        return behaviours_by_kind()[creature.kind](state, creature, senses)
    if ai.behaviour in IMMOBILE:
        return Wait()
    if ai.state is HUNTING or ai.state is SEARCHING:
        return seek(state, creature, senses)
    if ai.state is FLEEING:
        return flee(state, creature, senses)
    return wander(state, creature, senses) if ai.state is WANDERING else Wait()
