"""Regions: remove small ones, connect the rest."""

from collections.abc import Iterator

import numpy as np
import scipy

from entities.terrain import Tile, tile_mask
from entities.wording import pluralise
from procgen.analysis.chokepoints import neighbours
from procgen.analysis.distances import SQUARE, regions, with_neighbours
from procgen.blueprint import Blueprint, Point, Rejected, dig_tunnel
from procgen.carving.region_links import DisjointSets, RegionLink, cheapest_links, meeting_tiles
from procgen.placement import painting
from procgen.rng import Rng
from procgen.step_registry import AreaOrZero, Share, Weight, step

FURNITURE = (Tile.PILLAR, Tile.STATUE, Tile.SHELF)
DOORS = (Tile.DOOR, Tile.SECRET_DOOR)


@step(needs="floor")
def fill_small_regions(plan: Blueprint, rng: Rng, *, below: AreaOrZero = 10) -> Iterator[str]:
    """Fill every 4-connected open region of fewer than ``below`` tiles with rock.

    Doors that led there, and furniture out of reach, are filled, too. Occupied regions stay.
    """
    labels, count = regions(plan.open)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    small = sizes < below
    small[0] = False
    small[labels[plan.occupied]] = False
    if small.any():
        left = (labels > 0) & ~small[labels]
        stopped = tile_mask(DOORS)[plan.tiles] & (neighbours(left) < 2)
        stranded = tile_mask(FURNITURE)[plan.tiles] & ~with_neighbours(left)
        plan.tiles[small[labels] | stopped | stranded] = Tile.WALL
        yield f"{int(small.sum())} of {count} regions filled"


@step(needs="floor")
def require_floor(plan: Blueprint, rng: Rng, *, share: Share = 0.1) -> Iterator[str]:
    """Reject the build if less than ``share`` of the map is open."""
    if plan.open.sum() < share * plan.tiles.size:
        raise Rejected("too little floor")
    yield from ()


@step(needs="floor")
def join_regions(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Connect all open regions by tunnels with a bend between the nearest pairs.

    A closed tile belongs to its nearest region; where those of two meet lies a possible tunnel. The
    shortest that connect something new are dug (Kruskal). They cross rock only, never water.
    """
    labels, count = regions(plan.open)
    if count < 2:
        return
    steps, (rows, columns) = scipy.ndimage.distance_transform_cdt(
        labels == 0, metric="taxicab", return_indices=True
    )
    groups = DisjointSets()
    for _, near, far, *meeting in meeting_tiles(steps, labels[rows, columns]).tolist():
        first, second = groups.find(near), groups.find(far)
        if first == second:
            continue
        start, end = (Point(columns.item(tile), rows.item(tile)) for tile in meeting)
        dig_tunnel(plan, start, end, horizontal_first=rng.chance(0.5))
        groups.join(first, second)
        yield f"Region {max(first, second)} joined to region {min(first, second)}"


@step(needs="floor")
def remove_small_islands(plan: Blueprint, rng: Rng, *, below: AreaOrZero = 10) -> Iterator[str]:
    """Replace every open region of fewer than ``below`` tiles by the closed tiles around it.

    Small islands sink into the sea, hollows in the mountains are filled: each tile becomes the
    nearest closed tile's kind. The largest region always stays, and those with protected tiles.
    """
    labels, count = regions(plan.open)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    small = sizes < below
    small[0] = False
    small[1 + int(sizes[1:].argmax()) if count else 0] = False
    small[labels[painting.protected(plan)]] = False
    scraps = small[labels]
    if not scraps.any():
        return
    _, nearest = scipy.ndimage.distance_transform_cdt(labels > 0, "taxicab", return_indices=True)
    plan.tiles[scraps] = plan.tiles[nearest[0], nearest[1]][scraps]
    yield f"{int(small.sum())} of {count} regions filled"


@step(needs="floor")
def remove_small_pillars(plan: Blueprint, rng: Rng, *, below: AreaOrZero = 6) -> Iterator[str]:
    """Turn rock islands of fewer than ``below`` tiles into floor, where floor encloses them.

    Tiles of rock that touch at corners are connected too. With a ``below`` of 0 nothing changes.
    """
    rock = plan.tiles == Tile.WALL
    labels, _ = scipy.ndimage.label(rock, SQUARE)
    small = np.bincount(labels.ravel()) < below
    small[0] = False
    other = with_neighbours(~rock & ~painting.walkable(plan)) | ~painting.interior(plan)
    small[labels[rock & other]] = False  # Those touch something that is not walkable.
    if small.any():
        plan.tiles[small[labels]] = Tile.FLOOR
        yield f"{pluralise(int(small.sum()), 'island')} of rock removed"


FINE = 16
"""One unit of cost in fixed point, so that random costs can be a fraction of it."""


@step(needs="floor")
def join_by_passages(
    plan: Blueprint,
    rng: Rng,
    *,
    rock: Weight = 3,
    mountain: Weight = 3,
    water: Weight = 2,
    lava: Weight = 3,
    wander: Weight = 0,
    wide: Share = 0.0,
    more: Share = 0.0,
    through_rock: painting.Paint = "tunnel",
    over_mountain: painting.Paint = "rubble",
    over_water: painting.Paint = "bridge",
) -> Iterator[str]:
    """Connect all open regions by the cheapest passages through rock and hills, water and lava.

    ``rock``, ``mountain``, ``water`` and ``lava`` are the costs of crossing one such tile, 0 for
    never. ``wander`` is the most that is added to a tile's cost at random, so that passages wind. A
    share ``wide`` of their tiles is dug two tiles wide. ``more`` is the share of neighbouring
    regions that get a passage beyond those needed. ``through_rock``, ``over_mountain`` and
    ``over_water`` are what crossed tiles become. (Dijkstra from all regions at once, then Kruskal.)
    """
    crossing = {
        Tile.WALL: (rock, painting.tile_named(through_rock)),
        Tile.MOUNTAIN: (mountain, painting.tile_named(over_mountain)),
        Tile.EDGE: (mountain, painting.tile_named(over_mountain)),
        Tile.WATER: (water, painting.tile_named(over_water)),
        Tile.LAVA: (lava, painting.tile_named(over_water)),
    }
    labels, count = regions(plan.open)
    if count < 2:
        return
    price = np.zeros(256, np.int32)
    for tile, (weight, _) in crossing.items():
        price[tile] = weight * FINE
    cost = price[plan.tiles]
    bumps = rng.random_bytes(plan.height, plan.width).astype(np.int32) * wander * FINE // 256
    cost[cost > 0] += bumps[cost > 0]
    cost[~painting.interior(plan)] = 0
    becomes = {tile: way for tile, (_, way) in crossing.items()}
    for way in cheapest_links(labels, cost, rng, more):
        _open(plan, way, becomes, rng, wide)
        yield f"Region {way.end} joined to region {way.start}"


def _open(plan: Blueprint, way: RegionLink, becomes: dict[int, int], rng: Rng, wide: float) -> None:
    """Open the tiles of ``way``, and a share ``wide`` of them two tiles wide if that is rock."""
    for x, y in way.tiles:
        tile = int(plan.tiles[y, x])
        plan.tiles[y, x] = becomes.get(tile, tile)
        if wide and rng.chance(wide):
            dx, dy = rng.pick(((1, 0), (0, 1)))
            if plan.inside(x + dx, y + dy) and plan.tiles[y + dy, x + dx] == Tile.WALL:
                plan.tiles[y + dy, x + dx] = becomes[Tile.WALL]
