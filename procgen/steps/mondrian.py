"""Random-order space partition: a map cut like a Mondrian painting, one line at a time."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from entities.terrain import Tile
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.rng import Rng
from procgen.step_registry import AreaOrZero, Positive, Share, Side, step

Axis = Literal["longest", "random", "alternate"]
Stop = Literal["area", "sides", "count"]
Order = Literal["random", "depth_first"]


class Partition(NamedTuple):
    """The rules of a partition: the smallest leaf and the direction of the next line."""

    min_width: int
    min_height: int
    axis: Axis

    def capacity(self, width: int, height: int) -> int:
        """Return the most leaves that a rectangle can be cut into."""
        return max(1, width // self.min_width) * max(1, height // self.min_height)

    def upright(self, leaf: RectangularRoom, parent_upright: bool, coin: bool) -> bool | None:
        """Return True to cut ``leaf`` by an upright line, False by a level one, else None."""
        wide, high = leaf.width >= 2 * self.min_width, leaf.height >= 2 * self.min_height
        if not (wide and high):
            return wide or (False if high else None)
        if self.axis == "alternate":
            return not parent_upright
        if self.axis == "random" or leaf.width == leaf.height:
            return coin
        return leaf.width > leaf.height

    def cut(self, leaf: RectangularRoom, upright: bool, spare: int, rng: Rng) -> int:
        """Return a random place to cut ``leaf`` that costs at most ``spare`` of its capacity.

        A cut costs either nothing or one line of cells, and multiples of the smallest side cost
        nothing, so there is always a place.
        """
        side, across = (leaf.width, leaf.height) if upright else (leaf.height, leaf.width)
        sides = self.min_width, self.min_height
        least, least_across = sides if upright else sides[::-1]
        if max(1, across // least_across) <= spare:
            return rng.between(least, side - least)
        cells = side // least
        places = range(least, side - least + 1)
        return rng.pick([at for at in places if at // least + (side - at) // least == cells])


@step(
    gives="leaves regions",
    depends_on={"leaves": "stop=count", "min_area": "stop=area"},
    varies="min_area",
)
def mondrian_partition(
    plan: Blueprint,
    rng: Rng,
    *,
    min_width: Side = 10,
    min_height: Side = 10,
    min_area: AreaOrZero = 250,
    axis: Axis = "longest",
    stop: Stop = "area",
    order: Order = "random",
    leaves: Positive = 20,
) -> Iterator[str]:
    """Cut the map by one line at a time, each through a random leaf that is not yet finished.

    A cut lies at a random place where both parts are at least ``min_width`` wide and ``min_height``
    high. ``axis`` is the side to divide: the "longest", a "random" one, or in turn ("alternate")
    the one that its parent did not divide. If only one side can be divided, that side is taken.
    ``stop`` says when to end: "area" cuts no leaf of ``min_area`` tiles or fewer, "sides" cuts as
    long as a side is long enough, "count" ends at exactly ``leaves`` leaves, or at as many as
    the map can hold. With the ``order`` "depth_first" one part is finished before the next is
    begun. (A binary space partition in random order: not halves of halves, but any leaf next.)
    """
    rules = Partition(min_width, min_height, axis)
    spare = rules.capacity(plan.width, plan.height) - leaves if stop == "count" else 1 << 30
    plan.leaves = [RectangularRoom(0, 0, plan.width, plan.height)]
    plan.regions = np.ones((plan.height, plan.width), np.int32)
    unfinished = [(0, rng.chance(0.5))]
    while unfinished and not (stop == "count" and len(plan.leaves) >= leaves):
        pick = rng.below(len(unfinished)) if order == "random" else len(unfinished) - 1
        unfinished[pick], unfinished[-1] = unfinished[-1], unfinished[pick]
        number, parent_upright = unfinished.pop()
        leaf = plan.leaves[number]
        upright = rules.upright(leaf, parent_upright, rng.chance(0.5))
        if upright is None or (stop == "area" and leaf.area <= min_area):
            continue
        halves = leaf.halves(upright, rules.cut(leaf, upright, spare, rng))
        spare -= rules.capacity(leaf.width, leaf.height)
        spare += sum(rules.capacity(half.width, half.height) for half in halves)
        plan.leaves[number] = halves[0]
        plan.leaves.append(halves[1])
        plan.regions[halves[1].inner] = len(plan.leaves)
        unfinished += [(len(plan.leaves) - 1, upright), (number, upright)]
        first, second = (f"{half.width} by {half.height}" for half in halves)
        yield f"Cut {len(plan.leaves) - 1}: {first} and {second}"


@step(needs="leaves", gives="floor rooms", varies="smallest margin")
def loose_rooms_in_leaves(
    plan: Blueprint, rng: Rng, *, smallest: Share = 0.6, least: Side = 3, margin: Side = 1
) -> Iterator[str]:
    """Dig a room in each leaf, smaller than the leaf and at a random offset in it.

    A room keeps ``margin`` tiles of rock to the edge of its leaf. Its sides are at least
    ``smallest``, as a share of the space within, and at least ``least`` tiles where these fit.
    """
    dug = 0
    for leaf in plan.leaves:
        most_wide, most_high = leaf.width - 2 * margin, leaf.height - 2 * margin
        if most_wide < 1 or most_high < 1:
            continue
        width = rng.between(min(most_wide, max(least, int(most_wide * smallest))), most_wide)
        height = rng.between(min(most_high, max(least, int(most_high * smallest))), most_high)
        x = leaf.x + margin + rng.below(most_wide - width + 1)
        y = leaf.y + margin + rng.below(most_high - height + 1)
        room = RectangularRoom(x, y, width, height)
        plan.rooms.append(room)
        plan.tiles[room.inner] = Tile.FLOOR
        dug += 1
        if (dug - 1) % plan.scale == 0:
            yield f"Room {len(plan.rooms)}: {width} by {height}"
    if not plan.rooms:
        raise Rejected("no leaf has space for a room")
