"""Room types: treasury, lair, shrine, library, guard room, trap, garden, pillared hall."""

from collections.abc import Callable, Iterator
from itertools import islice, product
from operator import attrgetter
from typing import NamedTuple

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.analysis.chokepoints import Structure, structure_of
from procgen.blueprint import Blueprint, Point
from procgen.placement.lairs import place_guards, place_lair
from procgen.placement.room_sites import RoomSite, find_sites
from procgen.placement.safe_placement import CLOCKWISE, FreeFloor
from procgen.rng import Rng
from procgen.step_registry import Area, Few, Positive, Share, step

Furnish = Callable[[FreeFloor, RoomSite, Rng], int]
"""Furnish a site; return the number of the pieces that make its type, 0 for a failure."""


def treasury(floor: FreeFloor, site: RoomSite, rng: Rng) -> int:
    """Place heaps of gold in the third of the site that is furthest from the start."""
    heaps = min(5, 2 + site.area // 25)
    furthest = site.spots[-max(heaps, site.area // 3) :]
    return _several(floor.place_walkable, rng.shuffled(furthest), Tile.TREASURE, heaps)


def trap_room(floor: FreeFloor, site: RoomSite, rng: Rng) -> int:
    """Hide traps that can be walked around, with a heap of gold at the far end as bait."""
    floor.place_walkable(*site.deepest, Tile.TREASURE)
    count = max(3, min(9, site.area // 6))
    return _several(floor.place_blocking, rng.shuffled(site.spots), Tile.TRAP, count)


def shrine(floor: FreeFloor, site: RoomSite, rng: Rng) -> int:
    """Place a shrine in the middle, carpet around it, and statues beyond the carpet's corners."""
    x, y = site.middle
    if not floor.place_walkable(x, y, Tile.SHRINE):
        return 0
    for dx, dy in CLOCKWISE:
        floor.place_walkable(x + dx, y + dy, Tile.CARPET)
    for dx, dy in product((-2, 2), repeat=2):
        _within(floor, site, Point(x + dx, y + dy), Tile.STATUE)
    return 1


def library(floor: FreeFloor, site: RoomSite, rng: Rng) -> int:
    """Fill the room with rows of shelves, or line its walls with them around a carpet."""
    return _lined(floor, site) if rng.chance(0.4) else _stacks(floor, site)


def _lined(floor: FreeFloor, site: RoomSite) -> int:
    box = site.box
    rows, columns = (box.y, box.y + box.height - 1), (box.x, box.x + box.width - 1)
    rim = [spot for spot in site.spots if spot.y in rows or spot.x in columns]
    shelves = _several(floor.place_blocking, rim, Tile.SHELF, len(rim))
    for spot in site.spots if shelves else ():
        if box.x + 1 < spot.x < columns[1] - 1 and box.y + 1 < spot.y < rows[1] - 1:
            floor.place_walkable(*spot, Tile.CARPET)
    return shelves


def _stacks(floor: FreeFloor, site: RoomSite) -> int:
    box = site.box
    lying = box.width >= box.height
    aisle = box.center.x if lying else box.center.y
    shelves, middle = 0, list[Point]()
    for spot in sorted(site.spots):
        along, across = (spot.x, spot.y - box.y) if lying else (spot.y, spot.x - box.x)
        if along == aisle:
            middle.append(spot)
        elif across % 2:
            shelves += _within(floor, site, spot, Tile.SHELF)
    for spot in middle if shelves else ():
        floor.place_walkable(*spot, Tile.CARPET)
    return shelves


def garden(floor: FreeFloor, site: RoomSite, rng: Rng) -> int:
    """Plant grass and a few trees, with a pond in the middle, a larger one where there is room."""
    x, y = site.middle
    pond = 2 if site.shorter >= 7 else 1
    planted = 0
    for spot in site.spots:
        roll = rng.below(100)
        if abs(spot.x - x) + abs(spot.y - y) <= pond:
            planted += floor.place_walkable(*spot, Tile.SHALLOWS)
        elif roll < 80:
            planted += floor.place_walkable(*spot, Tile.FOREST if roll < 12 else Tile.GRASS)
    return planted


def hall(floor: FreeFloor, site: RoomSite, rng: Rng) -> int:
    """Place two rows of pillars along the longer side, with a carpet between them."""
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
            pillars += floor.place_blocking(*spot, Tile.PILLAR)
        elif across in ((breadth - 1) // 2, breadth // 2) and 0 < along < length - 1:
            floor.place_walkable(*spot, Tile.CARPET)
    return pillars


def _within(floor: FreeFloor, site: RoomSite, spot: Point, tile: int) -> bool:
    return site.box.contains(*spot) and floor.place_blocking(*spot, tile)


def _several(put: Callable[[int, int, int], bool], spots: list[Point], tile: int, many: int) -> int:
    """Place ``many`` tiles on the first ``spots`` that accept them; return how many did."""
    taken = (spot for spot in spots if put(*spot, tile))
    return len(list(islice(taken, many)))


class RoomType(NamedTuple):
    """A room type: its caption, the sites that suit it, their ranking, and how it is furnished."""

    caption: str
    suits: Callable[[RoomSite], bool]
    best: Callable[[RoomSite], tuple[int, int]]
    furnish: Furnish


def all_room_types(plan: Blueprint, structure: Structure) -> dict[str, RoomType]:
    """Return every room type by name, the most demanding first."""

    def lair(floor: FreeFloor, site: RoomSite, rng: Rng) -> int:
        """Place a pack on its gold at the end of ``site``; far from the start it is larger."""
        floor.place_walkable(*site.deepest, Tile.TREASURE)
        size = min(6, 3 + site.distance // 30)
        return place_lair(plan, rng, site.deepest, structure.distance, size=size)

    def guards(floor: FreeFloor, site: RoomSite, rng: Rng) -> int:
        """Post two to four guards in the middle of ``site``."""
        return place_guards(plan, floor, site, rng, rng.between(2, 4))

    return {
        "treasures": RoomType("A treasury", _aside, _secluded, treasury),
        "lairs": RoomType("A lair", _aside, _secluded, lair),
        "shrines": RoomType("A shrine", _square(3), _medium_size, shrine),
        "libraries": RoomType("A library", _square(5), _medium_size, library),
        "guards": RoomType("A guard room", _passed, _far, guards),
        "traps": RoomType("A trap", _square(3), _secluded, trap_room),
        "gardens": RoomType("A garden", _square(4), _large, garden),
        "halls": RoomType("A hall", _square(5), _large, hall),
    }


def _aside(site: RoomSite) -> bool:
    return not site.on_way


def _passed(site: RoomSite) -> bool:
    return site.on_way and site.area >= 12


def _square(side: int) -> Callable[[RoomSite], bool]:
    """Return the test for sites that fill a box at least ``side`` tiles deep and wide."""
    return lambda site: site.filled >= side


def _medium_size(site: RoomSite) -> tuple[int, int]:
    return not site.on_way, -abs(site.area - 35)


_far = attrgetter("distance", "area")
_large = attrgetter("area", "distance")
_secluded = attrgetter("sealed", "distance")


@step(needs="floor start exit")
def room_types(
    plan: Blueprint,
    rng: Rng,
    *,
    treasures: Few = 1,
    lairs: Few = 1,
    shrines: Few = 1,
    libraries: Few = 1,
    guards: Few = 1,
    traps: Few = 1,
    gardens: Few = 1,
    halls: Few = 1,
    least: Area = 9,
    most: Area = 200,
    choice: Positive = 3,
    missing: Share = 0.2,
) -> Iterator[str]:
    """Give rooms, pockets and clearings a type that suits their place in the level.

    Gold and lairs lie off the path to the exit, preferably behind chokepoints; guards stand on the
    path; shrines and libraries prefer places off it. ``treasures``, ``lairs``, ``shrines``,
    ``libraries``, ``guards``, ``traps``, ``gardens`` and ``halls`` are the numbers of each type on
    an 80x45 map, a whole multiple on larger ones. Only sites of ``least`` to ``most`` tiles are
    used. Each type takes a random one of its ``choice`` best sites, and is left out with chance
    ``missing``. Furniture never disconnects the level, and traps can be walked around.
    """
    structure = structure_of(plan)
    if not structure:
        return
    counts = treasures, lairs, shrines, libraries, guards, traps, gardens, halls
    sites = find_sites(plan, structure, rng, least=least, most=most)
    floor = FreeFloor(plan)
    for count, room_type in zip(counts, all_room_types(plan, structure).values(), strict=True):
        fitting = sorted(filter(room_type.suits, sites), key=room_type.best, reverse=True)
        for _ in range(min(count * plan.scale, len(fitting))):
            if rng.chance(missing):
                continue
            site = rng.pick(fitting[:choice])
            fitting.remove(site)
            sites.remove(site)
            if room_type.furnish(floor, site, rng):
                floor.exclude_occupied(plan)
                yield f"{room_type.caption}, {pluralise(site.distance, 'step')} from the start"
