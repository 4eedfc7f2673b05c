"""Furniture by wave function collapse, learned from drawings of furnished rooms."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile, openable_mask, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.placement.painting import Mask, reserved
from procgen.rng import Rng
from procgen.step_registry import Count, Share, Side, step
from procgen.wfc.constraints import Constraints
from procgen.wfc.samples import SampleName, sample
from procgen.wfc.wave import Contradiction
from procgen.wfc.wfc_map import WfcMap

PATCHES = 12


@step(needs="rooms")
def decorate_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    sample_map: SampleName = "chapel",
    share: Share = 0.5,
    smallest: Side = 4,
    tries: Count = 2,
    bare: bool = True,
) -> Iterator[str]:
    """Furnish a ``share`` of the rooms by wave function collapse, in the manner of a sample.

    ``sample_map`` names a drawing in data/samples. The walls around a room are taken for walls of
    the sample, doorways among them; before a doorway, in the middle of the room and on occupied
    tiles the floor stays walkable. A room whose furniture would part anything is emptied and
    furnished anew, up to ``tries`` times in all, then left empty. Rooms with a side under
    ``smallest`` are passed over, and, if only ``bare`` ones are wanted, rooms where anything lies
    or stands already.
    """
    constraints, marks = sample(sample_map), reserved(plan)
    fit = [room for room in plan.rooms if _suits(plan, room, smallest, bare)]
    wanted = int(len(plan.rooms) * share + 0.5)
    done = 0
    for room in rng.shuffled(fit):
        if done == wanted:
            break
        if any(_furnish(plan, rng, constraints, room, marks) for _ in range(tries)):
            done += 1
            yield f"Room {done} furnished after {sample_map}"


def _suits(plan: Blueprint, room: RectangularRoom, smallest: int, bare: bool) -> bool:
    """Return True if ``room`` lies within the map, is large enough and, if need be, empty."""
    far = plan.inside(room.x, room.y) and plan.inside(
        room.x + room.width - 1, room.y + room.height - 1
    )
    if not far or min(room.width, room.height) < smallest:
        return False
    ground = plan.tiles[room.inner]
    return not bare or bool(((ground == Tile.FLOOR) | (ground == Tile.TUNNEL)).all())


def _furnish(
    plan: Blueprint, rng: Rng, constraints: Constraints, room: RectangularRoom, marks: Mask
) -> bool:
    """Furnish the bare floor of ``room``, but not the ``marks``; return whether nothing parted."""
    window = np.s_[room.y - 1 : room.y + room.height + 1, room.x - 1 : room.x + room.width + 1]
    ground = plan.tiles[window]
    inner = np.zeros(ground.shape, np.bool_)
    inner[1:-1, 1:-1] = True
    bare = inner & (ground == Tile.FLOOR)
    open_before = terrain().walkable[ground]
    walk = (open_before & ~bare) | _before_doorways(openable_mask()[ground])
    walk[1:-1, 1:-1] |= marks[room.inner]
    scratch = np.full(ground.shape, constraints.patterns.edge, np.uint8)
    canvas = WfcMap(constraints, scratch)
    goods = [tile for tile in constraints.closed if tile != constraints.patterns.edge]
    canvas.allow(bare, (*constraints.walkable, *goods))
    canvas.allow(walk, constraints.walkable)
    canvas.allow(~open_before | ~inner, (constraints.patterns.edge,))
    try:
        for _ in canvas.collapse(rng, patches=PATCHES):
            pass
    except Contradiction:
        return False
    furnished = np.where(bare, scratch, ground)
    open_after = terrain().walkable[furnished]
    if not _whole(open_before, open_after):
        return False
    ground[:] = furnished
    return True


def _before_doorways(passable: Mask) -> Mask:
    """Return the tiles within the rim that lie beside where the rim is ``passable``."""
    beside = np.zeros_like(passable)
    beside[1, 1:-1] = passable[0, 1:-1]
    beside[-2, 1:-1] |= passable[-1, 1:-1]
    beside[1:-1, 1] |= passable[1:-1, 0]
    beside[1:-1, -2] |= passable[1:-1, -1]
    return beside


def _whole(before: Mask, after: Mask) -> bool:
    """Return True if ``after`` has exactly the regions of ``before``, none split or merged."""
    old, count = regions(before)
    _, left = regions(after)
    return left == count and len(set(old[after].tolist())) == count
