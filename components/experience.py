"""The experience component of the hero."""

from typing import Annotated

import msgspec
from msgspec import Meta

HIGHEST_LEVEL = 60


class Experience(msgspec.Struct, array_like=True):
    """Experience points, the level reached with them, and the talents chosen so far."""

    level: Annotated[int, Meta(ge=1, le=HIGHEST_LEVEL)] = 1
    points: Annotated[int, Meta(ge=0, lt=1 << 53)] = 0
    talents: list[str] = []
