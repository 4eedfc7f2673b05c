"""Gold behind chokepoints and in dead ends, and locked vaults with their keys."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import LOCK_TILES, OPENERS, Mask, Tile, terrain, tile_mask
from entities.wording import pluralise
from procgen.analysis.chokepoints import Structure, chokepoint_areas, structure_of
from procgen.analysis.distances import CARDINALS, UNREACHED, cut_off, reachable
from procgen.blueprint import Blueprint, Point, window_around
from procgen.carving.doorways import DOOR_GROUND, free_doorways
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.step_registry import Area, Few, Positive, Share, step


@step(needs="floor start exit")
def treasure_behind_chokepoints(
    plan: Blueprint,
    rng: Rng,
    *,
    hoards: Few = 2,
    heaps: Positive = 3,
    least: Area = 6,
    most: Area = 150,
) -> Iterator[str]:
    """Place gold at the far end of areas behind chokepoints, or in dead ends if there are few.

    There are ``hoards`` hoards of ``heaps`` heaps on an 80x45 map, a whole multiple on larger
    ones; a dead end takes one heap. Areas have ``least`` to ``most`` tiles and no stairs.
    """
    structure = structure_of(plan)
    if not structure:
        return
    floor = FreeFloor(plan)
    hoards *= plan.scale
    hiding = rng.shuffled(_cut_off(plan, structure, least, most))
    steps = structure.distance
    ends = [end for end in structure.dead_ends if steps[end.y, end.x] < UNREACHED]
    ends.sort(key=lambda end: -int(steps[end.y, end.x]))
    hiding += rng.shuffled([[end.y * plan.width + end.x] for end in ends[: 3 * hoards]])
    laid = 0
    for spots in hiding:
        if laid == hoards:
            return
        gold = rng.shuffled(spots[-max(heaps, len(spots) // 3) :])[:heaps]
        places = [(cell % plan.width, cell // plan.width) for cell in gold]
        heaped = sum([floor.place_walkable(x, y, Tile.TREASURE) for x, y in places])
        if heaped:
            laid += 1
            yield f"Hoard {laid}: {pluralise(heaped, 'heap')} of gold"


def _cut_off(plan: Blueprint, structure: Structure, least: int, most: int) -> list[list[int]]:
    """Return the tiles of each area behind a chokepoint, y * width + x, from near to far."""
    steps = structure.distance.ravel()
    ends = {y * plan.width + x for x, y in filter(None, (plan.exit, plan.start))}
    cells = [area.cells for area in chokepoint_areas(structure, least, most)]
    parts = (part[steps[part].argsort(kind="stable")].tolist() for part in cells)
    return [part for part in parts if ends.isdisjoint(part)]


GATES = (*DOOR_GROUND, Tile.DOOR, Tile.GRASS, Tile.SAND, Tile.CARPET, Tile.ICE)
"""Tiles that a locked door may replace."""
MACHINES = (*OPENERS, *LOCK_TILES)
KEY_TILES_PART = 3
"""The key lies among the 1/KEY_TILES_PART of the tiles that are furthest from the lock."""
FURTHEST = 80
"""The greatest distance of a key from its lock, in tiles."""


@step(needs="floor start exit")
def locked_vaults(
    plan: Blueprint,
    rng: Rng,
    *,
    chance: Share = 0.6,
    at_most: Few = 1,
    least: Area = 6,
    most: Area = 70,
    heaps: Positive = 4,
) -> Iterator[str]:
    """Lock areas behind a single doorway, with gold inside and the key elsewhere.

    With this ``chance`` the level has locked vaults, otherwise none. There are up to ``at_most`` on
    an 80x45 map, a whole multiple on larger ones. A vault has ``least`` to ``most`` tiles, and
    neither start nor exit. It holds ``heaps`` heaps of gold. The key lies far from the lock; no
    other lock and no secret door bars the way to it, and no secret door the way to the lock.
    """
    if not rng.chance(chance):
        return
    structure = structure_of(plan, roughly=True)
    if not structure:
        return
    assert plan.start
    doorways = set(free_doorways(plan, GATES))
    ground = reachable(plan.open, *plan.start)
    unhidden = reachable(plan.open & (plan.tiles != Tile.SECRET_DOOR), *plan.start)
    in_reach = reachable(terrain().walkable[plan.tiles], *plan.start)
    left = at_most * plan.scale
    floor = FreeFloor(plan)
    for area in rng.shuffled(chokepoint_areas(structure, least, most)):
        if not left:
            return
        # A door could close the area at its gate or at one of the 4 tiles beside that.
        beside = [Point(area.gate.x + dx, area.gate.y + dy) for dx, dy in CARDINALS]
        for gate in (area.gate, *beside):
            usable = gate in doorways and plan.tiles[gate.y, gate.x] in GATES
            if usable and unhidden[gate.y, gate.x] and (spots := _shut(plan, ground, gate)):
                break
        else:
            continue
        if not least <= len(spots) <= most:
            continue
        window, lost = cut_off(in_reach, gate, plan.start)
        in_reach[window] ^= lost
        in_reach[gate.y, gate.x] = False
        key = _key_place(floor, in_reach, gate, rng)
        if key is None or not any(floor.free[y, x] for x, y in spots):
            # The gate stays open after all.
            in_reach = reachable(terrain().walkable[plan.tiles], *plan.start)
            continue
        plan.tiles[gate.y, gate.x] = Tile.LOCKED_DOOR
        floor.place_walkable(*key, Tile.KEY)
        chosen = rng.shuffled(spots)[:heaps]
        gold = sum(floor.place_walkable(*spot, Tile.TREASURE) for spot in chosen)
        left -= 1
        size, hoard = pluralise(len(spots), "tile"), pluralise(gold, "heap")
        yield f"A locked vault of {size} with {hoard} of gold, and its key"


def _shut(plan: Blueprint, ground: Mask, gate: Point) -> list[Point]:
    """Return the tiles of ``ground`` behind a locked door at ``gate``, none if forbidden."""
    assert plan.start
    window, inside = cut_off(ground, gate, plan.start)
    left, top = window[1].start, window[0].start
    spots = [Point(left + x, top + y) for y, x in np.argwhere(inside).tolist()]
    machine = tile_mask(MACHINES)[plan.tiles[window][inside]].any()
    return [] if machine or plan.exit in spots else spots


def _key_place(floor: FreeFloor, in_reach: Mask, gate: Point, rng: Rng) -> Point | None:
    """Return a free place for a key among the tiles ``in_reach`` far from its ``gate``, or None."""
    window, left, top = window_around(*gate, FURTHEST)
    ys, xs = np.nonzero(floor.free[window] & in_reach[window])
    if not len(xs):
        return None
    away = np.maximum(np.abs(xs + left - gate.x), np.abs(ys + top - gate.y))
    order = np.argsort(-away, kind="stable")[: max(1, len(xs) // KEY_TILES_PART)]
    pick = int(order[rng.below(len(order))])
    return Point(left + int(xs[pick]), top + int(ys[pick]))
