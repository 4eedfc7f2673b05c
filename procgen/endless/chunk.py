"""A chunk: the square that endless worlds are made of, and where a place lies among them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from procgen.blueprint import Spawn

SIDE = 256
"""Tiles along a chunk's side."""

Tiles = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Chunk:
    """What lies in one square of a world: ``tiles[y, x]`` and who lives there.

    The places of ``spawns`` count from the chunk's upper left tile.
    """

    tiles: Tiles
    spawns: tuple[Spawn, ...] = ()


def chunk_of(x: int, y: int) -> tuple[int, int]:
    """Return the (column, row) of the chunk that the tile (x, y) lies in."""
    return x // SIDE, y // SIDE


def chunks_over(left: int, top: int, width: int, height: int) -> list[tuple[int, int]]:
    """Return the chunks that a window of the world touches, row by row."""
    first, last = chunk_of(left, top), chunk_of(left + width - 1, top + height - 1)
    rows, columns = range(first[1], last[1] + 1), range(first[0], last[0] + 1)
    return [(cx, cy) for cy in rows for cx in columns]


def apart(chunk: tuple[int, int], x: int, y: int) -> tuple[int, int]:
    """Return how far ``chunk`` is from the tile (x, y): in steps, then as a sum of both ways."""
    dx, dy = (
        max(number * SIDE - place, 0, place + 1 - (number + 1) * SIDE)
        for number, place in zip(chunk, (x, y), strict=True)
    )
    return max(dx, dy), dx + dy
