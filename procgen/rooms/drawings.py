"""The room library: every shape of room by name."""

from collections.abc import Callable

from procgen.blueprint import Blueprint
from procgen.rng import Rng
from procgen.rooms.blobs import cave, chunky
from procgen.rooms.shapes import Shape, circle, cross, hall, rectangle, ring

SHAPES: dict[str, Callable[[Rng, int, int], Shape]] = {
    "rectangle": rectangle,
    "circle": circle,
    "ring": ring,
    "cross": cross,
    "hall": hall,
    "chunky": chunky,
    "cave": cave,
}


def drawn(
    weights: dict[str, int], rng: Rng, sides: tuple[int, int], plan: Blueprint
) -> tuple[str, Shape]:
    """Return the name and the shape of a room drawn from the mix of ``weights``.

    Its ``sides`` are from the least to the most, but never so long that two could not lie
    abreast on the map.
    """
    kind = rng.weighted(weights) if any(weights.values()) else "rectangle"
    width, height = (_side(rng, *sides, span) for span in (plan.width, plan.height))
    return kind, SHAPES[kind](rng, width, height)


def _side(rng: Rng, low: int, high: int, span: int) -> int:
    most = max(1, min(high, (span - 3) // 2))
    return rng.between(min(low, most), most)
