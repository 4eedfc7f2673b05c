"""The item table: kinds from data, checked against the effects and abilities that exist."""

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

from engine.combat.melee import WEAPON_ABILITIES
from engine.items import effects
from engine.items.effects.effect_registry import EFFECTS, EffectEntry
from entities.data_files import DATA, DataError
from entities.equipment import WORN_ABILITIES
from entities.item_kinds import ItemKind, item_classes, item_kinds
from entities.statuses import status_kinds
from entities.target_shapes import TargetShape

PLANTED = (TargetShape.SELF, TargetShape.GROUND, TargetShape.ROCK, TargetShape.BOLT)
"""The target shapes of seeds."""
UNPLANTABLE = f"target.shape: a seed's is one of {', '.join(PLANTED)}"


@cache
def all_effects() -> dict[str, EffectEntry]:
    """Return every effect by name, from every module of engine/items/effects in sorted order."""
    for name in sorted(module.name for module in pkgutil.iter_modules(effects.__path__)):
        import_module(f"{effects.__name__}.{name}")
    return EFFECTS


@cache
def item_table(folder: Path = DATA) -> dict[str, ItemKind]:
    """Return every item kind; raise `DataError` if one names a rule that does not exist."""
    kinds = item_kinds(folder)
    for name, kind in kinds.items():
        if fault := _fault(kind):
            file = "seeds.toml" if kind.seed else "items.toml"
            raise DataError(f"data/{file}: [{name}]: {fault}")
    return kinds


def _fault(kind: ItemKind) -> str | None:
    if kind.weapon_ability is not None and kind.weapon_ability not in WEAPON_ABILITIES:
        return f"weapon_ability: there is no weapon ability {kind.weapon_ability!r}"
    for ability in kind.worn_abilities:
        if ability not in WORN_ABILITIES:
            return f"worn_abilities: there is no worn ability {ability!r}"
    if (kind.status is None) != (not kind.turns) or kind.status not in {None, *status_kinds()}:
        return f"status: there is no status {kind.status!r} for {kind.turns} turns"
    if kind.effect is None or kind.target is None:
        return None if kind.seed is None or kind.seed.target.shape in PLANTED else UNPLANTABLE
    entry = all_effects().get(kind.effect)
    if entry is None:
        return f"effect: there is no effect {kind.effect!r}"
    if kind.target.shape not in entry.shapes:
        return f"target.shape: {kind.effect!r} cannot be aimed as {kind.target.shape.value!r}"
    looks = item_classes()[kind.item_class].looks
    if kind.target.shape is TargetShape.ITEM and looks and not kind.obvious:
        return "obvious: an item used on another must be known from the start"
    if kind.shatters is not None and TargetShape.BALL not in entry.shapes:
        return f"shatters: {kind.effect!r} cannot be thrown"
    return None
