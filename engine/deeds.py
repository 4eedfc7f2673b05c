"""What only creatures do: frozen records of plain values like actions, but never in a run file."""

import msgspec


class Shoot(msgspec.Struct, frozen=True, array_like=True):
    """Hit the hero from afar."""


class Cry(msgspec.Struct, frozen=True, array_like=True):
    """Call everyone within earshot to where the hero is."""


Deed = Shoot | Cry
