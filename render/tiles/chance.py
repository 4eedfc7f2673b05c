"""Dice that always fall the same way: small hashes that scatter details over a tile."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_MASK = 0xFFFFFFFF


def chance(*numbers: int) -> float:
    """Return a fraction in [0, 1) that depends on ``numbers`` alone."""
    state = 0x9E3779B9
    for number in numbers:
        state = (state ^ (number & _MASK)) * 0x85EBCA6B & _MASK
        state = (state ^ state >> 13) * 0xC2B2AE35 & _MASK
        state ^= state >> 16
    return state / 0x100000000


def scatter(seed: int, count: int, margin: float) -> Iterator[tuple[float, float, float]]:
    """Yield ``count`` spread out points in the tile, ``margin`` off its edges: x, y, a fraction."""
    turn = chance(seed, 7)
    for i in range(count):
        # A low-discrepancy walk: points keep apart better than independent dice would.
        x = (turn + (i + 1) * 0.7548776662) % 1
        y = (chance(seed, 11) + (i + 1) * 0.5698402910) % 1
        room = 1 - 2 * margin
        yield margin + x * room, margin + y * room, chance(seed, i)


def grain(size: int, seed: int) -> NDArray[np.float32]:
    """Return noise in [0, 1) for every pixel of a tile: float32[size, size]."""
    y, x = np.indices((size, size), dtype=np.uint32)
    state = (x * np.uint32(0x9E3779B1)) ^ (y * np.uint32(0x85EBCA77)) ^ np.uint32(seed)
    for shift in (15, 13, 16):
        state = (state ^ (state >> np.uint32(shift))) * np.uint32(0xC2B2AE3D)
    return ((state >> np.uint32(8)) / np.float32(1 << 24)).astype(np.float32)
