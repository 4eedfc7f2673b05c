"""A finished level."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from entities.light_levels import LIT
from procgen.blueprint import Point, RectangularRoom, Spawn
from procgen.level_code import LevelCode
from procgen.mission import Mission


@dataclass(frozen=True, eq=False)
class Level:
    """A finished level, and how it was built; what is computed from one is cached by identity.

    ``steps`` are (label, digest of the shape) after each step of the accepted attempt;
    ``rejected`` the reasons of the attempts before it; ``mission`` is the graph it follows, if
    any; ``light`` a name in data/lights.toml or `LIT`. Only a window of an infinite world may lack
    an exit: then ``has_exit`` is False and ``exit`` is the start.
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
