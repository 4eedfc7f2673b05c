"""Doorways: tiles where a corridor opens into a wide place; gaps through walls between floors."""

from collections.abc import Iterator

import numpy as np

from entities.terrain import Mask, Tile, tile_mask
from procgen.blueprint import Blueprint

DOOR_GROUND = (Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.RUBBLE, Tile.MOSS)
"""Ground that may become a door."""


def both_sides(mask: Mask) -> tuple[Mask, Mask]:
    """Return the tiles with ``mask`` [y, x] above and below, and those with it left and right."""
    upright, level = np.zeros_like(mask), np.zeros_like(mask)
    upright[1:-1] = mask[:-2] & mask[2:]
    level[:, 1:-1] = mask[:, :-2] & mask[:, 2:]
    return upright, level


def in_open_square(open_tiles: Mask) -> Mask:
    """Return the tiles of ``open_tiles[y, x]`` that are part of an open square of 2 by 2."""
    squares = open_tiles[1:, 1:] & open_tiles[1:, :-1] & open_tiles[:-1, 1:] & open_tiles[:-1, :-1]
    around = np.pad(squares, 1)
    return around[1:, 1:] | around[1:, :-1] | around[:-1, 1:] | around[:-1, :-1]


def doorways(plan: Blueprint) -> Mask:
    """Return the doorways as a bool array [y, x], including occupied tiles and existing doors.

    A doorway has rock on two opposite sides and open tiles on the other two, at least one of which
    is part of a room or another place at least two tiles wide. The border has no doorways.
    """
    open_tiles, rock = plan.open, plan.tiles == Tile.WALL
    walls, ways = both_sides(rock), both_sides(open_tiles)
    narrow = both_sides(~in_open_square(open_tiles))
    upright = walls[1] & ways[0] & ~narrow[0]
    level = walls[0] & ways[1] & ~narrow[1]
    return open_tiles & (upright | level)


def free_doorways(plan: Blueprint, tiles: tuple[int, ...] = DOOR_GROUND) -> list[tuple[int, int]]:
    """Return the unoccupied doorways (x, y) on one of ``tiles``, in reading order."""
    ys, xs = np.nonzero(doorways(plan) & tile_mask(tiles)[plan.tiles] & ~plan.occupied)
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def ends_and_between(x: int, y: int, dx: int, dy: int, between: int) -> list[tuple[int, int]]:
    """Return the tiles from (x, y) on by (dx, dy): both ends, and those ``between`` them."""
    return [(x + n * dx, y + n * dy) for n in range(between + 2)]


def straight_gaps(
    floor: Mask, rock: Mask, thickness: int, *, beside: bool = False
) -> Iterator[tuple[int, int, int, Mask]]:
    """Yield (dx, dy, thick, gaps): on ``gaps[y, x]``, floor lies behind ``thick`` tiles of rock.

    Gaps lead right or down through 1 to ``thickness`` tiles; ``beside`` them, rock must be, too.
    """
    for dx, dy in ((1, 0), (0, 1)):
        gaps, solid = floor, rock & both_sides(rock)[dy] if beside else rock
        for thick in range(1, min(thickness, rock.shape[dx] - 2) + 1):
            behind = floor[dy * (thick + 1) :, dx * (thick + 1) :]
            height, width = behind.shape
            gaps = gaps[:height, :width] & solid[dy * thick :, dx * thick :][:height, :width]
            yield dx, dy, thick, gaps & behind
