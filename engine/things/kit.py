"""What a hero sets out with."""

from engine.things.pack import stow
from entities.entity import Entity
from entities.item import Item
from entities.items import item_kinds, sort_of


def kit(hero: Entity, number: int) -> int:
    """Give ``hero`` its kit, worn where it can be; return the first identity not taken."""
    for name, kind in item_kinds().items():
        if not kind.kit:
            continue
        item = stow(hero, Item(number, name, kind.kit, known=True))
        number += 1
        slot = sort_of(name).slot
        if slot and slot not in hero.worn:
            hero.worn[slot] = item.id
    return number
