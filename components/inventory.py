"""An item on the floor or in a pack."""

import msgspec


class Item(msgspec.Struct, array_like=True):
    """An item, or a stack of ``count`` equal items.

    ``kind`` names its entry in the data, which holds what is the same for all of its
    kind. ``bonus`` is added to its numbers, ``charges`` are left in a wand, ``known`` says whether
    the hero knows both. ``letter`` is its letter in the pack, or the last one there.
    """

    id: int
    kind: str
    count: int = 1
    bonus: int = 0
    charges: int = 0
    known: bool = False
    letter: str = ""
