"""Portraits of beasts, crawlers and spirits; each function is named after a creature kind."""

from math import cos, pi, sin

from render.tiles.body_shapes import (
    MID,
    PALE,
    blob,
    coil,
    eyes,
    floating,
    glowing_eyes,
    many_legs,
    quadruped,
    wings,
)
from render.tiles.tile_canvas import TileCanvas


def rat(canvas: TileCanvas) -> None:
    """Paint a low back, a long tail and round ears."""
    canvas.line([(0.78, 0.76), (0.94, 0.7), (0.9, 0.48), (0.98, 0.4)], 0.04, MID)
    for x in (0.36, 0.5, 0.66, 0.76):
        canvas.line([(x, 0.74), (x - 0.03, 0.9)], 0.05, MID)
    canvas.disc(0.56, 0.68, 0.27, 0.17, 0.85)
    canvas.shape([(0.36, 0.54), (0.4, 0.82), (0.06, 0.78)], PALE)
    for x in (0.3, 0.42):
        canvas.disc(x, 0.54, 0.075, 0.085, PALE)
    canvas.disc(0.25, 0.69, 0.032, 0.032, 0.02)


def bat(canvas: TileCanvas) -> None:
    """Paint two wings with a small body between them."""
    wings(canvas, 0.42, 0.48, 0.34)
    canvas.disc(0.5, 0.52, 0.12, 0.17, PALE)
    for side in (-1, 1):
        canvas.shape(
            [(0.5 + side * 0.02, 0.4), (0.5 + side * 0.11, 0.42), (0.5 + side * 0.12, 0.24)], PALE
        )
    eyes(canvas, 0.5, 0.46, 0.05)


def jackal(canvas: TileCanvas) -> None:
    """Paint long legs and pricked ears."""
    x, y = quadruped(canvas, back=0.5, deep=0.11, legs=0.32, tail=(0.95, 0.6))
    for dx in (-0.03, 0.07):
        canvas.shape(
            [(x + dx - 0.04, y - 0.06), (x + dx + 0.05, y - 0.06), (x + dx + 0.02, y - 0.27)], PALE
        )


def warg(canvas: TileCanvas) -> None:
    """Paint a heavy mane and bared teeth."""
    x, y = quadruped(canvas, back=0.5, deep=0.18, head=0.15, legs=0.26, tail=(0.97, 0.5))
    for i in range(5):
        canvas.shape(
            [(0.26 + i * 0.1, 0.4), (0.36 + i * 0.1, 0.4), (0.34 + i * 0.1, 0.2 + i * 0.02)], 0.75
        )
    for dx in (-0.04, 0.06):
        canvas.shape([(x + dx - 0.04, y - 0.1), (x + dx + 0.05, y - 0.1), (x + dx, y - 0.25)], PALE)
    canvas.bar(x - 0.16, y + 0.12, x + 0.02, y + 0.15, 0.02)


def bull(canvas: TileCanvas) -> None:
    """Paint a lowered head with great horns."""
    for px in (0.46, 0.56, 0.76, 0.86):
        canvas.line([(px, 0.6), (px, 0.92)], 0.1, MID)
    canvas.disc(0.62, 0.5, 0.32, 0.22, 0.85)
    canvas.disc(0.5, 0.42, 0.22, 0.2, PALE)
    canvas.disc(0.24, 0.62, 0.16, 0.16, PALE)
    canvas.line([(0.3, 0.52), (0.36, 0.38), (0.22, 0.3)], 0.07, PALE)
    canvas.line([(0.16, 0.52), (0.06, 0.44), (0.03, 0.28)], 0.07, PALE)
    canvas.disc(0.22, 0.6, 0.035, 0.035, 0.02)
    canvas.disc(0.15, 0.7, 0.03, 0.03, 0.1)


def centaur(canvas: TileCanvas) -> None:
    """Paint a horse that is an archer from the shoulders up."""
    for x in (0.4, 0.5, 0.76, 0.86):
        canvas.line([(x, 0.64), (x, 0.94)], 0.06, MID)
    canvas.line([(0.88, 0.58), (0.98, 0.8)], 0.06, MID)
    canvas.disc(0.64, 0.6, 0.28, 0.13, 0.85)
    canvas.shape([(0.34, 0.3), (0.52, 0.3), (0.52, 0.64), (0.38, 0.64)], 0.9)
    canvas.disc(0.43, 0.19, 0.12, 0.12, PALE)
    canvas.disc(0.4, 0.18, 0.03, 0.03, 0.02)
    canvas.line([(0.24, 0.12), (0.12, 0.28), (0.12, 0.46), (0.24, 0.62)], 0.045, PALE)
    canvas.line([(0.44, 0.38), (0.08, 0.37)], 0.04, PALE)


def viper(canvas: TileCanvas) -> None:
    """Paint a coil, a raised head and a forked tongue."""
    coil(canvas)
    canvas.line([(0.2, 0.28), (0.08, 0.32)], 0.025, PALE)
    canvas.line([(0.1, 0.31), (0.03, 0.28)], 0.02, PALE)


def salamander(canvas: TileCanvas) -> None:
    """Paint a lizard with flames along its back."""
    for i in range(5):
        x = 0.3 + i * 0.12
        canvas.shape([(x - 0.07, 0.56), (x + 0.07, 0.56), (x + 0.03, 0.22 + 0.06 * (i % 2))], PALE)
    canvas.line([(0.7, 0.66), (0.9, 0.6), (0.95, 0.42)], 0.08, 0.75)
    for x in (0.32, 0.66):
        canvas.line([(x, 0.66), (x - 0.08, 0.9)], 0.08, MID)
        canvas.line([(x, 0.66), (x + 0.1, 0.9)], 0.08, MID)
    canvas.disc(0.5, 0.64, 0.27, 0.12, 0.8)
    canvas.disc(0.2, 0.58, 0.16, 0.11, PALE)
    canvas.disc(0.16, 0.55, 0.03, 0.03, 0.02)
    canvas.line([(0.06, 0.63), (0.24, 0.64)], 0.025, 0.05)


def spider(canvas: TileCanvas) -> None:
    """Paint eight legs."""
    many_legs(canvas)


def spiderling(canvas: TileCanvas) -> None:
    """Paint a small spider."""
    many_legs(canvas, body=0.12, legs=3, spread=0.3)


def broodmother(canvas: TileCanvas) -> None:
    """Paint a bloated spider with a crown of eyes."""
    many_legs(canvas, body=0.28, spread=0.48)
    for x, y in ((0.4, 0.58), (0.6, 0.58), (0.5, 0.72), (0.38, 0.76), (0.62, 0.76)):
        canvas.disc(x, y, 0.06, 0.06, 0.4)
    for i in range(3):
        canvas.shape(
            [(0.38 + i * 0.09, 0.28), (0.47 + i * 0.09, 0.28), (0.425 + i * 0.09, 0.1)], PALE
        )


def mimic(canvas: TileCanvas) -> None:
    """Paint a chest with teeth."""
    canvas.shape([(0.12, 0.42), (0.2, 0.16), (0.8, 0.16), (0.88, 0.42)], 0.8)
    canvas.bar(0.12, 0.6, 0.88, 0.92, 0.8)
    canvas.bar(0.12, 0.42, 0.88, 0.62, 0.05)
    for i in range(6):
        x = 0.14 + i * 0.12
        canvas.shape([(x, 0.42), (x + 0.1, 0.42), (x + 0.05, 0.53)], PALE)
        canvas.shape([(x, 0.63), (x + 0.1, 0.63), (x + 0.05, 0.51)], PALE)
    eyes(canvas, 0.5, 0.29, 0.14, 0.05)
    canvas.bar(0.44, 0.68, 0.56, 0.8, 0.2)


def jelly(canvas: TileCanvas) -> None:
    """Paint a blob that is about to split in two."""
    blob(canvas)
    canvas.line([(0.5, 0.36), (0.52, 0.92)], 0.03, 0.35)
    for x in (0.32, 0.68):
        canvas.disc(x, 0.66, 0.08, 0.08, 0.1)
        canvas.disc(x - 0.02, 0.64, 0.03, 0.03, PALE)


def gazer(canvas: TileCanvas) -> None:
    """Paint one great eye with stalks about it."""
    for i in range(7):
        turn = pi * (1.0 + i / 6)
        tip = 0.5 + 0.42 * cos(turn), 0.52 + 0.42 * sin(turn)
        canvas.line([(0.5, 0.52), tip], 0.05, MID)
        canvas.disc(*tip, 0.055, 0.055, PALE)
    canvas.disc(0.5, 0.56, 0.31, 0.31, 0.75)
    canvas.disc(0.5, 0.54, 0.2, 0.19, PALE)
    canvas.disc(0.5, 0.54, 0.09, 0.12, 0.02)
    canvas.line([(0.34, 0.8), (0.5, 0.84), (0.66, 0.8)], 0.03, 0.1)


def shade(canvas: TileCanvas) -> None:
    """Paint a dark shape with eyes."""
    x, y = floating(canvas, shade=0.62)
    canvas.disc(x, y, 0.16, 0.17, 0.05)
    glowing_eyes(canvas, x, y, 0.07)


def banshee(canvas: TileCanvas) -> None:
    """Paint streaming hair around a wail."""
    for side in (-1, 1):
        for drop in (0.5, 0.64, 0.78):
            canvas.line(
                [(0.5 + side * 0.12, 0.16), (0.5 + side * 0.34, 0.3), (0.5 + side * 0.4, drop)],
                0.04,
                MID,
            )
    x, y = floating(canvas)
    eyes(canvas, x, y - 0.05, 0.08, 0.045)
    canvas.disc(x, y + 0.09, 0.06, 0.09, 0.03)
