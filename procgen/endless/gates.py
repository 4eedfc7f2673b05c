"""Where one goes from chunk to chunk: decided from the shared border alone, alike on both sides."""

import numpy as np
from numpy.typing import NDArray

from procgen.endless.chunk import SIDE
from procgen.endless.joining import HALO, Way
from procgen.endless.lots import dust

CORNER = 12
"""How far from a chunk's corners a gate stays."""


def gates(seed: int, cx: int, cy: int, cost: NDArray[np.int32], name: str = "gate") -> Way:
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
        (_cheapest(north, dust(seed, f"south {name}", (cx * SIDE, cy - 1), SIDE, 1)), 0),
        (last, _cheapest(east, dust(seed, f"east {name}", (cx, cy * SIDE), 1, SIDE))),
        (_cheapest(south, dust(seed, f"south {name}", (cx * SIDE, cy), SIDE, 1)), last),
        (0, _cheapest(west, dust(seed, f"east {name}", (cx - 1, cy * SIDE), 1, SIDE))),
    ]


def _cheapest(cost: NDArray[np.int32], luck: NDArray[np.uint8]) -> int:
    price = cost * 256 + luck.ravel()
    return CORNER + int(price[CORNER : SIDE - CORNER].argmin())
