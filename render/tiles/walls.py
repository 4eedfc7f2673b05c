"""Masonry: the top of a wall, its lit rim, and the face it turns to the south."""

from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from render.glyphs import NEIGHBOURS, essential
from render.tiles.canvas import Pixels
from render.tiles.chance import chance, grain

Shades = NDArray[np.float32]

_EAST, _SOUTH, _WEST = 2, 4, 8
SOUTH_FRONT = _SOUTH
"""The mask of a straight wall that is seen from the south."""

_DEEP, _GLOW, _RIM, _FRONT_RIM, _JOINT = 0.13, 0.25, 0.58, 0.94, 0.33


def wall_tiles(size: int) -> list[Pixels]:
    """Return the 256 wall tiles, by mask of open neighbours."""
    looks: dict[int, Pixels] = {}
    for mask in range(256):
        if (bare := essential(mask)) not in looks:
            looks[bare] = _opaque(_wall(size, bare))
    return [looks[essential(mask)] for mask in range(256)]


def face_height(size: int) -> int:
    """Return how many pixels of a tile its south face takes."""
    return round(size * 0.42)


def _opaque(shades: Shades) -> Pixels:
    tile = np.full((*shades.shape, 4), 255, np.uint8)
    tile[:, :, :3] = np.clip(shades * 255 + 0.5, 0, 255)[:, :, None]
    return tile


def _wall(size: int, mask: int) -> Shades:
    """Paint the top by the distance to what is open, then the face over its southern part."""
    front, others, near = _openings(size, mask)
    rim = max(1, round(size / 16))
    shades = _DEEP + _GLOW * np.clip(1 - near, 0, 1) ** 1.6 + (grain(size, 5) - 0.5) * 0.018
    shades[others <= rim] = _RIM
    shades[front <= rim] = _FRONT_RIM
    if mask & _SOUTH:
        face = _face(size).copy()
        _shade_ends(face, mask)
        shades[-len(face) :] = face
    return shades.astype(np.float32)


def _openings(size: int, mask: int) -> tuple[Shades, Shades, Shades]:
    """Return each pixel's distance to the open south, and to what else is open, in pixels.

    Both are counted in squares, for square corners; the third, to the nearest of all, is in
    tiles and as the crow flies, for the light that falls on the rock around a room.
    """
    front, others, near = (np.full((size, size), 2 * size, np.float32) for _ in range(3))
    for bit, (dx, dy) in enumerate(NEIGHBOURS):
        if mask >> bit & 1:
            across, down = _distances(size, dx, dy)
            field = front if 1 << bit == _SOUTH else others
            np.minimum(field, np.maximum(across, down), out=field)
            np.minimum(near, np.hypot(across, down) / size, out=near)
    return front, others, near


@cache
def _distances(size: int, dx: int, dy: int) -> tuple[Shades, Shades]:
    """Return how far each pixel is, across and down, from the open tile at (dx, dy).

    A southern opening reaches up over the face of the wall behind it: that is what makes
    the rims of two walls meet where one of them has no face.
    """
    y, x = np.indices((size, size), dtype=np.float32)
    left, top = dx * size, dy * size - (face_height(size) if dy == 1 else 0)
    across = np.maximum(np.maximum(left - x, x - (left + size - 1)), 0)
    down = np.maximum(np.maximum(top - y, y - (dy * size + size - 1)), 0)
    return across, down


@cache
def _face(size: int) -> Shades:
    """Return the masonry of a south face: float32[face_height, size]."""
    height = face_height(size)
    courses = max(2, round(height / 5))
    face = np.empty((height, size), np.float32)
    edges = [round(i * height / courses) for i in range(courses + 1)]
    for course, (top, bottom) in enumerate(pairwise(edges)):
        _lay_course(face[top:bottom], course)
    face *= np.linspace(1.08, 0.84, height, dtype=np.float32)[:, None]
    hair = _hair(size)
    face[:hair] *= 0.62
    face[-hair:] *= 0.5
    return face


def _lay_course(stones: Shades, course: int) -> None:
    """Lay one row of stones with joints below and between them, half a stone off the next."""
    height, size = stones.shape
    width, joint = size / 2, _hair(size)
    for x in range(size):
        place = (x + (course % 2) * round(width / 2)) % size
        stone, inside = int(place // width), place % width
        tone = 0.6 + 0.12 * chance(course, stone, 3)
        stones[:, x] = tone + 0.04 if joint <= inside < 2 * joint else tone
        if height > 2 * joint:
            stones[:joint, x] = tone + 0.09
        if inside < joint:
            stones[:, x] = _JOINT
    stones[-joint:] = _JOINT


def _hair(size: int) -> int:
    """Return the width of a joint in pixels."""
    return max(1, round(size / 26))


def _shade_ends(face: Shades, mask: int) -> None:
    """Turn the face round the outer corners: the western one takes the light."""
    width = max(1, round(face.shape[1] / 16))
    if mask & _WEST:
        face[:, :width] *= 1.18
    if mask & _EAST:
        face[:, -width:] *= 0.7
