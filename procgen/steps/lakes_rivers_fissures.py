"""Lakes, rivers and fissures that never disconnect the level."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated

import numpy as np
import scipy.ndimage
from msgspec import Meta
from numpy.typing import NDArray

from entities.terrain import Mask, Tile, terrain
from entities.wording import pluralise
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import CROSS, regions, regions_intact, with_neighbours
from procgen.blueprint import Blueprint, Point, bounding_box
from procgen.carving.region_links import cheapest_links
from procgen.gradient_noise import Octaves, fractal_noise
from procgen.placement import painting
from procgen.placement.painting import Paint, TileName, interior, protected, tile_named
from procgen.rng import Rng
from procgen.step_registry import Few, Positive, Share, Side, step


def flood(plan: Blueprint, wet: Mask, liquid: int) -> Mask:
    """Turn the ``wet`` tiles that are not protected to ``liquid``; return the tiles that changed.

    A liquid that can be walked on, such as ice, leaves the map's border as it is.
    """
    deep = wet & ~protected(plan, paint=liquid)
    if painting.passable(liquid):
        deep &= interior(plan)
    plan.tiles[deep] = liquid
    return deep


def line_banks(plan: Blueprint, deep: Mask, rng: Rng, bank: int, share: float) -> None:
    """Turn a ``share`` of the walkable ground that touches ``deep`` to ``bank``.

    A ``bank`` that cannot be walked on would block the shore, so then nothing changes.
    """
    if not terrain().walkable[bank]:
        return
    shore = with_neighbours(deep) & ~deep & ~protected(plan, paint=bank) & painting.walkable(plan)
    if share < 1:
        shore &= rng.random_bytes(*deep.shape) < int(share * 256 + 0.5)
    plan.tiles[shore] = bank


def cross_again(plan: Blueprint, rng: Rng, deep: Mask, bridge: int, ford: int, fords: float) -> int:
    """Reconnect what ``deep`` separates, where it is narrowest; return the number of crossings.

    A straight crossing is a ``bridge``, or with chance ``fords`` a ``ford``; others are fords.
    """
    labels, count = regions(plan.open)
    box = bounding_box(deep)
    if count < 2 or box is None:
        return 0
    around = plan.within_border(box.grown(1), 0)  # Crossings use deep tiles only.
    cost = (deep & interior(plan))[around.inner].astype(np.int32)
    crossings = 0
    for way in cheapest_links(labels[around.inner], cost, rng):
        straight = len({x for x, _ in way.tiles}) == 1 or len({y for _, y in way.tiles}) == 1
        low = rng.chance(fords) or not straight
        for x, y in way.tiles:
            plan.tiles[around.y + y, around.x + x] = ford if low else bridge
        crossings += 1
    return crossings


ROUNDS, TOGETHER = 5, 16
"""Rounds of smoothing that turn random tiles into a lake, and lakes smoothed at a time."""


@step(needs="floor", depends_on={"smallest largest tries on_floor liquid shore shores": "number"})
def lakes(
    plan: Blueprint,
    rng: Rng,
    *,
    number: Few = 4,
    smallest: Side = 5,
    largest: Side = 16,
    tries: Positive = 12,
    on_floor: Share = 0.4,
    liquid: Paint = "water",
    shore: Paint = "shallows",
    shores: Share = 0.8,
) -> Iterator[str]:
    """Place lakes of ``liquid`` without disconnecting the level.

    ``number`` lakes are tried on an 80x45 map, a proportional number on others. Each lake fits in a
    box ``smallest`` to ``largest`` tiles wide (a third of the map at most). A lake is tried at up
    to ``tries`` random places. At least a share ``on_floor`` of a lake lies on open ground, the
    rest replaces rock. A share ``shores`` of the floor around lakes turns to ``shore``. (As in
    Brogue: blobs from a cellular automaton, rejected by a flood fill.)
    """
    open_tiles, fixed, before = plan.open, protected(plan), plan.tiles.copy()
    most = min(largest, min(plan.width, plan.height) // 3)
    scaled, poured = painting.scaled_to_area(plan, number), 0
    for blob in _blobs(rng, [rng.between(min(smallest, most), most) for _ in range(scaled)]):
        if place := _place(open_tiles, fixed, rng, blob, tries, on_floor):
            size, poured = _pour(plan, open_tiles, fixed, blob, place, liquid), poured + 1
            yield f"Lake {poured}: {pluralise(size, 'tile')} of {liquid}"
    yield from _line_shores(plan, rng, before, shore, shores)


def _blobs(rng: Rng, widths: Sequence[int]) -> Iterator[Mask]:
    """Yield a rounded shape for each of ``widths``: at most that wide, and three quarters as high.

    `TOGETHER` of them are smoothed at a time, side by side with an empty column between.
    """
    for start in range(0, len(widths), TOGETHER):
        boxes, left = [], 1
        for width in widths[start : start + TOGETHER]:
            boxes.append(np.s_[1 : 1 + max(2, (width * 3 + 3) // 4), left : left + width])
            left += width + 1
        shapes = np.zeros((max(box[0].stop for box in boxes) + 1, left), np.bool_)
        for box in boxes:
            shapes[box] = True
        inside = Bitboard.of(shapes).bits
        drops = Bitboard.of(shapes & (rng.random_bytes(*shapes.shape) < 141))
        for _ in range(ROUNDS):
            drops = drops.generation(birth=5, survive=4)
            drops = drops._replace(bits=drops.bits & inside)
        labels, _ = scipy.ndimage.label(drops.mask, CROSS)
        sizes = np.bincount(labels.ravel())
        sizes[0] = 0
        for box in boxes:
            parts = labels[box]
            largest = parts.flat[sizes[parts].argmax()]
            shapes[box] = parts == largest
            if not largest:
                shapes[box][2:] = shapes[box][:, 2:] = False
        # The first part of the rest is the frame; all others are holes in blobs.
        rest, _ = scipy.ndimage.label(~shapes, CROSS)
        for box in boxes:
            blob = rest[box] != 1
            if filled := bounding_box(blob):
                yield blob[filled.inner]


def _pour(
    plan: Blueprint, open_tiles: Mask, fixed: Mask, blob: Mask, at: tuple[int, int], liquid: Paint
) -> int:
    """Fill ``blob`` except ``fixed`` tiles, also in ``open_tiles``; return how many were filled."""
    (x, y), (height, width) = at, blob.shape
    box = np.s_[y : y + height, x : x + width]
    wet = blob & ~fixed[box]
    plan.tiles[box][wet] = tile_named(liquid)
    open_tiles[box] &= ~wet
    return int(np.count_nonzero(wet))


def _line_shores(
    plan: Blueprint, rng: Rng, before: NDArray[np.uint8], shore: Paint, shores: float
) -> Iterator[str]:
    """Turn a share ``shores`` of the ground beside tiles changed since ``before`` to ``shore``."""
    deep = plan.tiles != before
    if deep.any():
        line_banks(plan, deep, rng, tile_named(shore), shores)
        yield "Shores added"


def _place(
    open_tiles: Mask, fixed: Mask, rng: Rng, blob: Mask, tries: int, on_floor: float
) -> tuple[int, int] | None:
    """Return a place (x, y) for the upper left corner of ``blob``, or None if none was found."""
    height, width = blob.shape
    last_x, last_y = open_tiles.shape[1] - 1 - width, open_tiles.shape[0] - 1 - height
    if last_x < 1 or last_y < 1:
        return None
    enough = on_floor * int(blob.sum())
    for _ in range(tries):
        x, y = rng.between(1, last_x), rng.between(1, last_y)
        box = np.s_[y : y + height, x : x + width]
        if np.count_nonzero(open_tiles[box] & blob) < enough:
            continue
        if painting.can_close_area(open_tiles, (x, y), blob & ~fixed[box]):
            return x, y
    return None


@step(needs="rooms", depends_on={"smallest largest tries liquid shore shores": "share"})
def pools_in_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    share: Share = 0.3,
    smallest: Side = 4,
    largest: Side = 9,
    tries: Positive = 8,
    liquid: Paint = "water",
    shore: Paint = "shallows",
    shores: Share = 0.8,
) -> Iterator[str]:
    """Pour a pool of ``liquid`` around the centre of a ``share`` of the bare rooms, over walls too.

    A pool fits in a box ``smallest`` to ``largest`` tiles wide. The first of ``tries`` shapes that
    disconnects nothing is taken. A share ``shores`` of the floor around pools turns to ``shore``.
    """
    open_tiles, fixed, before = plan.open, protected(plan), plan.tiles.copy()
    taken = protected(plan, paint=Tile.FLOOR)
    bare = [room for room in plan.rooms if not taken[room.inner].any()]
    dry = [room for room in enumerate(bare, 1) if rng.chance(share)]
    for _ in range(tries):
        blobs = _blobs(rng, [rng.between(smallest, max(smallest, largest)) for _ in dry])
        for (number, room), blob in zip(tuple(dry), blobs, strict=True):
            height, width = blob.shape
            x, y = room.center.x - width // 2, room.center.y - height // 2
            if not (plan.inside(x, y) and plan.inside(x + width - 1, y + height - 1)):
                continue
            closing = blob & ~fixed[y : y + height, x : x + width]
            if painting.can_close_area(open_tiles, (x, y), closing):
                dry.remove((number, room))
                size = _pour(plan, open_tiles, fixed, blob, (x, y), liquid)
                yield f"Pool {number}: {pluralise(size, 'tile')} of {liquid}"
    yield from _line_shores(plan, rng, before, shore, shores)


LONGEST = 4
"""The corners per tile of the map's width and height after which a river stays straight."""


@step(needs="floor", depends_on={"width bend liquid bank banks bridge ford fords": "rivers"})
def river(
    plan: Blueprint,
    rng: Rng,
    *,
    rivers: Few = 1,
    width: Side = 3,
    bend: Share = 0.3,
    liquid: Paint = "water",
    bank: Paint = "shallows",
    banks: Share = 0.5,
    bridge: Paint = "bridge",
    ford: Paint = "shallows",
    fords: Share = 0.4,
) -> Iterator[str]:
    """Draw rivers of ``liquid`` from side to side, through rock and floor alike.

    There are ``rivers`` rivers on an 80x45 map, proportionally more on longer maps. A river's
    course is found by midpoint displacement: each midpoint is moved by up to ``bend`` of the
    segment's length in x and in y, but never so far that a half is no shorter. A river is at most
    ``width`` tiles wide. A share ``banks`` of the floor along it turns to ``bank``. Where a river
    disconnects the level, a ``bridge`` or, in a share ``fords`` of cases, a ``ford`` crosses its
    narrowest place. A river that leaves the level disconnected or without open tiles is undone.
    """
    width = max(1, min(width, min(plan.width, plan.height) // 8))
    for number in range(1, rivers * max(1, (plan.width + plan.height) // 125) + 1):
        before, _ = regions(plan.open)
        tiles = plan.tiles.copy()
        bed = _bed(plan, rng, _course(plan, rng, bend), width)
        deep = flood(plan, bed, tile_named(liquid))
        yield f"River {number} crosses the map"
        line_banks(plan, deep, rng, tile_named(bank), banks)
        ways = cross_again(plan, rng, deep, tile_named(bridge), tile_named(ford), fords)
        if not (regions_intact(before, plan.open) and plan.open.any()):
            plan.tiles[:] = tiles
            yield f"River {number} would disconnect the level, and is removed"
        elif ways:
            yield f"River {number} can be crossed in {pluralise(ways, 'place')}"


def _course(plan: Blueprint, rng: Rng, bend: float) -> list[Point]:
    """Return the corners of a winding line between two opposite sides, at most 3 tiles apart."""
    last_x, last_y = plan.width - 1, plan.height - 1
    if rng.below(plan.width + plan.height) < plan.width:
        ends = Point(0, rng.between(0, last_y)), Point(last_x, rng.between(0, last_y))
    else:
        ends = Point(rng.between(0, last_x), 0), Point(rng.between(0, last_x), last_y)
    course = list(ends)
    longest = LONGEST * (plan.width + plan.height)
    while True:
        finer = course[:1]
        for start, end in pairwise(course):
            span = max(abs(end.x - start.x), abs(end.y - start.y))
            if span > 3:
                stray = min(int(span * bend), span // 2 - 1) if len(course) < longest else 0
                x = (start.x + end.x) // 2 + rng.between(-stray, stray)
                y = (start.y + end.y) // 2 + rng.between(-stray, stray)
                finer.append(Point(min(max(x, 0), last_x), min(max(y, 0), last_y)))
            finer.append(end)
        if len(finer) == len(course):
            return course
        course = finer


def _bed(plan: Blueprint, rng: Rng, course: list[Point], width: int) -> Mask:
    """Return the tiles of a river of varying width along ``course``."""
    bed = np.zeros(plan.tiles.shape, np.bool_)
    across = rng.between(1, width)
    for start, end in pairwise(course):
        across = min(max(across + rng.between(-1, 1), min(2, width)), width)
        steps = max(abs(end.x - start.x), abs(end.y - start.y), 1)
        for n in range(steps + 1):
            x = start.x + (2 * n * (end.x - start.x) + steps) // (2 * steps) - across // 2
            y = start.y + (2 * n * (end.y - start.y) + steps) // (2 * steps) - across // 2
            bed[max(y, 0) : y + across, max(x, 0) : x + across] = True
    return bed


@step(needs="floor")
def fissures(
    plan: Blueprint,
    rng: Rng,
    *,
    scale: Annotated[float, Meta(gt=0, le=1)] = 0.06,
    octaves: Octaves = 1,
    share: Share = 0.03,
    liquid: Paint = "water",
    spare: tuple[TileName, ...] = (),
    bank: Paint = "rubble",
    banks: Share = 0.3,
    bridge: Paint = "bridge",
    ford: Paint = "rubble",
    fords: Share = 0.5,
) -> Iterator[str]:
    """Crack the map along winding lines without ends, and fill the cracks with ``liquid``.

    Cracks follow the lines where gradient noise passes through zero. The noise has ``octaves``
    layers, the broadest of them with ``scale`` lattice cells per tile. Cracks are wider where the
    noise is flat; a ``share`` of the map lies near enough to zero to crack. Tiles of the kinds
    ``spare`` do not crack. A share ``banks`` of the floor along cracks turns to ``bank``. Where
    cracks disconnect the level, a ``bridge`` or, in a share ``fords`` of cases, a ``ford`` crosses
    the narrowest place. Cracks that leave the level disconnected are undone.
    """
    before, _ = regions(plan.open)
    tiles = plan.tiles.copy()
    seed = rng.below(2**62)
    relief = fractal_noise(seed, 0, 0, plan.width, plan.height, scale=scale, octaves=octaves)
    cracks = painting.highest_share(-np.abs(relief), interior(plan), share)
    cracks[1:-1, 1:-1] |= (relief[1:-1, 1:-1] > 0) != (relief[1:-1, 2:] > 0)
    cracks[1:-1, 1:-1] |= (relief[1:-1, 1:-1] > 0) != (relief[2:, 1:-1] > 0)
    cracks &= ~painting.mask_of(plan, spare)
    deep = flood(plan, cracks, tile_named(liquid))
    yield "The ground cracks"
    line_banks(plan, deep, rng, tile_named(bank), banks)
    ways = cross_again(plan, rng, deep, tile_named(bridge), tile_named(ford), fords)
    if not (regions_intact(before, plan.open) and plan.open.any()):
        plan.tiles[:] = tiles
        yield "The cracks would disconnect the level, and are removed"
    elif ways:
        yield f"The cracks can be crossed in {pluralise(ways, 'place')}"
