"""Corridors between rooms."""

from collections.abc import Iterator
from itertools import pairwise
from operator import add

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, terrain, tile_mask
from procgen.analysis.distances import regions, with_neighbours
from procgen.analysis.nearby_points import NearbyPoints
from procgen.blueprint import Blueprint, Point, RectangularRoom, dig, dig_tunnel, tunnel_between
from procgen.carving.region_links import adjacent_pairs, cheapest_links, spanning_tree
from procgen.placement.painting import interior
from procgen.rng import Rng
from procgen.step_registry import Few, Positive, Share, Weight, step


@step(needs="rooms")
def join_rooms_in_order(
    plan: Blueprint, rng: Rng, *, horizontal_first: Share = 0.5, nearest: bool = False
) -> Iterator[str]:
    """Join each room to the one before it by an L-shaped tunnel between their centres.

    ``horizontal_first`` is the share of tunnels that leave the earlier room horizontally. With
    ``nearest`` a room is joined to the nearest earlier room instead, which keeps tunnels short on
    large maps: in placement order they cross half the map, a share of the floor that grows with it.
    """
    pairs = nearest_earlier(plan.rooms) if nearest else pairwise(plan.rooms)
    for number, (room, following) in enumerate(pairs, 1):
        sideways = rng.chance(horizontal_first)
        if dig_tunnel(plan, room.center, following.center, horizontal_first=sideways):
            yield f"Room {number + 1} joined to an earlier one"


def nearest_earlier(
    rooms: list[RectangularRoom],
) -> Iterator[tuple[RectangularRoom, RectangularRoom]]:
    """Yield (nearest earlier room, room) for each but the first, by steps between centres."""
    earlier = NearbyPoints()
    for index, room in enumerate(rooms):
        if index:
            yield rooms[earlier.nearest(*room.center, add)[1]], room
        earlier.add(*room.center)


Span = tuple[int, int]


@step(needs="leaves rooms")
def join_adjacent_leaves(plan: Blueprint, rng: Rng, *, loops: Share = 0.35) -> Iterator[str]:
    """Join the rooms of leaves that share an edge, straight across it where possible.

    The pairs of a random spanning tree are always joined, each of the others with chance ``loops``:
    0 makes a tree, 1 joins all pairs. A tunnel never enters a third leaf.
    """
    owner = np.full(plan.tiles.shape, -1, np.int32)
    for number, leaf in enumerate(plan.leaves):
        owner[leaf.inner] = number
    # Of several rooms in a leaf, the first counts.
    rooms = {owner.item(room.center[::-1]): room for room in reversed(plan.rooms)}
    pairs = [pair for pair in adjacent_pairs(owner) if pair[0] in rooms and pair[1] in rooms]
    tree, rest = spanning_tree(rng.shuffled(pairs))
    chosen = tree + [pair for pair in rest if rng.chance(loops)]
    every = plan.scale
    ways = 0
    for first, second in chosen:
        home, next_home = ((plan.leaves[number], rooms[number]) for number in (first, second))
        way = _way(home, next_home, rng)
        if not dig(plan, [point for point in way if plan.inside(*point)]):
            continue
        ways += 1
        if (ways - 1) % every == 0:
            yield f"Leaf {first + 1} joined to leaf {second + 1}"


Home = tuple[RectangularRoom, RectangularRoom]
"""A leaf and its room."""


def _way(home: Home, next_home: Home, rng: Rng) -> Iterator[Point]:
    """Yield the tiles of a tunnel from room to room across the edge that their leaves share."""
    leaf, next_leaf = home[0], next_home[0]
    if leaf.x + leaf.width == next_leaf.x or next_leaf.x + next_leaf.width == leaf.x:
        yield from _across(home, next_home, rng)
        return
    for x, y in _across(_turned(home), _turned(next_home), rng):
        yield Point(y, x)


def _turned(home: Home) -> Home:
    leaf, room = (RectangularRoom(part.y, part.x, part.height, part.width) for part in home)
    return leaf, room


def _across(home_a: Home, home_b: Home, rng: Rng) -> Iterator[Point]:
    """Yield the tiles of a tunnel between leaves side by side; it bends only next to their edge."""
    (leaf, room), (next_leaf, next_room) = sorted((home_a, home_b), key=lambda home: home[0].x)
    shared = _overlap(_rows(leaf), _rows(next_leaf))
    ours, theirs = _rows(room), _rows(next_room)
    choices = (_overlap(ours, theirs), _overlap(shared, ours), _overlap(shared, theirs), shared)
    low, high = next(rows for rows in choices if rows[0] <= rows[1])
    y = rng.between(low, high)
    leave, enter = (min(max(y, rows[0]), rows[1]) for rows in (ours, theirs))
    edge = next_leaf.x
    yield from tunnel_between((room.x + room.width, leave), (edge - 1, y), horizontal_first=True)
    yield from tunnel_between((edge, y), (next_room.x - 1, enter), horizontal_first=False)


def _rows(part: RectangularRoom) -> Span:
    return part.y, part.y + part.height - 1


def _overlap(a: Span, b: Span) -> Span:
    return max(a[0], b[0]), min(a[1], b[1])


CAPTIONS = 60
BLOCK = 64
"""Rooms compared with each room at a time: all pairs of rooms of a large map would be millions."""


@step(needs="rooms")
def cardinal_corridors(
    plan: Blueprint, rng: Rng, *, most: Few = 4, skipped: Share = 0.1
) -> Iterator[str]:
    """Join rooms by straight corridors only.

    A room is joined to the nearest room to the north, east, south and west that overlaps it on the
    other axis. The corridor runs in the middle of the overlap, or as near to it as possible without
    running along other floor. No room has more than ``most`` corridors. Each corridor is left out
    with chance ``skipped``. The level may stay disconnected.
    """
    corridors = [0] * len(plan.rooms)
    met: set[tuple[int, int]] = set()
    pace = max(1, len(plan.rooms) // CAPTIONS)
    dug = 0
    for number, neighbour, upright in _neighbours(plan.rooms):
        pair = min(number, neighbour), max(number, neighbour)
        if pair in met:
            continue
        met.add(pair)
        if rng.chance(skipped) or max(corridors[number], corridors[neighbour]) >= most:
            continue
        corridors[number] += 1
        corridors[neighbour] += 1
        if not _dig_corridor(plan, (plan.rooms[number], plan.rooms[neighbour]), upright=upright):
            continue
        dug += 1
        if (dug - 1) % pace == 0:
            yield f"Corridor from room {number + 1} to room {neighbour + 1}"


def _neighbours(rooms: list[RectangularRoom]) -> Iterator[tuple[int, int, bool]]:
    """Yield (room, neighbour, upright), room by room, in the order north, east, south, west.

    A corridor to a neighbour in the north or south is ``upright``.
    """
    columns = _edges([(room.x, room.x + room.width) for room in rooms])
    rows = _edges([(room.y, room.y + room.height) for room in rooms])
    down, right = (rows, columns), (columns, rows)
    looks = ((down, False), (right, True), (down, True), (right, False))
    nearest = [_nearest(*axes, forward=forward) for axes, forward in looks]
    for number, seen in enumerate(zip(*nearest, strict=True)):
        for neighbour, upright in zip(seen, (True, False, True, False), strict=True):
            if neighbour >= 0:
                yield number, neighbour, upright


def _edges(pairs: list[tuple[int, int]]) -> NDArray[np.int64]:
    return np.array(pairs, np.int64).reshape(-1, 2).T


def _nearest(along: NDArray[np.int64], across: NDArray[np.int64], *, forward: bool) -> list[int]:
    """Return for each room the nearest room in one direction that overlaps it, -1 for none.

    The edges of all rooms are ``along`` and ``across`` the direction: [near, far], the far one just
    outside; ``forward`` is east or south. Rooms are sorted by their facing edge, and each is
    compared with `BLOCK` of them at a time, the nearest first, until one overlaps it.
    """
    edges, mine = (along[0], along[1]) if forward else (-along[1], -along[0])
    order = np.argsort(edges, kind="stable")
    place = np.searchsorted(edges[order], mine)
    nearest, looking = np.full(len(mine), -1), np.arange(len(mine))
    while looking.size:
        ranks = place[looking, None] + np.arange(BLOCK)
        seen = order.take(ranks, mode="clip")
        near, far = across[:, looking, None]
        overlaps = (ranks < len(order)) & (across[0][seen] < far) & (across[1][seen] > near)
        first, found = overlaps.argmax(1), overlaps.any(1)
        nearest[looking[found]] = seen[found, first[found]]
        place[looking] += BLOCK
        looking = looking[~found & (place[looking] < len(order))]
    return list(nearest.tolist())


def _dig_corridor(
    plan: Blueprint, pair: tuple[RectangularRoom, RectangularRoom], *, upright: bool
) -> int:
    """Dig a straight corridor at a place with only rock and passable tiles between two rooms.

    Returns how many tiles were dug. Below, an ``upright`` corridor runs from row to row, and so
    does any other on the map with rows and columns exchanged.
    """
    ground = plan.tiles if upright else plan.tiles.T
    before, behind = sorted(pair if upright else _turned(pair), key=lambda room: room.y)
    low = max(before.x, behind.x)
    high = min(before.x + before.width, behind.x + behind.width) - 1
    places = sorted(range(low, high + 1), key=lambda place: abs(2 * place - low - high))
    tiles = range(before.y + before.height, behind.y)
    left = max(0, low - 1)
    stretch = ground[tiles.start : tiles.stop, left : high + 2]
    passable = terrain().walkable[stretch] | tile_mask((Tile.WALL, Tile.SECRET_DOOR))[stretch]
    free = np.logical_and.reduce(passable).tolist()
    clear = [place for place in places if free[place - left]]
    if not clear:
        return 0
    # A corridor runs along floor where it would pass two open tiles in a row.
    floor = stretch != Tile.WALL
    pairs = np.logical_or.reduce(floor[1:] & floor[:-1]).tolist()
    best = [place for place in clear if not any(pairs[place - left - 1 : place - left + 2 : 2])]
    place = (best or clear)[0]
    return dig(plan, ((place, n) if upright else (n, place) for n in tiles))


@step(needs="rooms")
def cheapest_tunnels(
    plan: Blueprint,
    rng: Rng,
    *,
    extra: Share = 0.1,
    rock: Positive = 4,
    beside: Positive = 9,
    bends: Weight = 0,
) -> Iterator[str]:
    """Connect all rooms by the cheapest tunnels through rock.

    A step costs ``rock``, or ``beside`` where the rock touches open ground. ``bends`` is the most
    that is added to a step at random: then tunnels wind, as if they followed the softest rock. A
    share ``extra`` of the pairs of neighbouring rooms that need no tunnel of their own gets one.
    (Dijkstra's algorithm from all rooms at once, then Kruskal's: `cheapest_links`.)
    """
    labels, count = regions(plan.open)
    homes = [labels.item(room.center[::-1]) for room in plan.rooms]
    labels[~np.isin(labels, homes)] = 0
    for number, room in enumerate(plan.rooms, count + 1):
        x, y = room.center
        labels[y, x] = labels[y, x] or number
    wall = plan.tiles == Tile.WALL
    cost = np.where(with_neighbours(plan.open), beside, rock).astype(np.int32)
    if bends:
        hardness = np.arange(256, dtype=np.int32) * bends >> 8
        cost += hardness[rng.random_bytes(*cost.shape)]
    cost[plan.open] = 1
    cost[~((wall | plan.open) & interior(plan))] = 0
    for link in cheapest_links(labels, cost, rng, extra):
        if dug := dig(plan, link.tiles):
            yield f"Tunnel, {dug} long"
