"""The registry of message functions: ``@message(Struck)`` registers one for an event type."""

from collections.abc import Callable
from typing import Any, TypeVar

Sentence = tuple[str, str]
"""A message and the interface colour to write it in."""
MessageFunction = Callable[[Any], Sentence | None]
EventType = TypeVar("EventType")

MESSAGES: dict[type, MessageFunction] = {}
"""The message function of each event type; filled by `message`."""


def message(
    event_type: type[EventType],
) -> Callable[[Callable[[EventType], Sentence | None]], Callable[[EventType], Sentence | None]]:
    """Register a function as the message of ``event_type``."""

    def register(
        function: Callable[[EventType], Sentence | None],
    ) -> Callable[[EventType], Sentence | None]:
        MESSAGES[event_type] = function
        return function

    return register
