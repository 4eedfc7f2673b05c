"""A level in ten numbers."""

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from entities.terrain import openable, terrain
from procgen.analysis import distances, regions
from procgen.blueprint import RectangularRoom
from procgen.build import Level
from procgen.measure.cuts import cut_sizes
from procgen.measure.structure import dead_ends, loops


class Metrics(msgspec.Struct, frozen=True):
    """What can be said of one level in numbers; every door counts as open, but for ``path``.

    ``floor`` is the share of tiles that can be walked; ``path`` the steps from start to exit
    in 8 directions, ``detour`` that over the steps if nothing were in the way; ``openness`` the
    mean over walkable tiles of the steps (8 directions) to the nearest tile that is not;
    ``room_scale`` the standard deviation of room areas over their mean, 0 for fewer than two.
    """

    floor: float
    rooms: int
    path: int
    detour: float
    loops: int
    dead_ends: int
    chokepoints: int
    largest_cut: int
    openness: float
    room_scale: float


def measure(level: Level) -> Metrics:
    """Return the metrics of ``level``."""
    visible: NDArray[np.bool_] = terrain().walkable[level.tiles]
    open_tiles = openable()[level.tiles]
    cuts = cut_sizes(open_tiles, level.start)
    steps = distances(visible, *level.start)
    path = int(steps[level.exit.y, level.exit.x])
    (x1, y1), (x2, y2) = level.start, level.exit
    return Metrics(
        floor=float(open_tiles.mean()),
        rooms=len(level.rooms),
        path=path,
        detour=path / max(abs(x2 - x1), abs(y2 - y1)),
        loops=loops(open_tiles, regions(open_tiles)[1]),
        dead_ends=int(np.count_nonzero(dead_ends(open_tiles))),
        chokepoints=int(np.count_nonzero(cuts)),
        largest_cut=int(cuts.max()),
        openness=openness(open_tiles),
        room_scale=room_scale(level.rooms),
    )


def openness(open_tiles: NDArray[np.bool_]) -> float:
    """Return the mean chessboard distance from an open tile to the nearest closed one."""
    steps = ndimage.distance_transform_cdt(open_tiles, metric="chessboard")
    return float(steps[open_tiles].mean())


def room_scale(rooms: tuple[RectangularRoom, ...]) -> float:
    """Return the coefficient of variation of the rooms' areas."""
    if len(rooms) < 2:
        return 0.0
    areas = np.array([room.area for room in rooms], np.float64)
    return float(areas.std() / areas.mean())
