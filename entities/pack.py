"""The pack of a creature: stacks, each with a different letter."""

from collections.abc import Callable
from string import ascii_lowercase

import msgspec

from components.inventory import LARGEST_STACK, Item
from entities.entity import Entity
from entities.equipment import equipped, slot_of
from entities.item_kinds import item_class_of, item_kinds

MOST_STACKS = len(ascii_lowercase)
BEST_BONUS = 20
"""The highest bonus, and the most charges, that improving gives."""


def find_item(owner: Entity, number: int) -> Item | None:
    """Return the item of the pack with the id ``number``, None without one."""
    return next((item for item in owner.inventory if item.id == number), None)


def has_room(owner: Entity, item: Item) -> bool:
    """Return True if ``item`` would fit into the pack."""
    return _stack_for(owner, item) is not None or len(owner.inventory) < MOST_STACKS


def add_to_pack(owner: Entity, item: Item) -> Item:
    """Put ``item`` into the pack, which has room, and return the stack that now holds it."""
    if stack := _stack_for(owner, item):
        if item_kinds()[item.kind].charges[1]:  # Wands of a kind become one.
            stack.charges += item.charges
        else:
            stack.count += item.count
        stack.identified |= item.identified
        return stack
    item.letter = _letter_for(owner, item)
    owner.letters[item.kind] = owner.letters.get(item.kind, item.letter)
    owner.inventory.append(item)
    owner.inventory.sort(key=lambda other: other.letter)
    return item


def give_new(owner: Entity, kind: str, count: int, number: int) -> Item | None:
    """Give ``owner`` a new item with the id ``number``, worn instead of nothing or of its kit.

    Return the item instead if the pack has no room.
    """
    item = Item(number, kind, count, charges=item_kinds()[kind].charges[0], identified=True)
    if not has_room(owner, item):
        return item
    item, slot = add_to_pack(owner, item), item_class_of(kind).slot
    worn = equipped(owner, slot) if slot else None
    if slot and (worn is None or item_kinds()[worn.kind].kit):
        owner.equipment[slot] = item.id
    return None


def _letter_for(owner: Entity, item: Item) -> str:
    """Return a free letter: the item's last one, or that of its kind, or a new one.

    While there are enough letters, a letter stays with its kind for the run: a player who has
    learned that d is the wand must not drink a potion that took its place.
    """
    taken = {other.letter for other in owner.inventory}
    for letter in (item.letter, owner.letters.get(item.kind, "")):
        if letter and letter not in taken:
            return letter
    reserved = set(owner.letters.values())
    free = [letter for letter in ascii_lowercase if letter not in taken]
    return next((letter for letter in free if letter not in reserved), free[0])


def remove_from_pack(owner: Entity, item: Item) -> None:
    """Take the whole stack ``item`` out of the pack, and off if it is worn."""
    owner.inventory.remove(item)
    if slot := slot_of(owner, item):
        del owner.equipment[slot]


def take_one(owner: Entity, item: Item, new_id: Callable[[], int] | None = None) -> Item:
    """Take one of a stack out of the pack; ``new_id`` gives its id unless it is used up at once."""
    if item.count == 1:
        remove_from_pack(owner, item)
        return item
    item.count -= 1
    return msgspec.structs.replace(item, id=new_id() if new_id else item.id, count=1)


def _stack_for(owner: Entity, item: Item) -> Item | None:
    if not (item_class_of(item.kind).stacks or item_kinds()[item.kind].charges[1]):
        return None
    for other in owner.inventory:
        most = max(other.count + item.count, other.charges + item.charges)
        if (other.kind, other.bonus) == (item.kind, item.bonus) and most <= LARGEST_STACK:
            return other
    return None


def improvable(item: Item) -> bool:
    """Return True if ``item`` can be improved: weapons, bows, armour and wands."""
    kind = item_kinds()[item.kind]
    if kind.charges[1]:
        return item.charges < BEST_BONUS
    return item_class_of(item.kind).slot in ("weapon", "bow", "armour") and item.bonus < BEST_BONUS
