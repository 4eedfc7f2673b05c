"""Which function carries out which kind of action; each registers itself."""

from collections.abc import Callable
from typing import Any

from engine.state.actions import Outcome
from engine.state.events import Tell
from engine.state.game_state import World
from entities.entity import Entity

Rule = Callable[[World, Entity, Any, Tell], Outcome]

RULES: dict[type, Rule] = {}


def rule(action: type) -> Callable[[Rule], Rule]:
    """Register the function that carries out ``action``."""

    def register(function: Rule) -> Rule:
        RULES[action] = function
        return function

    return register
