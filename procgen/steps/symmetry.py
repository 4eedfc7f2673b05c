"""Symmetry: one part of a level, seen in a mirror."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from entities.terrain import terrain
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.furnishing.ground import interior, taken
from procgen.grids.mirror import Axis, Mirror
from procgen.registry import step
from procgen.rng import Rng
from procgen.ways.mending import mend, open_way

LEAST = 5


@step(needs="floor")
def symmetry(plan: Blueprint, rng: Rng, *, axis: Axis = "vertical") -> Iterator[str]:
    """Replace one half of the map, or three quarters, by the image of what is left.

    The line is "vertical" (left and right agree), "horizontal" or "both"; "rotate" turns one
    half by 180 degrees. The half with the start is kept, else the one with more floor. Its
    parts are joined within it and led up to the line first, so the whole hangs together; start,
    exit and spawns stay where they are, on ground that is mirrored with the rest.
    """
    if min(plan.width, plan.height) < LEAST or not plan.open.any():
        return
    mirror = Mirror(plan.width, plan.height, axis)
    mirror = _facing(plan, mirror)
    part = mirror.part(plan.tiles)
    _fold_marks(plan, mirror, part)
    allowed = mirror.part(interior(plan)).copy()
    if axis == "rotate" and plan.width % 2:
        _balance_middle(part)
        allowed[:, -1] = False
    if (pieces := mend(part, allowed, rng)) > 1:
        yield f"{pieces} parts of it joined"
    if not terrain().walkable[part].any():
        raise Rejected("nothing to mirror")
    _reach_line(part, mirror)
    mirror.spread(plan.tiles)
    if plan.regions is not None:
        mirror.spread(plan.regions)
    passable = terrain().walkable[plan.tiles]
    rooms = [room for room in mirror.images(plan.rooms) if passable[room.center[::-1]]]
    if plan.rooms and not rooms:
        raise Rejected("no room on the side that is mirrored")
    plan.rooms = rooms
    plan.leaves = mirror.images(plan.leaves)
    yield f"Mirrored: {axis}"


def _facing(plan: Blueprint, mirror: Mirror) -> Mirror:
    """Return ``mirror`` turned so that it keeps the part with the start, else with most floor."""
    choices = [
        replace(mirror, flip_x=flip_x, flip_y=flip_y)
        for flip_y in (False, *[True] * mirror.upright)
        for flip_x in (False, *[True] * mirror.sideways)
    ]

    def worth(choice: Mirror) -> tuple[bool, int]:
        floor = choice.part(plan.open)
        if not plan.start:
            return False, int(floor.sum())
        start = choice.turned(RectangularRoom(plan.start.x, plan.start.y, 1, 1))
        return start.x < choice.columns and start.y < choice.rows, int(floor.sum())

    return max(choices, key=worth)


def _fold_marks(plan: Blueprint, mirror: Mirror, part: NDArray[np.uint8]) -> None:
    """Give the kept part the ground that start, exit and spawns have beyond the line."""
    for x, y in taken(plan):
        here = mirror.folded(x, y)
        if not terrain().walkable[part[here.y, here.x]]:
            part[here.y, here.x] = plan.tiles[y, x]


def _balance_middle(part: NDArray[np.uint8]) -> None:
    """Make the middle column the same from above and below, open where either was."""
    middle = part[:, -1]
    upper, lower = middle[: len(middle) // 2], middle[::-1][: len(middle) // 2]
    walkable = terrain().walkable
    upper[:] = np.where(walkable[upper] | ~walkable[lower], upper, lower)
    lower[:] = upper


def _reach_line(part: NDArray[np.uint8], mirror: Mirror) -> None:
    """Lead the kept part up to each line it will be mirrored at, if it does not touch it yet."""
    height, width = part.shape
    walkable = terrain().walkable[part]
    ys, xs = np.nonzero(walkable)
    if mirror.axis == "rotate":
        if (walkable[:, -1] & walkable[::-1, -1]).any():
            return
        nearest = int((2 * (width - 1 - xs) + np.abs(2 * ys - (height - 1))).argmin())
        x, y = int(xs[nearest]), int(ys[nearest])
        open_way(part, [(column, y) for column in range(x, width)])
        low, high = sorted((y, height - 1 - y))
        open_way(part, [(width - 1, row) for row in range(low, high + 1)])
        return
    if mirror.sideways and not walkable[:, -1].any():
        x, y = int(xs[xs.argmax()]), int(ys[xs.argmax()])
        open_way(part, [(column, y) for column in range(x, width)])
    if mirror.upright and not walkable[-1].any():
        x, y = int(xs[ys.argmax()]), int(ys[ys.argmax()])
        open_way(part, [(x, row) for row in range(y, height)])
