"""The registry of action handlers: ``@handles(Move)`` registers a function."""

from collections.abc import Callable
from typing import Any

from engine.state.actions import Outcome
from engine.state.events import Emit
from engine.state.game_state import GameState
from entities.entity import Entity

ActionHandler = Callable[[GameState, Entity, Any, Emit], Outcome]

ACTION_HANDLERS: dict[type, ActionHandler] = {}


def handles(action: type) -> Callable[[ActionHandler], ActionHandler]:
    """Return a decorator that registers a function as the handler of ``action``."""

    def register(function: ActionHandler) -> ActionHandler:
        ACTION_HANDLERS[action] = function
        return function

    return register
