"""Loops: a way through the wall where the way around is long."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point
from procgen.grids.bitgrid import pack, within_reach
from procgen.registry import Count, Share, Side, step
from procgen.rng import Rng


class Breach(NamedTuple):
    """A straight way through a wall of ``thickness`` tiles: it begins behind the tile (x, y)."""

    x: int
    y: int
    upright: bool
    thickness: int

    @property
    def way(self) -> list[Point]:
        """The open tile before the wall, those of the wall, and the open tile behind it."""
        dx, dy = (0, 1) if self.upright else (1, 0)
        return [Point(self.x + n * dx, self.y + n * dy) for n in range(self.thickness + 2)]


@step(needs="floor")
def loops(
    plan: Blueprint,
    rng: Rng,
    *,
    threshold: Count = 20,
    at_most: Count = 8,
    thickness: Side = 1,
    doors: Share = 0.5,
) -> Iterator[str]:
    """Open walls where there is floor on both sides and the walk around is long.

    Walls up to ``thickness`` tiles thick are tried in random order; one is opened if the walk
    from one side of it to the other exceeds ``threshold`` steps, until ``at_most`` are (on an
    80x45 map; larger ones get their share more). A share ``doors`` of the openings gets one.
    (Brogue's loops; the walk is a flood of all rows at once, given up at the threshold.)
    """
    grid, width = pack(plan.open), plan.width
    most = at_most * plan.scale
    opened = 0
    for breach in rng.shuffled(_breaches(plan, thickness)):
        if opened == most:
            break
        before, *wall, behind = breach.way
        if not _sound(plan, breach) or within_reach(grid, width, before, behind, threshold):
            continue
        tunnel = Tile.TUNNEL in (plan.tiles[y, x] for x, y in (before, behind))
        for x, y in wall:
            plan.tiles[y, x] = Tile.TUNNEL if tunnel or len(wall) > 1 else Tile.FLOOR
            grid |= 1 << y * width + x
        if rng.chance(doors):
            plan.tiles[wall[0].y, wall[0].x] = Tile.DOOR
        opened += 1
        yield f"Loop {opened}: the way around was over {threshold} steps"


def _breaches(plan: Blueprint, most: int) -> list[Breach]:
    """Return where a straight way through 1 to ``most`` tiles of rock would join open ground."""
    doors = (plan.tiles == Tile.DOOR) | (plan.tiles == Tile.SECRET_DOOR)
    ends, rock = plan.open & ~doors, plan.tiles == Tile.WALL
    found = []
    for upright in (False, True):
        ground, stone = (ends.T, rock.T) if upright else (ends, rock)
        solid = stone.copy()
        solid[1:-1] &= stone[:-2] & stone[2:]
        solid[[0, -1]] = False
        for thick in range(1, min(most, ground.shape[1] - 2) + 1):
            span = ground.shape[1] - thick - 1
            fits = ground[:, :span] & ground[:, thick + 1 :]
            for n in range(1, thick + 1):
                fits = fits & solid[:, n : n + span]
            rows, columns = (axis.tolist() for axis in np.nonzero(fits))
            xs, ys = (rows, columns) if upright else (columns, rows)
            found += [Breach(x, y, upright, thick) for x, y in zip(xs, ys, strict=True)]
    return found


def _sound(plan: Blueprint, breach: Breach) -> bool:
    """Whether the wall and the rock beside it still stand, whatever was opened before."""
    (left, top), (right, bottom) = breach.way[1], breach.way[-2]
    aside, above = (1, 0) if breach.upright else (0, 1)
    around = plan.tiles[top - above : bottom + above + 1, left - aside : right + aside + 1]
    return bool((around == Tile.WALL).all())
