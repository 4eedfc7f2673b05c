"""Lighting: the hero's lamp, glowing tiles, shade beside walls, and remembered tiles.

Colours are looked up by tile and visibility (unknown, remembered, seen) and multiplied by a light
map, all with numpy over the whole view: a loop over cells is too slow for flicker.
"""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from entities.terrain import TILES, Tile
from render.map.tile_variants import KnownTiles
from render.map.viewport import Viewport, VisibleLevel
from render.ui.palette import colors, palette, theme_paint

LIGHT_STEPS = 10
DARKEST, LIT = 0.68, 1.25
"""Brightness at the end of the lamp's reach, and next to it or where there is no lamp."""
FAR_TINT = (0.88, 0.96, 1.08)
"""Tint of the light at the end of its reach, towards blue."""
GLOW_STRENGTH = 0.36
FLICKER = (0.0, 0.012, -0.01, 0.018, 0.004, -0.014)
REMEMBERED_INK, REMEMBERED_GROUND = 0.58, 0.485
"""Brightness of remembered tiles; ink stays clearer than ground."""
_SHADE = np.array([1, 0.93, 0.85, 0.8], np.float32)
"""Light on open ground with no wall beside it, one to the west, to the north, both."""

KINDS = len(TILES) + 2
DOWN, UP = len(TILES), len(TILES) + 1
"""The stairs are extra kinds of tiles, with an ink of their own."""

Shades = NDArray[np.float32]
Mask = NDArray[np.bool_]


def paint_by_visibility(theme: str) -> tuple[Shades, Shades]:
    """Return ink and ground by tile and visibility: float32 [3 * KINDS, 3] each.

    Rows are unknown tiles first, then remembered, then seen ones.
    """
    return _paint_by_visibility(theme, palette().id)


@cache
def _paint_by_visibility(theme: str, _: str) -> tuple[Shades, Shades]:
    shades = theme_paint(theme)
    accent = np.array(colors()["accent"], np.float32)
    marks = np.array([accent * 1.05, shades.ink[Tile.RUBBLE]], np.float32)
    ink = np.concatenate([shades.ink, marks])
    paper = np.concatenate([shades.ground, np.zeros_like(marks)])
    return _by_visibility(ink, REMEMBERED_INK), _by_visibility(paper, REMEMBERED_GROUND)


def _by_visibility(color: Shades, in_memory: float) -> Shades:
    """Return ``color`` unknown, remembered and seen; remembered is greyer, darker and bluer."""
    void = np.broadcast_to(np.array(colors()["ground"], np.float32), color.shape)
    grey = color.mean(axis=1, keepdims=True)
    in_memory *= palette().memory
    past = (0.42 * color + 0.58 * grey) * in_memory + np.array(colors()["memory"]) * 0.14
    return np.concatenate([void, past, color]).astype(np.float32)


def light_map(ground: VisibleLevel, origin: tuple[int, int], seen: Mask, view: Viewport) -> Shades:
    """Return the light map, the factors for colours: float32 [y, x, 3], 1 where not seen."""
    height, width = seen.shape
    tiles = ground.tiles[origin[1] : origin[1] + height, origin[0] : origin[0] + width]
    shades = theme_paint(ground.theme)
    if ground.lamp is None:
        light = np.where(seen[..., None], shades.light * np.float32(LIT), np.float32(1))
    else:
        rings = _lamp_light(ground.theme, ground.reach, view.phase % len(FLICKER))
        xs = np.arange(width, dtype=np.int32) + (origin[0] - ground.lamp.x)
        ys = np.arange(height, dtype=np.int32) + (origin[1] - ground.lamp.y)
        away = np.minimum((xs * xs)[None, :] + (ys * ys)[:, None], len(rings) - 2)
        light = rings.take(np.where(seen, away, len(rings) - 1), axis=0)
    glowing = shades.glows[tiles]
    if glowing.any():
        halo = _glow_light(shades.glow[tiles])
        halo *= seen[..., None]
        light += halo
    return light


@lru_cache(maxsize=32)
def _lamp_light(theme: str, reach: int, phase: int) -> Shades:
    """Return the lamp's light by squared distance: [distance, 3], and 1 as the last row."""
    far = (reach + 2) ** 2
    fall = np.clip(1 - np.arange(far + 1) / (reach + 1.5) ** 2, 0, 1)
    fall = np.ceil(fall * LIGHT_STEPS)[:, None] / LIGHT_STEPS
    hue = fall + (1 - fall) * np.array(FAR_TINT)
    light = (DARKEST + (LIT - DARKEST + FLICKER[phase]) * fall) * hue * theme_paint(theme).light
    return np.concatenate([light, np.ones((1, 3))]).astype(np.float32)


def _glow_light(glow: Shades) -> Shades:
    """Return the light of glowing tiles, spread over 5x5 tiles by a box blur."""
    height, width, _ = glow.shape
    halo = np.zeros((height + 4, width + 4, 3), np.float32)
    halo[2:-2, 2:-2] = glow
    for _ in range(2):
        halo = halo[:-2] + halo[1:-1] + halo[2:]
        halo = halo[:, :-2] + halo[:, 1:-1] + halo[:, 2:]
    # Scaled by the brightest channel: many glowing tiles would turn their hue to white.
    halo *= np.float32(GLOW_STRENGTH) / np.maximum(halo.max(axis=2, keepdims=True), np.float32(9))
    return halo


def apply_light(color: Shades, light: Shades) -> Shades:
    """Return ``color`` times ``light``; colours that would exceed 255 keep their hue."""
    shown = color * light
    peak = np.maximum(np.maximum(shown[..., 0], shown[..., 1]), shown[..., 2])
    if peak.max() > 255:
        shown *= (255 / np.maximum(peak, 255))[..., None]
    return shown


def wall_shade(known: KnownTiles) -> Shades:
    """Return factors that dim open ground beside known walls: float32 [y, x, 1]."""
    below, beside = known.solid[:-2, 1:-1], known.solid[1:-1, :-2]
    index = (below.view(np.uint8) * np.uint8(2) + beside) * known.open[1:-1, 1:-1]
    return _SHADE.take(index)[..., None]
