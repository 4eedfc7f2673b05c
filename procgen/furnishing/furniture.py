"""Furniture: what makes a room a treasury, a trap, a shrine, a library, a garden, a hall."""

from collections.abc import Callable
from itertools import product

from entities.terrain import Tile
from procgen.blueprint import Point
from procgen.furnishing.footing import ROUND, Floorspace
from procgen.furnishing.sites import Site
from procgen.rng import Rng

Furnish = Callable[[Floorspace, Site, Rng], int]
"""Furnish a site; return how many pieces of what matters there are, 0 for a failure."""


def treasury(floor: Floorspace, site: Site, rng: Rng) -> int:
    """Heap gold in the third of the site that is furthest from the start."""
    heaps = min(5, 2 + site.area // 25)
    far = site.spots[-max(heaps, site.area // 3) :]
    return _several(floor.lay, rng.shuffled(far), Tile.TREASURE, heaps)


def trap_room(floor: Floorspace, site: Site, rng: Rng) -> int:
    """Hide plates that can be walked round, with a heap of gold at the far end as bait."""
    floor.lay(*site.deepest, Tile.TREASURE)
    return _several(
        floor.stand, rng.shuffled(site.spots), Tile.TRAP, max(3, min(9, site.area // 6))
    )


def shrine(floor: Floorspace, site: Site, rng: Rng) -> int:
    """Set up a shrine in the middle, carpet around it, statues at the corners of the carpet."""
    x, y = site.middle
    if not floor.lay(x, y, Tile.SHRINE):
        return 0
    for dx, dy in ROUND:
        floor.lay(x + dx, y + dy, Tile.CARPET)
    for dx, dy in product((-2, 2), repeat=2):
        _within(floor, site, Point(x + dx, y + dy), Tile.STATUE)
    return 1


def library(floor: Floorspace, site: Site, rng: Rng) -> int:
    """Fill the room with rows of shelves, or line its walls with them around a carpet."""
    return _lined(floor, site) if rng.chance(0.4) else _stacks(floor, site)


def _lined(floor: Floorspace, site: Site) -> int:
    box = site.box
    rows, columns = (box.y, box.y + box.height - 1), (box.x, box.x + box.width - 1)
    rim = [spot for spot in site.spots if spot.y in rows or spot.x in columns]
    shelves = _several(floor.stand, rim, Tile.SHELF, len(rim))
    for spot in site.spots:
        if box.x + 1 < spot.x < columns[1] - 1 and box.y + 1 < spot.y < rows[1] - 1:
            floor.lay(*spot, Tile.CARPET)
    return shelves


def _stacks(floor: Floorspace, site: Site) -> int:
    box = site.box
    lying = box.width >= box.height
    aisle = box.center.x if lying else box.center.y
    shelves = 0
    for spot in sorted(site.spots):
        along, across = (spot.x, spot.y - box.y) if lying else (spot.y, spot.x - box.x)
        if along == aisle:
            floor.lay(*spot, Tile.CARPET)
        elif across % 2:
            shelves += _within(floor, site, spot, Tile.SHELF)
    return shelves


def garden(floor: Floorspace, site: Site, rng: Rng) -> int:
    """Let grass grow, a few trees, and a pond in the middle where there is room."""
    x, y = site.middle
    pond = 2 if site.shorter >= 7 else 1
    planted = 0
    for spot in site.spots:
        roll = rng.below(100)
        if abs(spot.x - x) + abs(spot.y - y) <= pond:
            planted += floor.lay(*spot, Tile.SHALLOWS)
        elif roll < 80:
            planted += floor.lay(*spot, Tile.FOREST if roll < 12 else Tile.GRASS)
    return planted


def hall(floor: Floorspace, site: Site, rng: Rng) -> int:
    """Raise two rows of pillars along the longer side, a carpet between them."""
    box = site.box
    lying = box.width >= box.height
    gap = rng.between(2, 3)
    pillars = 0
    for spot in site.spots:
        along, across = spot.x - box.x, spot.y - box.y
        length, breadth = box.width, box.height
        if not lying:
            along, across, length, breadth = across, along, breadth, length
        inset = 1 if breadth < 8 else 2
        if across in (inset, breadth - 1 - inset) and min(along, length - 1 - along) % gap == 1:
            pillars += floor.stand(*spot, Tile.PILLAR)
        elif across in ((breadth - 1) // 2, breadth // 2) and 0 < along < length - 1:
            floor.lay(*spot, Tile.CARPET)
    return pillars


def _within(floor: Floorspace, site: Site, spot: Point, tile: int) -> bool:
    return site.box.contains(*spot) and floor.stand(*spot, tile)


def _several(
    put: Callable[[int, int, int], bool], spots: list[Point], tile: int, wanted: int
) -> int:
    """Put ``wanted`` tiles on the first ``spots`` that take them; return how many did."""
    done = 0
    for spot in spots:
        if done == wanted:
            break
        done += put(*spot, tile)
    return done
