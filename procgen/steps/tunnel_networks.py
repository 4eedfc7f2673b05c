"""Tunnels that find their own way: every room joined to the nearest, and a few rings closed."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from procgen.blueprint import Blueprint, RectangularRoom
from procgen.carving.tunnel_routes import Costs, TunnelFinder
from procgen.rng import Rng
from procgen.step_registry import Positive, Share, Weight, step

Link = tuple[int, int]
FAR = np.iinfo(np.int64).max
CAPTIONS = 60


@step(needs="rooms")
def cheapest_tunnels(
    plan: Blueprint,
    rng: Rng,
    *,
    extra: Share = 0.25,
    rock: Positive = 4,
    tunnel: Positive = 1,
    room: Positive = 12,
    beside: Positive = 9,
) -> Iterator[str]:
    """Join all rooms by tunnels that follow older tunnels and go round rooms.

    Every room is joined to the nearest one already joined (Prim's minimum spanning tree), then
    a share ``extra`` of the rooms to another near one. A step costs ``rock`` through rock,
    ``beside`` through rock that touches a room, ``tunnel`` along a tunnel, ``room`` through a
    room in between; each tunnel takes the cheapest way (Dijkstra's).
    """
    costs = Costs(rock, tunnel, room, beside)
    yield from _dig_network(plan, rng, TunnelFinder(plan, rng, "cheapest", costs=costs), extra)


@step(needs="rooms")
def winding_tunnels(
    plan: Blueprint, rng: Rng, *, extra: Share = 0.2, bends: Weight = 24
) -> Iterator[str]:
    """Join all rooms by tunnels that wind, as if they followed the softest rock.

    Rooms are joined as by `cheapest_tunnels`, over rock of random hardness: ``bends`` is what
    the hardest costs beyond the softest, which costs 4. A share ``extra`` of the rooms gets a
    second tunnel.
    """
    yield from _dig_network(plan, rng, TunnelFinder(plan, rng, "winding", bends=bends), extra)


def _dig_network(plan: Blueprint, rng: Rng, ways: TunnelFinder, extra: float) -> Iterator[str]:
    tree = nearest_links(plan.rooms)
    second = [one for one in range(len(plan.rooms)) if rng.chance(extra)]
    links = tree + second_links(plan.rooms, tree, second)
    pace = max(1, len(links) // CAPTIONS)
    tunnels = 0
    for number, (one, other) in enumerate(links):
        ends = plan.rooms[one].center, plan.rooms[other].center
        if not ways.dig(ways.find(*ends, shortcut=number >= len(tree))):
            continue
        tunnels += 1
        if (tunnels - 1) % pace == 0:
            yield f"Tunnel from room {one + 1} to room {other + 1}"


class Distances:
    """Distances between rooms, from wall to wall, across and down together."""

    def __init__(self, rooms: list[RectangularRoom]) -> None:
        corners = [(room.x, room.y, room.x + room.width, room.y + room.height) for room in rooms]
        self.left, self.top, self.right, self.bottom = np.array(corners, np.int64).reshape(-1, 4).T

    def from_room(self, index: int) -> NDArray[np.int64]:
        """Return how far each room is from the one of that ``index``, int64 [room]."""
        across = np.maximum(self.left - self.right[index], self.left[index] - self.right)
        down = np.maximum(self.top - self.bottom[index], self.top[index] - self.bottom)
        apart: NDArray[np.int64] = np.maximum(across, 0) + np.maximum(down, 0)
        return apart


def nearest_links(rooms: list[RectangularRoom]) -> list[Link]:
    """Return the minimum spanning tree of ``rooms``, grown from the first, as pairs of indices."""
    if not rooms:
        return []
    distances = Distances(rooms)
    apart = distances.from_room(0)
    parent = np.zeros(len(rooms), np.int64)
    joined = np.zeros(len(rooms), np.bool_)
    joined[0] = True
    links = []
    for _ in rooms[1:]:
        newest = int(np.where(joined, FAR, apart).argmin())
        links.append((int(parent[newest]), newest))
        joined[newest] = True
        steps = distances.from_room(newest)
        parent[steps < apart] = newest
        apart = np.minimum(apart, steps)
    return links


def second_links(
    rooms: list[RectangularRoom], tree: list[Link], chosen: Sequence[int]
) -> list[Link]:
    """Return for each of the ``chosen`` rooms a link to the nearest that has none to it yet."""
    linked: list[list[int]] = [[index] for index in range(len(rooms))]
    for one, other in tree:
        linked[one].append(other)
        linked[other].append(one)
    distances = Distances(rooms)
    links = []
    for one in chosen:
        steps = distances.from_room(one)
        steps[linked[one]] = FAR
        other = int(steps.argmin())
        if steps[other] < FAR:
            links.append((one, other))
            linked[one].append(other)
            linked[other].append(one)
    return links
