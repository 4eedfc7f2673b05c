"""Body shapes shared by portraits: biped, robed, quadruped, many legs, floating, coil, blob."""

from render.tiles.tile_canvas import TileCanvas

DARK, MID, PALE = 0.1, 0.62, 1.0


def eyes(canvas: TileCanvas, x: float, y: float, apart: float = 0.07, size: float = 0.035) -> None:
    """Paint a pair of dark eyes around (x, y)."""
    for side in (-apart, apart):
        canvas.disc(x + side, y, size, size, 0.02)


def glowing_eyes(canvas: TileCanvas, x: float, y: float, apart: float = 0.07) -> None:
    """Paint a pair of bright eyes in a dark face around (x, y)."""
    canvas.disc(x, y, apart + 0.08, 0.1, 0.05)
    for side in (-apart, apart):
        canvas.disc(x + side, y, 0.035, 0.035, PALE)


def biped(
    canvas: TileCanvas,
    *,
    head: float = 0.13,
    wide: float = 0.17,
    tall: float = 0.8,
    shade: float = 0.8,
) -> tuple[float, float]:
    """Paint a biped that faces the viewer; return the middle of its head."""
    top = 0.94 - tall
    neck, hip = top + 2 * head - 0.02, 0.94 - tall * 0.36
    for side in (-1, 1):
        canvas.line([(0.5 + side * wide * 0.5, hip), (0.5 + side * wide * 0.7, 0.93)], 0.1, MID)
        canvas.line(
            [(0.5 + side * wide, neck + 0.06), (0.5 + side * (wide + 0.11), hip + 0.02)], 0.09, MID
        )
    body = [
        (0.5 - wide, neck),
        (0.5 + wide, neck),
        (0.5 + wide * 0.75, hip + 0.06),
        (0.5 - wide * 0.75, hip + 0.06),
    ]
    canvas.shape(body, shade)
    canvas.disc(0.5, top + head, head, head, PALE)
    return 0.5, top + head


def robed(canvas: TileCanvas, *, shade: float = 0.7, hood: bool = True) -> tuple[float, float]:
    """Paint a figure in a long robe; return the middle of its face."""
    canvas.shape([(0.5, 0.08), (0.7, 0.36), (0.84, 0.94), (0.16, 0.94), (0.3, 0.36)], shade)
    canvas.line([(0.5, 0.45), (0.5, 0.94)], 0.03, shade * 0.5)
    if hood:
        canvas.disc(0.5, 0.28, 0.2, 0.2, PALE)
        canvas.disc(0.5, 0.31, 0.13, 0.14, 0.05)
    else:
        canvas.disc(0.5, 0.26, 0.16, 0.16, PALE)
    return 0.5, 0.3


def quadruped(
    canvas: TileCanvas,
    *,
    back: float = 0.5,
    deep: float = 0.14,
    head: float = 0.12,
    legs: float = 0.3,
    tail: tuple[float, float] = (0.95, 0.3),
) -> tuple[float, float]:
    """Paint a beast that looks left; return the middle of its head."""
    foot = min(0.93, back + deep + legs)
    for x in (0.34, 0.44, 0.68, 0.78):
        canvas.line([(x, back), (x - 0.02, foot)], 0.07, MID if x in (0.44, 0.68) else 0.85)
    canvas.line([(0.78, back - 0.03), (0.88, back - 0.08), tail], 0.06, 0.85)
    canvas.disc(0.56, back, 0.28, deep, 0.85)
    canvas.disc(0.4, back - 0.03, 0.17, deep + 0.02, PALE)
    x, y = 0.22, back - 0.12
    canvas.disc(x, y, head, head * 0.9, PALE)
    canvas.shape([(x - 0.05, y - 0.03), (x - 0.05, y + head), (x - 0.2, y + head * 0.7)], PALE)
    canvas.disc(x - 0.02, y - 0.02, 0.03, 0.03, 0.02)
    return x, y


def many_legs(
    canvas: TileCanvas, *, body: float = 0.2, legs: int = 4, spread: float = 0.44
) -> None:
    """Paint a body on ``legs`` pairs of jointed legs, seen from above."""
    for i in range(legs):
        bend = -0.26 + 0.52 * i / (legs - 1)
        for side in (-1, 1):
            knee = (0.5 + side * spread * 0.62, 0.5 + bend * 0.9 - 0.1)
            canvas.line([(0.5, 0.5), knee, (0.5 + side * spread, 0.5 + bend * 1.5)], 0.045, 0.8)
    canvas.disc(0.5, 0.62, body, body * 1.1, 0.85)
    canvas.disc(0.5, 0.38, body * 0.65, body * 0.6, PALE)
    eyes(canvas, 0.5, 0.34, 0.05, 0.028)


def floating(canvas: TileCanvas, *, shade: float = 0.75) -> tuple[float, float]:
    """Paint a floating figure without feet; return the middle of its face."""
    hem = [(0.82, 0.8), (0.7, 0.72), (0.6, 0.92), (0.48, 0.74), (0.38, 0.94), (0.28, 0.74)]
    canvas.shape([(0.2, 0.42), (0.3, 0.16), (0.5, 0.07), (0.7, 0.16), (0.8, 0.42), *hem], shade)
    canvas.disc(0.5, 0.3, 0.2, 0.2, PALE)
    return 0.5, 0.3


def coil(canvas: TileCanvas, thick: float = 0.13) -> tuple[float, float]:
    """Paint a serpent that rears its head to the left; return the place of its head."""
    turns = [(0.86, 0.86), (0.4, 0.9), (0.2, 0.78), (0.36, 0.66), (0.7, 0.7), (0.8, 0.56)]
    canvas.line(turns, thick, 0.65)
    canvas.line([(0.8, 0.58), (0.62, 0.46), (0.38, 0.5), (0.36, 0.28)], thick, 0.9)
    canvas.disc(0.32, 0.24, 0.15, 0.11, PALE)
    canvas.disc(0.28, 0.22, 0.03, 0.03, 0.02)
    return 0.3, 0.24


def blob(canvas: TileCanvas, *, wide: float = 0.38, tall: float = 0.3, shade: float = 0.7) -> None:
    """Paint a boneless heap that shines on top."""
    canvas.disc(0.5, 0.9 - tall, wide, tall, shade)
    canvas.bar(0.5 - wide, 0.9 - tall, 0.5 + wide, 0.92, shade)
    canvas.disc(0.4, 0.82 - tall * 1.3, wide * 0.4, tall * 0.26, PALE)


def cap(canvas: TileCanvas, *, stem: float = 0.1, top: float = 0.2, wide: float = 0.38) -> None:
    """Paint a mushroom."""
    canvas.shape([(0.5 - stem, 0.45), (0.5 + stem, 0.45), (0.6, 0.94), (0.4, 0.94)], MID)
    canvas.disc(0.5, 0.46, wide, 0.46 - top, 0.9)
    canvas.bar(0.5 - wide, 0.48, 0.5 + wide, 0.72, 0, 0)
    canvas.shape([(0.5 - stem, 0.46), (0.5 + stem, 0.46), (0.62, 0.94), (0.38, 0.94)], MID)


def wings(canvas: TileCanvas, y: float, reach: float = 0.46, drop: float = 0.3) -> None:
    """Paint a pair of leathern wings spread from the middle at height ``y``."""
    for side in (-1, 1):
        canvas.shape(
            [
                (0.5, y),
                (0.5 + side * reach * 0.6, y - 0.2),
                (0.5 + side * reach, y + drop * 0.3),
                (0.5 + side * reach * 0.72, y + drop * 0.25),
                (0.5 + side * reach * 0.6, y + drop),
                (0.5 + side * reach * 0.3, y + drop * 0.5),
                (0.5, y + drop),
            ],
            0.7,
        )


def horns(canvas: TileCanvas, x: float, y: float, reach: float = 0.2, rise: float = 0.16) -> None:
    """Paint a pair of horns on the brow at (x, y)."""
    for side in (-1, 1):
        canvas.line(
            [
                (x + side * 0.07, y),
                (x + side * reach, y - rise * 0.3),
                (x + side * reach, y - rise),
            ],
            0.06,
            PALE,
        )


def ears(canvas: TileCanvas, x: float, y: float, reach: float = 0.26) -> None:
    """Paint long pointed ears on both sides of a head at (x, y)."""
    for side in (-1, 1):
        canvas.shape(
            [
                (x + side * 0.08, y - 0.06),
                (x + side * reach, y - 0.14),
                (x + side * 0.09, y + 0.08),
            ],
            0.85,
        )


def spike(
    canvas: TileCanvas,
    x: float,
    y: float,
    wide: float,
    tip: float,
    *,
    lean: float = 0,
    shade: float = PALE,
) -> None:
    """Paint a spike that stands on (x, y), ``wide`` to each side, up to the height ``tip``."""
    canvas.shape([(x - wide, y), (x + wide, y), (x + lean, tip)], shade)
