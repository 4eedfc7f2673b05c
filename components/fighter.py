"""The body that strikes and is struck."""

import msgspec


class Fighter(msgspec.Struct, array_like=True):
    """Hit points and the two numbers a blow is made of.

    ``regeneration_turns`` is how many turns one hit point takes to grow back; 0 never heals.
    """

    max_hp: int
    hp: int
    power: int
    defense: int
    regeneration_turns: int = 0


class Energy(msgspec.Struct, array_like=True):
    """Time saved up for acting: ``speed`` units arrive per 100 units of world time."""

    speed: int = 100
    stored: int = 0
