"""How fast an entity lives."""

from dataclasses import dataclass


@dataclass(slots=True)
class Energy:
    """Time saved up for acting: ``speed`` units arrive per 100 units of world time."""

    speed: int = 100
    stored: int = 0
