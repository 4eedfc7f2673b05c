"""The entity: a creature on the map, made of components."""

import msgspec

from components import Ai, Energy, Experience, Fighter
from components.inventory import Item


class Entity(msgspec.Struct, array_like=True):
    """A creature: an identity, a place and components.

    It holds no map and no rules. ``kind`` names its entry in the data, which holds everything
    that all of its kind share. ``statuses`` are the turns left of each status, by name;
    ``inventory`` is what it carries, ``equipment`` the id of the item in each slot. A monster
    that was ``called_up`` in play, not with its level, gives no experience.
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
        """Whether it has hit points left."""
        return self.fighter.hp > 0
