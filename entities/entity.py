"""The entity: a creature on the map, made of components."""

from typing import Annotated

import msgspec
from msgspec import Meta

from components import Ai, Energy, Experience, Fighter
from components.fighter import Number
from components.inventory import Equipment, Inventory


class Entity(msgspec.Struct, array_like=True):
    """A creature: an identity, a place and components.

    It holds no map and no rules. ``kind`` names its entry in the data, which holds everything that
    all of its kind share. ``statuses`` are the turns left of each status, by name; ``inventory`` is
    what it carries, ``equipment`` the id of the item in each slot. A monster ``spawned_in_play``
    gives no experience. ``letters`` are the pack letters by item kind.
    """

    id: Annotated[int, Meta(ge=0, lt=1 << 53)]
    kind: str
    x: Number
    y: Number
    fighter: Fighter
    energy: Energy
    ai: Ai | None = None
    statuses: dict[str, int] = {}
    inventory: Inventory = []
    equipment: Equipment = {}
    experience: Experience | None = None
    spawned_in_play: bool = False
    letters: Annotated[dict[str, str], Meta(max_length=999)] = {}

    @property
    def alive(self) -> bool:
        """True if it has hit points left."""
        return self.fighter.hp > 0

    def distance_to(self, other: "Entity") -> int:
        """Return the distance of ``other`` in tiles; a diagonal step counts as one."""
        return max(abs(self.x - other.x), abs(self.y - other.y))
