"""Noise: what can be heard of what the hero does."""

from dataclasses import dataclass

from engine.actions import Action, Move, Wait
from engine.events import Event, Shot, Struck
from entities.entity import Entity

STILL, WALKING, BUSY, FIGHTING = 1, 6, 4, 11
"""How many steps away one can be heard who waits, walks, does something else, or fights."""


@dataclass(frozen=True, slots=True)
class Noise:
    """A sound at (x, y) that carries ``loudness`` steps over open ground."""

    x: int
    y: int
    loudness: int


def footfall(hero: Entity, action: Action, events: list[Event]) -> Noise:
    """Return the noise of the hero's ``action`` and of what came of it."""
    if any(isinstance(event, Struck | Shot) for event in events):
        return Noise(hero.x, hero.y, FIGHTING)
    match action:
        case Wait():
            return Noise(hero.x, hero.y, STILL)
        case Move():
            return Noise(hero.x, hero.y, WALKING)
        case _:
            return Noise(hero.x, hero.y, BUSY)
