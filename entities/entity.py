"""One thing that stands on the map."""

import msgspec

from components import Ai, Energy, Experience, Fighter
from components.inventory import Item


class Entity(msgspec.Struct, array_like=True):
    """A creature: an identity, a place, and the components it happens to have.

    It holds no map and no rules; ``kind`` names its entry in the data, where everything
    that is the same for all of its kind stands. ``statuses`` are what ails or blesses it for so
    many turns more, by name; ``inventory`` is what it carries, ``equipment`` the identity of the thing in
    each slot, ``experience`` what it has learned. ``called_up`` tells that it came in play and not with
    its level: nothing is learned from its end.
    """

    id: int
    kind: str
    x: int
    y: int
    fighter: Fighter
    energy: Energy
    ai: Ai | None = None
    statuses: dict[str, int] = {}
    inventory: list[Item] = []
    equipment: dict[str, int] = {}
    experience: Experience | None = None
    called_up: bool = False

    @property
    def alive(self) -> bool:
        """Whether there is any life left in it."""
        return self.fighter.hp > 0
