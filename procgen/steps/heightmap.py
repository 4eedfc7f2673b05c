"""Hills and seas from gradient noise."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from entities.terrain import Tile
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import stands
from procgen.noise.hills import Octaves, noise_octaves
from procgen.registry import Count, step
from procgen.rng import Rng

Height = Annotated[float, Meta(ge=-1, le=1)]

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
    rim: Count = 4,
) -> Iterator[str]:
    """Lay the land by height: below ``water`` sea, then grass, then forest, then mountain.

    ``grass`` and ``forest`` are the heights where these end. The height is fractal gradient
    noise in [-1, 1]: ``octaves`` layers, the broadest with ``scale`` lattice cells per tile,
    each next one ``lacunarity`` times finer and ``persistence`` times as loud; it is normalised
    so that the four kinds get about 19, 31, 31 and 19 % of the map (procgen/noise/hills.py).
    Over the last ``rim`` tiles before the border the land rises to mountains where the broadest
    layer is high, and sinks into the sea where it is low.
    """
    edge = rim_share(plan.width, plan.height, min(rim, min(plan.width, plan.height) // 8))
    layers = noise_octaves(
        rng.below(2**62),
        0,
        0,
        plan.width,
        plan.height,
        scale=scale,
        octaves=octaves,
        persistence=persistence,
        lacunarity=lacunarity,
    )
    beyond = None
    for number, relief in enumerate(layers, 1):
        if beyond is None:
            beyond = np.where(relief >= 0, 1.0, -1.0)
        height = relief + (beyond - relief) * edge
        level = (height >= water).astype(np.uint8) + (height >= grass) + (height >= forest)
        level[edge == 1] = np.where(beyond > 0, 3, 0)[edge == 1]
        plan.tiles[:] = KINDS[level]
        for x, y in stands(plan):
            plan.tiles[y, x] = Tile.GRASS
        yield f"Octave {number} of {octaves}"


def rim_share(width: int, height: int, rim: int) -> NDArray[np.float64]:
    """Return 1 on the border of a map, falling to 0 at ``rim`` tiles from it."""
    rows = np.minimum(np.arange(height), np.arange(height)[::-1])[:, None]
    columns = np.minimum(np.arange(width), np.arange(width)[::-1])[None, :]
    share: NDArray[np.float64] = np.clip(1 - np.minimum(rows, columns) / (rim + 1), 0.0, 1.0)
    return share * share
