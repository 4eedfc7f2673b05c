"""Every kind of thing as a tile: a picture of its own, else that of its sort, on a dark halo."""

from collections.abc import Callable, Iterator

from entities.items import item_kinds, sort_of
from render.glyphs import THINGS
from render.tiles import arms, wares
from render.tiles.beings import haloed
from render.tiles.canvas import Canvas, Pixels
from render.tiles.letters import map_glyphs

Picture = Callable[[Canvas], None]


def picture_of(kind: str) -> Picture | None:
    """Return who paints things of ``kind``, a function named like the kind or like its sort."""
    for name in (kind, item_kinds()[kind].sort):
        for gallery in (arms, wares):
            if picture := vars(gallery).get(name):
                found: Picture = picture
                return found
    return None


def thing_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Return the tiles with those of ``codes`` that stand for a kind, ``size`` pixels square."""
    kinds = list(item_kinds())
    for code in codes:
        if code - THINGS >= len(kinds):
            continue
        kind = kinds[code - THINGS]
        if picture := picture_of(kind):
            canvas = Canvas(size)
            picture(canvas)
            yield code, haloed(canvas.pixels())
        else:
            glyph = sort_of(kind).glyph
            yield code, map_glyphs(glyph, size)[glyph]
