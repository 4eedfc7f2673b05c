"""The eight rotations and reflections of a vault, each with its exits and its outline."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, terrain
from procgen.blueprint import RectangularRoom, bounding_box
from procgen.vaults.vault_library import tiles_becoming
from procgen.vaults.vault_parser import CREATURES, EXIT, LEAVE, Vault

TURNS = {"no": (0,), "mirror": (0, 2, 4, 6), "any": (0, 1, 2, 3, 4, 5, 6, 7)}
"""Allowed orientations: the number of quarter turns; from 4 on after a reflection."""


@dataclass(frozen=True)
class Exit:
    """An exit at (x, y) of a vault; the tile outside is (dx, dy) further."""

    x: int
    y: int
    dx: int
    dy: int


@dataclass(frozen=True, eq=False)
class Orientation:
    """A vault in one of eight orientations, before its random changes are made.

    ``rock[y, x]`` are tiles that are always wall, and exits, which are wall until connected;
    ``body`` all others but gaps. ``room`` is the largest rectangle that is safe to walk on.
    """

    vault: Vault
    grid: NDArray[np.uint8]
    exits: tuple[Exit, ...]
    rock: NDArray[np.bool_]
    body: NDArray[np.bool_]
    room: RectangularRoom | None

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return int(self.grid.shape[1])

    @cached_property
    def height(self) -> int:
        """The number of rows."""
        return int(self.grid.shape[0])


@cache
def orientations(vault: Vault) -> tuple[Orientation, ...]:
    """Return all allowed orientations of the vault, without duplicates."""
    kinds = [kind for tile, kind in enumerate(terrain().kinds) if tile != Tile.TRAP]
    chars = CREATURES + "".join(kind.char for kind in kinds if kind.walkable)
    room = np.zeros(vault.grid.shape, np.bool_)
    if largest := largest_rectangle(tiles_becoming(vault, chars, all)):
        room[largest.inner] = True
    forms: list[Orientation] = []
    for turn in TURNS[vault.header.turn]:
        grid, place = vault.grid, room
        if turn >= 4:
            grid, place = grid[:, ::-1], place[:, ::-1]
        grid = np.ascontiguousarray(np.rot90(grid, turn % 4))
        rock = (grid == ord("#")) | (grid == ord(EXIT))
        gaps = grid == ord(LEAVE)
        floor = bounding_box(np.rot90(place, turn % 4))
        form = Orientation(vault, grid, _exits(grid), rock, ~rock & ~gaps, floor)
        if not any(np.array_equal(form.grid, other.grid) for other in forms):
            forms.append(form)
    return tuple(forms)


def _exits(grid: NDArray[np.uint8]) -> tuple[Exit, ...]:
    gaps = np.pad(grid == ord(LEAVE), 1, constant_values=True)
    return tuple(
        Exit(x, y, dx, dy)
        for y, x in np.argwhere(grid == ord(EXIT)).tolist()
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
        if gaps[y + dy + 1, x + dx + 1]
    )


def largest_rectangle(mask: NDArray[np.bool_]) -> RectangularRoom | None:
    """Return the rectangle of the most tiles of ``mask[y, x]``, or None if there is no tile."""
    best: RectangularRoom | None = None
    heights = [0] * mask.shape[1]
    for y, row in enumerate(mask.tolist()):
        heights = [height + 1 if inside else 0 for height, inside in zip(heights, row, strict=True)]
        for x, least in enumerate(heights):
            height = least
            for end in range(x, len(heights)):
                height = min(height, heights[end])
                area = height * (end - x + 1)
                if not area:
                    break
                if best is None or area > best.area:
                    best = RectangularRoom(x, y - height + 1, end - x + 1, height)
    return best
