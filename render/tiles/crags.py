"""Walls that nobody built: rock with a ragged rim and a broken face, and hedges."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.glyphs import WILD_LOOKS, essential
from render.tiles.canvas import Pixels
from render.tiles.chance import chance, grain
from render.tiles.walls import face_height

Shades = NDArray[np.float32]

MASKS = sorted({essential(mask) for mask in range(256)})
_ONE = np.float32(1)


class Stuff(NamedTuple):
    """What a wall is made of: shades from 0 to 1, lengths in parts of a tile."""

    lumps: int
    """How many lumps lie side by side in a tile."""
    crack: float
    """How dark it is between them."""
    deep: float
    glow: float
    rim: float
    front_rim: float
    face: float
    bite: float
    """How far the open bites into it."""
    seed: int


ROCK = Stuff(4, 0.5, 0.10, 0.30, 0.52, 0.92, 0.62, 0.13, 500)
HEDGE = Stuff(6, 0.42, 0.22, 0.34, 0.62, 0.86, 0.52, 0.14, 600)


def crag_tiles(size: int, stuff: Stuff) -> list[dict[int, Pixels]]:
    """Return the wall tiles of each look by `essential` mask of open neighbours."""
    return [
        dict(zip(MASKS, _walls(size, stuff, look), strict=True)) for look in range(WILD_LOOKS)
    ]


def _walls(size: int, stuff: Stuff, look: int) -> NDArray[np.uint8]:
    """Paint all walls of one look at once: uint8[mask, size, size, 4].

    Where the open has bitten a piece off, a tile is transparent. What is drawn near an edge is
    the same in all looks, and runs on at the opposite edge, so that any two tiles join.
    """
    gaps = _gaps(size)
    lumps, edges = _lumps(size, stuff, look)
    bite = _ragged(size, stuff.seed, look)
    rim = np.float32(max(1, round(size / 16)))
    body = gaps.sides - bite * np.float32(stuff.bite * size)
    body = np.minimum(body, gaps.foot - bite * np.float32(0.07 * size))
    front = gaps.front + (bite[size // 2] - np.float32(0.5)) * np.float32(0.16 * size)

    tone = (np.float32(0.55) + lumps * np.float32(0.9)) * edges
    near = np.minimum(np.minimum(gaps.sides, gaps.corners), np.abs(front))
    fade = np.clip(_ONE - near / np.float32(size), 0, 1) ** 2
    shades = stuff.deep * (0.7 + 0.3 * tone) + stuff.glow * fade * tone + grain(size, 5) * 0.018
    bright = np.float32(0.62) + np.float32(0.6) * lumps
    shades = np.where(np.minimum(body, gaps.corners - bite * 2) < rim, stuff.rim * bright, shades)
    shades = np.where((front >= 0) & (front < rim), stuff.front_rim * bright, shades)
    shades = np.where(front < 0, _face(gaps, front, tone, stuff), shades)

    tiles = np.empty((*shades.shape, 4), np.uint8)
    tiles[..., :3] = np.clip(shades * 255 + 0.5, 0, 255)[..., None]
    tiles[..., 3] = np.clip(body + 0.5, 0, 1) * 255
    return tiles
