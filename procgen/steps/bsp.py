"""Binary space partition (BSP): split the map in two repeatedly and dig a room in each leaf."""

from collections.abc import Iterator
from itertools import chain, pairwise

from entities.terrain import Tile
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.rng import Rng
from procgen.step_registry import Count, Share, Side, Tiles, step

LEAST_LEAF = 6


@step(gives="leaves", varies="min_leaf")
def binary_space_partition(
    plan: Blueprint,
    rng: Rng,
    *,
    rounds: Count = 4,
    min_leaf: Side = 8,
    low: Share = 0.3,
    high: Share = 0.7,
) -> Iterator[str]:
    """Split every leaf in two in each of ``rounds`` rounds, starting from the whole map.

    A leaf is split across its longer side; the side of a square leaf is chosen at random. The split
    lies between ``low`` and ``high``, as shares of the side, unless one half would get a side below
    ``min_leaf``; a leaf whose longer side is shorter than twice that is not split.
    """
    plan.leaves = [RectangularRoom(0, 0, plan.width, plan.height)]
    for turn in range(1, rounds + 1):
        halves = (_halves(leaf, rng, min_leaf, low, high) for leaf in plan.leaves)
        plan.leaves = list(chain.from_iterable(halves))
        yield f"Round {turn}: {len(plan.leaves)} leaves"


def _halves(
    leaf: RectangularRoom, rng: Rng, min_leaf: int, low: float, high: float
) -> list[RectangularRoom]:
    across = rng.chance(0.5) if leaf.width == leaf.height else leaf.width > leaf.height
    side = leaf.width if across else leaf.height
    if side < 2 * min_leaf:
        return [leaf]
    least = min(max(min_leaf, round(side * low)), side - min_leaf)
    cut = rng.between(least, max(least, min(side - min_leaf, round(side * high))))
    return leaf.halves(across, cut)


@step(gives="leaves")
def grid_of_leaves(
    plan: Blueprint, rng: Rng, *, columns: Side = 3, rows: Side = 3
) -> Iterator[str]:
    """Cut the map into equal leaves, ``columns`` by ``rows`` of them (3 by 3 in Rogue).

    No leaf has a side under 6 tiles, so a small map gets fewer leaves.
    """
    plan.leaves = [
        RectangularRoom(left, top, right - left, bottom - top)
        for top, bottom in pairwise(_grid_lines(plan.height, rows))
        for left, right in pairwise(_grid_lines(plan.width, columns))
    ]
    yield f"Leaves: {len(plan.leaves)}"


def _grid_lines(side: int, most: int) -> list[int]:
    """Return the cuts of a ``side`` into up to ``most`` equal parts, both ends included."""
    parts = max(1, min(most, side // LEAST_LEAF))
    return [side * part // parts for part in range(parts + 1)]


@step(needs="leaves", gives="floor rooms")
def rooms_in_leaves(plan: Blueprint, rng: Rng, *, margin: Tiles = 2) -> Iterator[str]:
    """Dig a room in each leaf that fills it except for ``margin`` tiles of rock on every side.

    The map's border stays rock even without a margin.
    """
    for leaf in plan.leaves:
        room = plan.within_border(leaf.grown(-margin))
        if min(room.width, room.height) < 1:
            continue
        plan.rooms.append(room)
        plan.tiles[room.inner] = Tile.FLOOR
        yield f"Room {len(plan.rooms)}: {room.width} by {room.height}"
