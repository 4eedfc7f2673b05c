"""The rooms' belongings: shelves of books, plates that give way, bones, and gold."""

from math import cos, pi, sin

from procgen.position_hash import hash_fraction
from render.tiles.floors import earth, floor
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
    """Paint a plate set into the flagstones, a finger's breadth too proud."""
    floor(canvas, 0)
    _plate(canvas)


def trap_in_earth(canvas: TileCanvas, variant: int) -> None:
    """Paint the same plate where the ground is bare."""
    earth(canvas, variant)
    _plate(canvas)


def _plate(canvas: TileCanvas) -> None:
    hair = canvas.hair
    canvas.bar(0.16, 0.16, 0.84, 0.84, 0, 0.75)
    low, high = 0.16 + hair, 0.84 - hair
    canvas.bar(low, low, high, high, 0.5)
    canvas.bar(low, low, high, low + hair, 0.95)
    canvas.bar(low, low, low + hair, high, 0.78)
    canvas.bar(0.34, 0.34, 0.66, 0.66, 0.14)
    canvas.bar(0.34 + hair, 0.34 + hair, 0.66, 0.66, 0.4)


def bones(canvas: TileCanvas, variant: int) -> None:
    """Paint what is left of someone: a skull, a cage of ribs, or a few long bones."""
    canvas.disc(0.5, 0.74, 0.34, 0.1, 0, 0.3)
    kind = variant % 3
    if kind == 0:
        _bone(canvas, (0.16, 0.84), (0.82, 0.7))
        _skull(canvas, 0.4 + 0.04 * (variant % 4), 0.42)
    elif kind == 1:
        _ribs(canvas)
    else:
        _bone(canvas, (0.2, 0.4), (0.62, 0.26 + 0.02 * variant))
        _bone(canvas, (0.24, 0.82), (0.8, 0.5))
        _bone(canvas, (0.5, 0.44), (0.74, 0.84))


def _bone(canvas: TileCanvas, start: tuple[float, float], end: tuple[float, float]) -> None:
    canvas.line([start, end], 0.07, 0.7)
    for x, y in (start, end):
        canvas.disc(x, y - 0.035, 0.05, 0.045, 0.82)
        canvas.disc(x, y + 0.035, 0.05, 0.045, 0.82)


def _ribs(canvas: TileCanvas) -> None:
    canvas.line([(0.14, 0.62), (0.86, 0.5)], 0.07, 0.86)
    for i in range(4):
        x, y, tall = 0.28 + i * 0.15, 0.6 - i * 0.025, 0.27 - 0.03 * i
        canvas.line([(x, y), (x + 0.07, y - tall * 0.7), (x + 0.02, y - tall)], 0.05, 0.8)
        canvas.line([(x, y), (x + 0.06, y + tall * 0.7), (x, y + tall)], 0.05, 0.6)


def _skull(canvas: TileCanvas, x: float, y: float) -> None:
    canvas.bar(x - 0.11, y + 0.1, x + 0.11, y + 0.26, 0.7)
    canvas.disc(x, y, 0.23, 0.21, 0.74)
    canvas.disc(x - 0.03, y - 0.03, 0.18, 0.16, 1)
    for side in (-0.09, 0.1):
        canvas.disc(x + side, y + 0.05, 0.06, 0.065, 0.06)
    canvas.bar(x - 0.02, y + 0.17, x + 0.02, y + 0.26, 0.2)


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


def door(canvas: TileCanvas, variant: int) -> None:
    """Paint oak boards between stone jambs, two iron bands, a ring to pull."""
    hair = canvas.hair
    canvas.bar(0, 0, 1, 1, 0.22)
    canvas.bar(0, 0, 1, hair, 0.6)
    canvas.bar(0.13, 0.1, 0.87, 1, 0.08)
    _boards(canvas, variant, (0.18, 0.34, 0.5, 0.66), 0.16, (0.15, 1))
    _iron_bands(canvas, 0.18, 0.82, (0.26, 0.74))
    canvas.disc(0.68, 0.54, 0.1, 0.1, 0.16)
    canvas.disc(0.68, 0.54, 0.075, 0.075, 1)
    canvas.disc(0.68, 0.545, 0.035, 0.035, 0.3)


def _boards(
    canvas: TileCanvas,
    variant: int,
    lefts: tuple[float, ...],
    wide: float,
    height: tuple[float, float],
) -> None:
    """Paint upright boards at ``lefts``, from the first to the second ``height``."""
    top, bottom = height
    for i, x in enumerate(lefts):
        tone = 0.72 + 0.14 * hash_fraction(variant, i, 4)
        canvas.bar(x, top, x + wide, bottom, tone * 0.62)
        canvas.bar(x, top, x + wide - canvas.hair, bottom, tone)


def _iron_bands(canvas: TileCanvas, left: float, right: float, tops: tuple[float, ...]) -> None:
    for y in tops:
        canvas.bar(left, y, right, y + 0.09, 0.3)
        canvas.bar(left, y, right, y + canvas.hair, 0.46)


def open_door(canvas: TileCanvas, _: int) -> None:
    """Paint the dark of an open door between its posts, and the leaf that stands aside."""
    canvas.bar(0, 0, 1, 0.9, 0.16)
    canvas.bar(0.14, 0.12, 0.86, 1, 0)
    canvas.bar(0, 0, 1, 0.14, 0.42)
    canvas.bar(0, 0, 1, canvas.hair, 0.7)
    for x in (0, 0.88):
        canvas.bar(x, 0.1, x + 0.12, 0.94, 0.5)
        canvas.bar(x, 0.1, x + canvas.hair, 0.94, 0.76)
    canvas.shape([(0.14, 0.14), (0.3, 0.24), (0.3, 1), (0.14, 0.94)], 0.62)
    for y in (0.36, 0.68):
        canvas.line([(0.14, y), (0.3, y + 0.06)], 0.05, 0.26)


def open_side_door(canvas: TileCanvas, _: int) -> None:
    """Paint two posts of a wall seen along it, and the leaf that stands across."""
    hair = canvas.hair
    canvas.bar(0.2, 0, 0.86, 1, 0, 0.3)
    for top, bottom in ((0, 0.2), (0.84, 1)):
        canvas.bar(0.28, top, 0.72, bottom, 0.38)
        canvas.bar(0.28, top, 0.72, top + hair, 0.66)
    canvas.bar(0.72, 0.1, 1, 0.34, 0.6)
    canvas.bar(0.72, 0.1, 1, 0.1 + hair, 0.9)
    canvas.bar(0.72, 0.3, 1, 0.34, 0.24)
    canvas.disc(0.92, 0.22, 0.05, 0.05, 1)


def side_door(canvas: TileCanvas, variant: int) -> None:
    """Paint a door seen along its wall: the edge of its boards between two jambs, a ring."""
    hair = canvas.hair
    canvas.bar(0.2, 0, 0.86, 1, 0, 0.3)
    canvas.bar(0.28, 0, 0.72, 0.2, 0.42)
    canvas.bar(0.28, 0, 0.72, hair, 0.66)
    canvas.bar(0.28, 0.2 - hair, 0.72, 0.2, 0.14)
    canvas.bar(0.37, 0.2, 0.63, 0.86, 0.1)
    _boards(canvas, variant, (0.4, 0.5), 0.1, (0.2, 0.84))
    _iron_bands(canvas, 0.38, 0.62, (0.3, 0.64))
    canvas.bar(0.28, 0.84, 0.72, 1, 0.34)
    canvas.bar(0.28, 0.84, 0.72, 0.84 + hair, 0.6)
    for x in (0.34, 0.66):
        canvas.disc(x, 0.53, 0.06, 0.06, 1)


def side_locked_door(canvas: TileCanvas, variant: int) -> None:
    """Paint the door of a vault seen along its wall: bars across, and the lock."""
    side_door(canvas, variant)
    for y in (0.24, 0.42, 0.6, 0.76):
        canvas.bar(0.32, y, 0.68, y + 0.05, 0.12)
    canvas.bar(0.34, 0.44, 0.66, 0.68, 0.92)
    canvas.bar(0.47, 0.5, 0.53, 0.62, 0.06)


def pillar(canvas: TileCanvas, variant: int) -> None:
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
    if variant % 4 == 3:
        canvas.line([(0.4, 0.32), (0.5, 0.46), (0.46, 0.66)], canvas.hair, 0.25)


def statue(canvas: TileCanvas, variant: int) -> None:
    """Paint a robed figure on a plinth, hands on the hilt of a sword."""
    canvas.disc(0.54, 0.92, 0.4, 0.08, 0, 0.4)
    canvas.bar(0.18, 0.78, 0.82, 0.94, 0.4)
    canvas.bar(0.18, 0.78, 0.82, 0.78 + canvas.hair, 0.74)
    canvas.shape([(0.34, 0.36), (0.66, 0.36), (0.74, 0.78), (0.26, 0.78)], 0.5)
    canvas.shape([(0.34, 0.36), (0.5, 0.34), (0.48, 0.78), (0.26, 0.78)], 0.74)
    canvas.disc(0.5, 0.38, 0.23, 0.1, 0.66)
    canvas.disc(0.5, 0.2, 0.13, 0.15, 0.6)
    canvas.disc(0.47, 0.18, 0.09, 0.11, 0.92)
    if variant % 2:
        canvas.line([(0.5, 0.42), (0.5, 0.76)], 0.06, 0.95)
        canvas.line([(0.4, 0.5), (0.6, 0.5)], 0.05, 0.95)
    else:
        canvas.shape([(0.4, 0.46), (0.6, 0.46), (0.58, 0.62), (0.5, 0.7), (0.42, 0.62)], 0.95)


def shrine(canvas: TileCanvas, variant: int) -> None:
    """Paint an altar of pale stone under a star, a candle burning on either side."""
    canvas.disc(0.5, 0.92, 0.44, 0.07, 0, 0.4)
    canvas.bar(0.2, 0.58, 0.8, 0.92, 0.42)
    canvas.bar(0.4, 0.58, 0.6, 0.86, 0.66)
    canvas.bar(0.1, 0.5, 0.9, 0.6, 0.82)
    canvas.bar(0.1, 0.6, 0.9, 0.6 + canvas.hair, 0.14)
    for x in (0.2, 0.8):
        canvas.disc(x, 0.28, 0.12, 0.14, 1, 0.2)
        canvas.bar(x - 0.04, 0.34, x + 0.04, 0.5, 0.6)
        canvas.disc(x, 0.26, 0.045, 0.075 + 0.01 * (variant % 3), 1)
    canvas.disc(0.5, 0.24, 0.22, 0.22, 1, 0.16)
    star = [_around(0.5, 0.24, 0.19 if i % 2 == 0 else 0.06, i / 8) for i in range(8)]
    canvas.shape(star, 1)


def _around(x: float, y: float, reach: float, turn: float) -> tuple[float, float]:
    """Return the point ``reach`` from (x, y) after ``turn`` of a circle from the top."""
    return x + reach * sin(turn * 2 * pi), y - reach * cos(turn * 2 * pi)


def locked_door(canvas: TileCanvas, variant: int) -> None:
    """Paint the door of a vault: the same boards, behind iron bars and a great lock."""
    door(canvas, variant)
    for x in (0.24, 0.42, 0.6, 0.78):
        canvas.bar(x - 0.035, 0.12, x + 0.035, 1, 0.1)
        canvas.bar(x - 0.035, 0.12, x - 0.035 + canvas.hair, 1, 0.42)
    canvas.bar(0.28, 0.4, 0.74, 0.8, 0.08)
    canvas.bar(0.3, 0.42, 0.72, 0.78, 0.92)
    canvas.disc(0.51, 0.56, 0.075, 0.075, 0.06)
    canvas.bar(0.485, 0.58, 0.535, 0.71, 0.06)


def key(canvas: TileCanvas, variant: int) -> None:
    """Paint a key: a ring to hold, a shaft, two teeth."""
    canvas.disc(0.52, 0.8, 0.4, 0.08, 0, 0.4)
    canvas.disc(0.3, 0.5, 0.2, 0.2, 0.2)
    canvas.disc(0.3, 0.48, 0.19, 0.19, 1)
    canvas.disc(0.3, 0.48, 0.09, 0.09, 0.06)
    canvas.bar(0.46, 0.44, 0.9, 0.55, 0.92)
    canvas.bar(0.46, 0.53, 0.9, 0.55, 0.4)
    for x in (0.68, 0.81):
        canvas.bar(x, 0.54, x + 0.07, 0.7, 0.84)


def relic(canvas: TileCanvas, variant: int) -> None:
    """Paint a seed of light on a low plinth, rays all around it."""
    canvas.disc(0.5, 0.46, 0.46, 0.46, 1, 0.1)
    canvas.disc(0.5, 0.46, 0.34, 0.34, 1, 0.16)
    for ray in range(8):
        turn = (ray + variant % 2 / 2) / 8 * 2 * pi
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
