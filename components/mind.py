"""What a creature is about."""

from enum import StrEnum

import msgspec


class Mood(StrEnum):
    """What a mind is doing at the moment."""

    IDLE = "idle"
    HUNTING = "hunting"


class Mind(msgspec.Struct, array_like=True):
    """A brain by name, how far it sees, and how long it follows what it no longer sees.

    ``sight`` is in tiles, ``patience`` and ``attention`` in turns; ``attention`` counts down
    from ``patience`` while the quarry is out of sight.
    """

    brain: str
    sight: int
    patience: int
    mood: Mood = Mood.IDLE
    attention: int = 0
