"""The registry of item effects, and validation of the item kinds that name them."""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from components.inventory import Item
from engine.combat.melee import WEAPON_ABILITIES
from engine.combat.targeting import Aim
from engine.items import effects
from engine.state.events import Emit, ItemRef
from engine.state.game_state import GameState
from entities.data_files import DataError, check_names
from entities.entity import Entity
from entities.equipment import WORN_ABILITIES
from entities.item_kinds import ItemKind, item_classes, item_kinds
from entities.statuses import status_kinds
from entities.target_shapes import TargetShape
from procgen.blueprint import Point


@dataclass(frozen=True, slots=True)
class EffectUse:
    """One use of the item ``used``, of ``kind``, by ``user`` on the tiles of ``aim``.

    ``item`` is the item of the pack that was chosen, for effects that improve one.
    """

    state: GameState
    user: Entity
    used: ItemRef
    kind: ItemKind
    aim: Aim
    emit: Emit
    item: Item | None = None

    @property
    def place(self) -> Point:
        """The tile aimed at, or where a projectile came to rest."""
        return self.aim.tiles[0]

    def targets(self) -> list[Entity]:
        """Return the creatures on the tiles hit, in the order of the tiles."""
        occupants = (self.state.map.entity_at(*place) for place in self.aim.tiles)
        return [creature for creature in occupants if creature]


Effect = Callable[[EffectUse], None]


@dataclass(frozen=True, slots=True)
class EffectEntry:
    """An effect and the target shapes that it supports."""

    apply: Effect
    shapes: frozenset[TargetShape]


EFFECTS: dict[str, EffectEntry] = {}
ANY_SHAPE = tuple(shape for shape in TargetShape if shape is not TargetShape.ITEM)


def effect(*shapes: TargetShape) -> Callable[[Effect], Effect]:
    """Register a function as an effect under its name, for these target ``shapes``."""

    def register(function: Effect) -> Effect:
        EFFECTS[function.__name__] = EffectEntry(function, frozenset(shapes))
        return function

    return register


@cache
def all_effects() -> dict[str, EffectEntry]:
    """Return every effect by name, from every module of engine/items/effects in sorted order."""
    for name in sorted(module.name for module in pkgutil.iter_modules(effects.__path__)):
        import_module(f"{effects.__name__}.{name}")
    return EFFECTS


PLANTED = (TargetShape.SELF, TargetShape.GROUND, TargetShape.ROCK, TargetShape.BOLT)
"""The target shapes of seeds."""
UNPLANTABLE = f"target.shape: a seed's is one of {', '.join(PLANTED)}"


@cache
def validate_items() -> None:
    """Raise `DataError` if an item kind is invalid or names a rule that does not exist."""
    for name, kind in item_kinds().items():
        where = f"data/{'seeds' if kind.seed else 'items'}.toml: [{name}]"
        check_names(f"{where}: effect", [kind.effect], all_effects(), "effect")
        check_names(f"{where}: weapon_ability", [kind.weapon_ability], WEAPON_ABILITIES, "ability")
        check_names(f"{where}: worn_abilities", kind.worn_abilities, WORN_ABILITIES, "ability")
        if fault := _fault(kind):
            raise DataError(f"{where}: {fault}")


def _fault(kind: ItemKind) -> str | None:
    if (kind.status is None) != (not kind.turns) or kind.status not in {None, *status_kinds()}:
        return f"status: there is no status {kind.status!r} for {kind.turns} turns"
    if kind.effect is None or kind.target is None:
        return None if kind.seed is None or kind.seed.target.shape in PLANTED else UNPLANTABLE
    entry = all_effects()[kind.effect]
    if kind.target.shape not in entry.shapes:
        return f"target.shape: {kind.effect!r} cannot be aimed as {kind.target.shape.value!r}"
    looks = item_classes()[kind.item_class].looks
    if kind.target.shape is TargetShape.ITEM and looks and not kind.obvious:
        return "obvious: an item used on another must be known from the start"
    if kind.shatters is not None and TargetShape.BALL not in entry.shapes:
        return f"shatters: {kind.effect!r} cannot be thrown"
    return None
