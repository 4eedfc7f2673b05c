"""Light: the hero's lamp, what glows, and the cold of memory."""

import numpy as np
from numpy.typing import NDArray

from render.palette import Paint, colors, looks
from render.view import Ground, View

LIGHT_STEPS = 7
MEMORY = 0.6
EVEN = 1.25
FLICKER = (0.0, 0.012, -0.01, 0.018, 0.004, -0.014)

Shades = NDArray[np.float32]


def brightness(
    ground: Ground, origin: tuple[int, int], tiles: NDArray[np.uint8], view: View
) -> NDArray[np.float32]:
    """Return how bright each tile is, 0 to about 1.2: the hero's lamp and what glows."""
    height, width = tiles.shape
    if ground.lamp is None:
        light = np.full(tiles.shape, EVEN, np.float32)
    else:
        ys = np.arange(origin[1], origin[1] + height, dtype=np.float32)[:, None] - ground.lamp.y
        xs = np.arange(origin[0], origin[0] + width, dtype=np.float32)[None, :] - ground.lamp.x
        reach = np.float32(ground.reach + 1.5)
        fall = np.clip(1.0 - (xs * xs + ys * ys) / (reach * reach), 0, 1)
        strength = np.float32(0.63 + FLICKER[view.phase % len(FLICKER)])
        light = np.float32(0.62) + strength * np.ceil(fall * LIGHT_STEPS) / LIGHT_STEPS
    glows = np.array([look.glows for look in looks()])[tiles]
    if glows.any():
        light = light + np.float32(0.3) * _blur(glows)
    return light.astype(np.float32, copy=False)


def _blur(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return a soft halo around the tiles of ``mask``, at most 1."""
    halo = mask.astype(np.float32)
    for axis in (0, 1, 0, 1):
        halo = halo + np.roll(halo, 1, axis) + np.roll(halo, -1, axis)
    return np.minimum(halo / 9, 1)


def lit(
    color: Shades,
    light: NDArray[np.float32],
    seen: NDArray[np.bool_],
    known: NDArray[np.bool_],
    shades: Paint,
) -> NDArray[np.uint8]:
    """Return colours as they appear: lit and tinted in view, cold and dark in memory."""
    bright = color * light[..., None] * shades.light
    grey = color.mean(axis=2, keepdims=True)
    cold = np.array(colors()["memory"], np.float32)
    past = (0.35 * color + 0.65 * grey) * np.float32(MEMORY) + cold * np.float32(0.28)
    shown = np.where(seen[..., None], bright, past)
    void = np.array(colors()["ground"], np.float32)
    shown = np.where(known[..., None], shown, void)
    return np.clip(shown, 0, 255).astype(np.uint8)
