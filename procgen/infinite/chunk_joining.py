"""Chunk exits and joining paths: every walkable tile of an infinite world can be reached.

A chunk never looks at a finished neighbour: it must come out the same whichever chunk is made
first. So each decides from its own tiles and a halo around them, which every chunk computes in the
same way. Regions smaller than the halo are removed, since the halo shows whether they touch another
region; the parts left in a chunk are joined inside it, and to an exit on each border.
"""

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Mask, Tile, Tiles, terrain
from procgen.analysis.distances import DIRECTIONS, UNREACHED, dijkstra, regions, with_neighbours
from procgen.chunk import SIDE
from procgen.position_hash import position_noise

HALO = 48
"""Tiles around a chunk that are generated with it; larger than any region removed."""

INNER = np.s_[HALO : HALO + SIDE, HALO : HALO + SIDE]
"""The chunk within its window."""

STRAIGHT, SLANT = 2, 3
"""The costs of a straight and a diagonal step, times the cost of the ground."""

Field = NDArray[np.int32]
"""Dijkstra map: cost from each tile [y, x] to a goal."""
TilePath = list[tuple[int, int]]


def small_regions(open_tiles: Mask) -> Mask:
    """Return the tiles of connected regions with fewer than `HALO` tiles."""
    labels, count = regions(open_tiles)
    small = np.bincount(labels.ravel(), minlength=count + 1) < HALO
    small[0] = False
    return small[labels]


def drop_small_regions(tiles: Tiles, solid: int) -> None:
    """Turn the tiles of walkable `small_regions` into water beside water, else into ``solid``."""
    lost = small_regions(terrain().walkable[tiles])
    tiles[lost & with_neighbours(tiles == Tile.WATER)] = Tile.WATER
    tiles[lost & (tiles != Tile.WATER)] = solid


def disconnected_parts(window: Mask) -> list[Mask]:
    """Return the connected parts of a chunk as masks, the largest first.

    ``window`` are the walkable tiles with the halo; parts connected through the halo are one part.
    """
    labels, _ = regions(window)
    inner = labels[INNER]
    numbers, counts = np.unique(inner[inner > 0], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [inner == numbers[index] for index in order.tolist()]


def dijkstra_costs(goal: Mask, cost: NDArray[np.int32]) -> Field:
    """Return a Dijkstra map: the cost of reaching ``goal`` from every tile, 0 on it.

    All three are arrays [y, x] of one size; ``cost`` is never 0.
    """
    # Only the rim of a goal can end a shortest path: with its inside, the frontier would be slow.
    inner = ~with_neighbours(~goal)
    field = np.where(goal & ~inner, 0, UNREACHED).astype(np.int32)
    costs = dijkstra(field, np.where(inner, 0, cost), straight=STRAIGHT, diagonal=SLANT)
    return np.where(inner, 0, costs)


def roll_downhill(field: Field, x: int, y: int) -> TilePath:
    """Walk down the Dijkstra map from (x, y) to 0; return all tiles, orthogonally connected.

    A diagonal step passes through the cheaper of the two tiles beside it.
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
            corner = min((int(field[y, x + dx]), x + dx, y), (int(field[y + dy, x]), x, y + dy))
            way.append(corner[1:])
        x, y = x + dx, y + dy
        way.append((x, y))
    return way


def cheapest_tile(field: Field, among: Mask) -> tuple[int, int]:
    """Return the (x, y) of the tile in the mask ``among`` where ``field`` is lowest."""
    row, column = divmod(int(np.where(among, field, UNREACHED).argmin()), field.shape[1])
    return column, row


def joining_paths(window: Mask, cost: NDArray[np.int32], doors: TilePath) -> list[TilePath]:
    """Return paths within the chunk that join all its parts and the ``doors`` on its rim.

    ``window`` holds the walkable tiles with the halo; ``cost[y, x]`` is the cost of the chunk's
    tiles, lowest where they are walkable already.
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
    return [roll_downhill(field, x, y) for x, y in starts]


CORNER = 12
"""Least distance of an exit from the corners of its chunk."""


def chunk_exits(
    seed: int, cx: int, cy: int, cost: NDArray[np.int32], name: str = "gate"
) -> TilePath:
    """Return the chunk's tile at its northern, eastern, southern and western exit.

    The exit of a border is its cheapest pair of tiles by ``cost[y, x]`` (with halo); ties are
    broken by position noise, differently for each ``name``. Both chunks compute the same pair.
    """
    low, high = HALO, HALO + SIDE
    north = cost[low - 1, low:high] + cost[low, low:high]
    south = cost[high - 1, low:high] + cost[high, low:high]
    west = cost[low:high, low - 1] + cost[low:high, low]
    east = cost[low:high, high - 1] + cost[low:high, high]
    last = SIDE - 1
    return [
        (_cheapest(north, position_noise(seed, f"south {name}", (cx * SIDE, cy - 1), SIDE, 1)), 0),
        (last, _cheapest(east, position_noise(seed, f"east {name}", (cx, cy * SIDE), 1, SIDE))),
        (_cheapest(south, position_noise(seed, f"south {name}", (cx * SIDE, cy), SIDE, 1)), last),
        (0, _cheapest(west, position_noise(seed, f"east {name}", (cx - 1, cy * SIDE), 1, SIDE))),
    ]


def _cheapest(cost: NDArray[np.int32], noise: NDArray[np.uint8]) -> int:
    price = cost * 256 + noise.ravel()
    return CORNER + int(price[CORNER : SIDE - CORNER].argmin())
