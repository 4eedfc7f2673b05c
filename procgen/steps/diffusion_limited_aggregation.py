"""Diffusion-limited aggregation (DLA): floor that grows like coral from random walkers."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.analysis.distances import with_neighbours
from procgen.analysis.nearby_points import NearbyPoints
from procgen.blueprint import Blueprint, RectangularRoom, mask_at
from procgen.placement.painting import interior
from procgen.rng import Rng
from procgen.step_registry import Count, Positive, Share, Side, step

BATCH = 16
"""Rounds between two updates of the map and the launch sites."""

NEAREST, FARTHEST = 3, 9
"""The distance from the floor at which walkers start, in tiles."""


@step(gives="floor rooms", varies="count width height")
def scatter_seeds(
    plan: Blueprint,
    rng: Rng,
    *,
    count: Positive = 5,
    width: Side = 5,
    height: Side = 3,
    candidates: Positive = 8,
) -> Iterator[str]:
    """Dig small chambers far apart, by Mitchell's best-candidate algorithm.

    Of ``candidates`` random places the one furthest from all rooms is taken. Chambers are ``width``
    by ``height`` tiles. ``count`` are dug on an 80x45 map, a whole multiple on larger ones.
    """
    width, height = min(width, plan.width - 2), min(height, plan.height - 2)
    last_x, last_y = plan.width - 1 - width, plan.height - 1 - height
    corners = NearbyPoints()
    for room in plan.rooms:
        corners.add(room.x, room.y)
    for _ in range(count * plan.scale):
        tried = [(rng.between(1, last_x), rng.between(1, last_y)) for _ in range(candidates)]
        corner = max(tried, key=lambda place: corners.nearest(*place)[0])
        corners.add(*corner)
        room = RectangularRoom(*corner, width, height)
        plan.rooms.append(room)
        plan.tiles[room.inner] = Tile.FLOOR
        yield f"Chamber {len(plan.rooms)}"


@step(needs="floor", varies="share straight")
def diffusion_limited_aggregation(
    plan: Blueprint,
    rng: Rng,
    *,
    mode: Literal["inward", "outward"] = "inward",
    share: Share = 0.33,
    straight: Share = 0.5,
    per_grain: Side = 8,
    rounds: Count = 800,
) -> Iterator[str]:
    """Grow the floor by random walkers until it covers about a ``share`` of the map.

    With the ``mode`` "inward" grains walk through the rock and open the tile from which they would
    step onto floor, which makes corals; with "outward" they walk through the floor from the middle
    of a room and open the first rock they meet, which makes round burrows (internal aggregation). A
    grain keeps its direction with chance ``straight``. There is one grain for every ``per_grain``
    tiles of the map. The share is measured every 16 rounds, or fewer with more grains, and so is
    whether ``rounds`` rounds are over.

    This differs from the textbook algorithm (Witten and Sander, 1981), in which one grain at a time
    walks in from far outside. Here, for speed, many grains walk at once, start near the floor and
    keep their direction, which makes branches thicker and a little closer to each other.
    """
    swarm = _Swarm(plan, rng, mode, straight, max(32, plan.tiles.size // per_grain))
    goal = int(share * plan.tiles.size)
    done, batch = 0, min(BATCH, 2 * per_grain)
    while done < rounds and np.count_nonzero(swarm.floor) < goal and swarm.set_out():
        swarm.drift(rng.random_bytes(batch, swarm.size))
        done += batch
        swarm.dig()
        if done % (4 * batch) == 0:
            yield f"Round {done}: {pluralise(int(np.count_nonzero(swarm.floor)), 'tile')} open"
    yield f"{pluralise(int(np.count_nonzero(swarm.floor)), 'tile')} open"


class _Swarm:
    """All grains at once, walking over ``free`` tiles until they meet a ``goal`` tile."""

    def __init__(self, plan: Blueprint, rng: Rng, mode: str, straight: float, size: int) -> None:
        self.plan, self.rng, self.size = plan, rng, size
        self.inward = mode == "inward"
        self.turning = int(64 * (1 - straight) + 0.5)
        rock = (plan.tiles == Tile.WALL) & interior(plan)
        self.free = (rock | plan.open).ravel()
        self.goal = (plan.open if self.inward else rock).ravel()
        self.homes = self.grains = np.zeros(0, np.int64)
        self.offsets = np.array([-plan.width, 1, plan.width, -1], np.int64)
        self.courses = self.offsets[:1].repeat(size)

    @property
    def floor(self) -> NDArray[np.bool_]:
        """The open tiles, as a flat array."""
        return self.goal if self.inward else self.free & ~self.goal

    def set_out(self) -> bool:
        """Draw a launch site for every grain, and launch all the first time; False if none."""
        places = np.flatnonzero(self._near() if self.inward else self._middles())
        if len(places):
            self.homes = places[self.rng.integers(0, len(places) - 1, self.size)]
            self.grains = self.grains if len(self.grains) else self.homes.copy()
        return len(places) > 0

    def drift(self, rounds: NDArray[np.uint8]) -> None:
        """Move every grain one step a round; grains that come to rest open a tile and restart."""
        free, goal, grains, inward = self.free, self.goal, self.grains, self.inward
        turning, offsets = rounds >> 2 < self.turning, self.offsets.take(rounds & 3)
        for turns, chosen in zip(turning, offsets, strict=True):
            np.putmask(self.courses, turns, chosen)  # Twice as fast as `copyto`.
            ahead = grains + self.courses
            rest = goal.take(ahead)
            ended = rest | goal.take(grains)
            goal[(grains if inward else ahead)[rest]] = inward
            np.putmask(grains, free.take(ahead), ahead)
            np.putmask(grains, ended, self.homes)

    def dig(self) -> None:
        """Copy the opened tiles to the plan."""
        opened = self.floor.reshape(self.plan.tiles.shape) & (self.plan.tiles == Tile.WALL)
        self.plan.tiles[opened] = Tile.FLOOR

    def _near(self) -> NDArray[np.bool_]:
        """Return rock at some distance from the floor, so outside its bays, or else all rock."""
        near = [self.floor.reshape(self.plan.tiles.shape)]
        for _ in range(FARTHEST):
            near.append(with_neighbours(near[-1]))
        ring: NDArray[np.bool_] = self.free & (near[NEAREST - 1] != near[-1]).ravel()
        return ring if ring.any() else self.free & ~self.floor

    def _middles(self) -> NDArray[np.bool_]:
        """Return the open centres of rooms, or all floor if there are none."""
        chosen = mask_at((room.center for room in self.plan.rooms), self.plan.tiles.shape)
        middles: NDArray[np.bool_] = chosen.ravel() & self.floor
        return middles if middles.any() else self.floor
