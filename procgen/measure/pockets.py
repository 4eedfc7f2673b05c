"""Pockets: the parts of a level that one tile can shut."""

from dataclasses import dataclass

import numpy as np

from procgen.blueprint import Blueprint, Point
from procgen.measure.structure import Cells, Structure, analyse


@dataclass(frozen=True, eq=False)
class Pocket:
    """A part of the level behind its ``gate``: ``cells`` y * width + x, in reading order."""

    gate: Point
    cells: Cells


def pockets(structure: Structure, least: int, most: int) -> list[Pocket]:
    """Return the innermost pockets of ``least`` to ``most`` tiles, by gate in reading order.

    Innermost: none lies in another, and none holds a smaller one of at least ``least`` tiles.
    """
    width = structure.walkable.shape[1]
    sizes = structure.closes - structure.opens
    large = np.flatnonzero(sizes >= least)
    large = large[np.argsort(structure.opens[large], kind="stable")]
    following = np.append(structure.opens[large][1:], structure.order.size)
    inner = large[following >= structure.closes[large]]
    inner = inner[sizes[inner] <= most]
    gates = structure.order[structure.keeper[inner]]
    found = []
    for part, gate in sorted(zip(inner.tolist(), gates.tolist(), strict=True), key=_by_gate):
        cells = structure.order[structure.opens[part] : structure.closes[part]]
        found.append(Pocket(Point(gate % width, gate // width), np.sort(cells)))
    return found


def _by_gate(found: tuple[int, int]) -> tuple[int, int]:
    return found[1], found[0]


def deepest(structure: Structure, cells: Cells) -> Point:
    """Return the tile among ``cells`` furthest from the start; the first in reading order."""
    steps = structure.distance.ravel()[cells]
    row, column = divmod(int(cells[steps.argmax()]), structure.walkable.shape[1])
    return Point(column, row)


def structure_of(plan: Blueprint) -> Structure | None:
    """Return the structure of ``plan`` as seen from its start; None if it has none to stand on."""
    walkable = plan.open
    if plan.start is None or not walkable[plan.start.y, plan.start.x]:
        return None
    return analyse(walkable, plan.start)
