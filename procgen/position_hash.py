"""Position-based random numbers: a hash of seed, purpose and coordinates.

Infinite worlds and noise need the same number at a place in whatever order places are visited, so
nothing here has state. The hash is the splitmix finaliser (Stafford's variant 13), 64 bits.
"""

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from procgen.rng import Rng

Floats = NDArray[np.float64]

WORD = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1, _MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_ALONG_X = np.uint64(0xD6E8FEB86659FD93)
_ALONG_Y = np.uint64(0xA0761D6478BD642F)

_A, _B, _C, _D = 1.4142135623730951, 1.3065629648763766, 1.0, 0.5411961001461971
_AROUND = (_A, _B, _C, _D, 0.0, -_D, -_C, -_B, -_A, -_B, -_C, -_D, 0.0, _D, _C, _B)
_GRADIENT_X = np.array(_AROUND)
_GRADIENT_Y = np.array(_AROUND[12:] + _AROUND[:12])
"""Sixteen gradients of length sqrt(2), with which one octave of noise just reaches -1 and 1."""


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(_MIX_1)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(_MIX_2)
    return words ^ (words >> np.uint64(31))


def hash_fraction(*numbers: int) -> float:
    """Return a hash of ``numbers`` as a fraction in [0, 1), a multiple of 2**-53."""
    word = 1
    for number in numbers:
        # `_mixed` for an int: an array of one number takes ten times as long.
        word = (word + number * _GOLDEN) & WORD
        word = (word ^ word >> 30) * _MIX_1 & WORD
        word = (word ^ word >> 27) * _MIX_2 & WORD
        word ^= word >> 31
    return (word >> 11) / (1 << 53)


def hash_points(seed: int, xs: NDArray[np.int64], ys: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a random 64-bit word for each point (``xs``, ``ys``); the two broadcast together.

    A point's word depends on the seed and its coordinates alone.
    """
    start = np.uint64((seed * _GOLDEN + 1) & WORD)
    columns = _mixed(xs.astype(np.uint64) * _ALONG_X + start)
    return _mixed(columns ^ (ys.astype(np.uint64) * _ALONG_Y))


def gradients(seed: int, xs: NDArray[np.int64], ys: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return the x and y of the gradient at each lattice point (``xs``, ``ys``).

    The two broadcast together, as for `hash_points`. (Gradient noise: Perlin, 1985.)
    """
    directions = hash_points(seed, xs, ys) >> np.uint64(60)
    return _GRADIENT_X[directions], _GRADIENT_Y[directions]


_APART = 0x9FB21C651E98DF25
_HALF = (1 << 32) - 1


def purpose_seed(seed: int, purpose: str) -> int:
    """Return a seed derived from ``seed`` for ``purpose`` alone."""
    return (seed + crc32(purpose.encode("utf-8")) * _APART) & WORD


def position_random(seed: int, purpose: str, x: int, y: int) -> Rng:
    """Return the random stream of ``purpose`` at (x, y); coordinates have up to 64 bits."""
    halves = [part for n in (x & WORD, y & WORD) for part in (n & _HALF, n >> 32)]
    return Rng(seed, "endless", purpose, *halves)


def position_noise(
    seed: int, purpose: str, corner: tuple[int, int], width: int, height: int
) -> NDArray[np.uint8]:
    """Return a random byte for each tile of a window, uint8 [y, x], the same in every window."""
    xs, ys = _along(corner[0], width), _along(corner[1], height)
    words = hash_points(purpose_seed(seed, purpose), xs[None, :], ys[:, None])
    return (words >> np.uint64(56)).astype(np.uint8)


def position_word(seed: int, purpose: str, x: int, y: int) -> int:
    """Return the random 64-bit number of (x, y)."""
    return int(hash_points(purpose_seed(seed, purpose), _along(x, 1), _along(y, 1))[0])


def _along(start: int, count: int) -> NDArray[np.int64]:
    return np.arange(count, dtype=np.int64) + np.int64(start)
