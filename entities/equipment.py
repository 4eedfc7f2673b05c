"""Bonuses of worn items: power, defense and abilities."""

from entities.entity import Entity
from entities.item_kinds import item_kinds
from entities.pack import worn_items

WORN_ABILITIES = frozenset(
    {"mending", "unmending", "quiet", "noisy", "fireproof", "thorns", "keen"}
)
"""Abilities an item gives its wearer; data/item_descriptions.toml has their words."""


def power_of(entity: Entity) -> int:
    """Return the melee power of ``entity`` with its weapon; a bow adds to its arrows only."""
    total = entity.fighter.power
    for item in worn_items(entity):
        kind = item_kinds()[item.kind]
        if kind.item_class != "bow":
            total += kind.power + (item.bonus if kind.item_class == "weapon" else 0)
    return total // 2 if "weakened" in entity.statuses else total


def defense_of(entity: Entity) -> int:
    """Return the defense of ``entity`` with its armour."""
    total = entity.fighter.defense
    for item in worn_items(entity):
        kind = item_kinds()[item.kind]
        total += kind.defense + (item.bonus if kind.item_class == "armour" else 0)
    return total


def has_worn_ability(entity: Entity, ability: str) -> bool:
    """Whether an item that ``entity`` wears gives the ability ``ability``."""
    return ability in worn_abilities(entity)


def worn_abilities(entity: Entity) -> set[str]:
    """Return the abilities that the worn items of ``entity`` give it."""
    return {name for item in worn_items(entity) for name in item_kinds()[item.kind].worn_abilities}
