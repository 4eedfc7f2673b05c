"""One thing that stands on the map."""

import msgspec

from components import Energy, Fighter, Mind


class Entity(msgspec.Struct, array_like=True):
    """A creature: an identity, a place, and the components it happens to have.

    It holds no map and no rules; ``kind`` names its entry in the data, where everything
    that is the same for all of its kind stands.
    """

    id: int
    kind: str
    x: int
    y: int
    fighter: Fighter
    energy: Energy
    mind: Mind | None = None

    @property
    def alive(self) -> bool:
        """Whether there is any life left in it."""
        return self.fighter.hp > 0
