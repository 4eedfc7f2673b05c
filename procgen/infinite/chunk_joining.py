"""Making one land of many: nothing one can stand on is cut off, whoever looks from where.

Everything is decided from a chunk and a halo around it. Ground in scraps smaller than the halo
is wide gives way, and whatever is then still apart within the chunk is joined inside it.
"""

import numpy as np
from numpy.typing import NDArray
from tcod.path import Pathfinder, SimpleGraph

from procgen.analysis.distances import DIRECTIONS, UNREACHED, regions
from procgen.chunk import SIDE, Mask
from procgen.position_hash import position_noise

HALO = 48
"""How far around a chunk one looks to tell what hangs together; larger than any scrap."""

INNER = np.s_[HALO : HALO + SIDE, HALO : HALO + SIDE]
"""The chunk within its window."""

STRAIGHT, SLANT = 2, 3
"""What a straight and a slanting step cost, times the cost of the ground."""

Field = NDArray[np.int32]
"""What it costs to come from each tile [y, x] to a goal."""
TilePath = list[tuple[int, int]]


def small_regions(open_tiles: Mask, below: int = HALO) -> Mask:
    """Return where ``open_tiles`` hang together in fewer than ``below`` tiles (at most `HALO`)."""
    labels, count = regions(open_tiles)
    small = np.bincount(labels.ravel(), minlength=count + 1) < below
    small[0] = False
    return small[labels]


def disconnected_parts(window: Mask) -> list[Mask]:
    """Return the parts of the chunk in ``window`` that no way joins, the largest first.

    ``window`` is where one can walk, with the halo; each part is a mask of the chunk alone.
    Parts that hang together through the halo are one.
    """
    labels, _ = regions(window)
    inner = labels[INNER]
    numbers, counts = np.unique(inner[inner > 0], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [inner == numbers[index] for index in order.tolist()]


def dijkstra_costs(goal: Mask, cost: NDArray[np.int32]) -> Field:
    """Return what it costs to come to ``goal`` from every tile, 0 on it; ``cost`` is never 0.

    All three are arrays [y, x] of one size. (Dijkstra's algorithm.)
    """
    inner = ~dilated(~goal)  # No way leads through it that could not begin at its rim.
    graph = SimpleGraph(cost=np.where(inner, 0, cost), cardinal=STRAIGHT, diagonal=SLANT)
    finder = Pathfinder(graph)
    finder.distance[:] = np.where(goal & ~inner, 0, UNREACHED)
    finder.rebuild_frontier()
    finder.resolve()
    return np.where(inner, 0, finder.distance)


def descend(field: Field, x: int, y: int) -> TilePath:
    """Return the tiles from (x, y) to where ``field`` is 0, both included, side by side.

    A slanting step passes through the cheaper of the two tiles beside it.
    """
    height, width = field.shape
    way = [(x, y)]
    while field[y, x] > 0:
        steps = [
            (int(field[y + dy, x + dx]), number)
            for number, (dx, dy) in enumerate(DIRECTIONS)
            if 0 <= x + dx < width and 0 <= y + dy < height
        ]
        dx, dy = DIRECTIONS[min(steps)[1]]
        if dx and dy:
            beside = min((int(field[y, x + dx]), x + dx, y), (int(field[y + dy, x]), x, y + dy))
            way.append(beside[1:])
        x, y = x + dx, y + dy
        way.append((x, y))
    return way


def cheapest_tile(field: Field, among: Mask) -> tuple[int, int]:
    """Return the (x, y) ``among`` which ``field`` is least."""
    row, column = divmod(int(np.where(among, field, UNREACHED).argmin()), field.shape[1])
    return column, row


def joining_paths(window: Mask, cost: NDArray[np.int32], doors: TilePath) -> list[TilePath]:
    """Return ways within the chunk that join all its parts and the ``doors`` in its rim.

    ``window`` is where one can walk, with the halo; ``cost[y, x]`` the price of the chunk's
    tiles, least where one can walk already.
    """
    parts = disconnected_parts(window)
    if not parts:
        middle = np.zeros((SIDE, SIDE), np.bool_)
        middle[SIDE // 2, SIDE // 2] = True
        parts, doors = [middle], [*doors, (SIDE // 2, SIDE // 2)]
    if len(parts) == 1 and all(parts[0][y, x] for x, y in doors):
        return []
    field = dijkstra_costs(parts[0], cost)
    starts = [cheapest_tile(field, part) for part in parts[1:]]
    starts += [(x, y) for x, y in doors if not parts[0][y, x]]
    return [descend(field, x, y) for x, y in starts]


def dilated(mask: Mask) -> Mask:
    """Return ``mask`` and the tiles around it."""
    rows = mask.copy()
    rows[1:] |= mask[:-1]
    rows[:-1] |= mask[1:]
    grown = rows.copy()
    grown[:, 1:] |= rows[:, :-1]
    grown[:, :-1] |= rows[:, 1:]
    return grown


CORNER = 12
"""How far from a chunk's corners a gate stays."""


def chunk_exits(
    seed: int, cx: int, cy: int, cost: NDArray[np.int32], name: str = "gate"
) -> TilePath:
    """Return the chunk's tile at each of its gates: in the north, east, south and west.

    ``cost[y, x]``, halo included, is how dear it is to pass a tile; the cheapest pair of tiles
    on the two sides of a border is its gate, and of several alike chance chooses one, another
    one for each ``name``.
    """
    near, far = HALO, HALO + SIDE
    north = cost[near - 1, near:far] + cost[near, near:far]
    south = cost[far - 1, near:far] + cost[far, near:far]
    west = cost[near:far, near - 1] + cost[near:far, near]
    east = cost[near:far, far - 1] + cost[near:far, far]
    last = SIDE - 1
    return [
        (_cheapest(north, position_noise(seed, f"south {name}", (cx * SIDE, cy - 1), SIDE, 1)), 0),
        (last, _cheapest(east, position_noise(seed, f"east {name}", (cx, cy * SIDE), 1, SIDE))),
        (_cheapest(south, position_noise(seed, f"south {name}", (cx * SIDE, cy), SIDE, 1)), last),
        (0, _cheapest(west, position_noise(seed, f"east {name}", (cx - 1, cy * SIDE), 1, SIDE))),
    ]


def _cheapest(cost: NDArray[np.int32], luck: NDArray[np.uint8]) -> int:
    price = cost * 256 + luck.ravel()
    return CORNER + int(price[CORNER : SIDE - CORNER].argmin())
