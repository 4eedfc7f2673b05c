"""The components for fighting and acting: hit points, power, defense, energy."""

import msgspec


class Fighter(msgspec.Struct, array_like=True):
    """Hit points, power and defense.

    ``regeneration_turns`` is how many turns one hit point takes to regenerate, 0 for never.
    """

    max_hp: int
    hp: int
    power: int
    defense: int
    regeneration_turns: int = 0


class Energy(msgspec.Struct, array_like=True):
    """Energy for acting: ``speed`` units per 100 units of time; an ordinary action costs 100."""

    speed: int = 100
    stored: int = 0
