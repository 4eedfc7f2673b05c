"""Fitting vaults into a finished level: beside open floor, inside rock, or in the open."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Mask, Tile, openable_mask, terrain
from procgen.analysis.distances import UNREACHED, distances, regions, regions_intact
from procgen.blueprint import Blueprint, Point, RectangularRoom, Window, dig
from procgen.placement.painting import boxes_inside, interior, reserved, rooms_in
from procgen.rng import Rng
from procgen.vaults.orientations import Orientation
from procgen.vaults.vault_stamp import VaultPiece, exit_tile

VIEW = (128, 96)
"""Columns and rows of the random part of a large map that is searched for a place."""
LONGEST_TUNNEL = 24


@dataclass(frozen=True, eq=False)
class VaultSurroundings:
    """A part of the map: its upper left corner, and masks of what can be done with its tiles.

    ``rock`` can be dug, ``open`` walked on, ``plain`` decorated, ``ground`` built over: rock, and
    plain tiles outside rooms. All of them are arrays [y, x] of this part alone.
    """

    left: int
    top: int
    rock: Mask
    open: Mask
    plain: Mask
    ground: Mask


def random_surroundings(plan: Blueprint, rng: Rng) -> VaultSurroundings:
    """Return a random part of the map, all of it if it is no larger than `VIEW`."""
    left = rng.below(max(1, plan.width - VIEW[0] + 1))
    top = rng.below(max(1, plan.height - VIEW[1] + 1))
    window = np.s_[top : top + VIEW[1], left : left + VIEW[0]]
    tiles, inside = plan.tiles[window], interior(plan)[window]
    plain = terrain().plain[tiles] & inside & ~reserved(plan, window, centers=False)
    rock = (tiles == Tile.WALL) & inside
    ground = rock | plain
    for room in rooms_in(plan, window):
        rows = slice(max(0, room.y - top), room.y + room.height - top)
        ground[rows, max(0, room.x - left) : room.x + room.width - left] = False
    return VaultSurroundings(left, top, rock, terrain().walkable[tiles], plain, ground)


def fitting_places(
    view: VaultSurroundings, form: Orientation, ground: Mask, *, beside: bool
) -> list[Point]:
    """Return the corners where ``form`` covers only ``ground[y, x]``.

    With ``beside`` one of its exits meets open floor there as well.
    """
    fits = boxes_inside(ground, *form.grid.shape)
    meets = np.full(fits.shape, not beside)
    around = np.pad(view.open, 1)
    rows, columns = fits.shape
    for way in form.exits if beside else ():
        y, x = way.y + way.dy + 1, way.x + way.dx + 1
        meets |= around[y : y + rows, x : x + columns]
    ys, xs = np.nonzero(fits & meets)
    return list(map(Point, (xs + view.left).tolist(), (ys + view.top).tolist()))


def place_piece(plan: Blueprint, piece: VaultPiece, at: Point) -> bool:
    """Stamp ``piece`` and connect it; undo and return False if that would damage the level.

    Exits that meet open floor are opened; if there are none, a tunnel leads to the nearest
    floor. Everything connected stays connected, and occupied tiles stay walkable.
    """
    reach, height, width = LONGEST_TUNNEL + 2, piece.form.height, piece.form.width
    top, left = max(0, at.y - reach), max(0, at.x - reach)
    window = np.s_[top : at.y + height + reach, left : at.x + width + reach]
    before, rooms = plan.tiles[window].copy(), len(plan.rooms)
    piece.stamp(plan, *at)
    joined = not piece.form.exits or _open_exits(plan, piece, at) or _dig_out(plan, piece, at)
    taken = plan.tiles[window][reserved(plan, window)]
    if joined and terrain().walkable[taken].all() and _stays_connected(plan, window, before):
        return True
    plan.tiles[window] = before
    del plan.rooms[rooms:]
    return False


def _stays_connected(plan: Blueprint, window: Window, before: NDArray[np.uint8]) -> bool:
    """Return True if everything connected before still is, and no new part is disconnected.

    ``before[y, x]`` were the tiles of ``window``; none outside it has changed. What is connected
    within the window is connected on the map, which is searched for paths around only if needed.
    """
    old, new = openable_mask()[before], openable_mask()[plan.tiles[window]]
    labels, count = regions(new)
    if len(np.unique(labels[old & new])) == count and regions_intact(regions(old)[0], new):
        return True
    after, earlier = plan.open, plan.open
    earlier[window] = old
    labels, parts = regions(earlier)
    return regions(after)[1] <= max(1, parts) and regions_intact(labels, after)


def _open_exits(plan: Blueprint, piece: VaultPiece, at: Point) -> bool:
    """Open every exit of ``piece`` that meets open floor; return whether there was one."""
    walkable = terrain().walkable
    opened = False
    for way in piece.form.exits:
        x, y = at.x + way.x, at.y + way.y
        if walkable[plan.tiles[y + way.dy, x + way.dx]]:
            plan.tiles[y, x] = exit_tile(piece.form.vault)
            opened = True
    return opened


def _dig_out(plan: Blueprint, piece: VaultPiece, at: Point) -> bool:
    """Dig the shortest tunnel from an exit through rock to open floor; return success."""
    best: list[Point] = []
    for way in piece.form.exits:
        start = Point(at.x + way.x + way.dx, at.y + way.y + way.dy)
        if plan.inside(*start) and plan.tiles[start.y, start.x] == Tile.WALL:
            tunnel = _tunnel(plan, piece, at, start)
            if tunnel and (not best or len(tunnel) < len(best)):
                best, door = tunnel, Point(at.x + way.x, at.y + way.y)
    if not best:
        return False
    dig(plan, best)
    plan.tiles[door.y, door.x] = exit_tile(piece.form.vault)
    return True


def _tunnel(plan: Blueprint, piece: VaultPiece, at: Point, start: Point) -> list[Point]:
    """Return the rock from the nearest floor outside ``piece`` to ``start``; [] if too far."""
    box = plan.within_border(RectangularRoom(*start, 1, 1).grown(LONGEST_TUNNEL))
    left, top, tiles = box.x, box.y, plan.tiles[box.inner]
    outside = np.ones(tiles.shape, np.bool_)
    rows = slice(max(0, at.y - top), at.y + piece.form.height - top)
    outside[rows, max(0, at.x - left) : at.x + piece.form.width - left] = False
    rock = (tiles == Tile.WALL) & outside
    floor = np.pad(terrain().walkable[tiles] & outside, 1)
    near_floor = floor[:-2, 1:-1] | floor[2:, 1:-1] | floor[1:-1, :-2] | floor[1:-1, 2:]
    steps = distances(rock, start.x - left, start.y - top, diagonal=False)
    ends = np.where(rock & near_floor, steps, UNREACHED)
    y, x = divmod(int(ends.argmin()), ends.shape[1])
    if ends[y, x] > LONGEST_TUNNEL:
        return []
    way, moves = [Point(left + x, top + y)], [(1, 0), (-1, 0), (0, 1), (0, -1)]
    around = np.pad(steps, 1, constant_values=UNREACHED)
    for step in range(int(ends[y, x]) - 1, -1, -1):
        dx, dy = next(at for at in moves if around[y + 1 + at[1], x + 1 + at[0]] == step)
        moves = sorted(moves, key=(dx, dy).__ne__)  # Straight on, wherever that is as short.
        x, y = x + dx, y + dy
        way.append(Point(left + x, top + y))
    return way
