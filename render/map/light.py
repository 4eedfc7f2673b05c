"""Light at the corners of tiles: lamp, sky, glow, edge of sight, shade at walls.

A window interpolates between the corners, so that light has no squares; a terminal takes the mean
of a cell's four corners. Factors multiply a tile's own colours; glow is added afterwards. The
light of many sources of many colours is added before it is compressed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.state.game_map import DARK
from entities.terrain import Mask
from render.map.sky import LAMP_REACH, cloud_shade
from render.map.tile_colors import KEPT_LIGHT, REMEMBERED_LIGHT
from render.map.tile_variants import HASHES, Box, Hashes, KnownTiles, position_hashes, solid_tiles
from render.map.viewport import Viewport, VisibleLevel
from render.ui.frame import Shades
from render.ui.palette import creature_colors, depth_tint, palette, theme_paint, tile_paints

FULL_LIGHT = 1.7
"""The greatest factor; `LitGround` counts light in shares of it."""
NARROW, WIDE, OPENNESS = 0.8, 1.5, 3
"""The factors without a lamp, between walls and where all is open up to ``OPENNESS`` tiles away."""
LAMP_NEAR, LAMP_FAR = 1.7, 0.95
"""The lamp's factor next to it and at the end of its reach."""
UNLIT = 0.65
"""The share of `NARROW` and `WIDE` on a dark level, so that glowing tiles stand out."""
FADE, RIM = 3.5, 0.55
"""The tiles over which the lamp fades out, and the share of its light left where sight ends."""
FAR_TINT = np.array([0.84, 0.95, 1.14], np.float32)
"""Tint of the light at the end of its reach, towards blue."""
FLICKER = (0.0, 0.012, 0.02, 0.008, -0.01, -0.016, -0.004, 0.014, 0.018, 0.002, -0.012, -0.008)
"""The lamp's brightness, by phase."""
BANDING_NOISE = 0.035
"""The strength of random variation from corner to corner, which prevents colour banding."""
DANCE = 0.09
"""By how much the light on water and lava varies, independently in each channel."""
FOOT = np.array([1, 0.9, 0.8, 0.82, 1], np.float32)
"""The factor at a corner by the number of walls around it, which shades the foot of walls."""
EDGE = np.array([1, 0.78, 0.56, 0.45, 1], np.float32)
"""The factor at a corner by the number of unknown tiles around it: known ground fades out."""
CARRIED = 0.8
"""The brightness of the colours of known tiles where they continue over unknown ones."""
HAZE = 34.0
"""The brightness of haze in the light of fires and glowing tiles."""
LAMP_HAZE = np.array([30, 20, 9], np.float32)
"""The haze at the lamp itself."""


class CornerLight(NamedTuple):
    """Light at the corners of a box of tiles: float32 [y + 1, x + 1, 3] each."""

    factors: Shades
    haze: Shades
    """Light added to colours, 0 to 255."""
    sight: Shades
    """The visibility of each corner, 0 to 1: [y + 1, x + 1, 1]."""


def corner_light(level: VisibleLevel, box: Box, known: KnownTiles, view: Viewport) -> CornerLight:
    """Return the light on the tiles in ``box``, of which ``known`` are known."""
    x0, y0, x1, y1 = box
    hashes = position_hashes((x0, y0, x1 + 1, y1 + 1), level.origin)
    sight = _sight(level, box, known)
    light, haze = _lamp(level, box, view.phase)
    glow = _glow(level, box, view)
    if glow is not None:
        light = light + glow
        haze = haze + np.float32(HAZE) * glow * glow
    light = light * _dance(level, box, hashes, view.phase)
    noise = hashes[..., None] / np.float32(HASHES) - np.float32(0.5)
    light *= 1 + np.float32(BANDING_NOISE) * noise
    # At the edge of sight light fades into that of remembered tiles, so that no step shows. Hazards
    # and doors are remembered brighter.
    keeps_hue = np.array([paint.keeps_hue for paint in tile_paints()])
    kept = at_corners((keeps_hue[level.tiles[y0:y1, x0:x1]] & known.here).astype(np.float32))
    remembered = REMEMBERED_LIGHT + np.float32(KEPT_LIGHT - REMEMBERED_LIGHT) * kept[..., None]
    factors = remembered + (light - remembered) * sight
    factors *= FOOT[_count(known.solid)][..., None] * depth_tint(level.depth) * palette().light
    return CornerLight(np.clip(factors, 0, FULL_LIGHT), haze * sight, sight)


def at_corners(cells: Shades) -> Shades:
    """Return the mean of the four cells around each corner: [y, x] to [y + 1, x + 1].

    Cells beyond the edge repeat those at the edge.
    """
    width = ((1, 1), (1, 1), (0, 0))[: cells.ndim]
    return in_cells(np.pad(cells, width, mode="edge"))


def in_cells(corners: Shades) -> Shades:
    """Return the mean of the four corners of each cell: [y + 1, x + 1] to [y, x]."""
    rows = corners[:-1] + corners[1:]
    return (rows[:, :-1] + rows[:, 1:]) * np.float32(0.25)


def lit_color(color: Shades, light: Shades | np.float32, more: Shades | int = 0) -> Shades:
    """Return ``color`` times ``light`` plus ``more``.

    Colours that would exceed 255 keep their hue.
    """
    lit = color * light + more
    peak = np.maximum(np.maximum(lit[..., 0], lit[..., 1]), lit[..., 2])
    if peak.max(initial=0) > 255:
        lit *= (255 / np.maximum(peak, 255))[..., None]
    return lit


def _around(level: VisibleLevel, box: Box, margin: int) -> tuple[Box, tuple[slice, slice]]:
    """Return ``box`` with a margin, clipped to the map, and the corners of ``box`` in that box."""
    x0, y0, x1, y1 = box
    left, top = max(0, x0 - margin), max(0, y0 - margin)
    right, bottom = min(level.width, x1 + margin), min(level.height, y1 + margin)
    return (left, top, right, bottom), np.s_[y0 - top : y1 - top + 1, x0 - left : x1 - left + 1]


def _sight(level: VisibleLevel, box: Box, known: KnownTiles) -> Shades:
    """Return the share of tiles in sight around each corner of ``box``: [y + 1, x + 1, 1]."""
    (left, top, right, bottom), corners = _around(level, box, 1)
    y, x = top - box[1] + 1, left - box[0] + 1  # ``known`` has a margin that is not clipped.
    is_known = (known.solid | known.open)[y : y + bottom - top, x : x + right - left]
    seen = is_known & level.visible[top:bottom, left:right]
    return at_corners(seen.astype(np.float32))[corners][..., None]


def _lamp(level: VisibleLevel, box: Box, phase: int) -> tuple[Shades, Shades]:
    """Return the factors and the haze of lamp and sky, or of even light, at corners of ``box``."""
    x0, y0, x1, y1 = box
    tint = theme_paint(level.theme).light
    if level.lamp is None:
        share = _openness(level, box)
        tint = tint * np.float32(UNLIT if level.light == DARK else 1)
        return tint * (NARROW + (WIDE - NARROW) * share), np.zeros_like(share * tint)
    xs = np.arange(x0, x1 + 1, dtype=np.float32) - np.float32(level.lamp.x + 0.5)
    ys = np.arange(y0, y1 + 1, dtype=np.float32) - np.float32(level.lamp.y + 0.5)
    away = np.hypot(xs[None, :], ys[:, None])
    reach = level.reach if level.sky is None else LAMP_REACH
    lamp = attenuation(away, reach, FLICKER[phase % len(FLICKER)])
    share = np.clip(away / np.float32(level.reach + 1), 0, 1)[..., None]
    light = lamp[..., None] * tint * (1 + share * (FAR_TINT - 1))
    haze = np.clip(1 - away / 4, 0, 1)[..., None] ** 2 * LAMP_HAZE
    if level.sky is None:
        return light, haze
    sky = level.sky * cloud_shade(box, level.origin, phase)[..., None]
    # Not their sum: in daylight a lamp adds nothing that can be seen.
    return np.maximum(light, sky), haze * np.clip(1.4 - sky, 0, 1)


def _openness(level: VisibleLevel, box: Box) -> Shades:
    """Return the share of open ground around each corner of ``box``: [y + 1, x + 1, 1].

    Rooms are bright in the middle and passages dim, which gives depth to a level without a lamp.
    """
    (left, top, right, bottom), corners = _around(level, box, OPENNESS)
    share = (~solid_tiles(level.tiles[top:bottom, left:right, None])).astype(np.float32)
    tiles = box_sum(np.ones_like(share))
    for _ in range(OPENNESS):
        share = box_sum(share) / tiles
    return at_corners(share)[corners]


def attenuation(away: Shades, reach: int, flicker: float) -> Shades:
    """Return the lamp's factor at a distance in tiles.

    It falls slowly at first, then fades towards the light of remembered tiles over the last `FADE`
    tiles, so that no ring shows where sight ends.
    """
    nearness = np.clip(1 - (away / (reach + 1.5)) ** 2, 0, 1)
    lamp = LAMP_FAR + (LAMP_NEAR - LAMP_FAR + flicker) * nearness
    fade = np.clip((reach + 1 - away) / FADE, 0, 1)
    fade = RIM + (1 - RIM) * fade * fade * (3 - 2 * fade)
    light: Shades = (REMEMBERED_LIGHT + (lamp - REMEMBERED_LIGHT) * fade).astype(np.float32)
    return light


def _glow(level: VisibleLevel, box: Box, view: Viewport) -> Shades | None:
    """Return the light of glowing tiles and fires at the corners of ``box``, None for none.

    Sources up to `SPREAD` tiles outside the box shine into it.
    """
    around, corners = _around(level, box, SPREAD)
    left, top, right, bottom = around
    tiles = level.tiles[top:bottom, left:right]
    fires = [(y - top, x - left) for x, y in level.fires if left <= x < right and top <= y < bottom]
    light = shed_light(tiles, fires, position_hashes(around, level.origin), level.theme, view.phase)
    return None if light is None else at_corners(light)[corners]


def _dance(level: VisibleLevel, box: Box, hashes: Hashes, phase: int) -> Shades:
    """Return factors that vary in time and in hue on tiles that flow or glow."""
    (left, top, right, bottom), corners = _around(level, box, 1)
    moving = np.array([paint.flows or paint.glows for paint in tile_paints()])
    moves = moving[level.tiles[top:bottom, left:right]]
    if not moves.any():
        return np.ones((1, 1, 1), np.float32)
    strength = at_corners(moves.astype(np.float32))[corners][..., None] * np.float32(DANCE)
    # With the same hash for all channels only the brightness would vary, not the hue.
    by_channel = np.stack([hashes, hashes * 5 % HASHES, hashes * 11 % HASHES], axis=2)
    return 1 + strength * waves(by_channel, phase)


def edge_fade(known: KnownTiles) -> Shades:
    """Return the factor at each corner by which ground fades out towards unknown tiles.

    This is for backends that draw pixels: in a terminal whole cells would become unreadably dark.
    """
    unknown = _count(~np.pad(known.here, 1, mode="edge"))
    fade = EDGE[np.where(_count(known.solid) > 0, 0, unknown)][..., None]
    # The colours of known tiles continue over unknown neighbours and have faded out at their end.
    near_known = box_sum((unknown < 4).astype(np.float32)[..., None])
    fade[(unknown[..., None] == 4) & (near_known > 0)] = 0
    return fade


def carry_colors_on(grounds: Shades, here: Mask) -> Shades:
    """Return for each tile the mean of the ``grounds`` [y, x, 3] around it that are ``here``, or 0.

    Times `CARRIED`, it continues known tiles over unknown ones: the border does not look jagged.
    """
    weights = here[..., None].astype(np.float32)
    mean: Shades = box_sum(grounds * weights) / box_sum(weights).clip(1)
    return mean * np.float32(CARRIED)


def _count(there: Mask) -> NDArray[np.uint8]:
    """Return how many of the four tiles around each corner are True in ``there``."""
    bits = there.view(np.uint8)
    rows = bits[:-1] + bits[1:]
    return rows[:, :-1] + rows[:, 1:]


SPREAD = 6
"""Passes of the blur that spreads light; also how far light reaches, in tiles."""
GAIN = 3.2
BRIGHTEST = 1.7
"""The factor of all light (`GAIN`), and the limit it approaches where many sources meet."""
FIRE, GLOWING = 2.2, 0.28
"""The brightness of a fire and of a glowing tile; the latter come in large numbers."""
FIRE_DANCE, GLOW_DANCE = 0.3, 0.16
"""By how much the brightness of fires and of glowing tiles varies."""


def shed_light(
    tiles: NDArray[np.uint8], fires: list[tuple[int, int]], hashes: Hashes, theme: str, phase: int
) -> Shades | None:
    """Return the light that falls on each of ``tiles``: float32 [y, x, 3]; None for none.

    ``fires`` are rows and columns. ``hashes`` of positions keep two sources from flickering alike.
    """
    shades = theme_paint(theme)
    glowing = shades.glows[tiles]
    if not fires and not glowing.any():
        return None
    pulse = waves(hashes, phase)
    light = shades.glow[tiles] * (GLOWING * (1 + GLOW_DANCE * pulse))[..., None]
    if fires:
        rows, columns = np.array(fires).T
        flame = np.array(creature_colors()["fire"], np.float32) / 255
        # The power makes the hue more saturated: the letter's own colour would look washed out.
        light[rows, columns] += FIRE * flame**1.5 * (1 + FIRE_DANCE * pulse[rows, columns, None])
    return diffuse_light(light.astype(np.float32), ~solid_tiles(tiles))


def diffuse_light(light: Shades, clear: Mask) -> Shades:
    """Spread ``light`` [y, x, 3] over neighbouring tiles; walls are lit but let nothing through.

    Repeated box blurs approximate a Gaussian blur and, like light, stop at walls; their sum falls
    off steeply near a source and slowly far from it.
    """
    through = clear[..., None].astype(np.float32) / np.float32(9)
    total, wave = light.copy(), light / np.float32(9)
    for _ in range(SPREAD):
        wave = box_sum(wave)
        total += wave
        # Only now, after adding: a wall is lit, but passes no light on.
        wave *= through
    total *= np.float32(GAIN)
    peak = total.max(axis=2, keepdims=True)
    total /= 1 + peak / np.float32(BRIGHTEST)  # Scaled by the brightest channel: hues stay.
    return total


def box_sum(values: Shades) -> Shades:
    """Return the sum of each 3x3 neighbourhood, same shape; values beyond the edges count as 0."""
    height, width = values.shape[:2]
    padded = np.zeros((height + 2, width + 2, *values.shape[2:]), np.float32)
    padded[1:-1, 1:-1] = values
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    summed: Shades = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    return summed


def waves(hashes: Hashes, phase: int) -> Shades:
    """Return slow oscillations from -1 to 1, each with its own rhythm; same shape as ``hashes``.

    Each is a sum of two sines of different periods: fresh noise in every frame is not like fire.
    """
    angle = hashes.astype(np.float32) * np.float32(2 * np.pi / HASHES)
    fast = np.sin(angle + np.float32(phase) * (np.float32(0.5) + angle * np.float32(0.06)))
    slow = np.sin(3 * angle + np.float32(0.21 * phase))
    mixed: Shades = (fast * np.float32(0.6) + slow * np.float32(0.4)).astype(np.float32)
    return mixed
