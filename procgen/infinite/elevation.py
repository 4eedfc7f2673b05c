"""Elevation and moisture of the wilderness by gradient noise, and the terrain they give."""

from dataclasses import dataclass

import numpy as np

from entities.terrain import Tile, Tiles
from procgen.chunk import Corner
from procgen.gradient_noise import purpose_noise
from procgen.position_hash import Floats, position_noise

BROAD, ROUGH, RIDGED, DAMP = 1 / 512, 1 / 128, 1 / 256, 1 / 128
"""Lattice cells per tile of each noise: powers of two, so that a coarse sample of the land has
exactly the values of the full map at those tiles."""


@dataclass(frozen=True)
class TerrainHeights:
    """Elevations at which the terrain changes, from sea level up."""

    sea: float
    shore: float
    hills: float
    peaks: float


def elevation(seed: int, corner: Corner, width: int, height: int, pitch: int = 1) -> Floats:
    """Return the elevation at every ``pitch``-th tile of a window, about -1 to 1.

    It is an array [height, width]; ``corner`` counts in steps of ``pitch``. It is the sum of broad
    seas and uplands, rougher noise, and mountains where a third noise crosses zero on high ground.
    """
    broad = purpose_noise(seed, "broad", corner, width, height, scale=BROAD * pitch, octaves=2)
    rough = purpose_noise(seed, "rough", corner, width, height, scale=ROUGH * pitch, octaves=3)
    ridge = purpose_noise(seed, "ridge", corner, width, height, scale=RIDGED * pitch, octaves=3)
    ridge = 1.0 - np.abs(ridge) * 4.0
    upland = np.clip(broad * 2.0 + 0.35, 0.0, 1.0)
    return broad * 0.45 + rough * 0.5 + np.maximum(ridge, 0.0) * upland * 0.38


def drainage_elevation(seed: int, corner: Corner, width: int, height: int, pitch: int) -> Floats:
    """Return a smoother elevation for rivers, without hollows in which they would end.

    It is an array [height, width], at every ``pitch``-th tile as in `elevation`.
    """
    broad = purpose_noise(seed, "broad", corner, width, height, scale=BROAD * pitch, octaves=2)
    rough = purpose_noise(seed, "rough", corner, width, height, scale=ROUGH * pitch, octaves=1)
    return broad + rough * 0.16


def moisture(seed: int, corner: Corner, width: int, height: int, pitch: int = 1) -> Floats:
    """Return the moisture, -1 to 1, of the same tiles as `elevation`."""
    return purpose_noise(seed, "damp", corner, width, height, scale=DAMP * pitch, octaves=3)


def terrain_tiles(
    seed: int, corner: Corner, rise: Floats, damp: Floats, heights: TerrainHeights
) -> Tiles:
    """Return the terrain for elevation ``rise[y, x]`` and moisture ``damp[y, x]``."""
    height, width = rise.shape
    fine = purpose_noise(seed, "fine", corner, width, height, scale=1 / 16, octaves=3)
    noise = position_noise(seed, "leaves", corner, width, height)
    edge = rise + fine * 0.05
    tiles = np.full(rise.shape, Tile.GRASS, np.uint8)
    tiles[damp + fine * 0.3 < -0.24] = Tile.HEATH
    high = edge > heights.hills
    tiles[high] = Tile.HILL
    tiles[high & (noise > 236)] = Tile.RUBBLE
    tiles[(edge > heights.peaks - 0.035) & (noise > 120)] = Tile.RUBBLE
    # Trees stand in clumps, denser where moist, sparse on hills.
    thick = (damp + 0.06) * 2.4 + fine * 1.1
    thick = np.where(high, thick - 0.35, thick)
    tiles[noise < np.clip(thick, 0.012, 0.8) * 256] = Tile.FOREST
    # Peaks are lower along the clefts, so that valleys run between them.
    clefts = purpose_noise(seed, "clefts", corner, width, height, scale=1 / 64, octaves=3)
    lowered = np.maximum(0.0, 1.0 - np.abs(clefts) * 6.0) * 0.4
    tiles[edge > heights.peaks + lowered] = Tile.MOUNTAIN
    wet = damp + fine * 0.2 > 0.06
    tiles[edge < heights.shore] = Tile.SAND
    tiles[(edge < heights.shore) & wet] = Tile.GRASS
    tiles[edge < heights.sea] = Tile.SHALLOWS
    tiles[(edge < heights.sea + 0.02) & wet & (noise < 170)] = Tile.REEDS
    tiles[edge < heights.sea - 0.045] = Tile.WATER
    return tiles
