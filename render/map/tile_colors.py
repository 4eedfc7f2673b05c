"""Tile colours before light: ink and ground by tile and visibility, and remembered colours.

Colours are looked up for the whole view at once, by tile and visibility (unknown, remembered,
seen): a loop over cells would be too slow for animated tiles.
"""

from functools import cache

import numpy as np

from entities.terrain import TILE_NAMES, TILES
from render.tiles.user_tiles import has_user_tile
from render.ui.frame import Shades
from render.ui.palette import colors, palette, theme_paint, tile_paints

REMEMBERED_INK, REMEMBERED_GROUND = 0.68, 0.6
"""Brightness of remembered tiles, as a share of the colours in the theme; ink stays brighter."""
KEPT_INK, KEPT_GROUND = 0.8, 0.8
"""The same for tiles that keep their hue when remembered."""
GREY = 0.5
"""The share of grey in remembered colours."""
COOL = np.array([0.92, 1.0, 1.12], np.float32)
"""The tint of remembered colours."""
REMEMBERED_LIGHT, KEPT_LIGHT = 0.7, 1.0
"""The light on remembered tiles, and on those that keep their hue, as a factor of a tile's own
colours. A window limits bright inks to full light, so they look dull in weak light."""
UNKNOWN_INK = 0.09
"""The share of the panel lines' colour in the texture of unknown tiles."""
OUTDOORS = 1.5
"""The factor by which land under an open sky is brighter when remembered."""
KINDS = len(TILES) + 2
DOWN, UP = len(TILES), len(TILES) + 1
"""The stairs are extra kinds of tiles, with an ink of their own."""


def known_colors(theme: str) -> tuple[Shades, Shades]:
    """Return ink and ground of tiles in full view: float32 [KINDS, 3] each."""
    shades = theme_paint(theme)
    accent = np.array(colors()["accent"], np.float32)
    marks = np.array([accent * 1.05, colors()["text"]], np.float32)
    ink = np.concatenate([shades.ink, marks])
    ground = np.concatenate([shades.ground, np.zeros_like(marks)])
    for kind, name in enumerate([*TILE_NAMES, "stairs_down", "stairs_up"]):
        if has_user_tile(name):
            ink[kind] = 255  # User tiles bring their own colours.
    return ink, ground


def paint_by_visibility(theme: str, *, outdoors: bool = False) -> tuple[Shades, Shades]:
    """Return ink and ground by tile and visibility: float32 [3 * KINDS, 3] each.

    With ``outdoors`` (land under an open sky) remembered tiles are brighter.

    Rows are unknown tiles first, then remembered, then seen ones. Those not seen are divided by
    `REMEMBERED_LIGHT`, since all rows are multiplied by the light later.
    """
    return _paint_by_visibility(theme, palette().name, OUTDOORS if outdoors else 1.0)


@cache
def _paint_by_visibility(theme: str, _: str, gain: float) -> tuple[Shades, Shades]:
    ink, ground = known_colors(theme)
    void = np.array(colors()["ground"], np.float32)
    line = np.array(colors()["line"], np.float32) * (UNKNOWN_INK * palette().ground)
    return (
        _by_visibility(ink, void + line, REMEMBERED_INK * gain, KEPT_INK),
        _by_visibility(ground, void, REMEMBERED_GROUND * gain, KEPT_GROUND),
    )


def _by_visibility(color: Shades, unknown: Shades, brightness: float, kept: float) -> Shades:
    """Return the rows of ``color`` for unknown, remembered and seen tiles."""
    # Remembered tiles are greyer, darker and bluer.
    grey = (1 - GREY) * color + GREY * color.mean(axis=1, keepdims=True)
    faded = grey * (brightness * palette().memory) * COOL
    past: Shades = (faded + np.array(colors()["memory"]) * 0.12).astype(np.float32)
    hues = [tile for tile in TILES if tile_paints()[tile].keeps_hue]
    past[hues] = color[hues] * (kept * REMEMBERED_LIGHT / KEPT_LIGHT)
    past[[DOWN, UP]] = color[[DOWN, UP]]  # Stairs are the brightest remembered things.
    void = np.broadcast_to(unknown, color.shape)
    rows = np.concatenate([void / REMEMBERED_LIGHT, past / REMEMBERED_LIGHT, color])
    return rows.astype(np.float32)
