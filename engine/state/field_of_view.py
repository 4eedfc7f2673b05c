"""Field of view, and the light that decides how far the hero sees."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from tcod import libtcodpy
from tcod.map import compute_fov

from entities.creature_kinds import HERO, creature_kinds
from entities.entity import Entity
from entities.light_levels import LIT, light_levels
from entities.statuses import status_kinds
from entities.talents import has_talent
from entities.terrain import Tile, tile_mask
from procgen.level_code import LevelCode
from procgen.level_overlays import light_of_overlays
from procgen.rng import Rng

Window = tuple[slice, slice]
Mask = NDArray[np.bool_]

GLOWING = (Tile.LAVA, Tile.SHRINE, Tile.MOSS, Tile.RELIC, Tile.EMBERS)
"""Tiles that light up their surroundings in the dark."""
GLOW = 2
"""The radius of that light, in tiles."""
KEEN = 2
"""Tiles that keen eyes add to sight."""


@cache
def light_of(code: LevelCode, theme: str) -> str:
    """Return the kind of light on the level of ``code``: a name in data/lights.toml or `LIT`."""
    if brought := light_of_overlays(code.overlays):
        return brought
    made = theme.partition("+")[0]
    roll = Rng(code.seed, code.recipe, code.depth, "light").below(100)
    for name, light in light_levels().items():
        share = light.themes.get(made, 0)
        if roll < share:
            return name if code.depth >= light.from_depth else LIT
        roll -= share
    return LIT


def glow_of(tiles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the tiles within `GLOW` of a glowing tile of ``tiles``, bool [y, x]."""
    glowing = tile_mask(GLOWING)[tiles]
    square = np.ones((2 * GLOW + 1, 2 * GLOW + 1), bool)
    lit: NDArray[np.bool_] = ndimage.binary_dilation(glowing, square)
    return lit


def clear_sight(hero: Entity) -> int:
    """Return the hero's sight radius in tiles in full light, ignoring statuses."""
    return creature_kinds()[HERO].sight + (KEEN if has_talent(hero, "keen") else 0)


def sight(hero: Entity, light: str) -> int:
    """Return the hero's sight radius in tiles in ``light``, statuses included."""
    far = clear_sight(hero)
    if light != LIT:
        reach = light_levels()[light].sight
        far = max(far, reach) if has_talent(hero, "nightwise") or reach > far else reach
    return min([far, *(status_kinds()[name].sight for name in hero.statuses)])


def field_of_view(transparent: Mask, x: int, y: int, radius: int) -> tuple[Window, Mask]:
    """Return the window of ``radius`` tiles around (x, y), and the visible tiles in it.

    ``transparent`` is bool [y, x] of the whole map; the result is bool [y, x] of the window.
    Symmetric shadow casting (libtcod): on open ground, A sees B exactly if B sees A.
    """
    left, top = max(0, x - radius), max(0, y - radius)
    window = slice(top, y + radius + 1), slice(left, x + radius + 1)
    return window, compute_fov(
        transparent[window],
        (y - top, x - left),
        radius=radius,
        light_walls=True,
        algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST,
    )
