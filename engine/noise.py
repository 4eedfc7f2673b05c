"""Noise: what can be heard of what the hero does."""

from dataclasses import dataclass

from engine.actions import Action, Move, Wait
from engine.events import Event, Shot, Struck
from engine.things.gear import gifts
from entities.entity import Entity
from entities.talents import has_talent

STILL, WALKING, BUSY, FIGHTING = 1, 6, 4, 11
"""How many steps away one can be heard who waits, walks, does something else, or fights."""


@dataclass(frozen=True, slots=True)
class Noise:
    """A sound at (x, y) that carries ``loudness`` steps over open ground."""

    x: int
    y: int
    loudness: int


def footfall(hero: Entity, action: Action, events: list[Event]) -> Noise:
    """Return the noise of the hero's ``action`` and of what came of it, as its gear carries it."""
    loudness, given = _loudness(action, events), gifts(hero)
    if "noisy" in given:
        loudness *= 2
    if "quiet" in given or has_talent(hero, "lightfoot"):
        loudness //= 2
    return Noise(hero.x, hero.y, loudness)


def _loudness(action: Action, events: list[Event]) -> int:
    if any(isinstance(event, Struck | Shot) for event in events):
        return FIGHTING
    match action:
        case Wait():
            return STILL
        case Move():
            return WALKING
        case _:
            return BUSY
