"""Damage after armour, the same for melee, ranged and thrown attacks."""

from entities.entity import Entity
from entities.equipment import defense_of
from entities.statuses import has_status


def damage_after_armour(power: int, luck: int, target: Entity) -> int:
    """Return the hit points that an attack of ``power`` plus ``luck`` takes from ``target``.

    Defense is subtracted, but never more than half of the attack: armour makes no creature
    immune, so a rat still bites and a golem can be worn down. A ward halves what is left. An
    attack without power does no damage.
    """
    force = max(0, power + luck) if power > 0 else 0
    harm = max(force - defense_of(target), (force + 1) // 2)
    return harm // 2 if has_status(target, "warded") else harm
