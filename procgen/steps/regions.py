"""Regions: drop the small ones, join the rest."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from entities.terrain import Tile
from procgen.analysis import regions
from procgen.blueprint import Blueprint, Rejected
from procgen.furnishing.ground import taken
from procgen.registry import Count, Share, step
from procgen.rng import Rng
from procgen.ways.routes import Route, Ways
from procgen.ways.spanning import Groups


@step(needs="floor")
def fill_small_regions(plan: Blueprint, rng: Rng, *, below: Count = 10) -> Iterator[str]:
    """Fill every 4-connected open region of fewer than ``below`` tiles with rock.

    Those where somebody stands stay.
    """
    labels, count = regions(plan.open)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    small = sizes < below
    small[0] = False
    for x, y in taken(plan):
        small[labels[y, x]] = False
    if small.any():
        plan.tiles[small[labels]] = Tile.WALL
        yield f"{int(small.sum())} of {count} regions filled"


@step(needs="floor")
def require_floor(plan: Blueprint, rng: Rng, *, share: Share = 0.1) -> Iterator[str]:
    """Reject the build if less than ``share`` of the map is open."""
    if plan.open.sum() < share * plan.tiles.size:
        raise Rejected("too little floor")
    yield from ()


@step(needs="floor")
def join_regions(plan: Blueprint, rng: Rng, *, route: Route = "elbow") -> Iterator[str]:
    """Join all open regions into one by tunnels between the nearest pairs.

    Rock is shared out to the nearest region; where two shares meet lies a candidate tunnel.
    The shortest that join something new are dug (Kruskal's minimum spanning tree). ``route``
    says how they run: straight, with one bend, winding, or wherever it is cheapest, along older
    tunnels and round rooms.
    """
    labels, count = regions(plan.open)
    if count < 2:
        return
    ways = Ways(plan, rng, route)
    groups = Groups()
    for (y1, x1), (y2, x2) in _candidates(labels):
        one, other = (groups.leader(int(labels[y, x])) for y, x in ((y1, x1), (y2, x2)))
        way = [] if one == other else ways.find((x1, y1), (x2, y2))
        if not way:
            continue
        ways.dig(way)
        groups.join(one, other)
        yield f"Region {max(one, other)} joined to region {min(one, other)}"


def _candidates(labels: NDArray[np.int32]) -> list[list[list[int]]]:
    """Return [[y, x], [y, x]] pairs of tiles of different regions, the nearest pairs first."""
    steps, nearest = ndimage.distance_transform_cdt(
        labels == 0, metric="taxicab", return_indices=True
    )
    owner = labels[nearest[0], nearest[1]]
    found = []
    for here, there in (
        (np.s_[:, :-1], np.s_[:, 1:]),
        (np.s_[:-1, :], np.s_[1:, :]),
    ):
        meet = owner[here] != owner[there]
        ends = [nearest[axis][side][meet] for side in (here, there) for axis in (0, 1)]
        cost = steps[here][meet] + steps[there][meet]
        found.append(np.column_stack([cost, *ends]))
    rows = np.concatenate(found)
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    pairs: list[list[list[int]]] = rows[:, 1:].reshape(-1, 2, 2).tolist()
    return pairs
