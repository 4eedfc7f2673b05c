"""Brains by name, and what the functions around them are handed."""

from collections.abc import Callable

from engine.actions import Action
from engine.brains.senses import Senses
from engine.deeds import Deed
from engine.world import World
from entities.entity import Entity

Brain = Callable[[World, Entity, Senses], Action | Deed]
"""Chooses what a creature does that hunts and has its quarry in sight."""

BRAINS: dict[str, Brain] = {}


def brain(function: Brain) -> Brain:
    """Register a brain under its function's name."""
    BRAINS[function.__name__] = function
    return function
