"""Wall tiles by mask of open neighbours: masonry, natural rock, hedges, cliffs.

A wall shows its top, a lit rim and, if the tile south of it is open, a face.
"""

from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from procgen.position_hash import hash_fraction, position_noise
from render.tiles.glyphs import NEIGHBOURS, VISIBLE_MASKS, WILD_VARIANTS, visible_mask
from render.tiles.tile_canvas import Pixels, hair_width
from render.ui.frame import Shades

_EAST, _SOUTH, _WEST = 2, 4, 8
SOUTH_FRONT = _SOUTH
"""The mask of a straight wall that is open only in the south."""

_DEEP, _GLOW, _RIM, _FRONT_RIM, _JOINT = 0.13, 0.25, 0.58, 0.94, 0.33


def wall_tiles(size: int) -> list[Pixels]:
    """Return the 256 wall tiles, by mask of open neighbours."""
    looks = {mask: _opaque(_wall(size, mask)) for mask in VISIBLE_MASKS}
    return [looks[visible_mask(mask)] for mask in range(256)]


def face_height(size: int) -> int:
    """Return the height of a south face in pixels."""
    return round(size * 0.42)


def _opaque(shades: Shades) -> Pixels:
    tile = np.full((*shades.shape, 4), 255, np.uint8)
    tile[..., :3] = np.clip(shades * 255 + 0.5, 0, 255)[..., None]
    return tile


def _wall(size: int, mask: int) -> Shades:
    """Paint the top by distance to open tiles, then the face over its southern part."""
    front, others, nearest = _openings(size, mask)
    rim = max(1, round(size / 16))
    shades = _DEEP + _GLOW * np.clip(1 - nearest, 0, 1) ** 1.6 + _grain(size)
    shades[others <= rim] = _RIM
    shades[front <= rim] = _FRONT_RIM
    if mask & _SOUTH:
        face = _face(size).copy()
        if mask & _WEST:  # Outer corners: the western end is lit, the eastern one in shade.
            face[:, :rim] *= 1.18
        if mask & _EAST:
            face[:, -rim:] *= 0.7
        shades[-len(face) :] = face
    return shades.astype(np.float32)


def _openings(size: int, mask: int) -> tuple[Shades, Shades, Shades]:
    """Return each pixel's distances to the open south, to other open tiles, and to any open tile.

    The first two are Chebyshev distances in pixels, for square corners. The third is the Euclidean
    distance in tiles, for the light that falls on the rock around a room.
    """
    front, others, nearest = (np.full((size, size), 2 * size, np.float32) for _ in range(3))
    for bit, (dx, dy) in enumerate(NEIGHBOURS):
        if mask >> bit & 1:
            across, down = _distances(size, dx, dy)
            field = front if 1 << bit == _SOUTH else others
            np.minimum(field, np.maximum(across, down), out=field)
            np.minimum(nearest, np.hypot(across, down) / size, out=nearest)
    return front, others, nearest


@cache
def _distances(size: int, dx: int, dy: int) -> tuple[Shades, Shades]:
    """Return the distance of each pixel, across and down, from the open tile at (dx, dy).

    A southern opening also covers the face of the wall above it. Thus the rims of two walls meet
    where one of them has no face.
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
    hair = hair_width(size)
    face[:hair] *= 0.62
    face[-hair:] *= 0.5
    return face


def _lay_course(stones: Shades, course: int) -> None:
    """Paint a row of stones with joints below and between, offset by half a stone in odd rows."""
    height, size = stones.shape
    width, joint = size / 2, hair_width(size)
    place = (np.arange(size) + (course % 2) * round(width / 2)) % size
    tones = np.array([0.6 + 0.12 * hash_fraction(course, stone, 3) for stone in range(2)])
    tone, inside = tones[(place // width).astype(int)], place % width
    stones[:] = tone + 0.04 * ((joint <= inside) & (inside < 2 * joint))
    if height > 2 * joint:
        stones[:joint] = tone + 0.09
    stones[:, inside < joint] = _JOINT
    stones[-joint:] = _JOINT


def _grain(size: int) -> Shades:
    """Return a faint noise for every pixel of a tile."""
    noise = position_noise(5, "grain", (0, 0), size, size)
    return np.asarray(noise / 255 - 0.5, np.float32) * np.float32(0.018)


class WallMaterial(NamedTuple):
    """The material of a natural wall: shades from 0 to 1, lengths as shares of a tile."""

    seed: int
    lumps: int
    """The number of lumps across a tile."""
    crack: float
    """Brightness of the gaps between lumps."""
    deep: float
    glow: float
    rim: float
    front_rim: float
    face: float
    bite: float
    """Depth of the ragged edge."""
    leafy: float
    """The share by which gaps between lumps darken the rim."""


ROCK = WallMaterial(500, 3, 0.62, 0.13, 0.33, 0.56, 0.92, 0.66, 0.15, 0)
HEDGE = WallMaterial(605, 5, 0.36, 0.17, 0.5, 0.76, 0.84, 0.66, 0.2, 0.65)
CLIFF = WallMaterial(710, 2, 0.6, 0.3, 0.26, 0.64, 0.95, 0.5, 0.17, 0)

MASKS = np.array(VISIBLE_MASKS)
_TEETH = 6
"""The number of teeth of a ragged edge."""


def wild_wall_tiles(size: int, material: WallMaterial) -> list[dict[int, Pixels]]:
    """Return the wall tiles of each variant, by `visible_mask` of open neighbours."""
    masks, looks = MASKS.tolist(), range(WILD_VARIANTS)
    return [dict(zip(masks, _walls(size, material, variant), strict=True)) for variant in looks]


def _walls(size: int, material: WallMaterial, variant: int) -> NDArray[np.uint8]:
    """Paint all walls of one variant at once: uint8[mask, size, size, 4].

    A tile is transparent outside its ragged edge. Near the edges all variants are the same, and
    shapes that cross one edge continue at the opposite edge, so any two tiles join.
    """
    gaps = _gaps(size)
    lumps, crack = _lumps(size, material, variant)
    bite = _ragged(size, material.seed, variant)
    rim = max(1, round(size / 16))
    sides = gaps.sides - bite * (material.bite * size)
    inner = gaps.inner - bite * (material.bite * size)
    body = np.minimum(sides, gaps.foot - bite[0] * (0.1 * size))
    front = gaps.front + (bite[size // 2] - 0.5) * (0.16 * size)
    tone: Shades = (0.6 + 0.7 * lumps) * (material.crack + (1 - material.crack) * crack)
    shades = material.deep * (0.5 + 0.5 * tone) + material.glow * gaps.light * tone
    shades += _grain(size)
    edge = (0.72 + 0.5 * lumps) * (1 - material.leafy * (1 - crack))
    shades = np.where(np.minimum(sides, inner) < rim, material.rim * edge, shades)
    shades = np.where(inner < 0, material.face * 0.4, shades)
    shades = np.where(front < rim, material.front_rim * edge, shades)
    shades = np.where(front < 0, _faces(gaps, front, material.face * tone), shades)
    tiles = _opaque(shades)
    tiles[..., 3] = np.clip(body + 0.5, 0, 1) * 255
    return tiles


class _Gaps(NamedTuple):
    """Distances in pixels from each pixel of each mask's tile to open ground."""

    sides: Shades
    """To the open north, east and west and the corners between them."""
    inner: Shades
    """To open corners in the south, where the faces of the neighbours begin."""
    front: Shades
    """To the top of the face; negative on the face."""
    foot: Shades
    """To the foot of the face."""
    turn: Shades
    """The factor of the face's light: more at its western end, less at its eastern end."""
    light: Shades
    """The light from open ground, 0 to 1."""


@cache
def _gaps(size: int) -> _Gaps:
    y, x = np.indices((1, size, size), dtype=np.float32)[1:] + np.float32(0.5)
    nowhere = np.float32(2 * size)

    def where_open(bit: int, distance: Shades) -> Shades:
        return np.where((MASKS >> bit & 1)[:, None, None], distance, nowhere)

    east_of, over = size - x, np.maximum(size - face_height(size) - y, 0)
    north, east, west = where_open(0, y), where_open(1, east_of), where_open(3, x)
    front = where_open(2, size - face_height(size) - y)
    sides = np.minimum(_rounded(north, east, 0.34 * size), _rounded(north, west, 0.34 * size))
    for bit, across in ((4, east_of), (7, x)):
        sides = np.minimum(sides, where_open(bit, np.hypot(across, y)))
    inner = np.minimum(where_open(5, np.hypot(east_of, over)), where_open(6, np.hypot(x, over)))
    nearest = np.minimum(np.minimum(sides, inner), np.abs(front))
    reach = size / 12
    turn = 1 + 0.2 * (west < reach) - 0.34 * (east < reach)
    light = np.clip(1 - nearest / size, 0, 1) ** 1.6
    foot = where_open(2, size - y)
    foot = np.minimum(_rounded(foot, east, 0.2 * size), _rounded(foot, west, 0.2 * size))
    return _Gaps(sides, inner, front, foot, turn.astype(np.float32), light.astype(np.float32))


def _rounded(first: Shades, second: Shades, radius: float) -> Shades:
    """Return the distance to the nearer of two edges with a rounded corner."""
    corner = radius - np.hypot(np.maximum(radius - first, 0), np.maximum(radius - second, 0))
    both = np.maximum(first, second) < radius
    return np.where(both, corner, np.minimum(first, second)).astype(np.float32)


def _faces(gaps: _Gaps, front: Shades, tone: Shades) -> Shades:
    """Return the faces: darker towards the foot and along the rim and the ground."""
    size = front.shape[-1]
    deep = -front / face_height(size)
    hair = hair_width(size)
    shades = tone * gaps.turn * (1.12 - 0.42 * deep)
    shades = np.where(front > -hair, shades * 0.6, shades)
    return np.where(gaps.foot < 1.6 * hair, shades * 0.55, shades)


def _lumps(size: int, material: WallMaterial, variant: int) -> tuple[Shades, Shades]:
    """Return lumps lit from the north-west, and the distance from the gaps between, both 0 to 1."""
    count = material.lumps
    pitch = size / count
    y, x = np.indices((size, size), dtype=np.float32)
    away = np.empty((count * count, size, size), np.float32)
    tilt = np.empty_like(away)
    for i in range(count * count):
        row, column = divmod(i, count)
        salt = variant + 1 if row and column else 0
        dx, dy, shade = (hash_fraction(material.seed, salt, i, part) for part in range(3))
        # Distances wrap around, so a lump on an edge continues on the neighbouring tile.
        across = (x - (column + dx - 0.5) * pitch + size / 2) % size - size / 2
        down = (y - (row + dy - 0.5) * pitch + size / 2) % size - size / 2
        away[i] = np.hypot(across, down * 1.15)
        tilt[i] = 0.35 + 0.4 * shade - (0.5 * across + 0.8 * down) / pitch * 0.5
    first = away.argmin(axis=0)
    nearest, second = np.partition(away, 1, axis=0)[:2]
    lit = np.take_along_axis(tilt, first[None], axis=0)[0]
    return np.clip(lit, 0, 1), np.clip((second - nearest) / (0.05 * size), 0, 1)


def _ragged(size: int, seed: int, variant: int) -> Shades:
    """Return the depth of the ragged edge at each place, 0 to 1, interpolated between teeth."""

    def bite(i: int, j: int) -> float:
        return hash_fraction(seed, variant + 1 if i and j else 0, i, j, 9)

    teeth = np.array([[bite(i, j) for i in range(_TEETH)] for j in range(_TEETH)], np.float32)
    place = np.arange(size) * (_TEETH / size)
    low = place.astype(np.int64)
    share = (place - low).astype(np.float32)
    high = (low + 1) % _TEETH
    rows: Shades = teeth[low] * (1 - share)[:, None] + teeth[high] * share[:, None]
    return rows[:, low] * (1 - share) + rows[:, high] * share
