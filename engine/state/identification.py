"""Item identification: unidentified kinds show a random look instead of their name."""

from collections.abc import Callable
from functools import cache

from components.inventory import Item
from engine.state.events import Event, Identified, ItemRef
from engine.state.game_state import GameState
from entities.entity import Entity
from entities.item_kinds import item_classes, item_kinds
from entities.pack import improvable
from procgen.rng import Rng


@cache
def unidentified_looks(seed: int) -> dict[str, str]:
    """Return the look of each kind that starts unidentified, shuffled by the run's ``seed``."""
    looks: dict[str, str] = {}
    for name, entry in item_classes().items():
        if entry.looks:
            words = Rng(seed, "looks", name).shuffled(entry.looks)
            forms = item_kinds().items()
            kinds = [kind for kind, form in forms if form.item_class == name and not form.obvious]
            looks |= dict(zip(kinds, words, strict=False))
    return looks


def is_identified(state: GameState, kind: str) -> bool:
    """Return True if the hero knows what items of ``kind`` do."""
    return kind in state.identified_kinds or kind not in unidentified_looks(state.setup.seed)


def knows_pack(state: GameState, owner: Entity) -> bool:
    """Return True if nothing in the pack of ``owner`` is left to identify."""
    known = (item.identified or not improvable(item) for item in owner.inventory)
    return all(known) and all(is_identified(state, item.kind) for item in owner.inventory)


def item_ref(state: GameState, item: Item) -> ItemRef:
    """Return ``item`` as the hero of ``state`` knows it at this moment."""
    identified = is_identified(state, item.kind)
    look = None if identified else unidentified_looks(state.setup.seed)[item.kind]
    plain = item.bonus, item.charges, item.identified
    return ItemRef(item.id, item.kind, item.count, *plain, item.letter, look)


def identify(state: GameState, item: Item, emit: Callable[[Event], None]) -> None:
    """Identify the kind of ``item`` and emit `Identified`, unless it is known already."""
    if not is_identified(state, item.kind):
        state.identified_kinds.append(item.kind)
        emit(Identified(item_ref(state, item)))
