"""Noise: what can be heard of what the hero does."""

from components import AiState
from engine.state.actions import Action, Move, Wait
from engine.state.events import Event, ShotFired, Struck
from engine.state.game_state import GameState, Noise
from entities.entity import Entity
from entities.equipment import worn_abilities
from entities.talents import has_talent

STILL, WALKING, BUSY, FIGHTING = 1, 6, 4, 11
"""How many steps away one can be heard who waits, walks, does something else, or fights."""


def action_noise(hero: Entity, action: Action, events: list[Event]) -> Noise:
    """Return the noise of the hero's ``action`` and of what came of it, as its gear carries it."""
    loudness, given = _loudness(action, events), worn_abilities(hero)
    if "noisy" in given:
        loudness *= 2
    if "quiet" in given or has_talent(hero, "lightfoot"):
        loudness //= 2
    return Noise(hero.x, hero.y, loudness)


def _loudness(action: Action, events: list[Event]) -> int:
    if any(isinstance(event, Struck | ShotFired) for event in events):
        return FIGHTING
    match action:
        case Wait():
            return STILL
        case Move():
            return WALKING
        case _:
            return BUSY


SCENT_TURNS = 3
"""Turns for which a hunter knows where the hero went after it is out of sight."""


def alert(creature: Entity, x: int, y: int) -> None:
    """Let ``creature`` know that the hero is at (x, y), unless it has other worries."""
    ai = creature.ai
    if ai and ai.state not in (AiState.HUNTING, AiState.FLEEING, AiState.HIDDEN):
        ai.state, ai.turns_left_tracking, ai.goal = (
            AiState.SEARCHING,
            ai.memory_turns + SCENT_TURNS,
            (x, y),
        )


def shout(state: GameState, creature: Entity, loudness: int, *, kin: bool = False) -> None:
    """Alert everyone within ``loudness`` tiles of ``creature``, or only its ``kin``."""
    hero = state.hero
    for other in state.map.entities.values():
        near = max(abs(other.x - creature.x), abs(other.y - creature.y)) <= loudness
        if near and other is not creature and (not kin or other.kind == creature.kind):
            alert(other, hero.x, hero.y)
