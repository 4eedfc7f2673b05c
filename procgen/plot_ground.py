"""The ground of a plot: which tiles a seed takes, and what keeps them connected.

Steps alone would break a level: in a prototype, some disconnected it in up to 65 % of plantings.
`repair_connectivity` reopens the cheapest of the closed tiles until everything that was walkable is
connected again, so that no planting has to be refused for it.
"""

import numpy as np

from entities.seed_kinds import GroundShape, SeedKind, Soil
from entities.terrain import Mask, Tile, Tiles, terrain, tile_mask
from procgen.analysis.distances import bitboard_distances, regions, regions_intact
from procgen.blueprint import Point, RectangularRoom, window_around
from procgen.carving.region_links import cheapest_links
from procgen.rng import Rng
from procgen.vaults.orientations import largest_rectangle

BARE = (
    *(Tile.FLOOR, Tile.TUNNEL, Tile.RUBBLE, Tile.SAND, Tile.GRASS, Tile.MOSS, Tile.STAIN),
    *(Tile.ROAD, Tile.CARPET, Tile.BONES, Tile.HEATH, Tile.HILL, Tile.FOREST),
)
ROCK = (Tile.WALL, Tile.MOUNTAIN, Tile.EDGE, Tile.PILLAR, Tile.STATUE, Tile.SHELF)
WET = (Tile.WATER, Tile.SHALLOWS, Tile.REEDS, Tile.LAVA, Tile.ICE)
SOILS = {Soil.BARE: BARE, Soil.ROCK: ROCK, Soil.WET: WET}
"""The tiles of each soil. Tiles in none of them, such as doors, keys and gold, never change."""
HALO = 2
"""Tiles around the ground that steps see but cannot change; some steps close the border."""
MARGIN = 32
"""Tiles around the ground that are searched for paths around it.

Paths that lead further away do not count, which errs on the safe side, and a planting in an
infinite world costs no more than one on a small level.
"""


def ground_shape(kind: SeedKind, tiles: Tiles, origin: Point, target: Point) -> Mask:
    """Return the tiles (bool [y, x]) that ``kind`` takes, whatever they are now."""
    height, width = tiles.shape
    rows, columns = np.arange(height)[:, None], np.arange(width)[None, :]
    match kind.ground:
        case GroundShape.DISC:
            distance = (columns - target.x) ** 2 + (rows - target.y) ** 2
            return np.asarray(distance <= kind.radius * (kind.radius + 1))
        case GroundShape.LINE:
            right, down = columns - origin.x, rows - origin.y
            dx, dy = target.x - origin.x, target.y - origin.y
            length = max(1, dx * dx + dy * dy)
            along = np.clip(right * dx + down * dy, 0, length)
            # Distances times the squared length, so that no floating-point number decides.
            across_x, across_y = right * length - along * dx, down * length - along * dy
            return np.asarray(across_x**2 + across_y**2 <= (kind.radius * length) ** 2)
        case GroundShape.ROOM:
            ground = np.zeros(tiles.shape, np.bool_)
            ground[_largest_room(tile_mask(BARE)[tiles], target, kind.radius).inner] = True
            return ground


def _largest_room(bare: Mask, place: Point, most: int) -> RectangularRoom:
    """Return the largest rectangle of ``bare`` tiles up to ``most`` steps from ``place``."""
    window, left, top = window_around(*place, most)
    region = bare[window].copy()
    region[place.y - top, place.x - left] = True
    steps = bitboard_distances(region, place.x - left, place.y - top, most)
    room = largest_rectangle(steps <= most)
    assert room
    return RectangularRoom(left + room.x, top + room.y, room.width, room.height)


def repair_connectivity(old: Tiles, new: Tiles) -> Tiles:
    """Return ``new`` with closed tiles reopened until all ``old`` ground is connected again.

    Both are windows [y, x] of one map, before and after a change. Everything walkable was connected
    by walkable tiles before, so reopening always succeeds. The cheapest links over newly closed
    tiles are reopened, or all of these if that leaves a path with diagonal steps cut.
    """
    before, after = terrain().walkable[old], terrain().walkable[new]
    closed = before & ~after
    if not closed.any():
        return new
    repaired = new.copy()
    if not regions_intact(regions(before)[0], after):
        labels, _ = regions(after)
        cost = closed.astype(np.int32)
        # The links need no random numbers, but the search draws: so it gets a separate stream.
        for link in cheapest_links(labels, cost, Rng(0, "mend")):
            for x, y in link.tiles:
                repaired[y, x] = old[y, x]
    labels, _ = regions(before, diagonal=True)  # Creatures also walk diagonally.
    if not regions_intact(labels, terrain().walkable[repaired], diagonal=True):
        repaired[closed] = old[closed]
    return repaired
