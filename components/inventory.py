"""One thing that lies about or is carried."""

import msgspec


class Item(msgspec.Struct, array_like=True):
    """A thing, or ``count`` things that are all alike.

    ``kind`` names its entry in the data, where everything that is the same for all of its kind
    stands. ``bonus`` is how much better (or worse) than plain this one is, ``charges`` what is
    left in it, ``known`` whether the hero can tell both. ``letter`` is the one it has in the
    pack, or had there last.
    """

    id: int
    kind: str
    count: int = 1
    bonus: int = 0
    charges: int = 0
    known: bool = False
    letter: str = ""
