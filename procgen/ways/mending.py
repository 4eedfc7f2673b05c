"""Mending: whatever lies between two parts of a level is opened until they are one."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, terrain
from procgen.analysis import regions
from procgen.rng import Rng
from procgen.ways.joining import cheapest_ways

WET = (Tile.WATER, Tile.LAVA)
HIDDEN = (Tile.SECRET_DOOR,)


def mend(
    tiles: NDArray[np.uint8], allowed: NDArray[np.bool_], rng: Rng, way_tile: int = Tile.TUNNEL
) -> int:
    """Join all walkable parts of ``tiles[y, x]`` by the shortest ways; return how many there were.

    Only ``allowed`` tiles are opened. Secret doors do not count as open, so that nothing is
    joined by them alone.
    """
    labels, count = regions(terrain().walkable[tiles])
    if count > 1:
        cost = np.where(allowed, 1, 0).astype(np.int32)
        cost[labels > 0] = 1
        for way in cheapest_ways(labels, cost, rng):
            open_way(tiles, way.tiles, way_tile)
    return count


def open_way(
    tiles: NDArray[np.uint8], way: Iterable[tuple[int, int]], way_tile: int = Tile.TUNNEL
) -> None:
    """Make every (x, y) of ``way`` walkable: dug, bridged, or its secret door shown."""
    walkable = terrain().walkable
    for x, y in way:
        tile = int(tiles[y, x])
        if walkable[tile]:
            continue
        if tile in HIDDEN:
            tiles[y, x] = Tile.DOOR
        else:
            tiles[y, x] = Tile.BRIDGE if tile in WET else way_tile
