"""What hands have made: doors, pillars, statues, shrines."""

from math import cos, pi, sin

from render.tiles.canvas import Canvas
from render.tiles.chance import chance


def door(canvas: Canvas, look: int) -> None:
    """Paint oak boards between stone jambs, two iron bands, a ring to pull."""
    hair = canvas.hair
    canvas.bar(0, 0, 1, 1, 0.22)
    canvas.bar(0, 0, 1, hair, 0.6)
    canvas.bar(0.13, 0.1, 0.87, 1, 0.08)
    for i in range(4):
        x = 0.18 + i * 0.16
        tone = 0.72 + 0.14 * chance(look, i, 4)
        canvas.bar(x, 0.15, x + 0.16, 1, tone * 0.62)
        canvas.bar(x, 0.15, x + 0.16 - hair, 1, tone)
    for y in (0.26, 0.74):
        canvas.bar(0.18, y, 0.82, y + 0.09, 0.3)
        canvas.bar(0.18, y, 0.82, y + hair, 0.46)
    canvas.disc(0.68, 0.54, 0.1, 0.1, 0.16)
    canvas.disc(0.68, 0.54, 0.075, 0.075, 1)
    canvas.disc(0.68, 0.545, 0.035, 0.035, 0.3)


def pillar(canvas: Canvas, look: int) -> None:
    """Paint a fluted column between a square base and a square head."""
    canvas.disc(0.54, 0.9, 0.42, 0.1, 0, 0.4)
    flutes = (0.36, 0.6, 0.82, 0.7, 0.5, 0.3)
    for i, shade in enumerate(flutes):
        canvas.bar(0.24 + i * 0.52 / 6, 0.2, 0.24 + (i + 1) * 0.52 / 6, 0.85, shade)
    canvas.bar(0.24, 0.2, 0.76, 0.2 + canvas.hair, 0.16)
    canvas.bar(0.14, 0.8, 0.86, 0.94, 0.5)
    canvas.bar(0.14, 0.8, 0.86, 0.8 + canvas.hair, 0.84)
    canvas.bar(0.14, 0.05, 0.86, 0.2, 0.74)
    canvas.bar(0.14, 0.05, 0.86, 0.05 + canvas.hair, 1)
    if look % 4 == 3:
        canvas.line([(0.4, 0.32), (0.5, 0.46), (0.46, 0.66)], canvas.hair, 0.25)


def statue(canvas: Canvas, look: int) -> None:
    """Paint a robed figure on a plinth, hands on the hilt of a sword."""
    canvas.disc(0.54, 0.92, 0.4, 0.08, 0, 0.4)
    canvas.bar(0.18, 0.78, 0.82, 0.94, 0.4)
    canvas.bar(0.18, 0.78, 0.82, 0.78 + canvas.hair, 0.74)
    canvas.shape([(0.34, 0.36), (0.66, 0.36), (0.74, 0.78), (0.26, 0.78)], 0.5)
    canvas.shape([(0.34, 0.36), (0.5, 0.34), (0.48, 0.78), (0.26, 0.78)], 0.74)
    canvas.disc(0.5, 0.38, 0.23, 0.1, 0.66)
    canvas.disc(0.5, 0.2, 0.13, 0.15, 0.6)
    canvas.disc(0.47, 0.18, 0.09, 0.11, 0.92)
    if look % 2:
        canvas.line([(0.5, 0.42), (0.5, 0.76)], 0.06, 0.95)
        canvas.line([(0.4, 0.5), (0.6, 0.5)], 0.05, 0.95)
    else:
        canvas.shape([(0.4, 0.46), (0.6, 0.46), (0.58, 0.62), (0.5, 0.7), (0.42, 0.62)], 0.95)


def shrine(canvas: Canvas, look: int) -> None:
    """Paint an altar of pale stone under a star, a candle burning on either side."""
    canvas.disc(0.5, 0.92, 0.44, 0.07, 0, 0.4)
    canvas.bar(0.2, 0.58, 0.8, 0.92, 0.42)
    canvas.bar(0.4, 0.58, 0.6, 0.86, 0.66)
    canvas.bar(0.1, 0.5, 0.9, 0.6, 0.82)
    canvas.bar(0.1, 0.6, 0.9, 0.6 + canvas.hair, 0.14)
    for x in (0.2, 0.8):
        canvas.disc(x, 0.28, 0.12, 0.14, 1, 0.2)
        canvas.bar(x - 0.04, 0.34, x + 0.04, 0.5, 0.6)
        canvas.disc(x, 0.26, 0.045, 0.075 + 0.01 * (look % 3), 1)
    canvas.disc(0.5, 0.24, 0.22, 0.22, 1, 0.16)
    star = [_around(0.5, 0.24, 0.19 if i % 2 == 0 else 0.06, i / 8) for i in range(8)]
    canvas.shape(star, 1)


def _around(x: float, y: float, reach: float, turn: float) -> tuple[float, float]:
    """Return the point ``reach`` from (x, y) after ``turn`` of a circle from the top."""
    return x + reach * sin(turn * 2 * pi), y - reach * cos(turn * 2 * pi)
