"""Item tiles: potions, scrolls, tools, seeds, armour; and every item by its kind."""

from collections.abc import Iterator
from math import cos, pi, sin

from entities.item_kinds import item_class_of, item_kinds
from render.tiles.body_shapes import DARK, MID, PALE
from render.tiles.glyphs import ITEMS
from render.tiles.letters import map_glyphs
from render.tiles.monster_tiles import with_halo
from render.tiles.tile_canvas import Pixels, TileCanvas
from render.tiles.weapon_tiles import PICTURES, ItemPainter, item_picture


@item_picture
def potion(canvas: TileCanvas) -> None:
    """Paint a round flask, corked, full to the neck."""
    canvas.bar(0.41, 0.08, 0.59, 0.2, 0.45)
    canvas.bar(0.42, 0.2, 0.58, 0.5, 0.5)
    canvas.bar(0.36, 0.2, 0.64, 0.26, PALE)
    canvas.disc(0.5, 0.65, 0.29, 0.28, 0.5)
    canvas.disc(0.5, 0.66, 0.24, 0.23, 0.85)
    canvas.bar(0.24, 0.4, 0.76, 0.5, 0, 0)
    canvas.shape(
        [(0.42, 0.26), (0.58, 0.26), (0.58, 0.4), (0.72, 0.52), (0.28, 0.52), (0.42, 0.4)], 0.42
    )
    canvas.bar(0.3, 0.51, 0.7, 0.55, PALE)
    canvas.disc(0.4, 0.66, 0.05, 0.09, PALE)


@item_picture
def scroll(canvas: TileCanvas) -> None:
    """Paint a sheet between two rolls, with lines of writing."""
    canvas.bar(0.22, 0.24, 0.78, 0.78, 0.78)
    for row, end in ((0.36, 0.7), (0.46, 0.64), (0.56, 0.7), (0.66, 0.52)):
        canvas.bar(0.3, row, end, row + 0.04, 0.3)
    for top in (0.12, 0.74):
        canvas.bar(0.12, top, 0.88, top + 0.14, PALE)
        canvas.bar(0.12, top + 0.1, 0.88, top + 0.14, 0.55)
        for x in (0.12, 0.8):
            canvas.bar(x, top + 0.03, x + 0.08, top + 0.11, 0.35)


@item_picture
def wand(canvas: TileCanvas) -> None:
    """Paint a stick with a light at its end."""
    canvas.line([(0.16, 0.88), (0.64, 0.36)], 0.09, 0.72)
    canvas.line([(0.16, 0.88), (0.28, 0.75)], 0.12, 0.45)
    canvas.disc(0.68, 0.32, 0.13, 0.13, 0.5)
    star = [_around(0.68, 0.32, 0.26 if i % 2 == 0 else 0.09, i / 8) for i in range(8)]
    canvas.shape(star, PALE)


@item_picture
def ring(canvas: TileCanvas) -> None:
    """Paint a band with a stone."""
    canvas.disc(0.5, 0.63, 0.29, 0.28, 0.8)
    canvas.disc(0.5, 0.65, 0.29, 0.26, 0.55)
    canvas.disc(0.5, 0.62, 0.19, 0.18, 0, 0)
    canvas.shape([(0.36, 0.1), (0.64, 0.1), (0.74, 0.22), (0.5, 0.45), (0.26, 0.22)], 0.7)
    canvas.shape([(0.36, 0.1), (0.64, 0.1), (0.6, 0.22), (0.4, 0.22)], PALE)
    canvas.shape([(0.26, 0.22), (0.4, 0.22), (0.5, 0.45)], 0.9)


@item_picture
def tool(canvas: TileCanvas) -> None:
    """Paint a sack with something in it."""
    canvas.disc(0.5, 0.64, 0.32, 0.27, 0.8)
    canvas.shape(
        [(0.34, 0.14), (0.66, 0.14), (0.58, 0.36), (0.7, 0.5), (0.3, 0.5), (0.42, 0.36)], 0.8
    )
    canvas.bar(0.38, 0.3, 0.62, 0.37, 0.35)


@item_picture
def bell(canvas: TileCanvas) -> None:
    """Paint a hand bell."""
    canvas.bar(0.44, 0.06, 0.56, 0.26, 0.5)
    canvas.disc(0.5, 0.86, 0.08, 0.07, 0.6)
    canvas.disc(0.5, 0.44, 0.2, 0.2, 0.85)
    canvas.shape(
        [(0.3, 0.44), (0.7, 0.44), (0.74, 0.7), (0.86, 0.82), (0.14, 0.82), (0.26, 0.7)], 0.85
    )
    canvas.bar(0.14, 0.76, 0.86, 0.83, PALE)
    canvas.line([(0.4, 0.36), (0.36, 0.68)], 0.06, PALE)


@item_picture
def net(canvas: TileCanvas) -> None:
    """Paint meshes, with a weight at each corner."""
    corners = [(0.5, 0.12), (0.88, 0.5), (0.5, 0.88), (0.12, 0.5)]
    for i in range(4):
        share = i / 3
        for (ax, ay), (bx, by), (cx, cy), (dx, dy) in (
            (corners[0], corners[1], corners[3], corners[2]),
            (corners[1], corners[2], corners[0], corners[3]),
        ):
            start = ax + (bx - ax) * share, ay + (by - ay) * share
            end = cx + (dx - cx) * share, cy + (dy - cy) * share
            canvas.line([start, end], 0.05, 0.85)
    for x, y in corners:
        canvas.disc(x, y, 0.08, 0.08, PALE)


@item_picture
def oil_flask(canvas: TileCanvas) -> None:
    """Paint a squat jar with a rag in its neck."""
    canvas.shape([(0.46, 0.24), (0.4, 0.06), (0.6, 0.12), (0.74, 0.04), (0.56, 0.28)], PALE)
    canvas.bar(0.38, 0.24, 0.62, 0.4, 0.5)
    canvas.bar(0.33, 0.26, 0.67, 0.32, 0.8)
    canvas.shape(
        [(0.38, 0.38), (0.62, 0.38), (0.82, 0.58), (0.74, 0.92), (0.26, 0.92), (0.18, 0.58)], 0.7
    )
    canvas.shape([(0.5, 0.48), (0.6, 0.68), (0.5, 0.8), (0.4, 0.68)], DARK)
    canvas.disc(0.5, 0.7, 0.105, 0.11, DARK)
    canvas.line([(0.29, 0.58), (0.31, 0.82)], 0.06, PALE)


_COAT = [
    (0.34, 0.12),
    (0.66, 0.12),
    (0.9, 0.26),
    (0.82, 0.48),
    (0.72, 0.42),
    (0.74, 0.9),
    (0.26, 0.9),
    (0.28, 0.42),
    (0.18, 0.48),
    (0.1, 0.26),
]


def _coat(canvas: TileCanvas, shade: float) -> None:
    """Paint a shirt laid flat."""
    canvas.shape(_COAT, shade)
    canvas.disc(0.5, 0.1, 0.13, 0.1, DARK)


@item_picture
def leather_armour(canvas: TileCanvas) -> None:
    """Paint a laced jerkin with a belt."""
    _coat(canvas, 0.82)
    canvas.line([(0.5, 0.2), (0.5, 0.9)], 0.045, 0.25)
    for y in (0.28, 0.4, 0.52):
        canvas.line([(0.43, y), (0.57, y + 0.05)], 0.035, PALE)
    canvas.bar(0.25, 0.62, 0.75, 0.71, 0.4)
    canvas.bar(0.45, 0.61, 0.56, 0.72, PALE)


@item_picture
def chain_mail(canvas: TileCanvas) -> None:
    """Paint a shirt of rings."""
    _coat(canvas, 0.5)
    for row in range(8):
        for column in range(7):
            x, y = 0.16 + column * 0.113 + (row % 2) * 0.056, 0.24 + row * 0.09
            if _in_coat(x, y):
                canvas.disc(x, y, 0.045, 0.036, PALE)
                canvas.disc(x, y, 0.02, 0.014, 0.25)


@item_picture
def plate_armour(canvas: TileCanvas) -> None:
    """Paint a breastplate under two round shoulders."""
    body = [
        (0.3, 0.2),
        (0.7, 0.2),
        (0.74, 0.56),
        (0.64, 0.7),
        (0.72, 0.92),
        (0.28, 0.92),
        (0.36, 0.7),
        (0.26, 0.56),
    ]
    canvas.shape(body, 0.62)
    canvas.shape(
        [(0.3, 0.2), (0.5, 0.24), (0.5, 0.92), (0.28, 0.92), (0.36, 0.7), (0.26, 0.56)], 0.95
    )
    canvas.line([(0.34, 0.7), (0.66, 0.7)], 0.05, 0.25)
    canvas.line([(0.31, 0.8), (0.69, 0.8)], 0.035, 0.35)
    for x, shade in ((0.22, PALE), (0.78, 0.7)):
        canvas.disc(x, 0.3, 0.17, 0.16, 0.3)
        canvas.disc(x, 0.28, 0.15, 0.14, shade)
    canvas.disc(0.5, 0.17, 0.12, 0.08, DARK)


@item_picture
def moss_cloak(canvas: TileCanvas) -> None:
    """Paint a hooded cloak, overgrown."""
    canvas.shape(
        [(0.5, 0.06), (0.68, 0.26), (0.88, 0.9), (0.5, 0.96), (0.12, 0.9), (0.32, 0.26)], 0.72
    )
    canvas.disc(0.5, 0.28, 0.2, 0.2, 0.9)
    canvas.disc(0.5, 0.31, 0.12, 0.14, DARK)
    canvas.line([(0.5, 0.5), (0.5, 0.94)], 0.04, 0.3)
    for x, y in ((0.32, 0.56), (0.68, 0.6), (0.26, 0.8), (0.4, 0.76), (0.62, 0.8), (0.76, 0.82)):
        canvas.disc(x, y, 0.06, 0.045, PALE)
        canvas.disc(x + 0.03, y + 0.03, 0.03, 0.025, MID * 0.6)


@item_picture
def seed(canvas: TileCanvas) -> None:
    """Paint a plump seed with a furrow, from which two leaves sprout."""
    canvas.disc(0.5, 0.66, 0.27, 0.25, 0.62)
    canvas.disc(0.44, 0.6, 0.15, 0.13, 0.86)
    canvas.line([(0.5, 0.44), (0.56, 0.66), (0.5, 0.9)], 0.035, DARK)
    canvas.line([(0.5, 0.46), (0.48, 0.26)], 0.06, MID)
    for side in (-1, 1):
        tip = 0.49 + side * 0.3
        canvas.shape(
            [(0.49, 0.3), (0.49 + side * 0.12, 0.1), (tip, 0.08), (0.6 * tip + 0.2, 0.26)], PALE
        )


PICTURES["armour"] = leather_armour
"""The picture of armour without one of its own."""


def _in_coat(x: float, y: float) -> bool:
    """Return whether a ring of mail at (x, y) lies on the shirt."""
    return 0.3 < x < 0.7 if y > 0.42 else 0.16 + 0.1 * (y > 0.36) < x < 0.84 - 0.1 * (y > 0.36)


def _around(x: float, y: float, reach: float, turn: float) -> tuple[float, float]:
    """Return the point ``reach`` from (x, y) after ``turn`` of a circle from the top."""
    return x + reach * sin(turn * 2 * pi), y - reach * cos(turn * 2 * pi)


def painter_of(kind: str) -> ItemPainter | None:
    """Return the painter of an item kind: the one of its name, or of its item class."""
    return PICTURES.get(kind) or PICTURES.get(item_kinds()[kind].item_class)


def item_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the item tiles with ``codes``, ``size`` pixels square."""
    kinds = list(item_kinds())
    for code in codes:
        if code - ITEMS >= len(kinds):
            continue
        kind = kinds[code - ITEMS]
        if draw := painter_of(kind):
            canvas = TileCanvas(size)
            draw(canvas)
            yield code, with_halo(canvas.pixels())
        else:
            glyph = item_class_of(kind).glyph
            yield code, map_glyphs(glyph, size)[glyph]
