"""The rooms' belongings: shelves of books, plates that give way, bones, and gold."""

from render.tiles.canvas import Canvas
from render.tiles.chance import chance, scatter
from render.tiles.ground import earth, floor


def shelf(canvas: Canvas, look: int) -> None:
    """Paint a bookcase seen from the front: rows of spines, a few gaps, one book leaning."""
    hair = canvas.hair
    rows = 2 if canvas.size < 20 else 3
    canvas.bar(0, 0, 1, 1, 0.34)
    canvas.bar(0, 0, 1, 2 * hair, 0.62)
    tall = (1 - 2 * hair) / rows
    for row in range(rows):
        top = 2 * hair + row * tall
        canvas.bar(hair, top, 1 - hair, top + tall - hair, 0.08)
        _books(canvas, look, row, top + tall - hair, tall - hair)
        canvas.bar(0, top + tall - hair, 1, top + tall, 0.55)


def _books(canvas: Canvas, look: int, row: int, bottom: float, tall: float) -> None:
    """Stand books along a board at ``bottom`` that have ``tall`` to stand in."""
    x, book, hair = 2 * canvas.hair, 0, canvas.hair
    while x < 1 - 3 * hair:
        wide = max(2 * hair, 0.09 + 0.06 * chance(look, row, book))
        right = min(x + wide, 1 - 2 * hair)
        if chance(look, row, book, 1) > 0.13:
            tone = 0.38 + 0.56 * chance(look, row, book, 2)
            high = tall * (0.68 + 0.3 * chance(look, row, book, 3))
            canvas.bar(x, bottom - high, right - hair, bottom, tone)
            canvas.bar(x, bottom - high * 0.7, right - hair, bottom - high * 0.7 + hair, tone * 0.6)
        x, book = x + wide, book + 1


def trap(canvas: Canvas, look: int) -> None:
    """Paint a plate set into the flagstones, a finger's breadth too proud."""
    floor(canvas, 0)
    _plate(canvas)


def trap_in_earth(canvas: Canvas, look: int) -> None:
    """Paint the same plate where the ground is bare."""
    earth(canvas, look)
    _plate(canvas)


def _plate(canvas: Canvas) -> None:
    hair = canvas.hair
    canvas.bar(0.16, 0.16, 0.84, 0.84, 0, 0.75)
    low, high = 0.16 + hair, 0.84 - hair
    canvas.bar(low, low, high, high, 0.5)
    canvas.bar(low, low, high, low + hair, 0.95)
    canvas.bar(low, low, low + hair, high, 0.78)
    canvas.bar(0.34, 0.34, 0.66, 0.66, 0.14)
    canvas.bar(0.34 + hair, 0.34 + hair, 0.66, 0.66, 0.4)


def bones(canvas: Canvas, look: int) -> None:
    """Paint what is left of someone: a skull, a cage of ribs, or a few long bones."""
    canvas.disc(0.5, 0.74, 0.34, 0.1, 0, 0.3)
    kind = look % 3
    if kind == 0:
        _bone(canvas, (0.16, 0.84), (0.82, 0.7))
        _skull(canvas, 0.4 + 0.04 * (look % 4), 0.42)
    elif kind == 1:
        _ribs(canvas)
    else:
        _bone(canvas, (0.2, 0.4), (0.62, 0.26 + 0.02 * look))
        _bone(canvas, (0.24, 0.82), (0.8, 0.5))
        _bone(canvas, (0.5, 0.44), (0.74, 0.84))


def _bone(canvas: Canvas, start: tuple[float, float], end: tuple[float, float]) -> None:
    canvas.line([start, end], 0.07, 0.7)
    for x, y in (start, end):
        canvas.disc(x, y - 0.035, 0.05, 0.045, 0.82)
        canvas.disc(x, y + 0.035, 0.05, 0.045, 0.82)


def _ribs(canvas: Canvas) -> None:
    canvas.line([(0.14, 0.62), (0.86, 0.5)], 0.07, 0.86)
    for i in range(4):
        x, y, tall = 0.28 + i * 0.15, 0.6 - i * 0.025, 0.27 - 0.03 * i
        canvas.line([(x, y), (x + 0.07, y - tall * 0.7), (x + 0.02, y - tall)], 0.05, 0.8)
        canvas.line([(x, y), (x + 0.06, y + tall * 0.7), (x, y + tall)], 0.05, 0.6)


def _skull(canvas: Canvas, x: float, y: float) -> None:
    canvas.bar(x - 0.11, y + 0.1, x + 0.11, y + 0.26, 0.7)
    canvas.disc(x, y, 0.23, 0.21, 0.74)
    canvas.disc(x - 0.03, y - 0.03, 0.18, 0.16, 1)
    for side in (-0.09, 0.1):
        canvas.disc(x + side, y + 0.05, 0.06, 0.065, 0.06)
    canvas.bar(x - 0.02, y + 0.17, x + 0.02, y + 0.26, 0.2)


def treasure(canvas: Canvas, look: int) -> None:
    """Paint a heap of coins, bright at the top, with something faceted in it."""
    canvas.disc(0.5, 0.84, 0.47, 0.13, 0, 0.45)
    canvas.disc(0.5, 0.78, 0.38, 0.14, 0.4)
    canvas.disc(0.5, 0.6, 0.24, 0.24, 0.4)
    coins = [spot for spot in scatter(look + 400, 44, 0.1) if _heaped(spot[0], spot[1])]
    for x, y, which in sorted(coins, key=lambda coin: coin[1]):
        canvas.disc(x, y + 0.03, 0.095, 0.06, 0.28)
        canvas.disc(x, y, 0.085, 0.05, 0.6 + 0.4 * which)
    x, y = 0.4 + 0.2 * chance(look, 8), 0.56 + 0.1 * chance(look, 9)
    canvas.shape([(x, y - 0.08), (x + 0.08, y), (x, y + 0.12), (x - 0.08, y)], 0.5)
    canvas.shape([(x, y - 0.08), (x + 0.08, y), (x, y + 0.02), (x - 0.08, y)], 1)


def _heaped(x: float, y: float) -> bool:
    """Whether a coin at (x, y) lies on a heap rather than in the air."""
    slope: float = 6 * abs(x - 0.5) ** 2.4
    return y > 0.34 + slope
