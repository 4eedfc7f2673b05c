"""Chance that belongs to a place: the same whenever, and from wherever, one comes there."""

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from procgen.noise.gradients import WORD, stirred
from procgen.rng import Rng

_APART = 0x9FB21C651E98DF25
_HALF = (1 << 32) - 1

Dust = NDArray[np.uint8]


def own_seed(seed: int, purpose: str) -> int:
    """Return the seed that ``purpose`` has to itself."""
    return (seed + crc32(purpose.encode("utf-8")) * _APART) & WORD


def lot(seed: int, purpose: str, x: int, y: int) -> Rng:
    """Return the stream of ``purpose`` at (x, y), any integers up to 64 bits."""
    halves = [part for n in (x & WORD, y & WORD) for part in (n & _HALF, n >> 32)]
    return Rng(seed, "endless", purpose, *halves)


def dust(seed: int, purpose: str, corner: tuple[int, int], width: int, height: int) -> Dust:
    """Return a random byte for each tile of a window, [y, x], whatever window shows it."""
    xs, ys = _along(corner[0], width), _along(corner[1], height)
    words = stirred(own_seed(seed, purpose), xs[None, :], ys[:, None])
    return (words >> np.uint64(56)).astype(np.uint8)


def word(seed: int, purpose: str, x: int, y: int) -> int:
    """Return a random 64-bit number that belongs to (x, y)."""
    found = stirred(own_seed(seed, purpose), _along(x, 1), _along(y, 1))
    return int(found[0])


def _along(start: int, count: int) -> NDArray[np.int64]:
    return np.arange(count, dtype=np.int64) + np.int64(start)
