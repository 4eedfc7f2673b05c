"""Target shapes of effects, and their measures."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta


class TargetShape(StrEnum):
    """The tiles that an effect hits.

    SELF is the user's own tile; NEAREST the nearest foe in view; ONE a creature in view; PLACE a
    free tile in view; GROUND any tile in view; ROCK the first solid tile on a line; BOLT a line
    until something stops it; BALL the surroundings of the place where a bolt ends; CONE 60 degrees;
    BURST the surroundings of the user; VIEW all foes in view; ITEM an item of the pack.
    """

    SELF = "self"
    NEAREST = "nearest"
    ONE = "one"
    PLACE = "place"
    GROUND = "ground"
    ROCK = "rock"
    BOLT = "bolt"
    BALL = "ball"
    CONE = "cone"
    BURST = "burst"
    VIEW = "view"
    ITEM = "item"


AIMED = frozenset(
    {
        *(TargetShape.ONE, TargetShape.PLACE, TargetShape.GROUND, TargetShape.ROCK),
        *(TargetShape.BOLT, TargetShape.BALL, TargetShape.CONE),
    }
)
"""The shapes that need a target tile."""
RANGED = AIMED | {TargetShape.NEAREST}
WIDE = frozenset({TargetShape.BALL, TargetShape.BURST})

Tiles = Annotated[int, Meta(ge=1, le=20)]


class Targeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shape and its measures in tiles, 0 where a measure has no meaning for the shape.

    ``pierces`` lets a bolt fly on through creatures, ``bores`` through rock as well.
    """

    shape: TargetShape
    range: Tiles = 0
    radius: Tiles = 0
    pierces: bool = False
    bores: bool = False

    @property
    def aimed(self) -> bool:
        """True if it needs a target tile."""
        return self.shape in AIMED

    def fault(self) -> str | None:
        """Return the invalid field and why, None if all are valid."""
        for field, value, shapes in (("range", self.range, RANGED), ("radius", self.radius, WIDE)):
            if (not value) == (self.shape in shapes):
                verb = "is missing for" if not value else "has no meaning for"
                return f"{field}: {verb} the shape {self.shape.value!r}"
        if self.shape is not TargetShape.BOLT and (self.pierces or self.bores):
            return f"{'pierces' if self.pierces else 'bores'}: only a bolt does"
        return None
