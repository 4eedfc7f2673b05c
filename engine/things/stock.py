"""What lies on a level before anyone comes: decided by the finished level, its seed and depth."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.things.nooks import Nooks, find_nooks
from entities.item import Item
from entities.items import item_kinds
from entities.lots import lots
from procgen.blueprint import Point, scale_of
from procgen.build import Level
from procgen.rng import Rng

GEAR = ("weapon", "bow", "armour")
"""The sorts of thing that can be better or worse than plain."""
TEN = 10


class Thing(NamedTuple):
    """So many of a ``kind`` that lie at (x, y)."""

    kind: str
    x: int
    y: int
    many: int
    bonus: int
    charges: int


def make_item(thing: Thing, number: int) -> Item:
    """Return ``thing`` as the item with identity ``number``."""
    return Item(number, thing.kind, thing.many, thing.bonus, thing.charges)


def stock(level: Level) -> list[Thing]:
    """Return what lies on ``level``, in the order it was laid."""
    code = level.code
    rng = Rng(code.seed, code.recipe, code.depth, "stock")
    nooks = find_nooks(level, rng, dict.fromkeys(lots().beside.values()))
    laid: list[Thing] = []
    for room in nooks.locked:
        _lay(laid, _by_sort(code.depth, lots().locked, rng), rng, room)
    for _ in range(scale_of(level.tiles.size)):
        if nooks.hidden:
            _lay(laid, _by_sort(code.depth, lots().hidden, rng), rng, nooks.hidden)
    for kind in [*due(code.seed, code.depth), *_usual(level, rng)]:
        _lay(laid, kind, rng, *_spots(nooks, kind, rng))
    return laid


def due(seed: int, depth: int) -> list[str]:
    """Return the kinds whose turn it is at ``depth``: so many in every ten depths, of any seed."""
    found = []
    for kind, share in lots().rhythm.items():
        beat = Rng(seed, "rhythm", kind).below(TEN)
        many = (depth * share + beat) // TEN - ((depth - 1) * share + beat) // TEN
        found += [kind] * many
    return found


def _usual(level: Level, rng: Rng) -> list[str]:
    """Return what else lies about."""
    weights = {name: kind.weight(level.code.depth) for name, kind in item_kinds().items()}
    weights = {name: weight for name, weight in weights.items() if weight}
    many = rng.between(*lots().usual) * scale_of(level.tiles.size)
    return [rng.weighted(weights) for _ in range(many)]


def _by_sort(depth: int, sorts: dict[str, int], rng: Rng) -> str | None:
    """Return a kind of one of ``sorts``, a sort as often as its weight says."""
    by_sort: dict[str, dict[str, int]] = {sort: {} for sort in sorts}
    for name, kind in item_kinds().items():
        if kind.sort in sorts and kind.weight(depth):
            by_sort[kind.sort][name] = kind.weight(depth)
    able = {sort: weight for sort, weight in sorts.items() if by_sort[sort]}
    return rng.weighted(by_sort[rng.weighted(able)]) if able else None


def _spots(nooks: Nooks, kind: str, rng: Rng) -> Iterator[list[Point]]:
    """Yield where a ``kind`` best lies: half of what is dear is hidden, some sorts have a home."""
    dear = kind in lots().rhythm and rng.chance(0.5)
    if dear:
        yield nooks.hidden
    yield nooks.beside.get(lots().beside.get(item_kinds()[kind].sort, ""), [])
    yield nooks.open
    yield nooks.hidden


def _lay(laid: list[Thing], name: str | None, rng: Rng, *places: list[Point]) -> None:
    """Lay one of a kind in the first of ``places`` that has a spot where nothing lies."""
    taken = {(thing.x, thing.y) for thing in laid}
    for spots in places:
        while spots and spots[-1] in taken:
            spots.pop()
    free = next((spots for spots in places if spots), None)
    if name is None or free is None:
        return
    kind = item_kinds()[name]
    bonus = _bonus(rng) if kind.sort in GEAR else 0
    many, charges = rng.between(*kind.lot), rng.between(*kind.charges)
    laid.append(Thing(name, *free.pop(), many, bonus, charges))


def _bonus(rng: Rng) -> int:
    roll, (plain, better, best) = rng.below(100), lots().odds
    if roll < plain:
        return 0
    if roll < plain + better:
        return 1
    return 2 if roll < plain + better + best else -1
