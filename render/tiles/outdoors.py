"""Plants and outdoor terrain: hills, heath, reeds, grass, trees, mountains, rubble."""

from collections.abc import Sequence

from procgen.position_hash import hash_fraction
from render.tiles.tile_canvas import TileCanvas, scattered_points


def hill(canvas: TileCanvas, variant: int) -> None:
    """Paint a rounded rise lit from the left, sometimes with a lesser one before it."""
    x, top = 0.46 + 0.1 * hash_fraction(variant, 1), 0.28 + 0.1 * hash_fraction(variant, 2)
    canvas.disc(x + 0.05, 0.86, 0.44, 0.08, 0, 0.3)
    canvas.disc(x, 0.84, 0.4, 0.84 - top, 0.3, 0.8)
    canvas.disc(x - 0.07, 0.86, 0.3, 0.8 - top, 0.5, 0.8)
    canvas.disc(x - 0.13, 0.88, 0.18, 0.7 - top, 0.64, 0.7)
    canvas.bar(0, 0.88, 1, 1, 0, 0)
    if variant % 3 == 0:
        canvas.disc(0.78, 0.9, 0.18, 0.22, 0.44)
        canvas.disc(0.74, 0.9, 0.12, 0.18, 0.6)
    for tuft in range(2):
        left = x - 0.2 + 0.3 * hash_fraction(variant, tuft, 7)
        canvas.line([(left, 0.72), (left + 0.03, 0.62)], 0.035, 0.85, 0.7)


def heath(canvas: TileCanvas, variant: int) -> None:
    """Paint low cushions of heather in flower between bare patches."""
    for x, y, which in scattered_points(variant + 300, 4 + variant % 2, 0.17):
        wide = 0.07 + 0.07 * which
        canvas.disc(x, y + 0.05, wide * 1.1, 0.04, 0, 0.3)
        canvas.disc(x, y, wide, wide * 0.6, 0.34 + 0.2 * which, 0.75)
        for bloom in range(3):
            dx = wide * (0.9 * hash_fraction(variant, bloom, int(x * 99)) - 0.5)
            canvas.disc(x + dx, y - wide * 0.45, 0.028, 0.03, 0.95, 0.85)


def reeds(canvas: TileCanvas, variant: int) -> None:
    """Paint stalks with dark heads standing in still water."""
    canvas.line([(0.1, 0.8), (0.45, 0.82)], canvas.hair, 0.5, 0.4)
    canvas.line([(0.55, 0.58), (0.9, 0.56)], canvas.hair, 0.5, 0.3)
    for x, y, which in scattered_points(variant + 320, 4 + variant % 3, 0.16):
        tall, lean = 0.24 + 0.14 * which, 0.06 * (hash_fraction(variant, int(x * 99)) - 0.5)
        canvas.line([(x, y + 0.14), (x + lean, y + 0.14 - tall)], 0.04, 0.7, 0.85)
        if which > 0.4:
            canvas.disc(x + lean, y + 0.16 - tall, 0.03, 0.07, 0.35)


def entrance(canvas: TileCanvas, variant: int) -> None:
    """Paint an arch of stones, and steps that lead down into the dark behind it."""
    canvas.disc(0.5, 0.9, 0.46, 0.1, 0, 0.5)
    canvas.disc(0.5, 0.5, 0.44, 0.44, 0.5)
    canvas.bar(0.06, 0.5, 0.94, 0.94, 0.5)
    for stone in range(7):
        shade = 0.62 + 0.3 * hash_fraction(variant, stone)
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


def grass(canvas: TileCanvas, variant: int) -> None:
    """Paint tufts of three to five blades, bright at the tip side."""
    for x, y, which in scattered_points(variant + 200, 3 + variant % 2, 0.17):
        canvas.disc(x, y + 0.1, 0.12, 0.04, 0, 0.22)
        for blade in range(-1, 2):
            lean, tall = blade * 0.075, 0.15 + 0.09 * which - 0.03 * abs(blade)
            shade = 0.62 + 0.38 * hash_fraction(variant, blade, int(x * 99))
            canvas.line([(x + lean * 0.3, y + 0.1), (x + lean, y + 0.1 - tall)], 0.045, shade, 0.8)


def moss(canvas: TileCanvas, variant: int) -> None:
    """Paint glowing specks in a thin pelt of moss."""
    for x, y, which in scattered_points(variant + 220, 5, 0.16):
        canvas.disc(x, y, 0.1 + 0.06 * which, 0.06 + 0.04 * which, 0.5, 0.24)
    for x, y, which in scattered_points(variant + 240, 3 + variant % 3, 0.14):
        glow = 0.03 + 0.03 * which
        canvas.disc(x, y, glow * 2.4, glow * 2.2, 0.9, 0.26)
        canvas.disc(x, y, glow, glow, 1, 0.6 + 0.4 * which)


def forest(canvas: TileCanvas, variant: int) -> None:
    """Paint a tree that fills its tile: a fir for every third look, else a round crown."""
    canvas.disc(0.5, 0.9, 0.36, 0.09, 0, 0.4)
    canvas.bar(0.45, 0.72, 0.55, 0.95, 0.3)
    if variant % 3 == 2:
        _fir(canvas, 0.02 * (variant - 4))
    else:
        _crown(canvas, variant)


Bough = tuple[float, float, float]
"""A round mass of leaves: x, y and radius."""
BOUGHS = (
    (-0.2, 0.5, 0.24),
    (0.2, 0.52, 0.24),
    (-0.1, 0.3, 0.24),
    (0.12, 0.3, 0.23),
    (0, 0.44, 0.27),
)
"""The boughs of a tree, x from its trunk."""
JOINTS = (
    (0.5, 0.02, 0.3), (1.0, 0.42, 0.3), (0.5, 1.02, 0.3), (0.0, 0.42, 0.3),
    (1.0, 0.02, 0.3), (1.0, 1.02, 0.3), (0.0, 1.02, 0.3), (0.0, 0.02, 0.3),
)  # fmt: skip
"""The boughs between a tree and its neighbours, in the order of `NEIGHBOURS`."""


def wood(mask: int, canvas: TileCanvas, variant: int) -> None:
    """Paint a tree of a wood: its crown runs into those of the neighbours not in ``mask``."""
    joined = [bool(_joins(mask) >> bit & 1) for bit in range(8)]
    if not any(joined):
        forest(canvas, 2 * variant)
        return
    if not joined[2]:
        canvas.disc(0.5, 0.9, 0.36, 0.09, 0, 0.4)
        canvas.bar(0.45, 0.72, 0.55, 0.95, 0.3)
    _crown(canvas, variant, [joint for joint, there in zip(JOINTS, joined, strict=True) if there])
    if variant == 3:
        _fir(canvas, 0)


def _joins(mask: int) -> int:
    """Return the neighbours that a clump joins, a bit each; ``mask`` is a `visible_mask`."""
    joins = ~mask & 255
    for corner, side, other in ((4, 0, 1), (5, 1, 2), (6, 2, 3), (7, 0, 3)):
        if mask & (1 << side | 1 << other):
            joins &= ~(1 << corner)
    return joins


def _crown(canvas: TileCanvas, variant: int, joints: Sequence[Bough] = ()) -> None:
    """Paint leaves around the trunk and at ``joints``, layer by layer: so they are one mass."""
    sway = 0.05 * (hash_fraction(variant, 5) - 0.5)
    boughs = [(0.5 + x + sway, y, reach) for x, y, reach in BOUGHS]
    for shade, lift, swell in ((0.3, 0.05, 1.08), (0.52, 0, 1), (0.74, -0.055, 0.74)):
        for x, y, reach in (*boughs, *joints):
            width = reach * swell
            canvas.disc(x + lift * 0.5, y + lift + 0.03, width, width * 0.9, shade)
    for x, y, which in scattered_points(
        variant + 260, 9 + 3 * len(joints), 0.24 - 0.05 * len(joints)
    ):
        shade = 0.95 if which > 0.5 else 0.4
        canvas.disc(x - 0.02, y - 0.06, 0.04, 0.03, shade)


def _fir(canvas: TileCanvas, sway: float) -> None:
    middle = 0.5 + sway
    for top, bottom, reach in ((0.42, 0.84, 0.4), (0.22, 0.62, 0.33), (0.02, 0.4, 0.25)):
        canvas.shape([(middle, top), (middle + reach, bottom), (middle - reach, bottom)], 0.36)
        lit = [
            (middle, top),
            (middle + reach * 0.15, bottom - 0.05),
            (middle - reach, bottom - 0.02),
        ]
        canvas.shape(lit, 0.68)
        canvas.line([(middle, top + 0.03), (middle - reach * 0.8, bottom - 0.06)], 0.035, 0.92)


def mountain(canvas: TileCanvas, variant: int) -> None:
    """Paint a peak lit from the left, with snow on it and a lesser peak behind."""
    top = 0.06 + 0.08 * hash_fraction(variant, 1)
    x = 0.44 + 0.14 * hash_fraction(variant, 2)
    side = 0.8 if variant % 2 else 0.2
    rim = canvas.hair
    canvas.shape([(side, 0.36 - rim), (side + 0.34, 0.97), (side - 0.34, 0.97)], 0, 0.5)
    canvas.shape([(side, 0.36), (side + 0.3, 0.95), (side - 0.3, 0.95)], 0.3)
    canvas.shape([(x, top - 2 * rim), (1 + rim, 1), (-rim, 1)], 0, 0.6)
    canvas.shape([(x, top), (0.97, 0.97), (0.03, 0.97)], 0.32)
    ridge = (x + 0.08, 0.6)
    canvas.shape([(x, top), (x - 0.04, 0.42), ridge, (x - 0.02, 0.97), (0.03, 0.97)], 0.62)
    snow = top + 0.27
    canvas.shape([(x, top), (x + 0.13, snow - 0.03), (x + 0.03, snow - 0.07), (x, snow)], 0.78)
    canvas.shape([(x, top), (x, snow), (x - 0.06, snow - 0.07), (x - 0.14, snow + 0.02)], 1)


def mountains(mask: int, canvas: TileCanvas, variant: int) -> None:
    """Paint a peak of a range: rock fills the gaps to the neighbours not in ``mask``."""
    north, east, south, west = (not mask & bit for bit in (1, 2, 4, 8))
    left, right = 0.0 if west else 0.1, 1.0 if east else 0.9
    canvas.bar(left, 0 if north else 0.6, right, 1 if south else 0.95, 0.17)
    if north:
        canvas.shape([(0.12, 0), (0.88, 0), (right, 0.6), (left, 0.6)], 0.24)
        canvas.shape([(0.12, 0), (0.5, 0), (0.4, 0.6), (left, 0.6)], 0.34)
    for x in (0.0, 1.0):
        if (east, west)[x == 0]:
            canvas.shape([(x, 0.24), (x + 0.5, 1), (x - 0.5, 1)], 0.24)
            canvas.shape([(x, 0.24), (x - 0.05, 0.5), (x + 0.06, 0.74), (x, 1), (x - 0.5, 1)], 0.46)
            canvas.shape([(x, 0.24), (x + 0.07, 0.4), (x, 0.36), (x - 0.07, 0.42)], 0.86)
    mountain(canvas, 2 * variant + mask % 2)
    if south:
        canvas.shape(
            [(left, 0.97), (0.3, 0.86), (0.62, 0.92), (right, 0.97), (0.88, 1), (0.12, 1)], 0.3
        )


def rubble(canvas: TileCanvas, variant: int) -> None:
    """Paint broken stones of every size, each with a lit and a dark side."""
    for x, y, which in sorted(scattered_points(variant + 280, 6, 0.18), key=lambda spot: spot[1]):
        wide = 0.07 + 0.09 * which
        canvas.disc(x + 0.02, y + wide * 0.6, wide * 1.15, wide * 0.5, 0, 0.4)
        left, right, low = (x - wide, y + 0.02), (x + wide, y + wide * 0.2), y + wide * 0.75
        crest = (x - wide * 0.3 + wide * 0.5 * hash_fraction(variant, int(y * 99)), y - wide * 0.85)
        canvas.shape([left, crest, right, (x + wide * 0.7, low), (x - wide * 0.8, low)], 0.42)
        canvas.shape([left, crest, (x + wide * 0.25, y), (x - wide * 0.5, low)], 0.78)
