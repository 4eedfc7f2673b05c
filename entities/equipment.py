"""Equipped items: their slots, and the power, defense and abilities that they give."""

from components.inventory import Item
from entities.entity import Entity
from entities.item_kinds import SLOTS, item_class_of, item_kinds
from entities.talents import has_talent

WORN_ABILITIES = ("mending", "unmending", "quiet", "noisy", "fireproof", "thorns", "keen")
"""Abilities an item gives its wearer; data/item_descriptions.toml describes them."""
NO_ABILITIES: frozenset[str] = frozenset()

CORNERED = 3
"""Power that the talent Cornered adds while at most a third of the hit points are left."""


def slot_of(owner: Entity, item: Item) -> str | None:
    """Return the slot that ``item`` is worn in, None if it is not."""
    return next((slot for slot, number in owner.equipment.items() if number == item.id), None)


def equipped(owner: Entity, slot: str) -> Item | None:
    """Return the item that ``owner`` wears in ``slot``, None without one."""
    number = owner.equipment.get(slot)
    if number is None:
        return None  # The case of nearly every monster, at each step.
    return next((item for item in owner.inventory if item.id == number), None)


def equipped_items(owner: Entity) -> list[Item]:
    """Return the items that ``owner`` wears, slot by slot."""
    return [item for slot in SLOTS if (item := equipped(owner, slot))]


def is_worth_a_walk(owner: Entity, item: Item) -> bool:
    """Return False for what ``owner`` dropped, and for gear of a kind that it has or outdoes.

    Gear with an ability is never worse, nor is any worse than it: some abilities are drawbacks.
    """
    slot, kind = item_class_of(item.kind).slot, item_kinds()[item.kind]
    if slot is None or item.letter or (item.identified and item.bonus > 0):
        return not item.letter
    best = item_kinds()[(equipped(owner, slot) or item).kind]
    able = kind.weapon_ability or kind.worn_abilities or best.worn_abilities
    worse = kind.power + kind.defense < best.power + best.defense and not able
    alike = (own for own in owner.inventory if own.kind == item.kind)
    return not worse and all(own.identified and own.bonus < 0 for own in alike)


def power_of(entity: Entity) -> int:
    """Return the melee power of ``entity`` with its weapon; a bow adds to its arrows only."""
    fighter = entity.fighter
    total = fighter.power
    if has_talent(entity, "cornered") and fighter.hp * 3 <= fighter.max_hp:
        total += CORNERED
    if ids := entity.equipment.values():
        for item in entity.inventory:
            if item.id in ids and (kind := item_kinds()[item.kind]).item_class != "bow":
                total += kind.power + (item.bonus if kind.item_class == "weapon" else 0)
    return weakened_power(entity, total)


def weakened_power(entity: Entity, power: int) -> int:
    """Return ``power``, of a hit or a shot of ``entity``, or half of it if weakened."""
    return power // 2 if "weakened" in entity.statuses else power


def defense_of(entity: Entity) -> int:
    """Return the defense of ``entity`` with its armour."""
    total = entity.fighter.defense
    if ids := entity.equipment.values():
        for item in entity.inventory:
            if item.id in ids:
                kind = item_kinds()[item.kind]
                total += kind.defense + (item.bonus if kind.item_class == "armour" else 0)
    return total


def worn_abilities(entity: Entity) -> frozenset[str]:
    """Return the abilities that the worn items of ``entity`` give it."""
    if not entity.equipment:
        return NO_ABILITIES
    kinds, ids = item_kinds(), entity.equipment.values()
    abilities = [kinds[item.kind].worn_abilities for item in entity.inventory if item.id in ids]
    return NO_ABILITIES.union(*abilities)
