"""Light sources on the map: what fires and glowing tiles shed, how it spreads, and how it dances.

Many sources of many colours mix: their light is added before it is compressed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.ui.palette import creature_colors, theme_paint

Shades = NDArray[np.float32]
Mask = NDArray[np.bool_]

SPREAD = 6
"""Passes of the blur that spreads light, and the farthest that it gets, in tiles."""
GAIN = 3.2
BRIGHTEST = 1.7
"""The factor of all light, and the limit it approaches where many sources meet."""
FIRE, GLOWING = 2.2, 0.28
"""The brightness of a fire and of a glowing tile, of which there are many together."""
FIRE_DANCE, GLOW_DANCE = 0.3, 0.16
"""By how much the brightness of fires and of glowing tiles varies."""


class Sources(NamedTuple):
    """Tiles of a box that shed light, and those that let it through; arrays [y, x]."""

    tiles: NDArray[np.uint8]
    solid: Mask
    fires: list[tuple[int, int]]
    """Row and column of each fire in the box."""
    hashes: NDArray[np.int32]
    """A hash of each position, so that no two sources flicker alike."""


def shed_light(sources: Sources, theme: str, phase: int) -> Shades | None:
    """Return the light that falls on each tile of the box: float32 [y, x, 3]; None for none."""
    shades = theme_paint(theme)
    glowing = shades.glows[sources.tiles]
    if not sources.fires and not glowing.any():
        return None
    pulse = waves(sources.hashes, phase)
    light = shades.glow[sources.tiles] * (GLOWING * (1 + GLOW_DANCE * pulse))[..., None]
    if sources.fires:
        rows, columns = np.array(sources.fires).T
        flame = np.array(creature_colors()["fire"], np.float32) / 255
        # The power deepens the hue: light of the letter's own colour looks washed out.
        light[rows, columns] += FIRE * flame**1.5 * (1 + FIRE_DANCE * pulse[rows, columns, None])
    return spread(light.astype(np.float32), ~sources.solid)


def spread(light: Shades, clear: Mask) -> Shades:
    """Spread ``light`` [y, x, 3] over neighbouring tiles; walls are lit but let nothing through.

    Repeated box blurs approximate a Gaussian, and stop at walls as light does; their sum falls off
    steeply near a source and slowly far from it.
    """
    through = clear[..., None].astype(np.float32) / np.float32(9)
    total, wave = light.copy(), light / np.float32(9)
    for _ in range(SPREAD):
        wave = box_sum(wave)
        total += wave
        # After adding it: a wall is lit, but passes nothing on.
        wave *= through
    total *= np.float32(GAIN)
    peak = total.max(axis=2, keepdims=True)
    total /= 1 + peak / np.float32(BRIGHTEST)  # The brightest channel decides: hues stay.
    return total


def box_sum(values: Shades) -> Shades:
    """Return the sum of each 3x3 neighbourhood, nothing beyond the edges: same shape."""
    height, width = values.shape[:2]
    padded = np.zeros((height + 2, width + 2, *values.shape[2:]), np.float32)
    padded[1:-1, 1:-1] = values
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    summed: Shades = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    return summed


def waves(hashes: NDArray[np.int32], phase: int) -> Shades:
    """Return slow oscillations from -1 to 1, each with its own rhythm; same shape as ``hashes``.

    Two sines of different periods: noise drawn anew for every frame would not look like fire.
    """
    own = hashes.astype(np.float32) * np.float32(2 * np.pi / 4096)
    fast = np.sin(own + np.float32(phase) * (np.float32(0.5) + own * np.float32(0.06)))
    slow = np.sin(3 * own + np.float32(0.21 * phase))
    mixed: Shades = (fast * np.float32(0.6) + slow * np.float32(0.4)).astype(np.float32)
    return mixed
