"""What the things that are worn add to a body."""

from entities.entity import Entity
from entities.item_kinds import item_kinds
from entities.pack import worn_items

WORN_ABILITIES = frozenset(
    {"mending", "unmending", "quiet", "noisy", "fireproof", "thorns", "keen"}
)
"""Abilities an item gives its wearer; data/item_descriptions.toml has their words."""


def power_of(entity: Entity) -> int:
    """Return how hard ``entity`` strikes, its weapon in hand; a bow only counts for its arrows."""
    total = entity.fighter.power
    for item in worn_items(entity):
        kind = item_kinds()[item.kind]
        if kind.item_class != "bow":
            total += kind.power + (item.bonus if kind.item_class == "weapon" else 0)
    return total // 2 if "weakened" in entity.statuses else total


def defense_of(entity: Entity) -> int:
    """Return what ``entity`` takes off every blow, its armour on."""
    total = entity.fighter.defense
    for item in worn_items(entity):
        kind = item_kinds()[item.kind]
        total += kind.defense + (item.bonus if kind.item_class == "armour" else 0)
    return total


def has_worn_ability(entity: Entity, gift: str) -> bool:
    """Whether something that ``entity`` wears has the ``gift``, one of `GIFTS`."""
    return gift in worn_abilities(entity)


def worn_abilities(entity: Entity) -> set[str]:
    """Return all `GIFTS` of the things that ``entity`` wears."""
    return {gift for item in worn_items(entity) for gift in item_kinds()[item.kind].worn_abilities}
