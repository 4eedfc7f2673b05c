"""Adjacent regions, their spanning trees (Kruskal), and the cheapest links between regions.

Links lead over water, over hills or through rock.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Mask, Tile, terrain
from procgen.analysis.distances import UNREACHED, dijkstra, regions, with_neighbours
from procgen.blueprint import Point
from procgen.rng import Rng

Labels = NDArray[np.int32]
Pair = tuple[int, int]


def adjacent_pairs(owner: NDArray[np.int32], reach: int = 1) -> list[Pair]:
    """Return the pairs of different numbers up to ``reach`` apart in a row or column, sorted.

    ``owner`` is [y, x]. The smaller number comes first; numbers below 0 do not count.
    """
    base = int(owner.max(initial=0)) + 1
    pairs = []
    for step in range(1, reach + 1):
        for first, second in ((owner[:, :-step], owner[:, step:]), (owner[:-step], owner[step:])):
            meet = (first != second) & (first >= 0) & (second >= 0)
            near, far = first[meet].astype(np.int64), second[meet]
            pairs.append(np.minimum(near, far) * base + np.maximum(near, far))
    return [divmod(pair, base) for pair in np.unique(np.concatenate(pairs)).tolist()]


class DisjointSets:
    """Disjoint sets of numbers (union-find with path splitting); at first each number is alone.

    A set is represented by its smallest number.
    """

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def find(self, number: int) -> int:
        """Return the smallest number of the set of ``number``."""
        leads = self._above
        above = leads.setdefault(number, number)
        while above != number:
            leads[number] = leads[above]
            number, above = above, leads[above]
        return number

    def join(self, a: int, b: int) -> bool:
        """Unite the sets of ``a`` and ``b``; return whether they were different."""
        first, second = self.find(a), self.find(b)
        self._above[max(first, second)] = min(first, second)
        return first != second


def spanning_tree(pairs: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Return ``pairs`` split into a spanning tree and the rest, both in order (Kruskal).

    Shuffled pairs give a random tree; a disconnected graph gives one tree for each component.
    """
    groups = DisjointSets()
    tree: list[Pair] = []
    rest: list[Pair] = []
    for pair in pairs:
        (tree if groups.join(*pair) else rest).append(pair)
    return tree, rest


class RegionLink(NamedTuple):
    """A link from region ``start`` to region ``end``: the closed tiles between, in order."""

    start: int
    end: int
    tiles: list[Point]


def cheapest_links(labels: Labels, cost: Labels, rng: Rng, more: float = 0) -> Iterator[RegionLink]:
    """Yield the links that connect all regions of ``labels`` at the least cost, cheapest first.

    ``labels[y, x]`` are 0 on closed ground, where ``cost`` is the price of a tile, 0 for never. One
    Dijkstra map from all regions at once assigns each closed tile to its cheapest region. The best
    place where two such territories meet is a candidate link, and Kruskal's minimum spanning tree
    chooses among the candidates. Each of the others is added with probability ``more``. (Searching
    from each region would take one Dijkstra map per region.)
    """
    came, seams = _territories(labels, cost)
    groups, width = DisjointSets(), labels.shape[1]
    for _, first, second, tile, next_tile in seams:
        if not groups.join(first, second) and not rng.chance(more):
            continue
        cells = [*reversed(_back(came, tile)), *_back(came, next_tile)]
        yield RegionLink(first, second, [Point(cell % width, cell // width) for cell in cells])


def shortest_ways(labels: Labels, ground: Mask) -> list[tuple[int, int, int]]:
    """Return (region, region, steps) for all pairs of regions whose territories meet, sorted.

    A territory is the ``ground`` nearest to a region of ``labels``, in steps N, E, S or W.
    """
    _, seams = _territories(labels, ground.astype(np.int32))
    return sorted((min(a, b), max(a, b), cost + 1) for cost, a, b, *_ in seams)


def _territories(labels: Labels, cost: Labels) -> tuple[NDArray[np.intp], list[list[int]]]:
    """Return each tile's predecessor, and the seams of `_seams`, as in `cheapest_links`."""
    inside = labels > 0
    edge = inside & with_neighbours(~inside, diagonal=False)  # No link starts further inside.
    field = dijkstra(np.where(edge, 0, UNREACHED).astype(np.int32), np.where(inside, 0, cost))
    field[inside] = 0
    came = _came_from(field, cost)
    return came, _seams(field, labels.ravel()[_sources(came)].reshape(labels.shape))


def _came_from(field: Labels, cost: Labels) -> NDArray[np.intp]:
    """Return for every tile the flat index of its predecessor, its own index if it has none.

    Predecessors follow from the distances, not from the order of the search, so that ties are
    broken the same way in every version of the library.
    """
    height, width = field.shape
    indices = np.arange(field.size).reshape(field.shape)
    came = indices.copy()
    before = np.where((field > 0) & (field < UNREACHED), field - cost, -1)
    around = np.full((height + 2, width + 2), UNREACHED, np.int32)
    around[1:-1, 1:-1] = field
    for dx, dy in ((-1, 0), (0, 1), (1, 0), (0, -1)):
        neighbour = around[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        np.copyto(came, indices + dy * width + dx, where=neighbour == before)
    return came.ravel()


def _sources(came: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the source of every tile's path, for all tiles at once by pointer doubling."""
    while True:
        further = came[came]
        if np.array_equal(further, came):
            return came
        came = further


def _seams(field: Labels, owner: Labels) -> list[list[int]]:
    """Return those of `meeting_tiles` that are the cheapest for their pair of regions."""
    rows = meeting_tiles(field, owner)
    low, high = np.minimum(rows[:, 1], rows[:, 2]), np.maximum(rows[:, 1], rows[:, 2])
    _, first = np.unique(low * 2**31 + high, return_index=True)
    seams: list[list[int]] = rows[np.sort(first)].tolist()
    return seams


def meeting_tiles(field: Labels, owner: Labels) -> NDArray[np.int64]:
    """Return rows [cost, region, region, tile, tile] where territories meet, the cheapest first."""
    indices = np.arange(field.size).reshape(field.shape)
    candidates = []
    for near_side, far_side in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1, :], np.s_[1:, :])):
        near, far = owner[near_side], owner[far_side]
        meet = (near != far) & (near > 0) & (far > 0)
        price = field[near_side][meet] + field[far_side][meet]
        columns = [price, near[meet], far[meet], indices[near_side][meet], indices[far_side][meet]]
        candidates.append(np.column_stack(columns))
    rows = np.concatenate(candidates).astype(np.int64)
    return rows[np.argsort(rows[:, 0], kind="stable")]


def _back(came: NDArray[np.intp], cell: int) -> list[int]:
    """Return the closed tiles from ``cell`` back to its region, that region excluded."""
    cells = []
    while int(came[cell]) != cell:
        cells.append(cell)
        cell = int(came[cell])
    return cells


OPENED: dict[int, int] = dict.fromkeys((Tile.WATER, Tile.LAVA), Tile.BRIDGE)
OPENED[Tile.SECRET_DOOR] = Tile.DOOR
"""The tiles that a link puts in place of closed ones, a tunnel in place of all others."""


def connect_parts(tiles: NDArray[np.uint8], allowed: Mask, rng: Rng) -> int:
    """Connect all walkable parts of ``tiles[y, x]`` by the shortest links; return their number.

    Only ``allowed`` tiles are opened. Secret doors count as closed, so that no part depends on one.
    """
    labels, count = regions(terrain().walkable[tiles])
    if count > 1:
        cost = np.where(allowed, 1, 0).astype(np.int32)
        for way in cheapest_links(labels, cost, rng):
            open_link(tiles, way.tiles)
    return count


def open_link(tiles: NDArray[np.uint8], way: Iterable[tuple[int, int]]) -> None:
    """Make every (x, y) of ``way`` walkable: dig rock, bridge liquids, reveal secret doors."""
    walkable = terrain().walkable
    for x, y in way:
        tile = int(tiles[y, x])
        if not walkable[tile]:
            tiles[y, x] = OPENED.get(tile, Tile.TUNNEL)
