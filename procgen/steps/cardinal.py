"""Straight corridors: every room looks in the four directions for a neighbour."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, one_of, terrain
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.registry import Count, Share, step
from procgen.rng import Rng
from procgen.ways.carve import dig

FAR = np.iinfo(np.int64).max
CAPTIONS = 60


class View(NamedTuple):
    """What a room sees in one direction: another room, and where a corridor to it may run.

    It runs from ``first`` to ``last`` along one axis, at one place from ``low`` to ``high`` of
    the other.
    """

    room: int
    upright: bool
    first: int
    last: int
    low: int
    high: int


@step(needs="rooms")
def cardinal_corridors(
    plan: Blueprint, rng: Rng, *, most: Count = 4, skipped: Share = 0.1
) -> Iterator[str]:
    """Join rooms by straight corridors only.

    Each room looks north, east, south and west for the nearest room that overlaps it on the
    other axis. The corridor runs on the middle of the overlap, or as near to it as it can
    without brushing along other floor. No room has more than ``most`` corridors, and each is
    left out with chance ``skipped``: the level may stay in pieces.
    """
    corridors = [0] * len(plan.rooms)
    met: set[tuple[int, int]] = set()
    pace = max(1, len(plan.rooms) // CAPTIONS)
    dug = 0
    for one, other, view in _views(plan.rooms):
        pair = min(one, other), max(one, other)
        if pair in met:
            continue
        met.add(pair)
        if rng.chance(skipped) or max(corridors[one], corridors[other]) >= most:
            continue
        corridors[one] += 1
        corridors[other] += 1
        if not _dig(plan, view):
            continue
        dug += 1
        if (dug - 1) % pace == 0:
            yield f"Corridor from room {one + 1} to room {other + 1}"


def _views(rooms: list[RectangularRoom]) -> Iterator[tuple[int, int, View]]:
    """Yield (room, room it sees, view), room by room, in the order north, east, south, west."""
    columns = _edges([(room.x, room.x + room.width) for room in rooms])
    rows = _edges([(room.y, room.y + room.height) for room in rooms])
    for one in range(len(rooms)):
        for upright, forward in ((True, False), (False, True), (True, True), (False, False)):
            along, across = (rows, columns) if upright else (columns, rows)
            view = _look(one, along, across, upright=upright, forward=forward)
            if view:
                yield one, view.room, view


def _edges(pairs: list[tuple[int, int]]) -> NDArray[np.int64]:
    return np.array(pairs, np.int64).reshape(-1, 2).T


def _look(
    one: int,
    along: NDArray[np.int64],
    across: NDArray[np.int64],
    *,
    upright: bool,
    forward: bool,
) -> View | None:
    """Return what room ``one`` sees: the edges of all rooms are ``along`` and ``across`` the look.

    Edges are [near, far] with the far one just outside; ``forward`` is east or south.
    """
    gap = along[0] - along[1, one] if forward else along[0, one] - along[1]
    overlaps = (across[0] < across[1, one]) & (across[1] > across[0, one])
    gap = np.where(overlaps & (gap >= 0), gap, FAR)
    other = int(gap.argmin())
    if gap[other] == FAR:
        return None
    before, behind = (one, other) if forward else (other, one)
    return View(
        room=other,
        upright=upright,
        first=int(along[1, before]),
        last=int(along[0, behind]) - 1,
        low=int(max(across[0, one], across[0, other])),
        high=int(min(across[1, one], across[1, other])) - 1,
    )


def _dig(plan: Blueprint, view: View) -> int:
    """Dig the corridor, unless something that is neither rock nor floor lies in its way."""
    middle = view.low + view.high
    places = sorted(range(view.low, view.high + 1), key=lambda place: abs(2 * place - middle))
    course = range(view.first, view.last + 1)
    ground = plan.tiles if view.upright else plan.tiles.T
    stretch = ground[view.first : view.last + 1]
    passable = terrain().walkable[stretch] | one_of((Tile.WALL, Tile.SECRET_DOOR))[stretch]
    clear = [place for place in places if passable[:, place].all()]
    if not clear:
        return 0
    place = next((place for place in clear if not _brushes(stretch, place)), clear[0])
    return dig(plan, ((place, n) if view.upright else (n, place) for n in course))


def _brushes(stretch: NDArray[np.uint8], place: int) -> bool:
    """Whether a corridor down column ``place`` would have two open tiles in a row beside it."""
    beside = stretch[:, place - 1 : place + 2 : 2] != Tile.WALL
    return bool((beside[1:] & beside[:-1]).any())
