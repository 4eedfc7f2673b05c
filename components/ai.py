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

    ``sight`` is in tiles, ``patience`` and ``attention`` in turns; ``attention`` counts down
    from ``patience`` while the quarry is out of sight. ``goal`` is where it is going: the last
    place it knows the quarry at, a noise, a stop on its round. ``ready`` turns from now it can do
    its special deed again; ``loot`` is the gold it has stolen, ``felt`` the hit points it had
    when it last looked.
    """

    brain: str
    sight: int
    patience: int
    mood: AiState = AiState.IDLE
    attention: int = 0
    goal: tuple[int, int] | None = None
    ready: int = 0
    loot: int = 0
    felt: int = 0
