"""A finished level."""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from components.inventory import PlacedItem
from entities.light_levels import LIT
from procgen.blueprint import Point, RectangularRoom, Spawn
from procgen.level_code import FROM_FILE, LevelCode
from procgen.mission import Mission


@dataclass(frozen=True, eq=False)
class Level:
    """A finished level, and how it was built; caches tell levels apart by identity.

    ``steps`` are (label, digest of the shape) of the accepted attempt, "" for digests not asked
    for; ``rejected`` the reasons of the attempts before it; ``mission`` is the graph it follows, if
    any; ``light`` a name in data/lights.toml or `LIT`; ``items`` those listed in a file, None if
    tiles and seed decide. Only a window of an infinite world may lack an exit: then ``has_exit`` is
    False and ``exit`` is the start.
    """

    code: LevelCode
    theme: str
    tiles: NDArray[np.uint8]
    rooms: tuple[RectangularRoom, ...]
    start: Point
    exit: Point
    spawns: tuple[Spawn, ...]
    steps: tuple[tuple[str, str], ...]
    rejected: tuple[str, ...]
    has_exit: bool = True
    mission: Mission | None = None
    light: str = LIT
    items: tuple[PlacedItem, ...] | None = None


def code_from_tiles(tiles: NDArray[np.uint8], depth: int) -> LevelCode:
    """Return the code of a level that was read from a file: its seed is a hash of ``tiles``."""
    seed = int.from_bytes(blake2b(tiles.tobytes(), digest_size=8).digest(), "big")
    return LevelCode(FROM_FILE, 1, seed, depth, tiles.shape[1], tiles.shape[0])
