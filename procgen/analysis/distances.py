"""Regions and distances of a whole map: flood fill, breadth-first search, Dijkstra maps."""

from functools import lru_cache
from itertools import chain, count, islice

import numpy as np
import scipy
from numpy.typing import NDArray
from tcod.path import CustomGraph, Pathfinder

from entities.terrain import Mask
from procgen.blueprint import Point

UNREACHED = np.iinfo(np.int32).max
BEYOND = np.iinfo(np.uint8).max
"""The value of `bitboard_distances` for tiles further than its limit or unreachable."""
PLACES = {kind: np.arange(8 * kind.itemsize, dtype=kind)[:, None] for kind in map(np.dtype, "BH")}
"""For each type of a number of steps, the indices of its bits, as a column."""
MOST_STEPS = np.iinfo(np.uint16).max - 1


def _changed_bit(step: int) -> int:
    """Return the bit that changes at this ``step`` of a count in Gray code."""
    return (step & -step).bit_length() - 1


FLIPS = bytes(map(_changed_bit, range(1, 1 << 11)))
"""The bit that a Gray code flips at each step."""
LARGE, WINDING = 1 << 16, 4
"""Bitboards are used for up to `LARGE` tiles, and paths up to `WINDING` times width + height."""
CARDINALS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The four steps (dx, dy): north, east, south, west."""
DIRECTIONS = (*CARDINALS, (1, -1), (1, 1), (-1, 1), (-1, -1))
"""The eight steps (dx, dy): `CARDINALS`, then the diagonals clockwise."""
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.bool_)
"""A tile and its 4-neighbours; passing it saves scipy from building it on every call."""
SQUARE = np.ones((3, 3), np.bool_)
"""A tile and its 8 neighbours."""


def regions(open_tiles: Mask, *, diagonal: bool = False) -> tuple[NDArray[np.int32], int]:
    """Label the regions of ``open_tiles[y, x]``, connected in 4 directions or, if ``diagonal``, 8.

    Returns the labels (int32, 0 where closed, 1 and up in reading order) and their count.
    """
    labels, count = _labels(open_tiles.tobytes(), open_tiles.shape[1], diagonal)
    return labels.copy(), count


@lru_cache(maxsize=4)
def _labels(tiles: bytes, width: int, diagonal: bool) -> tuple[NDArray[np.int32], int]:
    """Return `regions`, cached: a step often starts with the map on which the last one ended."""
    open_tiles = np.frombuffer(tiles, np.bool_).reshape(-1, width)
    labels, count = scipy.ndimage.label(open_tiles, SQUARE if diagonal else CROSS)
    return labels.astype(np.int32, copy=False), int(count)


def with_neighbours(mask: Mask, *, diagonal: bool = True) -> Mask:
    """Return the tiles of ``mask`` [y, x] and their 8 neighbours, or 4 if not ``diagonal``."""
    # Four shifted slices take a tenth of the time of scipy's binary_dilation.
    column = mask.copy()
    column[1:] |= mask[:-1]
    column[:-1] |= mask[1:]
    source, grown = (column if diagonal else mask), column.copy()
    grown[:, 1:] |= source[:, :-1]
    grown[:, :-1] |= source[:, 1:]
    return grown


def distances(open_tiles: Mask, x: int, y: int, *, diagonal: bool = True) -> NDArray[np.int32]:
    """Return the steps from (x, y) to every tile of ``open_tiles[y, x]``, as int32 [y, x].

    Unreachable tiles are `UNREACHED`. Steps go in 8 directions, or in 4 if not ``diagonal``.
    """
    return _all_steps(open_tiles.tobytes(), open_tiles.shape[1], x, y, diagonal).copy()


@lru_cache(maxsize=4)
def _all_steps(tiles: bytes, width: int, x: int, y: int, diagonal: bool) -> NDArray[np.int32]:
    """Return `distances`, cached: steps of a recipe often ask for the same ones."""
    open_tiles = np.frombuffer(tiles, np.bool_).reshape(-1, width)
    most = min(WINDING * sum(open_tiles.shape), MOST_STEPS)
    if diagonal and open_tiles.size <= LARGE:
        steps = bitboard_distances(open_tiles, x, y, most)
        beyond = np.iinfo(steps.dtype).max
        # Some NumPys crash where an array is compared with a number that its type cannot hold.
        if most > beyond or not (steps == most).any():
            return np.where(steps == beyond, np.int32(UNREACHED), steps)
    return _wave_distances(open_tiles, x, y, diagonal)


def _wave_distances(open_tiles: Mask, x: int, y: int, diagonal: bool) -> NDArray[np.int32]:
    """Return `distances` by a breadth-first search that expands all tiles at one distance at once.

    A step looks only at the tiles reached last, whereas a bitboard shifts the whole map.
    """
    height, width = open_tiles.shape
    row = width + 1  # A closed column ends each row, as on a bitboard.
    unseen = np.zeros((height + 2, row), np.bool_)
    unseen[1:-1, :width] = open_tiles
    unseen = unseen.ravel()
    field, first = np.full(unseen.size, UNREACHED, np.int32), np.zeros(unseen.size, np.int32)
    offsets = np.array([dy * row + dx for dx, dy in DIRECTIONS[: 8 if diagonal else 4]])
    edge, step = np.array([(y + 1) * row + x]), 0
    while edge.size:
        unseen[edge], field[edge] = False, step
        reached = (edge + offsets[:, None]).ravel()
        reached = reached[unseen[reached]]
        # Keep only one copy of a tile that is reached from several sides.
        order = np.arange(reached.size)
        first[reached] = order
        edge, step = reached[first[reached] == order], step + 1
    return field.reshape(-1, row)[1:-1, :width]


def bitboard_distances(open_tiles: Mask, x: int, y: int, most: int) -> NDArray[np.unsignedinteger]:
    """Return `distances` [y, x] up to ``most`` steps, and the largest value of the type elsewhere.

    The type is uint8, where that value is `BEYOND`, or uint16 if paths are about that long.
    This is a breadth-first search on a bitboard: all tiles are bits of one integer, so that a step
    from all tiles reached last takes a few shifts, much faster than a queue of tiles. A closed
    column ends each row, or shifts would wrap around the edge.
    """
    height, width = open_tiles.shape
    row = width + 1
    tiles = np.zeros((height, row), np.bool_)
    tiles[:, :width] = open_tiles
    packed = np.packbits(tiles, bitorder="little").tobytes()
    start = 1 << (y * row + x)
    ground = int.from_bytes(packed, "little") | start
    return bit_distances(ground, start, row, height, most).reshape(height, row)[:, :width]


def bit_distances(
    ground: int, starts: int, row: int, rows: int, most: int = MOST_STEPS, *, diagonal: bool = True
) -> NDArray[np.unsignedinteger]:
    """Return the steps over ``ground`` to the nearest of ``starts``, as a flat array of all bits.

    The map has ``rows`` rows of ``row`` bits; ``most`` and the type are as in `bitboard_distances`.
    All tiles not yet reached count steps in Gray code, with one integer for each bit of the
    counters, so that each step changes only one of these integers.
    """
    size, step, fresh, unseen = (row * rows + 7) // 8, 0, starts, ground ^ starts
    counters, flips = [0] * 16, chain(FLIPS, map(_changed_bit, count(len(FLIPS) + 1)))
    for step, flip in enumerate(islice(flips, most), 1):  # noqa: B007
        counters[flip] ^= unseen
        wide = fresh | fresh << 1 | fresh >> 1
        aside = wide if diagonal else fresh
        fresh = (wide | aside << row | aside >> row) & unseen
        if not fresh:
            break
        unseen ^= fresh
    places = PLACES[np.dtype("B" if step < BEYOND else "H")]
    counter, elsewhere, data = 0, (1 << 8 * size) - 1 ^ ground ^ unseen, b""
    for bit in reversed(range(len(places))):
        counter ^= counters[bit]
        data += (counter | elsewhere).to_bytes(size, "little")
    bits = np.unpackbits(np.frombuffer(data, np.uint8).reshape(-1, size), 1, None, "little")
    steps: NDArray[np.unsignedinteger] = np.bitwise_or.reduce(bits << places[::-1])
    return steps[: row * rows]


def reachable(open_tiles: Mask, x: int, y: int, *, diagonal: bool = True) -> Mask:
    """Return the tiles reached from the open tile (x, y), itself included, as in `distances`."""
    labels, _ = regions(open_tiles, diagonal=diagonal)
    region: Mask = labels == labels[y, x]
    return region & open_tiles


WINDOW_RADII = (6, 30)
"""The radii in tiles of the windows around a gate that are tried before the whole map."""


def cut_off(
    open_tiles: Mask, gate: tuple[int, int], start: tuple[int, int], *, diagonal: bool = True
) -> tuple[tuple[slice, slice], Mask]:
    """Return a window of the map, and the tiles in it that ``gate`` cuts off from ``start``.

    Both are (x, y) and differ; all ``open_tiles`` must be reachable from ``start``.
    """
    (x, y), (height, width) = gate, open_tiles.shape
    for reach in (*WINDOW_RADII, max(height, width)):
        left, top, right, bottom = x - reach, y - reach, x + reach + 1, y + reach + 1
        window = np.s_[max(0, top) : bottom, max(0, left) : right]
        row, column = y - window[0].start, x - window[1].start
        ground = open_tiles[window].copy()
        ground[row, column] = False
        labels, _ = regions(ground, diagonal=diagonal)
        rows, columns = slice(max(0, row - 1), row + 2), slice(max(0, column - 1), column + 2)
        around = labels[rows, columns if diagonal else column], labels[row, columns]
        parts = {label for part in around for label in part.ravel().tolist()} - {0}
        rims = [(top > 0, labels[0]), (bottom < height, labels[-1])]
        rims += [(left > 0, labels[:, 0]), (right < width, labels[:, -1])]
        beyond = {0}
        for cut_by_window, rim in rims:
            if cut_by_window:
                beyond.update(rim.tolist())
        home_y, home_x = start[1] - window[0].start, start[0] - window[1].start
        if 0 <= home_y < labels.shape[0] and 0 <= home_x < labels.shape[1]:
            beyond.add(int(labels[home_y, home_x]))
        if len(parts & beyond) < 2:
            break
    return window, np.isin(labels, sorted(parts - beyond))


def regions_intact(before: NDArray[np.int32], after: Mask, *, diagonal: bool = False) -> bool:
    """Return True if each region ``before`` is still connected ``after``.

    ``before[y, x]`` are the labels that `regions` gave for the same ``diagonal``, and
    ``after[y, x]`` the tiles that are open now.
    """
    labels, _ = regions(after, diagonal=diagonal)
    left = after & (before > 0)
    old, new = before[left], labels[left]
    home = np.zeros(int(before.max(initial=0)) + 1, np.int32)
    home[old] = new
    return bool((home[old] == new).all())


def dijkstra(
    field: NDArray[np.int32], cost: NDArray[np.integer], *, straight: int = 1, diagonal: int = 0
) -> NDArray[np.int32]:
    """Return a Dijkstra map: the least cost to reach each tile from those where ``field`` is 0.

    ``field`` is `UNREACHED` elsewhere. A step costs ``cost[y, x]`` of the tile entered, 0 if it is
    closed, times ``straight`` or ``diagonal``; if ``diagonal`` is 0, steps go in 4 directions.
    (tcod's own dijkstra2d leaks 4 kB a call in version 21.2.)
    """
    graph = CustomGraph(cost.shape)  # Half the time of a `SimpleGraph`.
    for dx, dy in DIRECTIONS:
        if price := diagonal if dx and dy else straight:
            graph.add_edge((dy, dx), price, cost=cost)
    finder = Pathfinder(graph)
    finder.distance[:] = field
    finder.rebuild_frontier()
    finder.resolve()
    return np.array(finder.distance)


def closest_tile(among: Mask, x: float, y: float, *, steps: bool = False) -> Point | None:
    """Return the tile of ``among[y, x]`` nearest to (x, y), None if there is none.

    The distance is Euclidean, or with ``steps`` the number of steps in 8 directions with nothing in
    the way. On a tie, the first in reading order is taken.
    """
    ys, xs = np.nonzero(among)
    if not len(ys):
        return None
    across, down = np.abs(xs - x), np.abs(ys - y)
    place = int((np.maximum(across, down) if steps else across**2 + down**2).argmin())
    return Point(int(xs[place]), int(ys[place]))


def furthest_tile(open_tiles: Mask, x: int, y: int) -> tuple[int, int]:
    """Return the (x, y) of the tile of ``open_tiles[y, x]`` the most steps from (x, y).

    On a tie, the first in reading order is taken.
    """
    steps = distances(open_tiles, x, y)
    steps[steps == UNREACHED] = -1
    row, column = divmod(int(steps.argmax()), steps.shape[1])
    return column, row
