"""The portrait of the one who carries the lamp, a sword in the other hand."""

from render.tiles.canvas import Canvas
from render.tiles.figures import DARK, PALE


def hero(canvas: Canvas) -> None:
    """Paint someone in a cloak who holds a lantern up and a sword down."""
    canvas.disc(0.8, 0.3, 0.2, 0.22, 1, 0.28)
    canvas.shape([(0.36, 0.36), (0.6, 0.36), (0.72, 0.86), (0.22, 0.86)], 0.42)
    for x, foot in ((0.4, 0.38), (0.54, 0.57)):
        canvas.line([(x, 0.66), (foot, 0.94)], 0.11, 0.62)
    canvas.shape([(0.33, 0.36), (0.61, 0.36), (0.6, 0.74), (0.34, 0.74)], PALE)
    canvas.bar(0.33, 0.57, 0.62, 0.62, 0.25)
    canvas.line([(0.35, 0.42), (0.24, 0.6)], 0.1, 0.85)
    canvas.line([(0.26, 0.56), (0.06, 0.86)], 0.06, PALE)
    canvas.line([(0.16, 0.56), (0.32, 0.64)], 0.05, 0.7)
    canvas.line([(0.6, 0.42), (0.76, 0.26)], 0.1, 0.85)
    canvas.disc(0.47, 0.2, 0.155, 0.165, 0.45)
    canvas.disc(0.48, 0.24, 0.115, 0.12, PALE)
    for x in (0.45, 0.53):
        canvas.disc(x, 0.24, 0.025, 0.03, DARK)
    canvas.bar(0.73, 0.22, 0.89, 0.42, 0.45)
    canvas.bar(0.76, 0.25, 0.86, 0.39, PALE)
    canvas.bar(0.78, 0.18, 0.84, 0.22, 0.7)
