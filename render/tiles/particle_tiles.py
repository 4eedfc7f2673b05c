"""Pictures of particles: a soft disc, a drop, a chip and a hoop, white with alpha."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from render.tiles.tile_canvas import white

PICTURES = ("soft", "drop", "chip", "hoop")
SIDE = 32
"""The side of a picture in pixels; backends scale it."""


@cache
def particle_sheet() -> NDArray[np.uint8]:
    """Return the pictures side by side: uint8 [SIDE, SIDE * len(PICTURES), 4]."""
    y, x = (np.indices((SIDE, SIDE)) + 0.5) * 2 / SIDE - 1
    distance = np.hypot(x, y)
    edge = SIDE / 4
    covers = {
        "soft": np.clip(1 - distance, 0, 1) ** 1.6,
        "drop": np.clip((0.85 - distance) * edge, 0, 1),
        "chip": np.clip((0.6 - np.abs(x + 0.35 * y) - 0.6 * np.abs(y - 0.2 * x)) * edge, 0, 1),
        "hoop": np.clip(1 - np.abs(distance - 0.8) * edge, 0, 1),
    }
    return white(np.concatenate([covers[name] for name in PICTURES], axis=1) * 255)
