"""Roads and trails: from the junction of a chunk to its exits and to cut-off parts."""

from collections.abc import Iterator
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from entities.terrain import TILES, Tile, Tiles, terrain
from procgen.blueprint import Point, mask_at
from procgen.chunk import SIDE
from procgen.gradient_noise import purpose_noise
from procgen.infinite import chunk_joining
from procgen.position_hash import position_noise, position_random, position_word

Costs = NDArray[np.int32]

SOLID = (Tile.WALL, Tile.PILLAR, Tile.STATUE, Tile.SHELF)
COSTS = dict.fromkeys((Tile.ROAD, Tile.BRIDGE), 1) | {Tile.FOREST: 3, Tile.REEDS: 6, Tile.DOOR: 8}
COSTS |= dict.fromkeys((Tile.HILL, Tile.RUBBLE), 5) | {Tile.SHALLOWS: 7, Tile.WATER: 16}
COSTS |= dict.fromkeys((*SOLID, Tile.SECRET_DOOR), 60) | {Tile.MOUNTAIN: 22}
"""The cost of a road over each tile; 2 for all others."""

ON_BOTH = {Tile.SECRET_DOOR: Tile.DOOR} | dict.fromkeys(SOLID, Tile.RUBBLE)
ON_TRAILS = {Tile.WATER: Tile.SHALLOWS, Tile.MOUNTAIN: Tile.RUBBLE, Tile.FOREST: Tile.GRASS}
ON_TRAILS |= ON_BOTH
ON_ROADS = (
    dict.fromkeys((Tile.WATER, Tile.SHALLOWS, Tile.REEDS), Tile.BRIDGE)
    | dict.fromkeys((Tile.GRASS, Tile.HEATH, Tile.HILL, Tile.FOREST, Tile.SAND), Tile.ROAD)
    | dict.fromkeys((Tile.RUBBLE, Tile.MOUNTAIN), Tile.ROAD)
    | ON_BOTH
)
"""The tile that a path puts in place of each."""

LONG_FORD = 5
"""More tiles of deep water than this get a bridge instead of a ford."""
PAVED = 120
"""Of 256 exits, how many have a road instead of a trail."""


def road_costs(tiles: Tiles) -> Costs:
    """Return the cost of each of ``tiles``, as int32 [y, x]."""
    table = np.full(len(TILES), 2, np.int32)
    table[list(COSTS)] = list(COSTS.values())
    return table[tiles]


def lay_roads(seed: int, cx: int, cy: int, window: Tiles, junction: Point) -> Iterator[str]:
    """Lead a path from ``junction`` to each exit of the chunk in the middle of ``window``."""
    cost = road_costs(window)
    tiles = window[chunk_joining.INNER]
    doors = chunk_joining.chunk_exits(seed, cx, cy, cost)
    goal = mask_at([junction], tiles.shape)
    corner = cx * SIDE, cy * SIDE
    noise = purpose_noise(seed, "winding", corner, SIDE, SIDE, scale=1 / 16, octaves=2)
    uneven = cost[chunk_joining.INNER] * (10.0 + np.floor(noise * 8.0))
    field = chunk_joining.dijkstra_costs(goal, uneven.astype(np.int32))
    sides = zip(("north", "east", "south", "west"), doors, _paved(seed, cx, cy), strict=True)
    for side, (x, y), paved in sides:
        _lay_path(tiles, chunk_joining.roll_downhill(field, x, y), paved=paved)
        yield f"A {'road' if paved else 'trail'} to the {side}"


def _paved(seed: int, cx: int, cy: int) -> list[bool]:
    """Return which exits (N, E, S, W) have a road; keyed by border, so neighbours agree."""
    borders = (("south", cx, cy - 1), ("east", cx, cy), ("south", cx, cy), ("east", cx - 1, cy))
    return [position_word(seed, f"{name} road", x, y) & 255 < PAVED for name, x, y in borders]


def join_wild_parts(window: Tiles, seed: int, corner: tuple[int, int]) -> Iterator[str]:
    """Lead trails to the disconnected parts of the chunk in the middle of ``window``."""
    tiles = window[chunk_joining.INNER]
    cost = road_costs(tiles) * 4 + (position_noise(seed, "trail", corner, SIDE, SIDE) >> 6)
    walkable = terrain().walkable[window]
    for way in chunk_joining.joining_paths(walkable, cost.astype(np.int32), []):
        _lay_path(tiles, way, paved=False)
        yield "A trail to a part that was cut off"


def _lay_path(tiles: Tiles, way: chunk_joining.TilePath, *, paved: bool) -> None:
    """Make the path walkable, with as few changes as possible unless ``paved``."""
    changed = ON_ROADS if paved else ON_TRAILS
    parts = groupby(way, lambda at: tiles.item(at[1], at[0]) == Tile.WATER)
    for part in [list(part) for _, part in parts]:  # Split before any tile changes.
        for x, y in part:
            tile = tiles.item(y, x)
            if tile == Tile.WATER and len(part) > LONG_FORD:
                tiles[y, x] = Tile.BRIDGE
            elif tile in changed:
                tiles[y, x] = changed[tile]


def road_junction(seed: int, cx: int, cy: int, tiles: Tiles) -> Point:
    """Return the tile where the roads of a chunk meet: the best of 12 near the middle."""
    rng = position_random(seed, "heart", cx, cy)
    cost = road_costs(tiles)
    spots = [Point(rng.between(64, SIDE - 65), rng.between(64, SIDE - 65)) for _ in range(12)]
    return min(spots, key=lambda at: int(cost[at.y - 2 : at.y + 3, at.x - 2 : at.x + 3].sum()))
