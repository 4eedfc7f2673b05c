"""Hills and seas from gradient noise."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Rejected, Window, window_around
from procgen.gradient_noise import Octaves, fractal_noise, noise_octaves
from procgen.placement.painting import highest_share, reserved, scaled_to_area
from procgen.position_hash import Floats
from procgen.rng import Rng
from procgen.step_registry import Positive, Share, Side, Tiles, step

Height = Annotated[float, Meta(ge=-1, le=1)]
IslandHeight = Annotated[float, Meta(ge=-2, le=2)]

KINDS = np.array([Tile.WATER, Tile.GRASS, Tile.FOREST, Tile.MOUNTAIN], np.uint8)


@step(gives="floor")
def heightmap_terrain(
    plan: Blueprint,
    rng: Rng,
    *,
    scale: Annotated[float, Meta(gt=0, le=1)] = 0.1,
    octaves: Octaves = 4,
    persistence: Annotated[float, Meta(ge=0, le=1)] = 0.5,
    lacunarity: Annotated[float, Meta(ge=1, le=4)] = 2.0,
    water: Height = -0.3,
    grass: Height = 0.0,
    forest: Height = 0.3,
    rim: Tiles = 4,
) -> Iterator[str]:
    """Paint sea, grass, forest and mountains by height.

    Tiles lower than ``water`` are sea. Land is grass below the height ``grass``, forest below the
    height ``forest``, and mountain above that. Heights are fractal gradient noise in [-1, 1], in
    ``octaves`` layers. The broadest layer has ``scale`` lattice cells per tile. Each next layer is
    ``lacunarity`` times finer, with ``persistence`` times the amplitude. The noise is normalised:
    without a rim the four kinds get about 20, 30, 30 and 20 % (`procgen.gradient_noise`).
    Over the last ``rim`` tiles before the border the land rises to mountains where the broadest
    layer is high, and sinks into the sea where it is low.
    """
    edge = rim_share(plan.width, plan.height, min(rim, min(plan.width, plan.height) // 8))
    seed, window = rng.below(2**62), (0, 0, plan.width, plan.height)
    layers = noise_octaves(
        seed, *window, scale=scale, octaves=octaves, persistence=persistence, lacunarity=lacunarity
    )
    beyond = None
    for number, layer in enumerate(layers, 1):
        relief = np.clip(layer, -1.0, 1.0)
        if beyond is None:
            beyond = np.where(relief >= 0, 1.0, -1.0)
        height = relief + (beyond - relief) * edge
        level = (height >= water).astype(np.uint8) + (height >= grass) + (height >= forest)
        level[edge == 1] = np.where(beyond > 0, 3, 0)[edge == 1]
        plan.tiles[:] = KINDS[level]
        plan.tiles[reserved(plan)] = Tile.GRASS
        yield f"Octave {number} of {octaves}"


def rim_share(width: int, height: int, rim: int) -> Floats:
    """Return weights [y, x]: 1 on the map's border, falling to 0 beyond ``rim`` tiles from it."""
    share: Floats = np.clip(1 - _from_border(width, height) / (rim + 1), 0.0, 1.0)
    return share * share


def _from_border(width: int, height: int) -> NDArray[np.int64]:
    """Return the distance of each tile of a map from the border in tiles, [y, x]."""
    rows = np.minimum(np.arange(height), np.arange(height)[::-1])[:, None]
    columns = np.minimum(np.arange(width), np.arange(width)[::-1])[None, :]
    return np.minimum(rows, columns)


ISLAND_TILES = np.array([Tile.WATER, Tile.SAND, Tile.GRASS, Tile.MOUNTAIN], np.uint8)

CANDIDATES = 8
"""Places tried for each island (Mitchell's best candidate); more spread islands more evenly."""


@step(gives="floor regions", varies="islands largest")
def archipelago(
    plan: Blueprint,
    rng: Rng,
    *,
    islands: Positive = 12,
    smallest: Side = 3,
    largest: Side = 13,
    rugged: Annotated[float, Meta(ge=0, le=2)] = 0.7,
    scale: Annotated[float, Meta(gt=0, le=1)] = 0.12,
    beach: IslandHeight = 0.22,
    hills: IslandHeight = 0.9,
    woods: Share = 0.4,
) -> Iterator[str]:
    """Raise islands from the sea, the largest first: sand, then grass and woods, then hills.

    There are ``islands`` islands on an 80x45 map, a proportional number on others. Their radii fall
    from ``largest`` to ``smallest`` tiles, with few large islands and many small ones. Each island
    is a paraboloid, 1 high in the middle, roughened by noise. The noise has the amplitude
    ``rugged``, and ``scale`` lattice cells per tile. Land lower than ``beach`` is sand, land higher
    than ``hills`` mountain. ``woods`` is the share of forest on the rest of the land.
    """
    sea = np.full(plan.tiles.shape, -1.0)
    rough = _relief(plan, rng, scale, 4) * rugged
    wood = _relief(plan, rng, scale * 2, 2)
    forest = highest_share(wood, np.ones_like(wood, np.bool_), woods)
    # The greatest height near the border: under water on it, higher further in.
    highest = _from_border(plan.width, plan.height) * 0.25 - 0.25
    number = scaled_to_area(plan, islands)
    placed = np.zeros((3, number), np.int64)
    for island in range(number):
        rank = (number - island) / number
        radius = smallest + int((largest - smallest) * rank * rank + 0.5)
        placed[:, island] = site = _site(plan, rng, radius, placed[:, :island])
        box = _raise(sea, *site)
        box = box if island else np.s_[:, :]  # Noise may raise land far from islands.
        height = np.minimum(sea[box] + rough[box], highest[box])
        land = (height > 0) * (1 + (height > beach).astype(np.uint8) + (height > hills))
        plan.tiles[box] = np.where((land == 2) & forest[box], Tile.FOREST, ISLAND_TILES[land])
        if number < 50 or island % (number // 25) == 0 or island == number - 1:
            yield f"Island {island + 1} of {number}"
    plan.tiles[reserved(plan)] = Tile.SAND
    plan.regions, count = regions(plan.tiles != Tile.WATER)
    if not count:
        raise Rejected("no land is above the water")
    yield f"{pluralise(count, 'island')} above the water"


def _relief(plan: Blueprint, rng: Rng, scale: float, octaves: int) -> Floats:
    """Return noise in [-1, 1] over the whole map, [y, x]."""
    size, seed = (plan.width, plan.height), rng.below(2**62)
    return fractal_noise(seed, 0, 0, *size, scale=scale, octaves=octaves)


def _site(plan: Blueprint, rng: Rng, radius: int, taken: NDArray[np.int64]) -> tuple[int, int, int]:
    """Return x, y and radius of an island: the best of `CANDIDATES` places, with most sea around.

    ``taken[:, n]`` are x, y and radius of the islands so far.
    """
    radius = max(1, min(radius, (min(plan.width, plan.height) - 4) // 2))
    low = radius * 3 // 4 + 1
    if min(plan.width, plan.height) - 1 < 2 * low:
        return plan.width // 2, plan.height // 2, radius
    xs = rng.integers(low, plan.width - 1 - low, CANDIDATES)
    ys = rng.integers(low, plan.height - 1 - low, CANDIDATES)
    px, py, reach = taken
    away = (xs[:, None] - px) ** 2 + (ys[:, None] - py) ** 2
    best = int((away * 64 // (radius + reach) ** 2).min(1, initial=2**40).argmax())
    return int(xs[best]), int(ys[best]), radius


def _raise(sea: Floats, x: int, y: int, radius: int) -> Window:
    """Raise ``sea`` to an island of ``radius`` at (x, y); return the window around it."""
    box, left, top = window_around(x, y, radius * 3 // 2 + 1)
    window = sea[box]
    dy, dx = (np.arange(side) for side in window.shape)
    away = ((dx + (left - x)) ** 2 + (dy + (top - y))[:, None] ** 2) / (radius * radius)
    np.maximum(window, 1.0 - away, out=window)
    return box
