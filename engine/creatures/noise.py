"""Noise: how far the hero's actions are heard, and shouts that alert other monsters."""

from components import AiState
from engine.state.actions import AnyAction, Move, Wait
from engine.state.events import Event, ShotFired, Struck, Used
from engine.state.game_state import GameState, Noise
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from entities.equipment import worn_abilities
from entities.item_kinds import item_kinds
from entities.talents import has_talent

FIGHTS = frozenset({Struck, ShotFired})
"""Events that are heard as fighting."""
STILL, WALKING, BUSY, FIGHTING = 1, 6, 4, 11
"""Steps within which the hero is heard when waiting, walking, doing anything else, fighting."""
LOUDNESS = {Wait: STILL, Move: WALKING}


def action_noise(hero: Entity, action: AnyAction, events: list[Event]) -> Noise:
    """Return the noise of the hero's ``action`` and its ``events``, changed by gear and talents."""
    loudness, abilities = LOUDNESS.get(type(action), BUSY), worn_abilities(hero)
    if not FIGHTS.isdisjoint(map(type, events)):
        loudness = FIGHTING
    if "noisy" in abilities:
        loudness *= 2
    if "quiet" in abilities or has_talent(hero, "lightfoot"):
        loudness //= 2
    used = [item_kinds()[event.what.kind].effect for event in events if isinstance(event, Used)]
    if "decoy" in used:  # The noise would call back those that it sends away.
        loudness = 0
    return Noise(hero.x, hero.y, loudness)


SCENT_TURNS = 3
"""Turns for which a hunter out of sight still knows where the hero is; an alert adds them, too."""


def alert(creature: Entity, x: int, y: int) -> None:
    """Send ``creature`` to search at (x, y), unless it hunts, flees or lies in ambush.

    A boss only wakes up: it does not leave what it guards for a noise.
    """
    ai = creature.ai
    if ai and creature_kinds()[creature.kind].lair:
        ai.state = AiState.IDLE if ai.state is AiState.ASLEEP else ai.state
    elif ai and ai.state not in (AiState.HUNTING, AiState.FLEEING, AiState.HIDDEN):
        ai.state, ai.goal = AiState.SEARCHING, (x, y)
        ai.state_turns_left = ai.memory_turns + SCENT_TURNS


def wake_without_blame(victim: Entity) -> None:
    """Wake a monster that another monster hurt, without making it look for the hero."""
    if victim.ai:
        victim.ai.last_seen_hp = victim.fighter.hp
        if victim.ai.state is AiState.ASLEEP:
            victim.ai.state = AiState.WANDERING


def shout(state: GameState, creature: Entity, loudness: int, *, kin: bool = False) -> None:
    """Alert all monsters within ``loudness`` tiles of ``creature``; with ``kin``, only its kind."""
    hero = state.hero
    for other in state.map.entities.values():
        near = creature.distance_to(other) <= loudness
        if near and other is not creature and (not kin or other.kind == creature.kind):
            alert(other, hero.x, hero.y)
