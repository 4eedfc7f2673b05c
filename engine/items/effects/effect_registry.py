"""The effects there are, and what one is given to work with."""

from collections.abc import Callable
from dataclasses import dataclass

from components.inventory import Item
from engine.combat.targeting import Aim
from engine.state.events import Emit
from engine.state.game_state import GameState
from entities.entity import Entity
from entities.item_kinds import ItemKind
from entities.target_shapes import TargetShape
from procgen.blueprint import Point


@dataclass(frozen=True, slots=True)
class EffectUse:
    """One use of a thing of a ``kind`` called ``name`` by ``user``: where it falls is ``aim``.

    ``item`` is the thing of the pack that was chosen, if that had to be.
    """

    state: GameState
    user: Entity
    name: str
    kind: ItemKind
    aim: Aim
    emit: Emit
    item: Item | None = None

    @property
    def place(self) -> Point:
        """Where it was aimed at, or came to rest."""
        return self.aim.tiles[0]

    def touched(self) -> list[Entity]:
        """Return who stands where it falls, in the order it falls there."""
        here = (self.state.map.entity_at(*place) for place in self.aim.tiles)
        return [creature for creature in here if creature]


Effect = Callable[[EffectUse], None]


@dataclass(frozen=True, slots=True)
class EffectEntry:
    """An effect and the shapes of target that it makes sense with."""

    work: Effect
    shapes: frozenset[TargetShape]


EFFECTS: dict[str, EffectEntry] = {}

ANY_SHAPE = tuple(shape for shape in TargetShape if shape is not TargetShape.ITEM)


def effect(*shapes: TargetShape) -> Callable[[Effect], Effect]:
    """Register a function as the effect of its name, for targets of these ``shapes``."""

    def register(function: Effect) -> Effect:
        EFFECTS[function.__name__] = EffectEntry(function, frozenset(shapes))
        return function

    return register
