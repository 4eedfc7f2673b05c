"""The sky: the tint of daylight by the hour, and the shadows of passing clouds.

It changes only the picture: how far the hero sees depends on the light of the level alone.
"""

import numpy as np

from render.ui.frame import Shades

DAY = 2400
"""Turns from one noon to the next."""
MORNING = 0.3
"""The time of day on the first turn, as a share of the day; 0.5 is noon."""
HUES = {
    0.0: (0.62, 0.74, 1.06),  # midnight
    0.16: (0.62, 0.72, 1.0),
    0.24: (1.18, 0.94, 0.86),  # dawn
    0.34: (1.32, 1.24, 1.08),
    0.5: (1.36, 1.32, 1.22),  # noon
    0.7: (1.36, 1.24, 1.02),
    0.8: (1.3, 0.94, 0.76),  # dusk
    0.87: (0.74, 0.74, 0.98),
    1.0: (0.62, 0.74, 1.06),
}
"""The light of the sky by the time of day, as factors of a tile's own colours."""
DAYLIGHT = np.array([1.22, 1.2, 1.12], np.float32)
"""The light on levels into which daylight falls."""
LAMP_REACH = 6
"""The reach that daylight leaves to the lamp, in tiles."""
CLOUDS = 0.09
"""By how much clouds dim the light."""


def sky_over(light: str, turn: int) -> Shades | None:
    """Return the daylight, factors [3] of a tile's own colours, on a level with ``light``.

    See data/lights.toml; None underground.
    """
    if light == "open":
        return hue_at((MORNING + turn / DAY) % 1)
    return DAYLIGHT if light == "bright" else None


def hue_at(time: float) -> Shades:
    """Return the light of the sky at a time of day, 0 to 1: float32 [3]."""
    channels = zip(*HUES.values(), strict=True)
    return np.array([np.interp(time, [*HUES], channel) for channel in channels], np.float32)


def cloud_shade(box: tuple[int, int, int, int], origin: tuple[int, int], phase: int) -> Shades:
    """Return factors of drifting cloud shadows at the corners of ``box``: float32 [y + 1, x + 1].

    They depend on world coordinates, so they stay in place when the view scrolls.
    """
    x0, y0, x1, y1 = box
    xs = np.arange(x0 + origin[0], x1 + origin[0] + 1, dtype=np.float32) - np.float32(phase / 24)
    ys = np.arange(y0 + origin[1], y1 + origin[1] + 1, dtype=np.float32)[:, None]
    clouds = np.sin(xs * 0.21 + 2 * np.sin(ys * 0.13)) + np.sin(ys * 0.27 - xs * 0.08)
    shade: Shades = 1 - np.float32(CLOUDS / 2) * np.maximum(clouds, 0)
    return shade.astype(np.float32)
