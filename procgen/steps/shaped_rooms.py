"""Rooms of mixed shapes and sizes: circles, crosses, halls, caves."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Tile
from procgen.analysis.bitboard import overlaps, pack_rows, widened
from procgen.blueprint import STANDARD_AREA, Blueprint, Rejected
from procgen.carving.room_shapes import SHAPES, RoomShape, random_shape
from procgen.rng import Rng
from procgen.step_registry import Area, Count, Positive, Share, Side, Tiles, Weight, step

CAPTIONS = 60
BAND = 64
LEAST_AREA = 8
"""The fewest tiles of the map for each room wanted: more rooms would find no place anyway."""


@step(
    gives="floor rooms regions",
    depends_on={"large_min large_max": "large"},
    varies="rooms max_side large",
)
def shaped_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    rooms: Count = 22,
    per_area: Area = STANDARD_AREA,
    tries: Positive = 20,
    insist: bool = False,
    gap: Tiles = 2,
    min_side: Side = 4,
    max_side: Side = 8,
    large: Share = 0.15,
    large_min: Side = 9,
    large_max: Side = 15,
    rectangle: Weight = 4,
    circle: Weight = 4,
    cross: Weight = 4,
    ring: Weight = 0,
    hall: Weight = 0,
    chunky: Weight = 0,
    cave: Weight = 0,
) -> Iterator[str]:
    """Place rooms of mixed shapes and sizes wherever they fit, the large ones first.

    There are up to ``rooms`` rooms for every ``per_area`` tiles, and as many on a smaller map. A
    room is tried at ``tries`` random places. Rooms keep ``gap`` tiles of rock between them. With
    ``insist`` a room that does not fit is drawn again, smaller and smaller down to ``min_side``,
    and tried on the whole map, until all rooms are placed or no place is left. The sides of a room
    are ``min_side`` to ``max_side`` tiles. A share ``large`` of the rooms has sides of
    ``large_min`` to ``large_max`` tiles. ``rectangle``, ``circle``, ``cross``, ``ring``, ``hall``,
    ``chunky`` and ``cave`` are the weights of the shapes. (Rejection sampling.)
    """
    mix = (rectangle, circle, cross, ring, hall, chunky, cave)
    weights = dict(zip(SHAPES, mix, strict=True))
    wished = min(rooms * max(1, plan.tiles.size // per_area), plan.tiles.size // LEAST_AREA)
    gap = min(gap, max(plan.width, plan.height))
    pace = max(1, wished // CAPTIONS)
    taken = pack_rows(np.pad(plan.tiles != Tile.WALL, gap))
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    placed = 0
    for turn in range(wished):
        sides = (large_min, large_max) if turn < large * wished else (min_side, max_side)
        kind, shape = random_shape(weights, rng, sides, plan)
        place = _place(taken, shape, rng, plan, gap, tries)
        for most in range(max_side, min_side - 1, -1) if insist and place is None else ():
            kind, shape = random_shape(weights, rng, (min_side, most), plan)
            if place := _any_place(taken, shape, rng, plan, gap):
                break
        if place is None:
            continue
        placed += 1
        x, y = place
        shape.build(plan, x, y)
        plan.regions[y : y + shape.height, x : x + shape.width][shape.mask] = placed
        for number, row in enumerate(shape.rows, y + gap):
            taken[number] |= row << x + gap
        if (placed - 1) % pace == 0:
            yield f"Room {placed}: {kind}, {shape.width} by {shape.height}"
    if not plan.rooms:
        raise Rejected("no room fits")


def _place(
    taken: list[int], shape: RoomShape, rng: Rng, plan: Blueprint, gap: int, tries: int
) -> tuple[int, int] | None:
    """Return a random place (x, y) where ``shape`` keeps its distance to everything, or None.

    ``taken`` has ``gap`` rows and columns more than the map on every side.
    """
    spare_x, spare_y = plan.width - shape.width - 1, plan.height - shape.height - 1
    if spare_x < 1 or spare_y < 1:
        return None
    wide = _with_gap(shape, gap)
    for _ in range(tries):
        x, y = rng.between(1, spare_x), rng.between(1, spare_y)
        if not overlaps(taken, wide, x, y):
            return x, y
    return None


def _any_place(
    taken: list[int], shape: RoomShape, rng: Rng, plan: Blueprint, gap: int
) -> tuple[int, int] | None:
    """Return a random place (x, y) where ``shape`` fits, as `_place` does; None if there is none.

    A band of `BAND` rows is drawn at random, and all places in it are equally likely. If there are
    none, the bands below follow, then those above.
    """
    # A band is one integer, shifted by each tile of the shape: bits mark places that overlap.
    stride, wide, last = plan.width + 2 * gap, _with_gap(shape, gap), plan.height - shape.height
    tops = range(1, last, BAND)
    first = rng.below(len(tops)) if len(tops) > 1 else 0
    for top in (*tops[first:], *tops[:first]):
        band, blocked, size = 0, 0, min(BAND, last - top) * stride
        for row in reversed(taken[top : top + BAND + len(wide)]):
            band = band << stride | row
        for dy, row in enumerate(wide):
            for dx in range(row.bit_length()):
                if row >> dx & 1:
                    blocked |= band >> dy * stride + dx
        data = (blocked & (1 << size) - 1).to_bytes((size + 7) // 8, "little")
        bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little", count=size)
        ys, xs = np.nonzero(bits.reshape(-1, stride)[:, 1 : plan.width - shape.width] == 0)
        if len(xs):
            pick = rng.below(len(xs))
            return 1 + int(xs[pick]), top + int(ys[pick])
    return None


def _with_gap(shape: RoomShape, gap: int) -> list[int]:
    """Return the rows of ``shape`` widened by ``gap`` tiles on every side."""
    wide = [*[0] * gap, *(row << gap for row in shape.rows), *[0] * gap]
    for _ in range(gap):
        wide = widened(wide)
    return wide
