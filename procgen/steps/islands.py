"""An archipelago: islands of every size in deep water."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from entities.terrain import Tile
from procgen.analysis import regions
from procgen.blueprint import Blueprint, Rejected
from procgen.furnishing.ground import for_area, stands, uppermost
from procgen.noise.hills import fractal_noise
from procgen.registry import Share, Side, step
from procgen.rng import Rng

Height = Annotated[float, Meta(ge=-2, le=2)]
Floats = NDArray[np.float64]

KINDS = np.array([Tile.WATER, Tile.SAND, Tile.GRASS, Tile.MOUNTAIN], np.uint8)

CANDIDATES = 8
"""Places tried for each island; more spread them more evenly."""


@step(gives="floor regions")
def archipelago(
    plan: Blueprint,
    rng: Rng,
    *,
    islands: Side = 12,
    smallest: Side = 3,
    largest: Side = 13,
    rugged: Annotated[float, Meta(ge=0, le=2)] = 0.7,
    scale: Annotated[float, Meta(gt=0, le=1)] = 0.12,
    beach: Height = 0.22,
    hills: Height = 0.9,
    woods: Share = 0.4,
) -> Iterator[str]:
    """Raise islands from the sea, in order of size: sand below, grass and woods, hills on top.

    ``islands`` of them on an 80x45 map, others in proportion; radii fall from ``largest``
    to ``smallest``, large ones few and small ones many. Each is a paraboloid, 1 high in its
    middle, roughened by noise of amplitude ``rugged`` and lattice ``scale``. Land lower than
    ``beach`` is sand, higher than ``hills`` mountain; ``woods`` is the share of forest in the
    rest.
    """
    sea = np.full(plan.tiles.shape, -1.0)
    rough = _relief(plan, rng, scale) * rugged
    wood = _relief(plan, rng, scale * 2)
    forest = uppermost(wood, np.ones_like(wood, np.bool_), woods)
    bottom = _rim(plan)
    number = for_area(plan, islands)
    placed: list[tuple[int, int, int]] = []
    for island in range(number):
        rank = (number - island) / number
        radius = smallest + int((largest - smallest) * rank * rank + 0.5)
        placed.append(_site(plan, rng, radius, placed))
        _raise(sea, *placed[-1])
        if number < 50 or island % (number // 25) == 0 or island == number - 1:
            height = np.minimum(sea + rough, bottom)
            land = (height > 0) * (1 + (height > beach).astype(np.uint8) + (height > hills))
            plan.tiles[:] = KINDS[land]
            plan.tiles[(land == 2) & forest] = Tile.FOREST
            yield f"Island {island + 1} of {number}"
    for x, y in stands(plan):
        plan.tiles[y, x] = Tile.SAND
    plan.regions, count = regions(plan.tiles != Tile.WATER)
    if not count:
        raise Rejected("the sea swallowed everything")
    yield f"{count} islands above the water"


def _relief(plan: Blueprint, rng: Rng, scale: float) -> Floats:
    return fractal_noise(rng.below(2**62), 0, 0, plan.width, plan.height, scale=scale)


def _site(
    plan: Blueprint, rng: Rng, radius: int, placed: list[tuple[int, int, int]]
) -> tuple[int, int, int]:
    """Return x, y and radius of an island: of some places tried, the one with most sea around."""
    radius = max(1, min(radius, (min(plan.width, plan.height) - 4) // 2))
    low, best = radius * 3 // 4 + 1, (plan.width // 2, plan.height // 2, radius)
    most = -1
    if min(plan.width, plan.height) - 1 < 2 * low:
        return best
    px, py, reach = np.array(placed, np.int64).reshape(-1, 3).T
    for _ in range(CANDIDATES):
        x = rng.between(low, plan.width - 1 - low)
        y = rng.between(low, plan.height - 1 - low)
        gaps = ((x - px) ** 2 + (y - py) ** 2) * 64 // (radius + reach) ** 2
        if gaps.min(initial=2**40) > most:
            most, best = int(gaps.min(initial=2**40)), (x, y, radius)
    return best


def _raise(sea: Floats, x: int, y: int, radius: int) -> None:
    """Lift ``sea`` where an island of ``radius`` stands, in place; it may be part of another."""
    reach = radius * 3 // 2 + 1
    left, top = max(0, x - reach), max(0, y - reach)
    window = sea[top : y + reach + 1, left : x + reach + 1]
    dy, dx = np.ogrid[: window.shape[0], : window.shape[1]]
    away = ((dx + (left - x)) ** 2 + (dy + (top - y)) ** 2) / (radius * radius)
    np.maximum(window, 1.0 - away, out=window)


def _rim(plan: Blueprint) -> Floats:
    """Return how high land may reach near the border: below water on it, free further in."""
    rows = np.minimum(np.arange(plan.height), np.arange(plan.height)[::-1])[:, None]
    columns = np.minimum(np.arange(plan.width), np.arange(plan.width)[::-1])[None, :]
    return np.minimum(rows, columns) * 0.25 - 0.25
