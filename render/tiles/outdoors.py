"""What lies under an open sky: hills, heath, reeds, and the mouths of dungeons."""

from render.tiles.canvas import Canvas
from render.tiles.chance import chance, scatter


def hill(canvas: Canvas, look: int) -> None:
    """Paint a rounded rise lit from the left, sometimes with a lesser one before it."""
    x, top = 0.46 + 0.1 * chance(look, 1), 0.28 + 0.1 * chance(look, 2)
    canvas.disc(x + 0.05, 0.86, 0.44, 0.08, 0, 0.3)
    canvas.disc(x, 0.84, 0.4, 0.84 - top, 0.3, 0.8)
    canvas.disc(x - 0.07, 0.86, 0.3, 0.8 - top, 0.5, 0.8)
    canvas.disc(x - 0.13, 0.88, 0.18, 0.7 - top, 0.64, 0.7)
    canvas.bar(0, 0.88, 1, 1, 0, 0)
    if look % 3 == 0:
        canvas.disc(0.78, 0.9, 0.18, 0.22, 0.44)
        canvas.disc(0.74, 0.9, 0.12, 0.18, 0.6)
    for tuft in range(2):
        left = x - 0.2 + 0.3 * chance(look, tuft, 7)
        canvas.line([(left, 0.72), (left + 0.03, 0.62)], 0.035, 0.85, 0.7)


def heath(canvas: Canvas, look: int) -> None:
    """Paint low cushions of heather in flower between bare patches."""
    for x, y, which in scatter(look + 300, 4 + look % 2, 0.17):
        wide = 0.07 + 0.07 * which
        canvas.disc(x, y + 0.05, wide * 1.1, 0.04, 0, 0.3)
        canvas.disc(x, y, wide, wide * 0.6, 0.34 + 0.2 * which, 0.75)
        for bloom in range(3):
            dx = wide * (0.9 * chance(look, bloom, int(x * 99)) - 0.5)
            canvas.disc(x + dx, y - wide * 0.45, 0.028, 0.03, 0.95, 0.85)


def reeds(canvas: Canvas, look: int) -> None:
    """Paint stalks with dark heads standing in still water."""
    canvas.line([(0.1, 0.8), (0.45, 0.82)], canvas.hair, 0.5, 0.4)
    canvas.line([(0.55, 0.58), (0.9, 0.56)], canvas.hair, 0.5, 0.3)
    for x, y, which in scatter(look + 320, 4 + look % 3, 0.16):
        tall, lean = 0.24 + 0.14 * which, 0.06 * (chance(look, int(x * 99)) - 0.5)
        canvas.line([(x, y + 0.14), (x + lean, y + 0.14 - tall)], 0.04, 0.7, 0.85)
        if which > 0.4:
            canvas.disc(x + lean, y + 0.16 - tall, 0.03, 0.07, 0.35)


def entrance(canvas: Canvas, look: int) -> None:
    """Paint an arch of stones, and steps that lead down into the dark behind it."""
    canvas.disc(0.5, 0.9, 0.46, 0.1, 0, 0.5)
    canvas.disc(0.5, 0.5, 0.44, 0.44, 0.5)
    canvas.bar(0.06, 0.5, 0.94, 0.94, 0.5)
    for stone in range(7):
        shade = 0.62 + 0.3 * chance(look, stone)
        canvas.disc(
            0.12 + 0.127 * stone, 0.5 - (0.34, 0.3)[stone % 2] + _arch(stone), 0.08, 0.08, shade
        )
    canvas.disc(0.5, 0.52, 0.29, 0.32, 0)
    canvas.bar(0.21, 0.52, 0.79, 0.94, 0)
    for step in range(3):
        canvas.bar(
            0.21 + 0.05 * step,
            0.86 - 0.13 * step,
            0.79 - 0.05 * step,
            0.94 - 0.13 * step,
            0.44 - 0.12 * step,
        )


def _arch(stone: int) -> float:
    return 0.036 * (stone - 3) ** 2
