"""Effects on a thing of the pack."""

from engine.effects.registry import Cast, effect
from engine.events import Improved
from engine.things.lore import what
from entities.item import Item
from entities.items import item_kinds, sort_of
from entities.reach import Shape

BEST = 20
"""As much better as a thing can get."""


def improvable(item: Item) -> bool:
    """Whether ``item`` can be made better: what is worn and has numbers, and what has charges."""
    kind = item_kinds()[item.kind]
    if kind.charges[1]:
        return item.charges < BEST
    return sort_of(item.kind).slot in ("weapon", "bow", "armour") and item.bonus < BEST


@effect(Shape.ITEM)
def improve(cast: Cast) -> None:
    """Make the thing chosen better by one, or refill it by its least."""
    item = cast.item
    assert item
    least = item_kinds()[item.kind].charges[0]
    if least:
        item.charges = min(BEST, item.charges + least)
    else:
        item.bonus += 1
    cast.tell(Improved(what(cast.world, item)))
