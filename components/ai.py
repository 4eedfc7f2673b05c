"""What a creature is about."""

from enum import StrEnum

import msgspec


class AiState(StrEnum):
    """What a mind is doing at the moment.

    Who is hidden cannot be seen until it springs; who stands idle is awake and keeps its place.
    """

    IDLE = "idle"
    HUNTING = "hunting"
    ASLEEP = "asleep"
    WANDERING = "wandering"
    SEARCHING = "searching"
    FLEEING = "fleeing"
    HIDDEN = "hidden"


class Ai(msgspec.Struct, array_like=True):
    """A brain by name, how far it sees, and how long it follows what it no longer sees.

    ``sight`` is in tiles, ``memory_turns`` and ``turns_left_tracking`` in turns; ``turns_left_tracking`` counts down
    from ``memory_turns`` while the quarry is out of sight. ``goal`` is where it is going: the last
    place it knows the quarry at, a noise, a stop on its round. ``cooldown`` turns from now it can do
    its special deed again; ``stolen_gold`` is the gold it has stolen, ``last_seen_hp`` the hit points it had
    when it last looked.
    """

    behaviour: str
    sight: int
    memory_turns: int
    state: AiState = AiState.IDLE
    turns_left_tracking: int = 0
    goal: tuple[int, int] | None = None
    cooldown: int = 0
    stolen_gold: int = 0
    last_seen_hp: int = 0
