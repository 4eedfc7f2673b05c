"""Fire in its phases, and the missiles that are no items."""

from collections.abc import Iterator

from procgen.position_hash import hash_fraction
from render.tiles import glyphs
from render.tiles.monster_tiles import with_halo
from render.tiles.tile_canvas import Pixels, TileCanvas
from render.tiles.weapon_tiles import thorn

_TONGUES = ((0.2, 0.15), (0.8, 0.16), (0.36, 0.2), (0.64, 0.2), (0.5, 0.24))
"""The x and the width of each tongue of flame, the rear ones first."""


def flame(canvas: TileCanvas, variant: int) -> None:
    """Paint a fire as high as the tile, in phase ``variant`` of `glyphs.FLAME_PHASES`."""
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


def bolt(canvas: TileCanvas) -> None:
    """Paint a spark with four rays."""
    for x, y in ((0.5, 0.08), (0.92, 0.5), (0.5, 0.92), (0.08, 0.5)):
        canvas.line([(0.5, 0.5), (x, y)], 0.06, 0.7)
    canvas.disc(0.5, 0.5, 0.22, 0.22, 0.8)
    canvas.disc(0.5, 0.5, 0.13, 0.13, 1)


def stone(canvas: TileCanvas) -> None:
    """Paint a stone in flight."""
    canvas.shape([(0.34, 0.36), (0.56, 0.3), (0.7, 0.46), (0.64, 0.68), (0.4, 0.7)], 0.7)
    canvas.shape([(0.34, 0.36), (0.56, 0.3), (0.6, 0.42), (0.42, 0.5)], 1)


def fire_tiles(size: int, codes: list[int]) -> Iterator[tuple[int, Pixels]]:
    """Yield the tiles with ``codes``: phases of fire, and missiles."""
    flying = {glyphs.BOLT: bolt, glyphs.STONE: stone, glyphs.THORN: thorn}
    for code in codes:
        canvas = TileCanvas(size)
        if code in flying:
            flying[code](canvas)
            yield code, with_halo(canvas.pixels())
        else:
            flame(canvas, code - glyphs.FLAMES)
            yield code, canvas.pixels()
