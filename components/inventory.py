"""Items, and the inventory and equipment of a creature."""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

MOST_BONUS = 99
MOST_CHARGES = 999
LARGEST_STACK = 999
ItemId = Annotated[int, Meta(ge=0, lt=1 << 53)]

Count = Annotated[int, Meta(ge=1, le=LARGEST_STACK)]
Bonus = Annotated[int, Meta(ge=-MOST_BONUS, le=MOST_BONUS)]
Charges = Annotated[int, Meta(ge=0, le=MOST_CHARGES)]


class Item(msgspec.Struct, array_like=True):
    """An item, or a stack of ``count`` items that are all alike.

    ``kind`` names its entry in the data, which holds what all items of the kind share. ``bonus`` is
    how much better (or worse) it is than a plain item, ``charges`` the uses left in it,
    ``identified`` whether the hero knows both. ``letter`` is its letter in the pack, or its last.
    """

    id: ItemId
    kind: str
    count: Count = 1
    bonus: Bonus = 0
    charges: Charges = 0
    identified: bool = False
    letter: Annotated[str, Meta(pattern=r"^[a-z]?\Z")] = ""


class PlacedItem(NamedTuple):
    """A stack of ``many`` items of a ``kind`` at (x, y)."""

    kind: str
    x: int
    y: int
    many: Count = 1
    bonus: Bonus = 0
    charges: Charges = 0


Inventory = list[Item]
"""The items a creature carries, by letter."""
Equipment = dict[str, int]
"""The id of the item worn or wielded, by slot; the item itself is in the inventory."""
