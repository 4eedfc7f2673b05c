"""Locked vaults: a door nobody forces, riches behind it, and the key somewhere else."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, one_of, terrain
from procgen.analysis import reached
from procgen.blueprint import Blueprint, Point
from procgen.furnishing.footing import Floorspace
from procgen.measure.pockets import Pocket, pockets, structure_of
from procgen.registry import Count, Share, Side, step
from procgen.rng import Rng
from procgen.ways.doorways import PLAIN, free_doorways

GATES = (*PLAIN, Tile.DOOR, Tile.GRASS, Tile.SAND, Tile.CARPET, Tile.ICE)
"""What a locked door may take the place of."""
MACHINES = (Tile.KEY, Tile.LOCKED_DOOR)
FAR = 3
"""The key lies among the one in so many tiles that are furthest from the lock."""


@step(needs="floor start exit")
def locked_vaults(
    plan: Blueprint,
    rng: Rng,
    *,
    chance: Share = 0.6,
    at_most: Count = 1,
    least: Side = 6,
    most: Side = 70,
    heaps: Side = 4,
) -> Iterator[str]:
    """Lock up to ``at_most`` parts that hang on one doorway, each with this ``chance``.

    So many for an 80x45 map, of ``least`` to ``most`` tiles and without start or exit, with
    ``heaps`` of gold in each; the key lies far off, where no other lock and no secret bars the
    way to it.
    """
    if not rng.chance(chance):
        return
    structure = structure_of(plan)
    if not structure:
        return
    doorways = set(free_doorways(plan, GATES))
    wanted = at_most * plan.scale
    floor = Floorspace(plan)
    for pocket in rng.shuffled(pockets(structure, least, most)):
        if not wanted:
            return
        vault = next(
            (
                found
                for gate in _gates(plan, pocket)
                if gate in doorways
                and plan.tiles[gate.y, gate.x] in GATES
                and (found := _shut(plan, gate))
            ),
            None,
        )
        if vault is None or not least <= len(vault.spots) <= most:
            continue
        key = _key_place(floor, vault, rng)
        if key is None or not any(floor.free[y, x] for x, y in vault.spots):
            continue
        plan.tiles[vault.gate.y, vault.gate.x] = Tile.LOCKED_DOOR
        floor.lay(*key, Tile.KEY)
        gold = sum(floor.lay(*spot, Tile.TREASURE) for spot in rng.shuffled(vault.spots)[:heaps])
        wanted -= 1
        yield f"A locked vault of {len(vault.spots)} tiles, {gold} heaps of gold in it, and its key"


@dataclass(frozen=True, eq=False)
class Vault:
    """What lies behind ``gate`` alone: its ``spots``, and where one gets without them."""

    gate: Point
    spots: list[Point]
    outside: NDArray[np.bool_]


def _gates(plan: Blueprint, pocket: Pocket) -> Iterator[Point]:
    """Yield where a door could shut ``pocket``: its gate, or the doorway before that."""
    x, y = pocket.gate
    yield pocket.gate
    for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        if plan.inside(x + dx, y + dy):
            yield Point(x + dx, y + dy)


def _shut(plan: Blueprint, gate: Point) -> Vault | None:
    """Return what a locked door at ``gate`` would shut in; None if it may not be."""
    assert plan.start
    ground = plan.open
    ground[gate.y, gate.x] = False
    inside = ground & ~reached(ground, *plan.start)
    beside = inside[gate.y - 1 : gate.y + 2, gate.x - 1 : gate.x + 2]
    machine = one_of(MACHINES)[plan.tiles[inside]].any()
    if not beside.any() or (plan.exit and inside[plan.exit.y, plan.exit.x]) or machine:
        return None
    ys, xs = np.nonzero(inside)
    shut_in = list(map(Point, xs.tolist(), ys.tolist()))
    ground &= terrain().walkable[plan.tiles]
    return Vault(gate, shut_in, reached(ground, *plan.start))


def _key_place(floor: Floorspace, vault: Vault, rng: Rng) -> Point | None:
    """Return a free place for the key of ``vault``: within reach, far from the lock."""
    ys, xs = np.nonzero(floor.free & vault.outside)
    if not len(xs):
        return None
    away = np.maximum(np.abs(xs - vault.gate.x), np.abs(ys - vault.gate.y))
    order = np.argsort(-away, kind="stable")[: max(1, len(xs) // FAR)]
    pick = int(order[rng.below(len(order))])
    return Point(int(xs[pick]), int(ys[pick]))
