"""What lies on a level before anyone comes: decided by the finished level, its seed and depth."""

from typing import NamedTuple

import numpy as np

from entities.item import Item
from entities.items import item_kinds
from entities.terrain import Tile, terrain
from procgen.analysis import UNREACHED, distances
from procgen.blueprint import Point
from procgen.build import Level
from procgen.rng import Rng

FLOOR = (Tile.FLOOR, Tile.TUNNEL, Tile.GRASS, Tile.SAND, Tile.MOSS, Tile.CARPET, Tile.RUBBLE)
"""The ground that things lie on."""
USUAL = (3, 5)
"""How many things lie about on a level, beside what is certain."""


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
    rng = Rng(level.code.seed, level.code.recipe, level.code.depth, "stock")
    places = _places(level, rng)
    found = []
    for kind in _chosen(level.code.depth, rng):
        if not places:
            break
        found.append(_one(kind, places.pop(), rng))
    return found


def _chosen(depth: int, rng: Rng) -> list[str]:
    """Return the kinds that lie at ``depth``."""
    weights = {name: kind.weight(depth) for name, kind in item_kinds().items()}
    weights = {name: weight for name, weight in weights.items() if weight}
    return ["healing_potion", *(rng.weighted(weights) for _ in range(rng.between(*USUAL)))]


def _one(name: str, place: Point, rng: Rng) -> Thing:
    kind = item_kinds()[name]
    return Thing(name, *place, rng.between(*kind.lot), 0, rng.between(*kind.charges))


def _places(level: Level, rng: Rng) -> list[Point]:
    """Return the places where things can lie, shuffled."""
    steps = distances(terrain().walkable[level.tiles], *level.start)
    fit = np.isin(level.tiles, FLOOR) & (steps < UNREACHED) & (steps > 3)
    fit[level.exit.y, level.exit.x] = False
    ys, xs = np.nonzero(fit)
    return [Point(int(xs[i]), int(ys[i])) for i in rng.shuffled(range(len(xs)))[:64]]
