"""Plots: windows of a map in play to plant seeds in, and the changes that a seed makes there."""

from dataclasses import dataclass
from typing import NamedTuple

from entities.terrain import Mask, Tiles
from procgen.blueprint import Point


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
    ``target`` the place aimed at, ``depth`` that of the place.
    """

    tiles: Tiles
    ground: Mask
    taken: tuple[Point, ...]
    here: Point
    target: Point
    depth: int
