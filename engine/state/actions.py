"""Actions as frozen records of plain values, and the three outcomes of performing one.

The same record is a key's meaning, an AI's choice and a line in a run file.
"""

from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

Step = Annotated[int, Meta(ge=-1, le=1)]
ItemId = Annotated[int, Meta(ge=0, lt=1 << 53)]
Place = Annotated[int, Meta(ge=0, lt=4096)]


class Move(msgspec.Struct, frozen=True, array_like=True, tag="move"):
    """Step to a neighbouring tile, or strike whoever stands there."""

    dx: Step
    dy: Step


class Strike(msgspec.Struct, frozen=True, array_like=True, tag="strike"):
    """Hit whoever stands on a neighbouring tile."""

    dx: Step
    dy: Step


class Wait(msgspec.Struct, frozen=True, array_like=True, tag="wait"):
    """Let time pass."""


class Descend(msgspec.Struct, frozen=True, array_like=True, tag="descend"):
    """Take the exit underfoot to the next depth."""


class Climb(msgspec.Struct, frozen=True, array_like=True, tag="climb"):
    """Take the stairs underfoot, where the level starts, up to the depth above."""


class Unlock(msgspec.Struct, frozen=True, array_like=True, tag="unlock"):
    """Open the locked door on a neighbouring tile with a key of its level."""

    dx: Step
    dy: Step


class Struggle(msgspec.Struct, frozen=True, array_like=True, tag="struggle"):
    """Tear at what holds one: a net, a web."""


class Choose(msgspec.Struct, frozen=True, array_like=True, tag="choose"):
    """Learn a talent that is offered; takes no time."""

    talent: Annotated[str, Meta(max_length=60)]


class Visit(msgspec.Struct, frozen=True, array_like=True, tag="visit"):
    """Go to the start of the level that ``code`` names; an adventure stops being scored."""

    code: Annotated[str, Meta(max_length=200)]


class PickUp(msgspec.Struct, frozen=True, array_like=True, tag="pickup"):
    """Take what lies underfoot: ``item``, or all there is room for."""

    item: ItemId | None = None


class Drop(msgspec.Struct, frozen=True, array_like=True, tag="drop"):
    """Lay a thing of the pack down, all of the stack."""

    item: ItemId


class Use(msgspec.Struct, frozen=True, array_like=True, tag="use"):
    """Do what a thing is there for, aimed at ``target`` if it has to be aimed.

    ``on`` is the other thing of the pack that it is used on, if it is.
    """

    item: ItemId
    target: tuple[Place, Place] | None = None
    on: ItemId | None = None


class Throw(msgspec.Struct, frozen=True, array_like=True, tag="throw"):
    """Throw one of a stack at (x, y)."""

    item: ItemId
    x: Place
    y: Place


class Equip(msgspec.Struct, frozen=True, array_like=True, tag="equip"):
    """Wear or wield a thing of the pack in place of what is worn there."""

    item: ItemId


class TakeOff(msgspec.Struct, frozen=True, array_like=True, tag="takeoff"):
    """Put a thing that is worn back into the pack."""

    item: ItemId


class Fire(msgspec.Struct, frozen=True, array_like=True, tag="fire"):
    """Shoot at (x, y) with the bow that is worn, or throw the first missile of the pack."""

    x: Place
    y: Place


Action = (
    Move
    | Strike
    | Wait
    | Struggle
    | Unlock
    | Descend
    | Climb
    | Visit
    | Choose
    | PickUp
    | Drop
    | Use
    | Throw
    | Equip
    | TakeOff
    | Fire
)


@dataclass(frozen=True, slots=True)
class Done:
    """It happened and took ``time``: 100 is an ordinary step."""

    time: int = 100


@dataclass(frozen=True, slots=True)
class Refused:
    """It cannot be done: nothing changed, nothing was drawn at random. ``why`` is a word."""

    why: str


@dataclass(frozen=True, slots=True)
class Alternate:
    """In this place it means another action."""

    action: Action


Outcome = Done | Refused | Alternate


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


class SwapPlaces(msgspec.Struct, frozen=True, array_like=True):
    """Change places with the monster on a neighbouring tile, which lets it pass."""

    dx: Way
    dy: Way


MonsterAction = Shoot | Cry | Steal | Summon | Charge | Blink | Divide | Tend | SwapPlaces
