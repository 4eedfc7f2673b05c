"""Chambers from regions of a partition, and gaps in the walls between them."""

from collections.abc import Iterator

import numpy as np
import scipy
from numpy.typing import NDArray

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.analysis.distances import CARDINALS, regions
from procgen.blueprint import Blueprint, RectangularRoom, Rejected, dig
from procgen.carving.doorways import ends_and_between, straight_gaps
from procgen.carving.region_links import Pair, spanning_tree
from procgen.rng import Rng
from procgen.step_registry import AreaOrZero, Share, Side, step


def square_rooms(labels: NDArray[np.int32], count: int) -> list[RectangularRoom]:
    """Return the largest square of odd side in each labelled area 1 to ``count``, in order.

    Of equally large squares the first in reading order is taken; every area must have a tile.
    """
    low = scipy.ndimage.minimum_filter(labels, 3, mode="constant", cval=0)
    high = scipy.ndimage.maximum_filter(labels, 3, mode="constant", cval=0)
    same_around = (low == high) & (labels > 0)  # All 8 neighbours belong to the tile's area.
    depth = scipy.ndimage.distance_transform_cdt(same_around, metric="chessboard")
    rank = depth.ravel().astype(np.int64) * labels.size + np.arange(labels.size)[::-1]
    best = np.full(count + 1, -1, np.int64)
    np.maximum.at(best, labels.ravel(), rank)
    rooms = []
    for reach, place in (divmod(number, labels.size) for number in best[1:].tolist()):
        y, x = divmod(labels.size - 1 - place, labels.shape[1])
        rooms.append(RectangularRoom(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1))
    return rooms


Gap = list[tuple[int, int]]
"""The line of wall tiles (x, y) to open."""


def thin_walls(labels: NDArray[np.int32], thickness: int) -> dict[Pair, list[Gap]]:
    """Return, for each pair of areas, the gaps through straight walls of 1 to ``thickness`` tiles.

    Areas are the numbers above 0 in ``labels[y, x]``; 0 is wall. Pairs are sorted, the smaller
    number first. Their gaps go from thin to thick, those of one direction in reading order.
    """
    walls: dict[Pair, list[Gap]] = {}
    for dx, dy, thick, gaps in straight_gaps(labels > 0, labels == 0, thickness):
        ys, xs = np.nonzero(gaps)
        sides = labels[ys, xs], labels[ys + dy * (thick + 1), xs + dx * (thick + 1)]
        pairs = zip(np.minimum(*sides).tolist(), np.maximum(*sides).tolist(), strict=True)
        for pair, x, y in zip(pairs, xs.tolist(), ys.tolist(), strict=True):
            if pair[0] != pair[1]:
                walls.setdefault(pair, []).append(ends_and_between(x, y, dx, dy, thick)[1:-1])
    return {pair: sorted(walls[pair], key=len) for pair in sorted(walls)}


CAPTIONS = 40
"""The maximum number of captions for one step."""


@step(needs="regions", gives="floor rooms")
def chambers_in_regions(plan: Blueprint, rng: Rng, *, least: AreaOrZero = 12) -> Iterator[str]:
    """Hollow out each region, leaving walls one tile thick between neighbouring regions.

    Chambers of fewer than ``least`` tiles stay rock. A region that its walls divide may give
    several chambers. The room of a chamber is the largest square in it.
    """
    assert plan.regions is not None
    labels, count = regions(_within_walls(plan.regions))
    large = np.bincount(labels.ravel(), minlength=count + 1) >= least
    large[0] = False
    labels, count = regions(large[labels])
    if not count:
        raise Rejected("no chamber is large enough")
    rock = np.nonzero((labels > 0) & (plan.tiles == Tile.WALL))
    order = labels[rock].argsort(kind="stable")
    ys, xs, owners = rock[0][order], rock[1][order], labels[rock][order]
    for batch in np.array_split(np.arange(1, count + 1), min(count, CAPTIONS)):
        part = slice(*np.searchsorted(owners, [batch[0], batch[-1] + 1]).tolist())
        plan.tiles[ys[part], xs[part]] = Tile.FLOOR
        yield f"Chamber {batch[-1]} of {count}"
    plan.rooms += square_rooms(labels, count)


def _within_walls(owner: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return ``owner > 0`` without walls one tile thick that no diagonal step passes."""
    inner = np.zeros(owner.shape, np.bool_)
    middle = owner[1:-1, 1:-1]
    inner[1:-1, 1:-1] = middle > 0
    for other in (owner[1:-1, 2:], owner[2:, 1:-1], owner[2:, 2:]):
        inner[1:-1, 1:-1] &= middle == other
    inner[:-1, 1:] &= ~(inner[1:, :-1] & (owner[:-1, 1:] != owner[1:, :-1]))
    return inner


@step(needs="floor", varies="loops")
def pierce_walls(
    plan: Blueprint, rng: Rng, *, loops: Share = 0.3, doors: Share = 0.25, thickness: Side = 2
) -> Iterator[str]:
    """Connect neighbouring chambers by gaps: those of a random spanning tree, and some loops.

    Walls up to ``thickness`` tiles thick are pierced where they are thinnest. A share ``loops`` of
    the other pairs of neighbours gets a gap too. A share ``doors`` of the gaps gets a door.
    """
    labels, count = regions(plan.open)
    if count < 2:
        return
    labels[(labels == 0) & (plan.tiles != Tile.WALL)] = -1
    walls = thin_walls(labels, thickness)
    tree, rest = spanning_tree(rng.shuffled(list(walls)))
    chosen = tree + [pair for pair in rest if rng.chance(loops)]
    thresholds: list[tuple[int, int]] = []
    for number, pair in enumerate(chosen, 1):
        thinnest = len(walls[pair][0])
        tiles = rng.pick([gap for gap in walls[pair] if len(gap) == thinnest])
        dig(plan, tiles, Tile.FLOOR)
        thresholds.append(tiles[0])
        if number % (len(chosen) // CAPTIONS + 1) == 0:
            yield f"Gap {number} of {len(chosen)}"
    doorways = [place for place in thresholds if rng.chance(doors) and _doorway(plan, place)]
    for x, y in doorways:
        plan.tiles[y, x] = Tile.DOOR
    if doorways:
        yield pluralise(len(doorways), "door")


def _doorway(plan: Blueprint, place: tuple[int, int]) -> bool:
    """Return True if ``place`` has wall on two opposite sides and none on the others."""
    x, y = place
    north, east, south, west = (plan.tiles[y + dy, x + dx] == Tile.WALL for dx, dy in CARDINALS)
    return bool(north == south and west == east and north != east)
