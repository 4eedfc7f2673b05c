"""Planting a seed: steps of the level generators run on a plot, a part of a map in play.

This module knows nothing of creatures, items and turns. The engine passes a `Plot` of its current
map and gets back the changed tiles, in the order in which they are to change. A plot is planned as
a whole: no step has to be interruptible, and its later versions change no half-grown plot.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from entities.creature_kinds import HERO
from entities.seed_kinds import SEEDS_FILE, GroundShape, SeedKind, Soil, seed_kinds
from entities.terrain import (
    LOCK_TILES,
    OPENERS,
    SHUT_DOORS,
    TILE_NAMES,
    Mask,
    Tile,
    Tiles,
    terrain,
    tile_mask,
)
from procgen.analysis.distances import bitboard_distances, closest_tile, regions, with_neighbours
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn, bounding_box
from procgen.carving.doorways import both_sides
from procgen.plot_ground import BARE, HALO, ROCK, SOILS, repair_connectivity
from procgen.plots import Plot, TileChange
from procgen.recipes import Recipe
from procgen.rng import Rng
from procgen.step_chain import StepUse, step_uses
from procgen.steps.regions import FURNITURE

NEVER_GROWN = (*SHUT_DOORS, *OPENERS, Tile.RELIC, Tile.ENTRANCE, Tile.LEDGE, Tile.BRINK)
"""Tiles that no seed makes, though a step may (a mirror doubles keys): they become floor."""
HASTE = {"attach_rooms": {"patience": 8}, "place_vaults": {"tries": 4}}
"""Parameters for a level's recipe on a plot, which is soon full and must be planned in 30 ms."""
EXTRA_STEPS = 3
"""Ground is taken up to this many steps further from the target than the radius."""


@cache
def seed_chains() -> dict[str, tuple[tuple[StepUse, ...], ...]]:
    """Return the chains of steps of every seed kind; raise `DataError` for an invalid one."""
    provided = frozenset({"floor", "rooms", "start"})
    return {
        name: tuple(
            step_uses(chain, f"data/{SEEDS_FILE}: [{name}]: chains[{number}]", provided)
            for number, chain in enumerate(kind.chains)
        )
        for name, kind in seed_kinds().items()
    }


def grow_plot(
    name: str, plot: Plot, rng: Rng, own_recipe: Recipe | None = None
) -> list[list[TileChange]]:
    """Return what the seed ``name`` changes on ``plot``, turn by turn; [] if it cannot grow.

    ``own_recipe`` is that of the level, for seeds that grow it.

    Each random number comes from a branch of ``rng``. All tiles that open come before those that
    close: in the order of the steps, the level would be disconnected while the plot grows.
    """
    kind = seed_kinds()[name]
    may = _changeable(kind, plot)
    best: tuple[Tiles, NDArray[np.int16]] | None = None
    most = kind.least - 1
    for number, chain in enumerate([*_own_chain(plot, own_recipe), *seed_chains()[name]]):
        grown, frames = _run(kind, plot, may, chain, rng.branch(f"chain {number}"))
        changed = int(np.count_nonzero(grown != plot.tiles))
        if changed > most:
            best, most = (grown, frames), changed
        if changed >= kind.enough:
            break
    return _in_turns(plot, *best, kind.turns) if best else []


def _own_chain(plot: Plot, recipe: Recipe | None) -> list[tuple[StepUse, ...]]:
    """Return the steps of ``recipe`` if there is one and the plot is large enough, else []."""
    if recipe is None:
        return []
    rows, columns = _box(plot.ground, HALO)[0]
    width, height = recipe.smallest
    fits = columns.stop - columns.start >= width and rows.stop - rows.start >= height
    fast = [structs.replace(use.parameters, **HASTE.get(use.step.name, {})) for use in recipe.steps]
    steps = zip(recipe.steps, fast, strict=True)
    return [tuple(replace(use, parameters=settings) for use, settings in steps)] if fits else []


def _changeable(kind: SeedKind, plot: Plot) -> Mask:
    """Return which tiles of ``plot`` the steps may change."""
    tiles, walkable = plot.tiles, terrain().walkable[plot.tiles]
    may = plot.ground & tile_mask(sum((SOILS[soil] for soil in kind.takes), ()))[tiles]
    # Do not fill small rooms behind a wall, where the player cannot see the change.
    around = plot.ground.copy()
    around[plot.target.y, plot.target.x] = True
    box, (left, top) = _box(around, EXTRA_STEPS + 1)
    at = plot.target.x - left, plot.target.y - top
    x, y = closest_tile(walkable[box], *at) or at
    limit = kind.radius + EXTRA_STEPS
    reach = bitboard_distances(walkable[box], x, y, limit) <= limit
    nearby = np.zeros_like(may)
    nearby[box] = reach | with_neighbours(reach)
    may &= nearby | ~walkable
    # Ground behind a lock must not change, or a burrow would bypass the lock.
    may &= ~with_neighbours(_behind_locks(tiles, walkable, plot.here))
    # All doors and locks keep their surroundings: the walls beside them and the way to them.
    may &= ~with_neighbours(tile_mask(SHUT_DOORS)[tiles])
    may &= ~with_neighbours(tiles == Tile.DOOR)
    return may


def _behind_locks(tiles: Tiles, walkable: Mask, place: Point) -> Mask:
    """Return the regions beside locks that cannot be walked to from ``place``.

    Secret doors count as open: digging past one takes nothing from the player. Regions at the edge
    of the window may lie behind a lock outside it, and count as if they did.
    """
    ground = walkable | (tiles == Tile.SECRET_DOOR)
    ground[place.y, place.x] = True
    labels, count = regions(ground, diagonal=True)
    behind = np.zeros(count + 1, np.bool_)
    near_lock = with_neighbours(tile_mask(LOCK_TILES)[tiles])
    near_lock[[0, -1]] = near_lock[:, [0, -1]] = True
    behind[labels[near_lock]] = True
    behind[[0, labels[place.y, place.x]]] = False
    return behind[labels]


def _box(ground: Mask, halo: int) -> tuple[tuple[slice, slice], tuple[int, int]]:
    """Return the bounding box of ``ground``, ``halo`` tiles wider, and its (left, top)."""
    rows, columns = np.nonzero(ground.any(1))[0], np.nonzero(ground.any(0))[0]
    top, left = max(0, int(rows[0]) - halo), max(0, int(columns[0]) - halo)
    return np.s_[top : int(rows[-1]) + halo + 1, left : int(columns[-1]) + halo + 1], (left, top)


def _run(
    kind: SeedKind, plot: Plot, may: Mask, chain: Iterable[StepUse], rng: Rng
) -> tuple[Tiles, NDArray[np.int16]]:
    """Run ``chain`` on a blueprint of the ground; return all tiles after it, merged and repaired.

    The second array gives the number of the frame in which each tile changed last.
    """
    box, corner = _box(plot.ground, HALO)
    plan = _blueprint(kind, plot, box, corner)
    before = plan.tiles.copy()
    if kind.blank:
        plan.tiles[:] = Tile.WALL
        plan.rooms.clear()
    frames = np.zeros(plot.tiles.shape, np.int16)
    last = before.copy()
    try:
        for frame, _ in enumerate(_captions(plan, chain, rng), 1):
            frames[box][plan.tiles != last] = frame
            last = plan.tiles.copy()
    except Rejected:
        return plot.tiles, frames
    for old, new in kind.becomes.items():
        plan.tiles[plan.tiles == TILE_NAMES.index(old)] = TILE_NAMES.index(new)
    grown = plot.tiles.copy()
    changed = (plan.tiles != before) & may[box]
    if kind.treasure_chance and Soil.BARE not in kind.takes and not plan.rooms:
        changed &= ~_partitions(plot)[box]  # A chamber that is a cave must not join rooms.
    grown[box][changed] = plan.tiles[changed]
    return _fit(plot, grown), frames


def _partitions(plot: Plot) -> Mask:
    """Return the pillars, and the walls of all rooms but the one from which the target is seen."""
    tiles, (x, y), here = plot.tiles, plot.target, plot.here
    inside = with_neighbours(plot.ground) & (tiles != Tile.DOOR)
    rooms = regions(terrain().walkable[tiles] & inside)[0]
    at = closest_tile(rooms > 0, x + np.sign(here.x - x), y + np.sign(here.y - y))
    others = (rooms > 0) & (rooms != (rooms[at.y, at.x] if at else 0))
    return with_neighbours(others) | tile_mask(FURNITURE)[tiles]


def _captions(plan: Blueprint, chain: Iterable[StepUse], rng: Rng) -> Iterator[str]:
    for use in chain:
        yield from use.step.run(plan, rng.branch(use.label), use.parameters)
        yield use.label  # A step may change tiles after its last caption, or without any.


def _blueprint(
    kind: SeedKind, plot: Plot, box: tuple[slice, slice], corner: tuple[int, int]
) -> Blueprint:
    """Return the ground of ``plot`` as a level to build on.

    Every creature and item becomes a spawn, because steps already leave those tiles free.
    """
    tiles = plot.tiles[box].copy()
    if kind.plain:
        tiles[tile_mask(BARE)[tiles]] = Tile.FLOOR
        tiles[tile_mask(ROCK)[tiles]] = Tile.WALL
    plan = Blueprint(tiles, plot.depth)

    def inside(*places: Point) -> list[Point]:
        # Planter and target can lie outside, if the ground around them must not change.
        moved = (Point(x - corner[0], y - corner[1]) for x, y in places)
        return [place for place in moved if plan.contains(*place)]

    plan.start = next(iter(inside(plot.here)), None)
    plan.spawns = [Spawn(HERO, x, y) for x, y in inside(*plot.taken)]
    target = inside(plot.target)
    match kind.ground:
        case GroundShape.ROOM if room := bounding_box(plot.ground[box]):
            plan.rooms = [room]
        case GroundShape.LINE:
            plan.rooms = [RectangularRoom(*end, 1, 1) for end in inside(plot.here) + target]
        case GroundShape.DISC if target and plan.open[target[0].y, target[0].x]:
            # Not where the target is rock: steps expect the centre of a room to be open.
            plan.rooms = [RectangularRoom(*target[0], 1, 1)]
    return plan


def _fit(plot: Plot, grown: Tiles) -> Tiles:
    """Return ``grown`` without changes that would break an invariant of the level in play."""
    old, walkable = plot.tiles, terrain().walkable
    new = np.where(tile_mask(NEVER_GROWN)[grown] & (grown != old), Tile.FLOOR, grown)
    new = new.astype(np.uint8)
    for x, y in (*plot.taken, plot.here):
        if not walkable[new[y, x]]:
            new[y, x] = old[y, x]
    _hang_doors(old, new)
    new = repair_connectivity(old, new)
    # Unreachable pockets become what they were before.
    labels, count = regions(walkable[new])
    joined = np.zeros(count + 1, np.bool_)
    joined[labels[walkable[old] & walkable[new]]] = True
    lost = walkable[new] & ~joined[labels]
    new[lost] = old[lost]
    return new


def _hang_doors(old: Tiles, new: Tiles) -> None:
    """Turn new doors in ``new`` that are not between two closed tiles into floor, in place."""
    shut = ~terrain().walkable[new] & (new != Tile.WATER) & (new != Tile.LAVA)
    upright, level = both_sides(shut)
    new[(new == Tile.DOOR) & (old != Tile.DOOR) & ~(upright | level)] = Tile.FLOOR


def _in_turns(
    plot: Plot, grown: Tiles, frames: NDArray[np.int16], turns: int
) -> list[list[TileChange]]:
    """Return the changed tiles in ``turns`` groups: what opens first, what closes last."""
    walkable = terrain().walkable
    ys, xs = np.nonzero(grown != plot.tiles)
    new = grown[ys, xs]
    closes = walkable[plot.tiles[ys, xs]] & ~walkable[new]
    distance = (xs - plot.target.x) ** 2 + (ys - plot.target.y) ** 2
    order = np.lexsort((xs, ys, distance, frames[ys, xs], closes)).tolist()
    changes = [TileChange(int(xs[n]), int(ys[n]), int(new[n])) for n in order]
    share = -(-len(changes) // turns)
    return [changes[at : at + share] for at in range(0, len(changes), share)]
