"""The wordmark of the title: the game's name with a glowing, rooted seed as one of its O's."""

from functools import cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw

from procgen.position_hash import hash_fraction
from render.tiles.letters import font
from render.tiles.tile_canvas import Pixels, blurred

NAME, SEED = "SEEDHOLLOW", 5
"""The letters, and the index of the one that is drawn as a seed."""
PITCH, CAPITAL = 0.8, 0.62
"""Advance of a letter and height of a capital, as shares of the font size."""
TOP, BOTTOM = np.array([255, 226, 164]), np.array([206, 112, 46])
"""The colours of the letters, from their upper to their lower edge."""
GLOW, CORE = np.array([255, 168, 84]), np.array([255, 246, 214])
ROOTS = 7


@cache
def wordmark(width: int, height: int) -> Pixels:
    """Return the wordmark in ``width`` by ``height`` pixels: uint8 [y, x, 4], with alpha."""
    size = min(width / (PITCH * (len(NAME) + 0.6)), height / 1.7)
    letters = Image.new("L", (width, height))
    seed = Image.new("L", (width, height))
    _write(ImageDraw.Draw(letters), ImageDraw.Draw(seed), size, width, height)
    cover, core = (np.asarray(part, np.float32) / 255 for part in (letters, seed))
    shine = (blurred(letters, size / 5) + 2 * blurred(seed, size / 5))[..., None]
    shade = blurred(ImageChops.lighter(letters, seed), size / 9) * 2.4
    down = np.linspace(-0.4, 1.4, height)[:, None, None].clip(0, 1)
    color = TOP * (1 - down) + BOTTOM * down
    ink = cover[..., None] * color + core[..., None] * CORE
    alpha = np.clip(np.maximum(np.maximum(cover, core), np.clip(shade, 0, 0.8)), 0, 1)
    return np.dstack([np.clip(ink + shine * GLOW * 0.55, 0, 255), alpha * 255]).astype(np.uint8)


def _write(
    letters: ImageDraw.ImageDraw, seed: ImageDraw.ImageDraw, size: float, width: int, height: int
) -> None:
    """Draw the letters, the seed in place of one of them, and its roots."""
    bold = font("Bold", size)
    left = (width - PITCH * size * len(NAME)) / 2
    base = height * 0.5 + CAPITAL * size / 2
    for place, letter in enumerate(NAME):
        x = left + PITCH * size * (place + 0.5)
        if place != SEED:
            letters.text((x, base), letter, fill=255, font=bold, anchor="ms")
            continue
        y, across, down = base - CAPITAL * size / 2, 0.25 * size, 0.36 * size
        box = (x - across, y - down, x + across, y + down)
        letters.ellipse(box, outline=255, width=max(2, round(size / 9)))
        wide, high = across * 0.45, down * 0.5
        seed.ellipse((x - wide, y - high, x + wide, y + high), fill=255)
        for root in range(ROOTS):
            _draw_root(letters, (x, y + down * 0.9), size, root)


def _draw_root(pen: ImageDraw.ImageDraw, at: tuple[float, float], size: float, root: int) -> None:
    """Draw one root downwards from ``at``; it becomes thinner with each step."""
    x, y = at
    lean = (root / (ROOTS - 1) - 0.5) * 1.9
    for step in range(6):
        bend = (hash_fraction(root, step, 5) - 0.5) * 0.16
        ahead = x + size * (lean * 0.16 + bend), y + size * 0.075
        pen.line((x, y, *ahead), fill=230 - 28 * step, width=max(1, round(size / 16) - step // 2))
        x, y = ahead
        lean *= 0.86
