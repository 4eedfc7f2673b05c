"""Which function carries out which kind of action; each registers itself."""

from collections.abc import Callable
from typing import Any

from engine.actions import Outcome
from engine.tell import Tell
from engine.world import World
from entities.entity import Entity

Rule = Callable[[World, Entity, Any, Tell], Outcome]

RULES: dict[type, Rule] = {}


def rule(action: type) -> Callable[[Rule], Rule]:
    """Register the function that carries out ``action``."""

    def register(function: Rule) -> Rule:
        RULES[action] = function
        return function

    return register
