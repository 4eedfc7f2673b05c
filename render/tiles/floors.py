"""Floors and liquids: flagstones, earth, cobbles, sand, carpet, ice, bridges, water, lava, fire."""

from math import pi, sin

from procgen.position_hash import hash_fraction
from render.tiles.tile_canvas import TileCanvas, scattered_points


def floor(canvas: TileCanvas, variant: int) -> None:
    """Paint flagstones with faint joints; most are whole, some are split, cracked or specked."""
    hair = canvas.hair
    canvas.bar(0, 0, 1, hair, 1, 0.045)
    canvas.bar(0, 0, hair, 1, 1, 0.045)
    canvas.bar(1 - hair, 0, 1, 1, 0, 0.24)
    canvas.bar(0, 1 - hair, 1, 1, 0, 0.24)
    if variant == 2:
        canvas.bar(0.45, 0, 0.45 + hair, 1 - hair, 0, 0.2)
    elif variant == 3:
        canvas.bar(0, 0.55, 1 - hair, 0.55 + hair, 0, 0.2)
    elif variant == 5:
        canvas.line([(0.12, 0.2), (0.36, 0.34), (0.5, 0.58), (0.72, 0.66)], hair * 0.8, 0, 0.24)
    elif variant == 6:
        canvas.bar(0.5, 0, 0.5 + hair, 0.5, 0, 0.17)
        canvas.bar(0, 0.5, 1 - hair, 0.5 + hair, 0, 0.17)
    for x, y, which in scattered_points(variant, (0, 3, 1, 1, 4, 0, 1, 2)[variant], 0.2):
        canvas.bar(x, y, x + hair, y + hair, which > 0.4, 0.14)


def earth(canvas: TileCanvas, variant: int) -> None:
    """Paint bare ground: worn hollows, hairline cracks, a pebble here and there."""
    for x, y, which in scattered_points(variant + 30, 3, 0.24):
        canvas.disc(x, y, 0.12 + 0.1 * which, 0.06 + 0.05 * which, 0, 0.06)
    for x, y, which in scattered_points(variant + 36, 2, 0.26):
        canvas.disc(x, y, 0.1 + 0.1 * which, 0.06 + 0.04 * which, 1, 0.05)
    if variant == 1:
        canvas.line(
            [(0.1, 0.3), (0.32, 0.38), (0.46, 0.3), (0.66, 0.56)], canvas.hair * 0.8, 0, 0.3
        )
        canvas.line([(0.46, 0.3), (0.58, 0.16)], canvas.hair * 0.7, 0, 0.22)
    elif variant == 4:
        canvas.line(
            [(0.72, 0.14), (0.6, 0.4), (0.66, 0.6), (0.48, 0.84)], canvas.hair * 0.8, 0, 0.26
        )
    for x, y, which in scattered_points(variant + 50, (2, 1, 3, 1, 1, 1, 2, 3)[variant], 0.12):
        wide = 0.03 + 0.035 * which
        canvas.disc(x, y + 0.025, wide, wide * 0.8, 0, 0.32)
        canvas.disc(x, y, wide, wide * 0.7, 1, 0.3 + 0.3 * which)


def tunnel(canvas: TileCanvas, variant: int) -> None:
    """Paint packed earth: no joints, pebbles half sunk in it, dark hollows."""
    for x, y, which in scattered_points(variant + 20, 6, 0.1):
        canvas.disc(x, y, 0.05 + 0.08 * which, 0.03 + 0.03 * which, 0, 0.2)
    for x, y, which in scattered_points(variant + 40, 2 + variant % 3, 0.14):
        wide = 0.045 + 0.05 * which
        canvas.disc(x, y + 0.03, wide, wide * 0.8, 0, 0.34)
        canvas.disc(x, y, wide, wide * 0.7, 1, 0.35 + 0.3 * which)


def road(canvas: TileCanvas, variant: int) -> None:
    """Paint cobbles in staggered rows; a stone across the edge has the same tone on both tiles."""
    rows, wide = 4, 1 / 3
    for row in range(rows):
        shift = wide / 2 if row % 2 else 0
        for i in range(4):
            x, y = (i + 0.5) * wide - shift, (row + 0.5) / rows
            shared = row % 2 and i in {0, 3}
            tone = hash_fraction(row, 0 if shared else i, 0 if shared else variant + 1)
            canvas.disc(x, y + 0.02, wide * 0.47, 0.115, 0, 0.25)
            canvas.disc(x, y, wide * 0.43, 0.095, 0.8, 0.13 + 0.16 * tone)


def sand(canvas: TileCanvas, variant: int) -> None:
    """Paint ripples blown by a steady wind: short arcs, each with a shadow below."""
    canvas.bar(0, 0, 1, 1, 1, 0.12)
    for i, (x, y, which) in enumerate(scattered_points(variant + 60, 4, 0.16)):
        reach = 0.12 + 0.14 * which
        path = [
            (x + reach * t, y + 0.05 * sin((t + 1) * pi / 2 + i)) for t in (-1, -0.5, 0, 0.5, 1)
        ]
        canvas.line([(px, py + 0.05) for px, py in path], 0.045, 0, 0.16)
        canvas.line(path, 0.045, 1, 0.26)


def carpet(canvas: TileCanvas, variant: int) -> None:
    """Paint a woven field of lozenges that join from tile to tile, worn thin here and there."""
    canvas.bar(0, 0, 1, 1, 0.8, 0.1)
    for reach, shade, cover in ((0.5, 0.8, 0.24), (0.42, 0.8, 0.1), (0.15, 1, 0.5), (0.06, 0, 0.3)):
        lozenge = [(0.5, 0.5 - reach), (0.5 + reach, 0.5), (0.5, 0.5 + reach), (0.5 - reach, 0.5)]
        canvas.shape(lozenge, shade, cover)
    for x, y, _ in scattered_points(variant + 80, variant // 3, 0.15):
        canvas.bar(x, y, x + 2 * canvas.hair, y + canvas.hair, 0, 0.25)


def ice(canvas: TileCanvas, variant: int) -> None:
    """Paint a cold sheet: slanted gleams, and now and then a crack."""
    canvas.bar(0, 0, 1, 1, 1, 0.16)
    for x, y, which in scattered_points(variant + 100, 2 + variant % 2, 0.2):
        reach = 0.06 + 0.1 * which
        canvas.line([(x - reach, y + reach), (x + reach, y - reach)], 0.05, 1, 0.2 + 0.3 * which)
    if variant % 4 == 1:
        turn = 0.2 * hash_fraction(variant, 3)
        canvas.line([(0.12, 0.3 + turn), (0.38, 0.4), (0.52, 0.6), (0.86, 0.7)], 0.03, 0, 0.22)
        canvas.line([(0.38, 0.4), (0.6, 0.24)], 0.03, 0, 0.16)


def embers(canvas: TileCanvas, variant: int) -> None:
    """Paint charred ground with coals in it, the larger ones glowing brightest."""
    for x, y, which in scattered_points(variant + 340, 5, 0.14):
        canvas.disc(x, y, 0.1 + 0.1 * which, 0.06 + 0.06 * which, 0, 0.4)
    for x, y, which in scattered_points(variant + 360, 6 + variant % 4, 0.1):
        wide = 0.03 + 0.05 * which
        canvas.disc(x, y, wide, wide * 0.7, 0.45 + 0.55 * which, 0.9)


def stain(canvas: TileCanvas, variant: int) -> None:
    """Paint a stain with drops around it on flagstones."""
    floor(canvas, 0)
    _spill(canvas, variant)


def stained_earth(canvas: TileCanvas, variant: int) -> None:
    """Paint a stain on bare ground."""
    earth(canvas, variant)
    _spill(canvas, variant)


def _spill(canvas: TileCanvas, variant: int) -> None:
    x, y = 0.42 + 0.16 * hash_fraction(variant, 1), 0.44 + 0.14 * hash_fraction(variant, 2)
    for dx, dy, which in scattered_points(variant + 120, 5, 0):
        canvas.disc(x + (dx - 0.5) * 0.4, y + (dy - 0.5) * 0.3, 0.1 + 0.08 * which, 0.1, 0.8, 0.62)
    for dx, dy, which in scattered_points(variant + 140, 4, 0.1):
        canvas.disc(dx, dy, 0.03 + 0.03 * which, 0.03 + 0.02 * which, 0.7, 0.55)


def bridge(canvas: TileCanvas, variant: int) -> None:
    """Paint planks laid side by side, nailed at both ends, with black gaps between."""
    canvas.bar(0, 0, 1, 1, 0)
    planks = 3 if canvas.size < 20 else 4
    for i in range(planks):
        top, bottom = i / planks, (i + 1) / planks - canvas.hair
        tone = 0.56 + 0.16 * hash_fraction(variant, i, 9)
        canvas.bar(0, top, 1, bottom, tone)
        canvas.bar(0, top, 1, top + canvas.hair, tone + 0.16)
        middle = (top + bottom) / 2
        at = 0.2 + 0.3 * hash_fraction(variant, i)
        canvas.bar(at, middle, at + 0.35, middle + canvas.hair, tone - 0.14)
        for x in (0.08, 0.88):
            canvas.bar(x, middle, x + canvas.hair, middle + canvas.hair, 0.22)


def water(canvas: TileCanvas, variant: int) -> None:
    """Paint deep water: long low crests that rise, drift and sink again."""
    for i, (x, y) in enumerate(((0.3, 0.22), (0.66, 0.48), (0.34, 0.76))):
        _crest(canvas, x, y, (variant / 8 + i * 0.37) % 1, 0.2, 0.5)


def shallows(canvas: TileCanvas, variant: int) -> None:
    """Paint shallow water: pebbles seen through it, and more and brighter crests."""
    canvas.bar(0, 0, 1, 1, 1, 0.16)
    for x, y, which in scattered_points(301, 5, 0.14):
        canvas.disc(x, y, 0.04 + 0.03 * which, 0.035 + 0.015 * which, 0, 0.22)
    for i, (x, y) in enumerate(((0.26, 0.16), (0.72, 0.38), (0.3, 0.6), (0.7, 0.84))):
        _crest(canvas, x, y, (variant / 8 + i * 0.29) % 1, 0.16, 0.62)


def lava(canvas: TileCanvas, variant: int) -> None:
    """Paint molten rock: glowing streams that brighten and fade between rafts of dark crust."""
    canvas.bar(0, 0, 1, 1, 0.36, 0.55)
    for i, (x, y, which) in enumerate(scattered_points(325, 4, 0.24)):
        swell = 0.5 + 0.5 * sin((variant / 8 + i / 4) * 2 * pi)
        canvas.disc(x, y, 0.17 + 0.06 * which, 0.09 + 0.03 * swell, 0.24 - 0.12 * swell, 0.6)
    for i, (x, y) in enumerate(((0.3, 0.16), (0.68, 0.38), (0.32, 0.62), (0.66, 0.86))):
        phase = (variant / 8 + i * 0.31) % 1
        swell, drift = sin(phase * pi), (phase - 0.5) * 0.14
        bend, reach = 0.035 * (1 if i % 2 else -1), 0.11 + 0.14 * swell
        stream = [(x + drift + reach * t, y + bend * sin(t * pi)) for t in (-1, -0.5, 0, 0.5, 1)]
        canvas.line(stream, 0.13, 0.36 + 0.3 * swell, 0.6)
        canvas.line(stream, 0.06, 0.36 + 0.64 * swell, 0.6 + 0.4 * swell)


def _crest(
    canvas: TileCanvas, x: float, y: float, phase: float, reach: float, cover: float
) -> None:
    """Draw one crest at ``phase`` (0 to 1) of its life, the trough dark below it."""
    swell = sin(phase * pi)
    x += (phase - 0.5) * 0.16
    reach *= 0.45 + 0.55 * swell
    bend = 0.05 * swell
    arc = [(x + reach * t, y - bend * (1 - t * t) + bend * 0.5) for t in (-1, -0.5, 0, 0.5, 1)]
    canvas.line([(px, py + 0.06) for px, py in arc], 0.05, 0, 0.24 * swell)
    canvas.line(arc, 0.05, 1, cover * swell)


_TONGUES = ((0.2, 0.15), (0.8, 0.16), (0.36, 0.2), (0.64, 0.2), (0.5, 0.24))
"""The x and the width of each tongue of flame, the rear ones first."""


def flame(canvas: TileCanvas, variant: int) -> None:
    """Paint a fire as high as the tile, in phase ``variant`` of `FLAME_PHASES`."""
    for which, (x, wide) in enumerate(_TONGUES):
        lean = 0.24 * (hash_fraction(variant, which, 31) - 0.5)
        tip = 0.34 - 0.26 * hash_fraction(variant, which, 32) if which > 1 else 0.5
        _tongue(canvas, x, wide, tip, lean, 0.68 + 0.05 * which)
    for which, (x, wide) in enumerate(_TONGUES[2:]):
        lean = 0.16 * (hash_fraction(variant, which, 33) - 0.5)
        _tongue(canvas, x, wide * 0.55, 0.56 - 0.14 * hash_fraction(variant, which, 34), lean, 1.0)
    for spark in range(3):
        x, y = (
            0.12 + 0.76 * hash_fraction(variant, spark, 35),
            0.06 + 0.26 * hash_fraction(variant, spark, 36),
        )
        canvas.disc(x, y, 0.035, 0.035, 1, 0.8)


def _tongue(
    canvas: TileCanvas, x: float, wide: float, tip: float, lean: float, shade: float
) -> None:
    """Paint one tongue from the foot of the tile to the height ``tip``, leaning by ``lean``."""
    foot, belly = 0.97, 0.97 - (0.97 - tip) * 0.35
    canvas.shape(
        [
            (x - wide * 0.6, foot),
            (x - wide, belly),
            (x - wide * 0.35 + lean * 0.6, (belly + tip) / 2),
            (x + lean, tip),
            (x + wide * 0.55 + lean * 0.3, (belly + tip) / 2),
            (x + wide, belly),
            (x + wide * 0.6, foot),
        ],
        shade,
    )
