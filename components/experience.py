"""The experience component of the hero."""

import msgspec


class Experience(msgspec.Struct, array_like=True):
    """Experience in points, the level it has led to, and the talents chosen on the way."""

    level: int = 1
    points: int = 0
    talents: list[str] = []
