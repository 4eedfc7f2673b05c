"""Where the effect of a thing can fall."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta


class TargetShape(StrEnum):
    """Which tiles are hit, seen from whoever uses a thing and where it aims.

    SELF is the user's own tile; NEAREST the nearest foe in view; ONE somebody in view; PLACE a
    free tile in view; BOLT the way there, and on, until something stops it; BALL all around
    where a bolt comes to rest; CONE a sixth of all around, that way; BURST all around the
    user, who is spared; VIEW all foes in view; ITEM no tile at all but a thing of the pack.
    """

    SELF = "self"
    NEAREST = "nearest"
    ONE = "one"
    PLACE = "place"
    BOLT = "bolt"
    BALL = "ball"
    CONE = "cone"
    BURST = "burst"
    VIEW = "view"
    ITEM = "item"


AIMED = frozenset(
    {TargetShape.ONE, TargetShape.PLACE, TargetShape.BOLT, TargetShape.BALL, TargetShape.CONE}
)
"""The shapes that need a place to aim at."""
RANGED = AIMED | {TargetShape.NEAREST}
WIDE = frozenset({TargetShape.BALL, TargetShape.BURST})

Tiles = Annotated[int, Meta(ge=1, le=20)]


class Targeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shape and its measures in tiles.

    ``pierces`` lets a bolt fly on through creatures, ``bores`` through rock as well.
    """

    shape: TargetShape
    range: Tiles | None = None
    radius: Tiles | None = None
    pierces: bool = False
    bores: bool = False

    @property
    def aimed(self) -> bool:
        """Whether it needs a place to aim at."""
        return self.shape in AIMED

    def fault(self) -> str | None:
        """Return the field that makes this impossible and why, if there is one."""
        for field, value, shapes in (
            ("range", self.range, RANGED),
            ("radius", self.radius, WIDE),
        ):
            if (value is None) == (self.shape in shapes):
                verb = "is missing for" if value is None else "has no meaning for"
                return f"{field}: {verb} the shape {self.shape.value!r}"
        if self.shape is not TargetShape.BOLT and (self.pierces or self.bores):
            return f"{'pierces' if self.pierces else 'bores'}: only a bolt does"
        return None
