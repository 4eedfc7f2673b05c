"""What only creatures do: frozen records of plain values like actions, but never in a run file."""

from typing import Annotated

import msgspec
from msgspec import Meta

Way = Annotated[int, Meta(ge=-1, le=1)]


class Shoot(msgspec.Struct, frozen=True, array_like=True):
    """Hit the hero from afar."""


class Cry(msgspec.Struct, frozen=True, array_like=True):
    """Call everyone within earshot to where the hero is."""


class Steal(msgspec.Struct, frozen=True, array_like=True):
    """Take something from the hero on the next tile, and run."""


class Summon(msgspec.Struct, frozen=True, array_like=True):
    """Call others out of nothing."""


class Charge(msgspec.Struct, frozen=True, array_like=True):
    """Run straight at the hero, and strike with all that weight."""

    dx: Way
    dy: Way


class Blink(msgspec.Struct, frozen=True, array_like=True):
    """Be gone, and beside the hero."""

    x: int
    y: int


class Divide(msgspec.Struct, frozen=True, array_like=True):
    """Be two, each with half the hit points."""


class Tend(msgspec.Struct, frozen=True, array_like=True):
    """Close the wounds of the friend with identity ``patient``."""

    patient: int


Deed = Shoot | Cry | Steal | Summon | Charge | Blink | Divide | Tend
