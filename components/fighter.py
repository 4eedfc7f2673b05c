"""The components for fighting and acting: hit points, power, defense, energy, experience."""

from typing import Annotated

import msgspec
from msgspec import Meta

NUMBER_LIMIT = 10**7
"""The largest absolute value of a creature's numbers that have no tighter limit."""
Number = Annotated[int, Meta(ge=-NUMBER_LIMIT, le=NUMBER_LIMIT)]
FASTEST = 1000
MOST_STORED = 10 * FASTEST
HIGHEST_LEVEL = 60


class Fighter(msgspec.Struct, array_like=True):
    """Hit points, power and defense.

    ``regeneration_turns`` is the turns it takes to regenerate one hit point, 0 for never.
    """

    max_hp: Number
    hp: Number
    power: Number
    defense: Number
    regeneration_turns: Number = 0


class Energy(msgspec.Struct, array_like=True):
    """Energy for acting: ``speed`` units per 100 units of time; an ordinary action costs 100."""

    speed: Annotated[int, Meta(ge=1, le=FASTEST)] = 100
    stored: Annotated[int, Meta(ge=-MOST_STORED, le=MOST_STORED)] = 0


class Experience(msgspec.Struct, array_like=True):
    """Experience points, the level reached with them, and the talents chosen so far."""

    level: Annotated[int, Meta(ge=1, le=HIGHEST_LEVEL)] = 1
    points: Annotated[int, Meta(ge=0, lt=1 << 53)] = 0
    talents: list[str] = []
