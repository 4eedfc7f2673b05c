"""What the hero knows of things: some kinds are told apart by their looks until one is tried."""

from collections.abc import Callable
from functools import cache

from components.inventory import Item
from engine.state.events import Event, Identified, What
from engine.state.game_state import World
from entities.item_kinds import item_kinds, sorts
from procgen.rng import Rng


@cache
def looks(seed: int) -> dict[str, str]:
    """Return the look of every kind that has to be learned, shuffled by the seed of a run."""
    found: dict[str, str] = {}
    for name, sort in sorts().items():
        if sort.looks:
            words = Rng(seed, "looks", name).shuffled(sort.looks)
            kinds = [
                kind
                for kind, form in item_kinds().items()
                if form.sort == name and not form.obvious
            ]
            found |= dict(zip(kinds, words, strict=False))
    return found


def knows(world: World, kind: str) -> bool:
    """Whether the hero can tell what things of ``kind`` do."""
    return kind in world.known or kind not in looks(world.setup.seed)


def what(world: World, item: Item) -> What:
    """Return ``item`` as the hero of ``world`` knows it at this moment."""
    look = None if knows(world, item.kind) else looks(world.setup.seed)[item.kind]
    plain = item.bonus, item.charges, item.known
    return What(item.id, item.kind, item.count, *plain, item.letter, look)


def learn(world: World, item: Item, tell: Callable[[Event], None]) -> None:
    """Let the hero know what things like ``item`` do."""
    if not knows(world, item.kind):
        world.known.append(item.kind)
        tell(Identified(what(world, item)))
