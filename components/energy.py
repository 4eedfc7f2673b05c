"""How fast an entity lives."""

import msgspec


class Energy(msgspec.Struct, array_like=True):
    """Time saved up for acting: ``speed`` units arrive per 100 units of world time."""

    speed: int = 100
    stored: int = 0
