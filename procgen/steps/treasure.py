"""Gold where it has to be looked for."""

from collections.abc import Iterator

from entities.terrain import Tile
from procgen.analysis import UNREACHED
from procgen.blueprint import Blueprint, Point
from procgen.furnishing.footing import Floorspace
from procgen.measure.pockets import pockets, structure_of
from procgen.measure.structure import Structure
from procgen.registry import Count, Side, step
from procgen.rng import Rng


@step(needs="floor start exit")
def treasure_behind_chokepoints(
    plan: Blueprint,
    rng: Rng,
    *,
    hoards: Count = 2,
    heaps: Side = 3,
    least: Side = 6,
    most: Side = 150,
) -> Iterator[str]:
    """Heap gold at the far end of parts that one tile shuts; in dead ends if there are few.

    So many ``hoards`` of ``heaps`` for an 80x45 map, in parts of ``least`` to ``most`` tiles
    that hold neither start nor exit; a dead end takes one heap.
    """
    structure = structure_of(plan)
    if not structure:
        return
    floor = Floorspace(plan)
    hoards *= plan.scale
    places = rng.shuffled(_cut_off(plan, structure, least, most))
    places += rng.shuffled(_dead_ends(structure)[: 3 * hoards])
    laid = 0
    for spots in places:
        if laid == hoards:
            return
        gold = rng.shuffled(spots[-max(heaps, len(spots) // 3) :])[:heaps]
        heaped = sum([floor.lay(*spot, Tile.TREASURE) for spot in gold])
        if heaped:
            laid += 1
            yield f"Hoard {laid}: {heaped} heaps of gold"


def _cut_off(plan: Blueprint, structure: Structure, least: int, most: int) -> list[list[Point]]:
    """Return the tiles of each cut-off part, from near to far."""
    steps = structure.distance.ravel()
    found = []
    for pocket in pockets(structure, least, most):
        order = pocket.cells[steps[pocket.cells].argsort(kind="stable")].tolist()
        spots = [Point(cell % plan.width, cell // plan.width) for cell in order]
        if plan.exit not in spots and plan.start not in spots:
            found.append(spots)
    return found


def _dead_ends(structure: Structure) -> list[list[Point]]:
    """Return each dead end as a place of its own, from far to near."""
    steps = structure.distance
    ends = [end for end in structure.dead_ends if steps[end.y, end.x] < UNREACHED]
    return [[end] for end in sorted(ends, key=lambda end: -int(steps[end.y, end.x]))]
