"""Landmarks: small drawn structures in open country, for orientation."""

from collections.abc import Iterator
from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from entities.data_files import read_table
from entities.terrain import Mask, Tile, terrain
from procgen.blueprint import Blueprint
from procgen.placement import painting
from procgen.placement.monster_placement import sample_tiles
from procgen.rng import Rng
from procgen.step_registry import Few, Share, Tiles, step

Landmark = Literal["henge", "ruin", "tower", "obelisk", "graves", "ring", "camp"]

OUTLOOK = 100
"""The side of the part of a large map that is searched for a place, in tiles."""


@cache
def landmark_drawings() -> dict[Landmark, tuple[str, ...]]:
    """Return the rows of each landmark, from data/landmarks.toml."""
    return read_table("landmarks.toml", dict[Landmark, tuple[str, ...]])


@step(needs="floor")
def landmarks(
    plan: Blueprint,
    rng: Rng,
    *,
    number: Few = 3,
    kinds: tuple[Landmark, ...] = get_args(Landmark),
    on: tuple[painting.TileName, ...] = ("floor", "grass", "sand", "forest"),
    crumble: Share = 0.2,
    apart: Tiles = 8,
) -> Iterator[str]:
    """Build landmarks where there is room, each kind once before any is repeated.

    ``number`` landmarks are tried on an 80x45 map, a proportional number on others. ``kinds`` are
    the landmarks to choose from. They stand on tiles of the kinds ``on``, rotated and mirrored at
    random. Landmarks are at least ``apart`` tiles from each other. A share ``crumble`` of their
    walls has fallen to rubble. A landmark that would disconnect the level is left out.
    """
    free = painting.mask_of(plan, on) & ~painting.protected(plan) & painting.interior(plan)
    open_tiles = plan.open
    queue: list[Landmark] = []
    for _ in range(painting.scaled_to_area(plan, number) if kinds else 0):
        queue = queue or rng.shuffled(kinds)
        kind = queue.pop()
        drawing = _weathered(landmark_drawings()[kind], rng, crumble)
        place = _place(free, rng, *drawing.shape)
        if place is None or not _build(plan, open_tiles, drawing, place):
            continue
        (x, y), (height, width) = place, drawing.shape
        rows = slice(max(0, y - apart), y + height + apart)
        free[rows, max(0, x - apart) : x + width + apart] = False
        yield f"A landmark: {kind}"


def _weathered(drawing: tuple[str, ...], rng: Rng, crumble: float) -> NDArray[np.str_]:
    """Return ``drawing`` as characters [y, x], turned and mirrored, with some walls fallen."""
    chars = np.array([list(row) for row in drawing])
    fallen = rng.random_bytes(*chars.shape) < int(crumble * 256 + 0.5)
    chars[(chars == "#") & fallen] = terrain().kinds[Tile.RUBBLE].char
    chars = np.rot90(chars, rng.below(4))
    return chars[:, ::-1] if rng.chance(0.5) else chars


def _place(free: Mask, rng: Rng, height: int, width: int) -> tuple[int, int] | None:
    """Return the upper left corner (x, y) of a random box of ``free`` tiles, None if there is none.

    On a large map only a random part is searched.
    """
    top = rng.between(0, max(0, free.shape[0] - OUTLOOK))
    left = rng.between(0, max(0, free.shape[1] - OUTLOOK))
    part = free[top : top + OUTLOOK, left : left + OUTLOOK]
    corners = sample_tiles(painting.boxes_inside(part, height, width), rng, 1)
    return (left + corners[0][0], top + corners[0][1]) if corners else None


def _build(
    plan: Blueprint, open_tiles: Mask, drawing: NDArray[np.str_], corner: tuple[int, int]
) -> bool:
    """Draw a landmark unless it would disconnect the level; return success."""
    x, y = corner
    box = np.s_[y : y + drawing.shape[0], x : x + drawing.shape[1]]
    tiles = plan.tiles[box].copy()
    for (dy, dx), char in np.ndenumerate(drawing):
        if char != " ":
            tiles[dy, dx] = terrain().by_char[str(char)]
    closed = ~terrain().walkable[tiles]
    if not painting.can_close_area(open_tiles, corner, closed):
        return False
    plan.tiles[box] = tiles
    open_tiles[box] &= ~closed
    return True
