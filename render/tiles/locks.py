"""What is kept under lock: the door, its key, and the seed that all of it is for."""

from math import cos, pi, sin

from render.tiles.canvas import Canvas
from render.tiles.works import door


def locked_door(canvas: Canvas, look: int) -> None:
    """Paint the door of a vault: the same boards, behind iron bars and a great lock."""
    door(canvas, look)
    for x in (0.24, 0.42, 0.6, 0.78):
        canvas.bar(x - 0.035, 0.12, x + 0.035, 1, 0.1)
        canvas.bar(x - 0.035, 0.12, x - 0.035 + canvas.hair, 1, 0.42)
    canvas.bar(0.28, 0.4, 0.74, 0.8, 0.08)
    canvas.bar(0.3, 0.42, 0.72, 0.78, 0.92)
    canvas.disc(0.51, 0.56, 0.075, 0.075, 0.06)
    canvas.bar(0.485, 0.58, 0.535, 0.71, 0.06)


def key(canvas: Canvas, look: int) -> None:
    """Paint a key: a ring to hold, a shaft, two teeth."""
    canvas.disc(0.52, 0.8, 0.4, 0.08, 0, 0.4)
    canvas.disc(0.3, 0.5, 0.2, 0.2, 0.2)
    canvas.disc(0.3, 0.48, 0.19, 0.19, 1)
    canvas.disc(0.3, 0.48, 0.09, 0.09, 0.06)
    canvas.bar(0.46, 0.44, 0.9, 0.55, 0.92)
    canvas.bar(0.46, 0.53, 0.9, 0.55, 0.4)
    for x in (0.68, 0.81):
        canvas.bar(x, 0.54, x + 0.07, 0.7, 0.84)


def relic(canvas: Canvas, look: int) -> None:
    """Paint a seed of light on a low plinth, rays all around it."""
    canvas.disc(0.5, 0.46, 0.46, 0.46, 1, 0.1)
    canvas.disc(0.5, 0.46, 0.34, 0.34, 1, 0.16)
    for ray in range(8):
        turn = (ray + look % 2 / 2) / 8 * 2 * pi
        inner, outer = (
            (0.5 + 0.27 * sin(turn), 0.46 - 0.27 * cos(turn)),
            (
                0.5 + 0.4 * sin(turn),
                0.46 - 0.4 * cos(turn),
            ),
        )
        canvas.line([inner, outer], canvas.hair, 0.8)
    canvas.bar(0.26, 0.8, 0.74, 0.94, 0.44)
    canvas.bar(0.26, 0.8, 0.74, 0.8 + canvas.hair, 0.74)
    canvas.shape([(0.5, 0.2), (0.66, 0.48), (0.5, 0.76), (0.34, 0.48)], 0.7)
    canvas.shape([(0.5, 0.2), (0.5, 0.76), (0.34, 0.48)], 1)
