"""Furniture by wave function collapse, learned from drawings of furnished rooms."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Mask, Tile, openable_mask, terrain, tile_mask
from procgen.analysis.distances import regions, with_neighbours
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.placement.painting import interior, reserved
from procgen.rng import Rng
from procgen.step_registry import Count, Share, Side, step
from procgen.wfc.constraints import Constraints
from procgen.wfc.samples import Pace, SampleName, sample
from procgen.wfc.wfc_map import UNSOLVED, WfcMap

AREA_PER_PATCH = 50


@step(needs="rooms")
def decorate_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    sample_map: SampleName = "chapel",
    pace: Pace = 1,
    share: Share = 0.5,
    smallest: Side = 4,
    tries: Count = 2,
) -> Iterator[str]:
    """Furnish a ``share`` of the rooms by wave function collapse, in the manner of a sample.

    ``sample_map`` names a drawing in data/samples. The algorithm decides on windows ``pace`` tiles
    apart, see `wave_function_collapse`. The walls around a room, doorways included, count as walls
    of the sample. The floor stays walkable before a doorway, in the middle of the room and on
    occupied tiles. All rooms are furnished at once, in ``tries`` rounds; rooms where nothing fits,
    or where furniture would disconnect anything, are emptied and come last in the next round. Rooms
    with a side under ``smallest`` tiles, and those with anything in them but floor, are left out.
    """
    constraints, marks = sample(sample_map, pace=pace), reserved(plan)
    plain = interior(plan) & tile_mask((Tile.FLOOR, Tile.TUNNEL))[plan.tiles]
    waiting = rng.shuffled([room for room in plan.rooms if _suits(plain, room, smallest)])
    number = int(len(plan.rooms) * share + 0.5)
    done = 0
    for _ in range(tries):
        chosen = waiting[: number - done]
        if not chosen:
            return
        furnished, spoiled = _furnished(plan, rng, constraints, chosen, marks)
        del waiting[: len(chosen)]
        for room in chosen:
            if spoiled[room.inner].any():
                waiting.append(room)
                continue
            plan.tiles[room.inner] = furnished[room.inner]
            done += 1
            yield f"Room {done} furnished like the sample {sample_map}"


def _suits(plain: Mask, room: RectangularRoom, smallest: int) -> bool:
    """Return True if ``room`` is large enough and all its tiles are ``plain``."""
    if min(room.x, room.y) < 0 or min(room.width, room.height) < smallest:
        return False
    ground = plain[room.inner]
    return ground.size == room.area and bool(ground.all())


def _furnished(
    plan: Blueprint, rng: Rng, constraints: Constraints, rooms: list[RectangularRoom], marks: Mask
) -> tuple[NDArray[np.uint8], Mask]:
    """Return the map with furniture on the bare floor of ``rooms``, and the tiles that failed."""
    inner = np.zeros_like(marks)
    for room in rooms:
        inner[room.inner] = True
    bare = inner & (plan.tiles == Tile.FLOOR)
    open_before = plan.open & inner
    doorways = openable_mask()[plan.tiles] & ~inner
    walk = marks | ~bare | with_neighbours(doorways, diagonal=False)
    scratch = np.where(bare, UNSOLVED, constraints.patterns.edge).astype(np.uint8)
    canvas = WfcMap(constraints, scratch)
    canvas.allow(bare, constraints.inside)
    canvas.allow(open_before & walk, constraints.walkable)
    canvas.allow(inner & ~open_before, (constraints.patterns.edge,))
    canvas.keep(~inner)
    for _ in canvas.collapse(rng, patches=int(inner.sum()) // AREA_PER_PATCH, leave_out=True):
        pass
    unsolved = scratch == UNSOLVED
    furnished = np.where(bare & ~unsolved, scratch, plan.tiles)
    return furnished, unsolved | _parted(open_before, inner & terrain().walkable[furnished])


def _parted(before: Mask, after: Mask) -> Mask:
    """Return the regions of ``before`` that are gone or in several parts in ``after``."""
    (old, _), (new, count) = regions(before), regions(after)
    pairs = np.unique(old[after] * (count + 1) + new[after])
    pieces = np.bincount(pairs // (count + 1), minlength=int(old.max()) + 1)
    parted: Mask = pieces[old] != 1
    return before & parted
