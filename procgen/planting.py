"""Planting a seed: steps of the level generators run on a part of a map in play.

Nothing here knows creatures, items or turns. The engine hands over a `Plot`, a window of its map as
it is, and gets back the changed tiles, in the order in which they are to change. A plot is planned
as a whole, so no step has to be interruptible and a later version of a step cannot reach a growth
that was saved half-grown.

Steps alone would break a level: in a prototype some would have parted it in up to 65 % of
plantings. `mend` reopens the cheapest of the tiles that were closed until all that could be walked
hangs together again, so no seed has to be refused for that.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from entities.data_files import DATA
from entities.seed_kinds import FILE, GroundShape, SeedKind, Soil, seed_kinds
from entities.terrain import SHUT_DOORS, TILE_NAMES, Tile, terrain, tile_mask
from procgen.analysis.distances import SQUARE, bitboard_distances, regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.carving.region_links import cheapest_links
from procgen.placement.painting import regions_intact
from procgen.recipes import Recipe, StepUse, step_uses
from procgen.rng import Rng

Tiles = NDArray[np.uint8]
Mask = NDArray[np.bool_]

BARE = (
    *(Tile.FLOOR, Tile.TUNNEL, Tile.RUBBLE, Tile.SAND, Tile.GRASS, Tile.MOSS, Tile.STAIN),
    *(Tile.ROAD, Tile.CARPET, Tile.BONES, Tile.HEATH, Tile.HILL, Tile.FOREST),
)
ROCK = (Tile.WALL, Tile.MOUNTAIN, Tile.EDGE, Tile.PILLAR, Tile.STATUE, Tile.SHELF)
WET = (Tile.WATER, Tile.SHALLOWS, Tile.REEDS, Tile.LAVA, Tile.ICE)
SOILS = {Soil.BARE: BARE, Soil.ROCK: ROCK, Soil.WET: WET}
"""The tiles of each soil. What is in none of them, such as doors, keys and gold, never changes."""
NEVER_GROWN = (Tile.SECRET_DOOR, Tile.LOCKED_DOOR, Tile.KEY, Tile.RELIC, Tile.ENTRANCE)
"""Tiles that no seed makes, though a step may (a mirror doubles keys): they become floor."""
HALO = 2
"""Tiles around the ground that steps see but cannot change; some steps close the border."""
MARGIN = 32
"""Tiles around the ground that are searched for ways round it.

A way that leads further counts as none, which errs to the safe side, and a planting in an endless
world costs no more than one on a small level.
"""
NEAR = 3
"""Ground is taken up to this many steps further from the target than the radius."""


class TileChange(NamedTuple):
    """One tile that changes: (x, y) in the window and the new tile."""

    x: int
    y: int
    tile: int


@dataclass(frozen=True, eq=False)
class Plot:
    """A window of a map to plant in; all places count from its upper left tile.

    ``tiles`` (uint8 [y, x]) are those in play, ``ground`` (bool) the tiles that may change,
    ``taken`` the places of creatures and items, which stay walkable. ``here`` is the planter,
    ``target`` the place aimed at, ``depth`` that of the level, ``recipe`` its recipe, if any.
    """

    tiles: Tiles
    ground: Mask
    taken: tuple[Point, ...]
    here: Point
    target: Point
    depth: int
    recipe: Recipe | None = None


@cache
def seed_chains(folder: Path = DATA) -> dict[str, tuple[tuple[StepUse, ...], ...]]:
    """Return the chains of steps of every seed kind; raise `DataError` for an invalid one."""
    given = frozenset({"floor", "rooms", "start"})
    return {
        name: tuple(
            step_uses(chain, f"data/{FILE}: [{name}]: chains[{number}]", given)
            for number, chain in enumerate(kind.chains)
        )
        for name, kind in seed_kinds(folder).items()
    }


def ground_shape(kind: SeedKind, tiles: Tiles, here: Point, target: Point) -> Mask:
    """Return the tiles (bool [y, x]) that ``kind`` takes, whatever they are now."""
    height, width = tiles.shape
    rows, columns = np.arange(height)[:, None], np.arange(width)[None, :]
    match kind.ground:
        case GroundShape.DISC:
            far = (columns - target.x) ** 2 + (rows - target.y) ** 2
            disc: Mask = np.asarray(far <= kind.radius * (kind.radius + 1))
            return disc
        case GroundShape.LINE:
            return _strip(rows, columns, here, target, kind.radius)
        case GroundShape.ROOM:
            found = np.zeros(tiles.shape, np.bool_)
            room = _room_around(tile_mask(BARE)[tiles], target, kind.radius)
            found[room.inner] = True
            return found


def _strip(
    rows: NDArray[np.int64], columns: NDArray[np.int64], one: Point, other: Point, radius: int
) -> Mask:
    """Return the tiles within ``radius`` of the segment between two points, in whole numbers."""
    dx, dy = other.x - one.x, other.y - one.y
    length = max(1, dx * dx + dy * dy)
    along = np.clip((columns - one.x) * dx + (rows - one.y) * dy, 0, length)
    # Distances times the squared length, so that no floating-point number decides.
    across_x = (columns - one.x) * length - along * dx
    across_y = (rows - one.y) * length - along * dy
    strip: Mask = across_x**2 + across_y**2 <= (radius * length) ** 2
    return strip


def _room_around(bare: Mask, place: Point, most: int) -> RectangularRoom:
    """Return a rectangle of ``bare`` tiles around ``place``, up to ``most`` tiles each way.

    It grows by a row or a column at a time, in turn on all four sides, as long as all is bare.
    """
    left = right = place.x
    top = bottom = place.y
    growing = True
    while growing:
        growing = False
        for side in range(4):
            x1, x2 = left - (side == 0), right + (side == 1)
            y1, y2 = top - (side == 2), bottom + (side == 3)
            inside = x1 > 0 and y1 > 0 and x2 < bare.shape[1] - 1 and y2 < bare.shape[0] - 1
            near = max(place.x - x1, x2 - place.x, place.y - y1, y2 - place.y) <= most
            if inside and near and bare[y1 : y2 + 1, x1 : x2 + 1].all():
                left, right, top, bottom, growing = x1, x2, y1, y2, True
    return RectangularRoom(left, top, right - left + 1, bottom - top + 1)


def grow(name: str, plot: Plot, rng: Rng) -> list[list[TileChange]]:
    """Return what the seed ``name`` changes on ``plot``, turn by turn; [] if it cannot grow.

    Each random number comes from a branch of ``rng``. Everything that opens comes before anything
    that closes: in the order of the steps the level would be parted while it grows.
    """
    kind = seed_kinds()[name]
    may = _changeable(kind, plot)
    best: tuple[Tiles, NDArray[np.int16]] | None = None
    most = kind.least - 1
    for number, chain in enumerate([*_own_chain(kind, plot), *seed_chains()[name]]):
        grown, frames = _run(kind, plot, may, chain, rng.branch(f"chain {number}"))
        changed = int(np.count_nonzero(grown != plot.tiles))
        if changed > most:
            best, most = (grown, frames), changed
        if changed >= kind.enough:
            break
    return _in_turns(plot, *best, kind.turns) if best else []


def _own_chain(kind: SeedKind, plot: Plot) -> list[tuple[StepUse, ...]]:
    """Return the steps of the level's own recipe if ``kind`` grows those and they fit, else []."""
    if not kind.own_recipe or plot.recipe is None:
        return []
    rows, columns = _box(plot.ground, HALO)[0]
    width, height = plot.recipe.smallest
    fits = columns.stop - columns.start >= width and rows.stop - rows.start >= height
    return [plot.recipe.steps] if fits else []


def _changeable(kind: SeedKind, plot: Plot) -> Mask:
    """Return which tiles of ``plot`` the steps may change."""
    tiles, walkable = plot.tiles, terrain().walkable[plot.tiles]
    may = plot.ground & tile_mask(sum((SOILS[soil] for soil in kind.takes), ()))[tiles]
    # A small room may not be filled behind a wall that nobody sees through.
    box, (left, top) = _box(plot.ground, NEAR + 1)
    x, y = _footing(walkable[box], plot.target.x - left, plot.target.y - top)
    reach = bitboard_distances(walkable[box], x, y, kind.radius + NEAR) <= kind.radius + NEAR
    near = np.zeros_like(may)
    near[box] = reach | ndimage.binary_dilation(reach, SQUARE)
    may &= near | ~walkable
    # What lies behind a lock is out of reach, or a burrow would go round the lock.
    behind = _behind_locks(tiles, walkable, plot.here)
    may &= ~ndimage.binary_dilation(behind, SQUARE)
    # A locked door keeps all its surroundings; any door keeps its jambs and the way to it.
    may &= ~ndimage.binary_dilation(tile_mask(SHUT_DOORS)[tiles], SQUARE)
    may &= ~ndimage.binary_dilation(tiles == Tile.DOOR, SQUARE)
    return may


def _footing(walkable: Mask, x: int, y: int) -> tuple[int, int]:
    """Return the walkable tile nearest to (x, y), the first of several in reading order."""
    rows, columns = np.nonzero(walkable)
    if not rows.size:
        return x, y
    nearest = int(((rows - y) ** 2 + (columns - x) ** 2).argmin())
    return int(columns[nearest]), int(rows[nearest])


def _behind_locks(tiles: Tiles, walkable: Mask, here: Point) -> Mask:
    """Return the ground beside a locked door that cannot be walked to from ``here``.

    Secret doors count as open: digging past one takes nothing from the player.
    """
    ground = walkable | (tiles == Tile.SECRET_DOOR)
    ground[here.y, here.x] = True
    labels, count = ndimage.label(ground, SQUARE)
    behind = np.zeros(count + 1, np.bool_)
    behind[labels[ndimage.binary_dilation(tiles == Tile.LOCKED_DOOR, SQUARE)]] = True
    behind[[0, labels[here.y, here.x]]] = False
    found: Mask = behind[labels]
    return found


def _box(ground: Mask, halo: int) -> tuple[tuple[slice, slice], tuple[int, int]]:
    """Return the bounding box of ``ground``, ``halo`` tiles wider, and its (left, top)."""
    rows, columns = np.nonzero(ground.any(1))[0], np.nonzero(ground.any(0))[0]
    top, left = max(0, int(rows[0]) - halo), max(0, int(columns[0]) - halo)
    return np.s_[top : int(rows[-1]) + halo + 1, left : int(columns[-1]) + halo + 1], (left, top)


def _run(
    kind: SeedKind, plot: Plot, may: Mask, chain: Iterable[StepUse], rng: Rng
) -> tuple[Tiles, NDArray[np.int16]]:
    """Run ``chain`` on a blueprint of the ground; return all tiles after it, merged and mended.

    The second array says at which frame of the steps each tile changed last.
    """
    box, corner = _box(plot.ground, HALO)
    plan = _blueprint(kind, plot, box, corner)
    before = plan.tiles.copy()
    if kind.blank:
        plan.tiles[:] = Tile.WALL
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
    grown[box][changed] = plan.tiles[changed]
    return _fit(plot, grown), frames


def _captions(plan: Blueprint, chain: Iterable[StepUse], rng: Rng) -> Iterator[str]:
    for use in chain:
        yield from use.step.run(plan, rng.branch(use.label), use.parameters)
        yield use.label  # A step may change tiles after its last caption, or without any.


def _blueprint(
    kind: SeedKind, plot: Plot, box: tuple[slice, slice], corner: tuple[int, int]
) -> Blueprint:
    """Return the ground of ``plot`` as a level to build on.

    Everybody and every item is a spawn: steps already know how to spare those.
    """
    tiles = plot.tiles[box].copy()
    if kind.plain:
        tiles[tile_mask(BARE)[tiles]] = Tile.FLOOR
        tiles[tile_mask(ROCK)[tiles]] = Tile.WALL
    (left, top), (height, width) = corner, tiles.shape
    plan = Blueprint(tiles, plot.depth)
    plan.start = Point(plot.here.x - left, plot.here.y - top)
    target = Point(plot.target.x - left, plot.target.y - top)
    inside = [Point(x - left, y - top) for x, y in plot.taken]
    plan.spawns = [Spawn("hero", x, y) for x, y in inside if 0 <= x < width and 0 <= y < height]
    if not (0 <= plan.start.x < width and 0 <= plan.start.y < height):
        plan.start = None
    match kind.ground:
        case GroundShape.ROOM:
            rows, columns = np.nonzero(plot.ground[box])
            room = int(columns[0]), int(rows[0]), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1
            plan.rooms = [RectangularRoom(*room)]
        case GroundShape.LINE:
            ends = [target] if plan.start is None else [plan.start, target]
            plan.rooms = [RectangularRoom(*end, 1, 1) for end in ends]
        case GroundShape.DISC if plan.open[target.y, target.x]:
            # Not where the target is rock: steps expect the centre of a room to be open.
            plan.rooms = [RectangularRoom(*target, 1, 1)]
    return plan


def _fit(plot: Plot, grown: Tiles) -> Tiles:
    """Return ``grown`` without what would break a promise of the level in play."""
    old, walkable = plot.tiles, terrain().walkable
    new = np.where(tile_mask(NEVER_GROWN)[grown] & (grown != old), Tile.FLOOR, grown)
    new = new.astype(np.uint8)
    for x, y in (*plot.taken, plot.here):
        if not walkable[new[y, x]]:
            new[y, x] = old[y, x]
    _hang_doors(old, new)
    new = mend(old, new)
    # Pockets that nothing leads to become what they were.
    labels, count = regions(walkable[new])
    joined = np.zeros(count + 1, np.bool_)
    joined[labels[walkable[old] & walkable[new]]] = True
    lost = walkable[new] & ~joined[labels]
    new[lost] = old[lost]
    return new


def _hang_doors(old: Tiles, new: Tiles) -> None:
    """Turn the new doors in ``new`` to floor that do not hang between two closed tiles."""
    shut = ~terrain().walkable[new] & (new != Tile.WATER) & (new != Tile.LAVA)
    across = np.zeros_like(shut)
    across[:, 1:-1] |= shut[:, :-2] & shut[:, 2:]
    across[1:-1] |= shut[:-2] & shut[2:]
    new[(new == Tile.DOOR) & (old != Tile.DOOR) & ~across] = Tile.FLOOR


def mend(old: Tiles, new: Tiles) -> Tiles:
    """Return ``new`` with the fewest closed tiles reopened so that ``old`` ground stays connected.

    Both are windows [y, x] of one map, before and after a change. All that was walkable hung
    together by walkable tiles, so reopening always succeeds: the cheapest links over the tiles
    that were closed just now are found as those between the parts of a cave.
    """
    before, after = terrain().walkable[old], terrain().walkable[new]
    closed = before & ~after
    if not closed.any():
        return new
    mended = new.copy()
    if not regions_intact(regions(before)[0], after):
        labels, _ = regions(after)
        cost = (closed | after).astype(np.int32)
        # The links need no chance, but the search draws: its own stream, or it would move another.
        for link in cheapest_links(labels, cost, Rng(0, "mend")):
            for x, y in link.tiles:
                mended[y, x] = old[y, x]
    if not _diagonals_intact(before, terrain().walkable[mended]):
        mended[closed] = old[closed]
    return mended


def _diagonals_intact(before: Mask, after: Mask) -> bool:
    """Whether ground that hung together by diagonal steps still does; feet go diagonally."""
    labels, _ = ndimage.label(before, SQUARE)
    now, _ = ndimage.label(after, SQUARE)
    left = before & after
    home = np.zeros(int(labels.max(initial=0)) + 1, np.int32)
    home[labels[left]] = now[left]
    return bool((home[labels[left]] == now[left]).all())


def _in_turns(
    plot: Plot, grown: Tiles, frames: NDArray[np.int16], turns: int
) -> list[list[TileChange]]:
    """Return the changed tiles in ``turns`` groups: what opens first, what closes last."""
    walkable = terrain().walkable
    ys, xs = np.nonzero(grown != plot.tiles)
    new = grown[ys, xs]
    closes = walkable[plot.tiles[ys, xs]] & ~walkable[new]
    far = (xs - plot.target.x) ** 2 + (ys - plot.target.y) ** 2
    order = np.lexsort((xs, ys, far, frames[ys, xs], closes)).tolist()
    changes = [TileChange(int(xs[n]), int(ys[n]), int(new[n])) for n in order]
    share = -(-len(changes) // turns)
    return [changes[at : at + share] for at in range(0, len(changes), share)]
