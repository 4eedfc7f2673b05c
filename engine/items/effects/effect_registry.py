"""The registry of item effects, and the record that each effect receives."""

from collections.abc import Callable
from dataclasses import dataclass

from components.inventory import Item
from engine.combat.targeting import Aim
from engine.state.events import Emit, ItemRef
from engine.state.game_state import GameState
from entities.entity import Entity
from entities.item_kinds import ItemKind
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
