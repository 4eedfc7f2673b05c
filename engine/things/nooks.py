"""The places of a level where things can lie: in the open, aside, behind locks, by furniture."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.analysis import reached, rings
from procgen.blueprint import Point
from procgen.build import Level
from procgen.measure.cuts import cut_sizes
from procgen.rng import Rng

BARE = (
    *(Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.GRASS, Tile.SAND, Tile.MOSS, Tile.CARPET),
    *(Tile.RUBBLE, Tile.ICE, Tile.BONES, Tile.STAIN),
)
"""The ground that things lie on."""
NEAR = 4
"""Nothing lies nearer than so many steps to the start."""
LEAST, MOST = 4, 150
"""A part of a level is aside if one tile shuts it and it has so many."""
ENOUGH = 128
"""So many places of a kind are told."""
Mask = NDArray[np.bool_]


@dataclass
class Nooks:
    """Shuffled places for things: ``open``, ``hidden`` aside, and those of each ``locked`` room.

    ``beside`` are those of the first two that are next to tiles of a kind, by its name.
    """

    open: list[Point]
    hidden: list[Point]
    locked: list[list[Point]]
    beside: dict[str, list[Point]]


def find_nooks(level: Level, rng: Rng, furniture: Iterable[str] = ()) -> Nooks:
    """Return where things can lie on ``level``; ``furniture`` are tiles that some lie beside."""
    walkable = terrain().walkable[level.tiles]
    inside = _inside(walkable, level.start)
    bare = np.isin(level.tiles, BARE)
    bare[level.exit.y, level.exit.x] = False
    free = bare & inside & ~_at_hand(walkable, level.start)
    hidden = free & (_aside(walkable, level.start) | _beside(level, "treasure"))
    return Nooks(
        _some(free & ~hidden, rng),
        _some(hidden, rng),
        [_some(room & bare, rng) for room in _locked(level, walkable & ~inside)],
        {name: _some(free & _beside(level, name), rng) for name in furniture},
    )


def _inside(walkable: Mask, start: Point) -> Mask:
    """Return the tiles that a way leads to from ``start``, whatever that lies on."""
    ground = walkable.copy()
    ground[start.y, start.x] = True
    return reached(ground, *start)


def _at_hand(walkable: Mask, start: Point) -> Mask:
    """Return the tiles fewer than `NEAR` steps from ``start``; no such way leads far around."""
    found = np.zeros(walkable.shape, np.bool_)
    left, top = max(0, start.x - NEAR), max(0, start.y - NEAR)
    box = np.s_[top : start.y + NEAR + 1, left : start.x + NEAR + 1]
    found[box] = rings(walkable[box], start.x - left, start.y - top, NEAR) < NEAR
    return found


def _some(mask: Mask, rng: Rng) -> list[Point]:
    ys, xs = mask.nonzero()
    chosen = rng.shuffled(range(len(xs)))[:ENOUGH]
    return [Point(int(xs[index]), int(ys[index])) for index in chosen]


def _aside(walkable: Mask, start: Point) -> Mask:
    """Return the tiles of the parts of ``walkable`` that one tile shuts, small ones only."""
    cuts = cut_sizes(walkable, start)
    gates = (cuts >= LEAST) & (cuts <= MOST)
    parts, count = ndimage.label(walkable & ~gates)
    sizes = np.bincount(parts.ravel(), minlength=count + 1)
    small = sizes <= MOST
    small[0] = False
    beside = np.unique(parts[ndimage.binary_dilation(gates)])
    shut = np.zeros(count + 1, bool)
    shut[beside] = True
    shut &= small
    shut[parts[start.y, start.x]] = False
    found: Mask = shut[parts]
    return found


def _beside(level: Level, name: str) -> Mask:
    """Return the tiles next to one called ``name``, and those themselves."""
    found: Mask = level.tiles == TILE_NAMES.index(name)
    if not found.any():
        return found
    near: Mask = ndimage.binary_dilation(found, np.ones((3, 3), bool))
    return near


def _locked(level: Level, apart: Mask) -> list[Mask]:
    """Return the rooms ``apart`` from the rest that only a key leads to, in reading order."""
    doors = level.tiles == Tile.LOCKED_DOOR
    if not doors.any():
        return []
    rooms, count = ndimage.label(apart)
    beside = ndimage.binary_dilation(doors)
    found = (rooms == number for number in range(1, count + 1))
    return [room for room in found if (room & beside).any()]
