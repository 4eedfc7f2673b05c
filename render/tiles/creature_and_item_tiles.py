"""Tiles of creatures, items and missiles: their pictures on a dark halo, or their letters."""

from collections.abc import Iterator

import numpy as np

from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_class_of, item_kinds
from render.tiles.glyphs import BOLT, CREATURES, ITEMS, STONE, THORN
from render.tiles.letters import map_glyphs
from render.tiles.pictures import PARTS, PictureBook, draw_picture, picture_book, picture_of
from render.tiles.tile_canvas import Pixels, TileCanvas, blurred
from render.ui.palette import colors

MISSILES = {BOLT: "bolt", STONE: "stone", THORN: "thorn"}
COLORED = ("cloak", "lamp")
"""Parts of the hero's portrait that have colours of their own, in data/themes.toml."""


def item_picture(kind: str) -> str:
    """Return the name of an item kind's picture: the kind's own, or that of its item class."""
    return kind if picture_of(kind, "items") else item_kinds()[kind].item_class


def creature_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the creature tiles with ``codes``, ``size`` pixels square."""
    kinds = list(creature_kinds())
    for code in codes:
        kind = kinds[code - CREATURES]
        glyph = creature_kinds()[kind].glyph
        yield code, _picture_or_letter(picture_of(kind, "creatures"), kind, glyph, size)


def item_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the item tiles with ``codes``, ``size`` pixels square."""
    kinds = list(item_kinds())
    for code in codes:
        if code - ITEMS < len(kinds):
            glyph = item_class_of(kinds[code - ITEMS]).glyph
            name = item_picture(kinds[code - ITEMS])
            yield code, _picture_or_letter(picture_of(name, "items"), name, glyph, size)


def missile_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the tiles of missiles that are no items."""
    for code in codes:
        yield code, with_halo(_drawn(picture_book("items"), MISSILES[code], size))


def _picture_or_letter(book: PictureBook | None, name: str, glyph: str, size: int) -> Pixels:
    return with_halo(_drawn(book, name, size)) if book else map_glyphs(glyph, size)[glyph]


def _drawn(book: PictureBook, name: str, size: int) -> Pixels:
    canvas = TileCanvas(size)
    draw_picture(canvas, book, name)
    pixels = canvas.pixels()
    for part in COLORED if name == HERO else ():
        layer = _drawn(picture_book(PARTS), part, size)
        cover = layer[..., 3:] / 255
        color = layer[..., :3] * (np.array(colors()[part]) / 255)
        pixels[..., :3] = pixels[..., :3] * (1 - cover) + color * cover
        pixels[..., 3] = np.maximum(pixels[..., 3], layer[..., 3])
    return pixels


def with_halo(pixels: Pixels) -> Pixels:
    """Return ``pixels`` on a soft black halo, which sets them off from any ground."""
    size = len(pixels)
    ink = pixels[..., :3].astype(np.float32) / 255
    cover = pixels[..., 3].astype(np.float32) / 255
    halo = np.clip(blurred(pixels[..., 3], size / 20) * 2.6, 0, 0.85)
    whole = cover + halo * (1 - cover)
    tile = np.empty(pixels.shape, np.float32)
    tile[..., :3] = ink * (cover / np.maximum(whole, 1e-6))[..., None]
    tile[..., 3] = whole
    return (tile * 255 + 0.5).astype(np.uint8)
