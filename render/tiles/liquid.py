"""Water and fire that never stand still: the looks of a tile are moments of one slow wave."""

from math import pi, sin

from render.tiles.canvas import Canvas
from render.tiles.chance import scatter

# Every crest swells and fades inside its tile, so any moment fits beside any other.


def water(canvas: Canvas, look: int) -> None:
    """Paint deep water: long low crests that rise, drift and sink again."""
    for i, (x, y) in enumerate(((0.3, 0.22), (0.66, 0.48), (0.34, 0.76))):
        _crest(canvas, x, y, (look / 8 + i * 0.37) % 1, 0.2, 0.5)


def shallows(canvas: Canvas, look: int) -> None:
    """Paint shallow water: pebbles seen through it, and more and brighter crests."""
    canvas.bar(0, 0, 1, 1, 1, 0.16)
    for x, y, which in scatter(301, 5, 0.14):
        canvas.disc(x, y, 0.04 + 0.03 * which, 0.035 + 0.015 * which, 0, 0.22)
    for i, (x, y) in enumerate(((0.26, 0.16), (0.72, 0.38), (0.3, 0.6), (0.7, 0.84))):
        _crest(canvas, x, y, (look / 8 + i * 0.29) % 1, 0.16, 0.62)


def lava(canvas: Canvas, look: int) -> None:
    """Paint molten rock: glowing streams that brighten and fade between rafts of dark crust."""
    canvas.bar(0, 0, 1, 1, 0.36, 0.55)
    for i, (x, y, which) in enumerate(scatter(325, 4, 0.24)):
        swell = 0.5 + 0.5 * sin((look / 8 + i / 4) * 2 * pi)
        canvas.disc(x, y, 0.17 + 0.06 * which, 0.09 + 0.03 * swell, 0.24 - 0.12 * swell, 0.6)
    for i, (x, y) in enumerate(((0.3, 0.16), (0.68, 0.38), (0.32, 0.62), (0.66, 0.86))):
        phase = (look / 8 + i * 0.31) % 1
        swell, drift = sin(phase * pi), (phase - 0.5) * 0.14
        bend, reach = 0.035 * (1 if i % 2 else -1), 0.11 + 0.14 * swell
        stream = [(x + drift + reach * t, y + bend * sin(t * pi)) for t in (-1, -0.5, 0, 0.5, 1)]
        canvas.line(stream, 0.13, 0.36 + 0.3 * swell, 0.6)
        canvas.line(stream, 0.06, 0.36 + 0.64 * swell, 0.6 + 0.4 * swell)


def _crest(canvas: Canvas, x: float, y: float, phase: float, reach: float, cover: float) -> None:
    """Draw one crest at ``phase`` (0 to 1) of its life, the trough dark below it."""
    swell = sin(phase * pi)
    x += (phase - 0.5) * 0.16
    reach *= 0.45 + 0.55 * swell
    bend = 0.05 * swell
    arc = [(x + reach * t, y - bend * (1 - t * t) + bend * 0.5) for t in (-1, -0.5, 0, 0.5, 1)]
    canvas.line([(px, py + 0.06) for px, py in arc], 0.05, 0, 0.24 * swell)
    canvas.line(arc, 0.05, 1, cover * swell)
