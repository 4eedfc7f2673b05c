"""Damage after armour, the same for melee, ranged and thrown attacks."""

from collections.abc import Sequence

from entities.entity import Entity
from entities.equipment import defense_of


def damage_after_armour(power: int, luck: int, target: Entity) -> int:
    """Return the hit points that an attack of ``power`` plus ``luck`` takes from ``target``.

    Defense is subtracted, but never more than half of the attack: armour makes no creature
    immune, so a rat still bites and a golem can be worn down. A ward halves what is left. An
    attack without power does no damage.
    """
    return damages_after_armour(power, (luck,), target)[0]


def damages_after_armour(power: int, lucks: Sequence[int], target: Entity) -> list[int]:
    """Return `damage_after_armour` for each of ``lucks``."""
    defense, divisor = defense_of(target), 2 if "warded" in target.statuses else 1
    forces = [max(0, power + luck) if power > 0 else 0 for luck in lucks]
    return [max(force - defense, (force + 1) // 2) // divisor for force in forces]
