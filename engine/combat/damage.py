"""What gets through: how much of a blow, a shot or a throw is left when armour has had its say."""

from entities.entity import Entity
from entities.equipment import defense_of
from entities.statuses import has_status


def damage_after_armour(power: int, luck: int, target: Entity) -> int:
    """Return the harm that a blow of ``power``, by ``luck`` one more or less, does to ``target``.

    Defense comes off every blow, but never more than half of it.

    So armour makes nobody safe: a rat still bites, and anyone can wear down a golem. Only a ward
    keeps off more: half of what is left. Who has no power at all does no harm.
    """
    force = max(0, power + luck) if power > 0 else 0
    harm = max(force - defense_of(target), (force + 1) // 2)
    return harm // 2 if has_status(target, "warded") else harm
