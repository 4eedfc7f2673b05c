"""The light of a level: how far the hero sees there, and the tiles that glow in the dark."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray

from entities.light_levels import LIT, light_levels
from entities.terrain import Mask, Tile, tile_mask
from procgen.blueprint import mask_at
from procgen.level_code import LevelCode
from procgen.rng import Rng

GLOWING = (Tile.LAVA, Tile.SHRINE, Tile.MOSS, Tile.RELIC, Tile.EMBERS)
"""Tiles that light up their surroundings in the dark."""
GLOW = 2
"""The radius of that light, in tiles."""


@lru_cache(maxsize=64)
def natural_light(code: LevelCode, theme: str) -> str:
    """Return the light that the level of ``code`` has unless an overlay changes it."""
    base_theme = theme.partition("+")[0]
    shares = {name: light.themes.get(base_theme, 0) for name, light in light_levels().items()}
    shares[LIT] = 100 - sum(shares.values())
    name = Rng(code.seed, code.recipe, code.depth, "light").weighted(shares)
    return name if name != LIT and code.depth >= light_levels()[name].from_depth else LIT


def glow_of(tiles: NDArray[np.uint8], fires: Iterable[tuple[int, int]] = ()) -> Mask:
    """Return the tiles within `GLOW` of a glowing tile or fire, bool [y, x] like ``tiles``."""
    glowing = tile_mask(GLOWING)[tiles] | mask_at(fires, tiles.shape)
    return scipy.ndimage.binary_dilation(glowing, np.ones((2 * GLOW + 1, 2 * GLOW + 1), bool))
