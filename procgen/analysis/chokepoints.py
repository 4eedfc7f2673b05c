"""The structure of a finished level: dead ends, chokepoints, and the parts they cut off."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Mask
from procgen.analysis.articulation_points import CutOffParts, cut_off_parts
from procgen.analysis.distances import distances
from procgen.blueprint import Blueprint, Point

Cells = NDArray[np.int32]
"""Tiles by their place in reading order: y * width + x."""


@dataclass(frozen=True, eq=False)
class Structure:
    """The structure of ``walkable[y, x]`` as seen from the walkable tile ``start``.

    Connectivity is in 4 directions, except for ``distance``. Properties are computed when they are
    first read, so ``walkable`` must not change.
    """

    walkable: Mask
    start: tuple[int, int]

    @cached_property
    def parts(self) -> CutOffParts:
        """The parts that single tiles cut off from the start."""
        return cut_off_parts(self.walkable, self.start)

    @cached_property
    def distance(self) -> NDArray[np.int32]:
        """Steps [y, x] from the start in 8 directions."""
        return distances(self.walkable, *self.start)

    @cached_property
    def dead_ends(self) -> tuple[Point, ...]:
        """Every tile with a single walkable 4-neighbour, in reading order."""
        ys, xs = np.nonzero(dead_ends(self.walkable))
        return tuple(map(Point, xs.tolist(), ys.tolist()))

    @cached_property
    def cuts(self) -> NDArray[np.int32]:
        """The number of tiles each tile [y, x] cuts off from the start; 0 if it is no chokepoint.

        If the start is a chokepoint, it cuts off all parts but the largest.
        """
        cuts = np.zeros(self.walkable.shape, np.int32)
        order, cut_point, opens, closes = self.parts
        np.add.at(cuts.reshape(-1), order[cut_point], closes - opens)
        return cuts

    @property
    def largest_cut(self) -> int:
        """The largest number of tiles that one chokepoint cuts off."""
        return int(self.cuts.max(initial=0))

    def sealed(self) -> NDArray[np.int32]:
        """Return for each tile the size of the smallest cut-off part around it, int32 [y, x]."""
        order, _, *parts = self.parts
        sizes = np.zeros(len(order), np.int32)
        for opens, closes in np.array(parts).T[parts[0].argsort()].tolist():
            sizes[opens:closes] = closes - opens  # Smaller parts inside it come later.
        field = np.zeros(self.walkable.size, np.int32)
        field[order] = sizes
        return field.reshape(self.walkable.shape)


def neighbours(walkable: Mask) -> NDArray[np.uint8]:
    """Return how many of each tile's 4 neighbours are ``walkable[y, x]``, as uint8 [y, x]."""
    count = np.zeros(walkable.shape, np.uint8)
    count[1:] += walkable[:-1]
    count[:-1] += walkable[1:]
    count[:, 1:] += walkable[:, :-1]
    count[:, :-1] += walkable[:, 1:]
    return count


def dead_ends(walkable: Mask) -> Mask:
    """Return the walkable tiles with one walkable 4-neighbour."""
    ends: Mask = walkable & (neighbours(walkable) == 1)
    return ends


@dataclass(frozen=True, eq=False)
class ChokepointArea:
    """A part of the level behind one tile, its ``gate``; ``cells`` are y * width + x, ascending."""

    gate: Point
    cells: Cells


def chokepoint_areas(structure: Structure, least: int, most: int) -> list[ChokepointArea]:
    """Return the innermost areas of ``least`` to ``most`` tiles, in reading order of their gates.

    Innermost means that no area lies in another or contains one of at least ``least`` tiles.
    """
    width = structure.walkable.shape[1]
    order, cut_point, opens, closes = structure.parts
    sizes = closes - opens
    large = np.flatnonzero(sizes >= least)
    large = large[np.argsort(opens[large], kind="stable")]
    following = np.append(opens[large][1:], order.size)
    inner = large[following >= closes[large]]
    inner = inner[sizes[inner] <= most]
    gates, entries = order[cut_point[inner]].tolist(), []
    shared = Counter(gates)
    spans = opens[inner].tolist(), closes[inner].tolist()
    for gate, begin, end in zip(gates, *spans, strict=True):
        cells, side = np.sort(order[begin:end]), 0
        if shared[gate] > 1:  # South of the gate first, then east, north and west.
            around = gate + width, gate + 1, gate - width, gate - 1
            side = [tile in cells for tile in around].index(True)
        entries.append((gate, side, ChokepointArea(Point(gate % width, gate // width), cells)))
    return [area for *_, area in sorted(entries, key=lambda entry: entry[:2])]


ROUGHLY = 32
"""A structure is roughly right until more than one in this many tiles is opened or closed."""


def structure_of(plan: Blueprint, *, roughly: bool = False) -> Structure | None:
    """Return the structure of ``plan`` seen from its start; None if the start is missing or closed.

    The structure from an earlier call is reused if no tile was opened or closed since or, with
    ``roughly``, if few were: furniture seldom matters to callers that check every place again.
    """
    walkable, last = plan.open, plan.structure
    if plan.start is None or not walkable[plan.start.y, plan.start.x]:
        return None
    if isinstance(last, Structure) and last.start == plan.start:
        changes = np.count_nonzero(last.walkable != walkable)
        if not changes or (roughly and changes * ROUGHLY <= walkable.size):
            return last
    plan.structure = structure = Structure(walkable, plan.start)
    return structure
