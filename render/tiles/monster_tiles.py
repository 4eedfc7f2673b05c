"""Creature tiles: the portrait of each kind on a dark halo, or its letter without one."""

from collections.abc import Callable, Iterator

import numpy as np
from scipy import ndimage

from entities.creature_kinds import creature_kinds
from render.tiles import beasts, humanoids
from render.tiles.glyphs import CREATURES, HERO_CLOAK, HERO_LAMP
from render.tiles.letters import map_glyphs
from render.tiles.tile_canvas import Pixels, TileCanvas

PortraitPainter = Callable[[TileCanvas], None]


def portrait_painters() -> dict[str, PortraitPainter]:
    """Return the portrait painters by kind: functions of the portrait modules with its name."""
    found: dict[str, PortraitPainter] = {}
    for kind in creature_kinds():
        for gallery in (humanoids, beasts):
            if portrait := vars(gallery).get(kind):
                found[kind] = portrait
    return found


def creature_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the creature tiles with ``codes``, ``size`` pixels square."""
    kinds, known = list(creature_kinds()), portrait_painters()
    for code in codes:
        kind = kinds[code - CREATURES]
        if kind in known:
            canvas = TileCanvas(size)
            known[kind](canvas)
            yield code, with_halo(canvas.pixels())
        else:
            glyph = creature_kinds()[kind].glyph
            yield code, map_glyphs(glyph, size)[glyph]


def hero_layers(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the parts of the hero's portrait with ``codes``."""
    painters = {HERO_CLOAK: humanoids.hero_cloak, HERO_LAMP: humanoids.hero_lamp}
    for code in codes:
        canvas = TileCanvas(size)
        painters[code](canvas)
        yield code, canvas.pixels()


def with_halo(pixels: Pixels) -> Pixels:
    """Return ``pixels`` on a soft black halo, which sets them off from any ground."""
    size = len(pixels)
    ink = pixels[..., :3].astype(np.float32) / 255
    cover = pixels[..., 3].astype(np.float32) / 255
    halo = np.clip(ndimage.gaussian_filter(cover, size / 20, mode="constant") * 2.6, 0, 0.85)
    whole = cover + halo * (1 - cover)
    tile = np.empty(pixels.shape, np.float32)
    tile[..., :3] = ink * (cover / np.maximum(whole, 1e-6))[..., None]
    tile[..., 3] = whole
    return (tile * 255 + 0.5).astype(np.uint8)
