"""Wave function collapse: a map or furnished rooms in the style of a small sample map."""

from collections.abc import Iterator
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Mask, Tile, openable_mask, terrain, tile_mask
from entities.wording import pluralise
from procgen.analysis.distances import regions, with_neighbours
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, close_border, mask_at
from procgen.placement.painting import interior, reserved, scaled_to_area
from procgen.rng import Rng
from procgen.step_registry import AreaOrZero, Count, Share, Side, Tiles, step
from procgen.wfc.constraints import Constraints
from procgen.wfc.samples import Pace, SampleName, Scale, sample
from procgen.wfc.wave import Contradiction
from procgen.wfc.wfc_map import UNSOLVED, WfcMap

STAGES = 5


@step(gives="floor")
def wave_function_collapse(
    plan: Blueprint,
    rng: Rng,
    *,
    sample_map: SampleName = "chambers",
    turns: bool = True,
    mirrors: bool = True,
    pace: Pace = 2,
    tiled: bool = False,
    scale: Scale = 1,
    keep: Literal["nothing", "shape"] = "nothing",
    frame: Tiles = 0,
    foothold: AreaOrZero = 0,
    patches: Count = 20,
    restarts: Count = 1,
    otherwise: Literal["reject", "leave"] = "reject",
) -> Iterator[str]:
    """Fill the map so that each of its 3x3 windows is found in a sample map.

    ``sample_map`` names a drawing in data/samples, or with ~ in front one of your own. With
    ``turns`` the sample is also used rotated. With ``mirrors`` it is also used mirrored. At a
    ``scale`` above 1 each tile of the sample becomes a square with this side. The algorithm decides
    on windows ``pace`` tiles apart that overlap by two tiles, so that every 3x3 window lies whole
    in one of them. With a larger ``pace`` windows know more of the sample and leave less to decide.
    A ``tiled`` sample is drawn on a lattice ``pace`` tiles wide, its walls on the lines: only
    windows that begin on a line count, and the map keeps to the lattice, which is much quicker.
    With ``keep`` "shape" walkable tiles stay walkable and closed ones closed, so that a second pass
    only changes materials. With a ``frame`` above 0 the tile that frames the sample occurs only
    along the edge of the map, up to that many tiles deep. With a ``foothold`` above 0 every square
    with this side has a walkable tile, so that no large part of the map, nor the whole of a small
    one, stays solid. Where nothing fits, the neighbourhood is solved anew, up to ``patches`` times
    on an 80x45 map. After that the whole map is solved anew, up to ``restarts`` times. If that
    fails too, the build is rejected or, if ``otherwise`` is "leave", the few tiles where nothing
    fits stay as they were. (Gumin's WaveFunctionCollapse, 2016: the overlapping model or, with
    ``tiled``, the simple tiled one.)
    """
    constraints = sample(sample_map, turns=turns, mirrors=mirrors, pace=pace, tiled=tiled)
    before = plan.tiles.copy()
    canvas = WfcMap(constraints, _smaller(plan, scale))
    if frame:
        _frame(canvas, -(-frame // scale))
    if foothold:
        places = [(x // scale, y // scale) for x, y in _footholds(plan, rng, foothold)]
        canvas.allow(mask_at(places, canvas.tiles.shape), constraints.walkable)
    _spare(canvas, plan, scale, shape=keep == "shape")
    patches, leave_out = scaled_to_area(plan, patches), otherwise == "leave"
    painting = canvas.collapse(
        rng, patches=patches, restarts=restarts, leave_out=leave_out, stages=STAGES
    )
    try:
        for number, _ in enumerate(painting, 1):
            _enlarge(canvas, plan, scale, before)
            yield f"Wave function collapse, stage {number}"
    except Contradiction:
        raise Rejected("the wave function collapse failed") from None
    _enlarge(canvas, plan, scale, before)
    if constraints.patterns.edge in constraints.walkable:  # The sample has no frame of its own.
        close_border(plan)
    again = pluralise(canvas.patches, "neighbourhood")
    yield f"Collapsed: {again} solved again, {pluralise(canvas.unsolved, 'place')} left unsolved"


def _spare(canvas: WfcMap, plan: Blueprint, scale: int, *, shape: bool) -> None:
    """Keep the border closed and reserved tiles open; with ``shape`` all tiles keep their state."""
    known = canvas.constraints
    if shape:
        walked = _squares(plan.open, scale)
        canvas.allow(walked, known.walkable)
        canvas.allow(~walked, known.closed)
    canvas.allow(_squares(reserved(plan), scale), known.walkable)
    canvas.allow(_squares(~interior(plan), scale), (known.patterns.edge,))


def _squares(where: Mask, scale: int) -> Mask:
    """Return which squares of ``scale`` by ``scale`` tiles have any of ``where``."""
    rows = np.logical_or.reduceat(where, range(0, len(where), scale), 0)
    return np.logical_or.reduceat(rows, range(0, where.shape[1], scale), 1)


def _smaller(plan: Blueprint, scale: int) -> NDArray[np.uint8]:
    """Return the map itself or, at a ``scale`` above 1, a smaller one that is not solved yet."""
    sides = [-(-side // scale) for side in plan.tiles.shape]
    return plan.tiles if scale == 1 else np.full(sides, UNSOLVED, np.uint8)


def _enlarge(canvas: WfcMap, plan: Blueprint, scale: int, before: NDArray[np.uint8]) -> None:
    """Copy each tile of a smaller ``canvas`` to the plan as a square; unsolved squares stay.

    Reserved tiles stay too if they lie in a square that has to be closed, beside the border.
    """
    if scale > 1:
        rows = canvas.tiles.repeat(scale, 0)[: plan.height]
        shown = rows.repeat(scale, 1)[:, : plan.width]
        shown = np.where(shown == UNSOLVED, before, shown)
        plan.tiles[:] = np.where(reserved(plan) & ~terrain().walkable[shown], before, shown)


def _frame(canvas: WfcMap, deep: int) -> None:
    """Allow the framing tile only up to ``deep`` tiles from the edge."""
    inside = np.zeros(canvas.tiles.shape, np.bool_)
    inside[deep:-deep, deep:-deep] = True
    canvas.allow(inside, canvas.constraints.inside)


def _footholds(plan: Blueprint, rng: Rng, spacing: int) -> Iterator[Point]:
    """Yield a random place near the middle of each square with sides of ``spacing`` tiles."""
    sides = plan.width - 2, plan.height - 2
    columns, rows = (max(1, side // spacing) for side in sides)
    for row, column in product(range(rows), range(columns)):
        middles = (
            1 + (2 * rank + 1) * side // (2 * number)
            for rank, number, side in zip((column, row), (columns, rows), sides, strict=True)
        )
        x, y = (middle + rng.between(-(spacing // 4), spacing // 4) for middle in middles)
        yield Point(min(max(x, 1), sides[0]), min(max(y, 1), sides[1]))


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
