"""Gradient noise (Perlin, 1985) on an infinite lattice, and fractal sums of octaves.

Coordinates are fixed-point integers: with floats, noise far from the origin would lose its
fractional bits and two windows over one place would disagree.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from procgen.position_hash import WORD, Floats, gradients, purpose_seed

ONE = 32
"""Fractional bits of the fixed-point coordinates of a window."""
_ANOTHER = 0x5851F42D4C957F2D
"""The difference between the seeds of two successive octaves."""
OFFSET = 1_640_531_527
"""Shift of each octave's lattice, so that octaves are not all 0 at the same tiles."""
FINEST = 1 << 48
"""The largest step between tiles, in 1/2**ONE of a lattice cell; finer octaves look alike."""
BAND, SPARSE = 32, 8
"""The most rows of tiles in a band; lattice lines over SPARSE tiles apart also separate bands."""
LOUDNESS = 1.75
"""The factor that makes fractal noise fill [-1, 1].

Four octaves, each with half the amplitude of the one before, have a standard deviation of 0.19 and
reach 0.79 in ten million tiles. Scaled by this factor, 19 % of all tiles lie below -0.3, 31 %
between that and 0, and the other half above 0; one in two thousand is clipped. Fewer octaves have a
wider spread and are clipped more often.
"""

Octaves = Annotated[int, Meta(ge=1, le=16)]
"""The number of octaves of noise; finer ones than 16 fall between the tiles."""


def fade(share: Floats) -> Floats:
    """Return the weight of the further corner by Perlin's fade curve, smooth at both ends."""
    return share * share * share * (share * (share * 6.0 - 15.0) + 10.0)


@lru_cache(maxsize=64)
def _axis(
    place: int, count: int, step: int
) -> tuple[NDArray[np.int64], NDArray[np.intp], Floats, Floats]:
    """Return the lattice lines around ``count`` tiles, and where each tile lies between them.

    The first tile lies at ``place``, the others ``step`` apart, both in 1/2**ONE of a lattice cell.
    Lines are integers that wrap at 64 bits; in a lattice so fine that most lines touch no tile,
    those are left out. The other arrays give, by tile, the index of the line before it, the share
    of a cell past that line, and the weight of the line after it. The result is cached because
    level after level asks for the same lines.
    """
    first, rest = divmod(place, 1 << ONE)
    places = np.arange(count, dtype=np.int64) * step + rest
    before, past = places >> ONE, (places & ((1 << ONE) - 1)).astype(np.float64) * 2.0**-ONE
    every = before[-1] < 2 * count
    touched = np.arange(int(before[-1]) + 2) if every else np.union1d(before, before + 1)
    lines = touched.astype(np.uint64) + np.uint64(first & WORD)
    return lines.view(np.int64), np.searchsorted(touched, before), past, fade(past)


def _add_octave(total: Floats, seed: int, x: int, y: int, *, step: int, amplitude: float) -> None:
    """Add one octave of gradient noise over a window, times ``amplitude``, to ``total``.

    (``x``, ``y``) and ``step`` as in `_axis`; gradients are hashed once per lattice point. Along
    a lattice row the noise is linear in y, so level and slope are blended once per row of the
    lattice and column of the window; tiles only blend the two rows they lie between.
    """
    height, width = total.shape
    xs, columns, across, u = _axis(x, width, step)
    ys, rows, down, v = _axis(y, height, step)
    gx, gy = gradients(seed, xs[None, :], ys[:, None])
    v, down = v[:, None], down[:, None]
    left = gx[:, columns] * across
    level = left + (gx[:, columns + 1] * (across - 1.0) - left) * u
    slope = gy[:, columns]
    slope = slope + (gy[:, columns + 1] - slope) * u
    for band, row in _bands(rows):
        upper = slope[row] * down[band]
        upper += level[row]
        lower = slope[row + 1] * (down[band] - 1.0)
        lower += level[row + 1]
        lower -= upper
        lower *= v[band]
        lower += upper
        lower *= amplitude
        total[band] += lower


def _bands(rows: NDArray[np.intp]) -> Iterator[tuple[slice, NDArray[np.intp] | int]]:
    """Yield a window's rows of tiles in bands small enough for the processor's cache.

    Each comes with the lattice rows of its tiles, or one number if it lies between two lines.
    """
    dense = int(rows[-1] - rows[0]) * SPARSE > len(rows)
    lines = [] if dense else (np.flatnonzero(np.diff(rows)) + 1).tolist()
    edges = sorted({*range(0, len(rows), BAND), *lines, len(rows)})
    for start, end in pairwise(edges):
        yield slice(start, end), rows[start:end] if dense else int(rows[start])


def noise_octaves(
    seed: int,
    x0: int,
    y0: int,
    width: int,
    height: int,
    *,
    scale: float = 0.1,
    octaves: int = 4,
    persistence: float = 0.5,
    lacunarity: float = 2.0,
) -> Iterator[Floats]:
    """Yield `fractal_noise` before it is clipped, octave by octave, as an array [height, width].

    It is the same array each time: a copy for each octave would double the time. ``scale`` is the
    number of lattice cells per tile in the broadest octave; each octave has ``lacunarity`` times
    the frequency and ``persistence`` times the amplitude of the one before.
    """
    total_amplitude, amplitude = 0.0, 1.0
    for _ in range(octaves):
        total_amplitude += amplitude
        amplitude *= persistence
    total, amplitude = np.zeros((height, width)), LOUDNESS / max(total_amplitude, 1.0)
    for octave in range(octaves):
        step = min(max(1, int(scale * (1 << ONE) + 0.5)), FINEST)
        x, y = (place * step + octave * OFFSET for place in (x0, y0))
        _add_octave(total, seed + octave * _ANOTHER, x, y, step=step, amplitude=amplitude)
        yield total
        scale, amplitude = scale * lacunarity, amplitude * persistence


def fractal_noise(
    seed: int, x0: int, y0: int, width: int, height: int, *, scale: float = 0.1, octaves: int = 4
) -> Floats:
    """Return noise [height, width] of the window whose upper left tile is (``x0``, ``y0``).

    Values lie in [-1, 1] around 0. A tile's value depends only on the seed, its coordinates (any
    integers) and the parameters, not on the window.
    """
    *_, total = noise_octaves(seed, x0, y0, width, height, scale=scale, octaves=octaves)
    return np.clip(total, -1.0, 1.0, out=total)


def purpose_noise(
    seed: int, purpose: str, corner: tuple[int, int], *size: int, scale: float, octaves: int
) -> Floats:
    """Return `fractal_noise` with a seed for ``purpose``; its window is at ``corner``."""
    return fractal_noise(purpose_seed(seed, purpose), *corner, *size, scale=scale, octaves=octaves)
