"""Furniture that is scattered at random: shelves of books, heaps of gold; traps on their ground."""

from procgen.position_hash import hash_fraction
from render.tiles.floors import earth, floor
from render.tiles.pictures import draw_picture, picture_book
from render.tiles.tile_canvas import TileCanvas, scattered_points


def shelf(canvas: TileCanvas, variant: int) -> None:
    """Paint a bookcase seen from the front: rows of spines, a few gaps, one book leaning."""
    hair = canvas.hair
    rows = 2 if canvas.size < 20 else 3
    canvas.bar(0, 0, 1, 1, 0.34)
    canvas.bar(0, 0, 1, 2 * hair, 0.62)
    tall = (1 - 2 * hair) / rows
    for row in range(rows):
        top = 2 * hair + row * tall
        canvas.bar(hair, top, 1 - hair, top + tall - hair, 0.08)
        _books(canvas, variant, row, top + tall - hair, tall - hair)
        canvas.bar(0, top + tall - hair, 1, top + tall, 0.55)


def _books(canvas: TileCanvas, variant: int, row: int, bottom: float, tall: float) -> None:
    """Stand books along a board at ``bottom`` that have ``tall`` to stand in."""
    x, book, hair = 2 * canvas.hair, 0, canvas.hair
    while x < 1 - 3 * hair:
        wide = max(2 * hair, 0.09 + 0.06 * hash_fraction(variant, row, book))
        right = min(x + wide, 1 - 2 * hair)
        if hash_fraction(variant, row, book, 1) > 0.13:
            tone = 0.38 + 0.56 * hash_fraction(variant, row, book, 2)
            high = tall * (0.68 + 0.3 * hash_fraction(variant, row, book, 3))
            canvas.bar(x, bottom - high, right - hair, bottom, tone)
            canvas.bar(x, bottom - high * 0.7, right - hair, bottom - high * 0.7 + hair, tone * 0.6)
        x, book = x + wide, book + 1


def trap(canvas: TileCanvas, variant: int) -> None:
    """Paint the plate of a trap in flagstones."""
    floor(canvas, 0)
    draw_picture(canvas, picture_book("terrain"), "trap")


def trap_in_earth(canvas: TileCanvas, variant: int) -> None:
    """Paint the same plate where the ground is bare."""
    earth(canvas, variant)
    draw_picture(canvas, picture_book("terrain"), "trap")


def treasure(canvas: TileCanvas, variant: int) -> None:
    """Paint a heap of coins, bright at the top, with something faceted in it."""
    canvas.disc(0.5, 0.84, 0.47, 0.13, 0, 0.45)
    canvas.disc(0.5, 0.78, 0.38, 0.14, 0.4)
    canvas.disc(0.5, 0.6, 0.24, 0.24, 0.4)
    coins = [spot for spot in scattered_points(variant + 400, 44, 0.1) if _heaped(spot[0], spot[1])]
    for x, y, which in sorted(coins, key=lambda coin: coin[1]):
        canvas.disc(x, y + 0.03, 0.095, 0.06, 0.28)
        canvas.disc(x, y, 0.085, 0.05, 0.6 + 0.4 * which)
    x, y = 0.4 + 0.2 * hash_fraction(variant, 8), 0.56 + 0.1 * hash_fraction(variant, 9)
    canvas.shape([(x, y - 0.08), (x + 0.08, y), (x, y + 0.12), (x - 0.08, y)], 0.5)
    canvas.shape([(x, y - 0.08), (x + 0.08, y), (x, y + 0.02), (x - 0.08, y)], 1)


def _heaped(x: float, y: float) -> bool:
    """Return True if a coin at (x, y) lies on a heap rather than in the air."""
    slope: float = 6 * abs(x - 0.5) ** 2.4
    return y > 0.34 + slope
