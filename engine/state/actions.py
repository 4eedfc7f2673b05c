"""Actions (the Command pattern) as frozen records, and the three outcomes of performing one.

The same record is what a key means, what an AI chooses and what a run file stores. So an action
holds plain values only: ids and coordinates, never an `Entity` or an `Item`.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from components.inventory import ItemId
from engine.state.run_setup import CodeText, Coordinate

Step = Annotated[int, Meta(ge=-1, le=1)]


class AdjacentAction(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The base class of actions on the neighbouring tile in the direction (``dx``, ``dy``)."""

    dx: Step
    dy: Step


class Move(AdjacentAction, frozen=True, array_like=True, tag="move"):
    """Step to a neighbouring tile, or strike the creature that stands there."""


class Strike(AdjacentAction, frozen=True, array_like=True, tag="strike"):
    """Attack the creature on a neighbouring tile."""


class Wait(msgspec.Struct, frozen=True, array_like=True, tag="wait", gc=False):
    """Let time pass."""


class Descend(msgspec.Struct, frozen=True, array_like=True, tag="descend"):
    """Take the exit underfoot to the next depth, to level number ``choice`` of those on offer."""

    choice: Annotated[int, Meta(ge=0, lt=10)] = 0


class Climb(msgspec.Struct, frozen=True, array_like=True, tag="climb"):
    """Take the stairs underfoot, where the level starts, up to the depth above."""


class Unlock(AdjacentAction, frozen=True, array_like=True, tag="unlock"):
    """Open the locked door on a neighbouring tile with a key of its level."""


class Struggle(msgspec.Struct, frozen=True, array_like=True, tag="struggle"):
    """Tear at a net or a web that holds the actor."""


class Choose(msgspec.Struct, frozen=True, array_like=True, tag="choose"):
    """Learn one of the talents offered; takes no time."""

    talent: Annotated[str, Meta(max_length=60)]


class Visit(msgspec.Struct, frozen=True, array_like=True, tag="visit"):
    """Go to the start of the level that ``code`` names; an adventure stops being scored."""

    code: CodeText


class PlantFirstSeed(msgspec.Struct, frozen=True, array_like=True, tag="plant"):
    """Plant the First Seed here: this level becomes the run's own, and the way home is open."""


class PickUp(msgspec.Struct, frozen=True, array_like=True, tag="pickup"):
    """Pick up ``item`` from the floor underfoot, or everything the pack has room for."""

    item: ItemId | None = None


class Drop(msgspec.Struct, frozen=True, array_like=True, tag="drop"):
    """Drop a stack of the pack on the floor."""

    item: ItemId


class Use(msgspec.Struct, frozen=True, array_like=True, tag="use"):
    """Use an item of the pack (drink, read, zap), aimed at ``target`` (x, y) if it needs aiming.

    An unidentified item that needs a free place takes a random one. ``on`` is the id of another
    item of the pack to use it on, e.g. to enchant it.
    """

    item: ItemId
    target: tuple[Coordinate, Coordinate] | None = None
    on: ItemId | None = None


class Throw(msgspec.Struct, frozen=True, array_like=True, tag="throw"):
    """Throw one item of a stack at (x, y)."""

    item: ItemId
    x: Coordinate
    y: Coordinate


class Equip(msgspec.Struct, frozen=True, array_like=True, tag="equip"):
    """Wear or wield an item of the pack, replacing the item in that slot."""

    item: ItemId


class TakeOff(msgspec.Struct, frozen=True, array_like=True, tag="takeoff"):
    """Take off a worn item; it stays in the pack."""

    item: ItemId


class Fire(msgspec.Struct, frozen=True, array_like=True, tag="fire"):
    """Shoot at (x, y) with the wielded bow, or throw the first missile of the pack."""

    x: Coordinate
    y: Coordinate


MapAction = Move | Strike | Wait | Struggle | Unlock | Descend | Climb | Visit | PlantFirstSeed
ItemAction = PickUp | Drop | Use | Throw | Equip | TakeOff | Fire
Action = MapAction | ItemAction | Choose


class Done(msgspec.Struct, frozen=True, gc=False):
    """The action was performed and took ``time`` units; 100 is an ordinary step."""

    time: int = 100


class Refused(msgspec.Struct, frozen=True):
    """The action is impossible: nothing changed, no time passed, no random number was drawn.

    ``why`` is a short reason, e.g. ``blocked``, that `render` turns into a message.
    """

    why: str


class Alternate(msgspec.Struct, frozen=True):
    """The actor does another action instead: moving into a monster is a `Strike`."""

    action: Action


Outcome = Done | Refused | Alternate


class Shoot(msgspec.Struct, frozen=True, array_like=True):
    """Hit the creature with the id ``target``, by default the hero, with a ranged attack."""

    target: int = 0


class CallForHelp(msgspec.Struct, frozen=True, array_like=True):
    """Call every monster within earshot to the hero's position."""


class Steal(msgspec.Struct, frozen=True, array_like=True):
    """Steal an item or gold from the adjacent hero, and flee."""


class Summon(msgspec.Struct, frozen=True, array_like=True):
    """Summon other monsters."""


class Charge(AdjacentAction, frozen=True, array_like=True):
    """Run straight at the target and strike."""


class Blink(msgspec.Struct, frozen=True, array_like=True):
    """Teleport to (x, y), next to the target."""

    x: int
    y: int


class Divide(msgspec.Struct, frozen=True, array_like=True):
    """Split into two, each with half the hit points."""


class Heal(msgspec.Struct, frozen=True, array_like=True):
    """Heal the monster with the id ``patient``."""

    patient: int


class SwapPlaces(AdjacentAction, frozen=True, array_like=True):
    """Swap places with the monster on a neighbouring tile, to pass it."""


MonsterAction = Shoot | CallForHelp | Steal | Summon | Charge | Blink | Divide | Heal | SwapPlaces
AnyAction = Action | MonsterAction
