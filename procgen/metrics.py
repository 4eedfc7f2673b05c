"""Metrics of a finished level: floor share, path length, loops, dead ends, chokepoints ..."""

from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np

from entities.terrain import openable_mask, terrain
from procgen.analysis.articulation_points import Skeleton, skeleton_of
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import distances, regions
from procgen.blueprint import RectangularRoom
from procgen.level import Level

MANY = 1 << 17
"""From so many tiles on, a breadth-first distance map is faster than flooding a bitboard."""


class Metrics(msgspec.Struct, frozen=True):
    """The metrics of one level; every door counts as open, except for ``path``.

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


class LazyMetrics:
    """A level's metrics by name, each computed when it is first used."""

    def __init__(self, level: Level) -> None:
        self.level = level

    def __getitem__(self, name: str) -> float:
        """Return a metric as a float, for a `Query`."""
        return float(getattr(self, name))

    def all(self) -> Metrics:
        """Return all metrics."""
        return Metrics(*(getattr(self, name) for name in Metrics.__struct_fields__))

    @cached_property
    def shape(self) -> Bitboard:
        """The walkable tiles once every door is open."""
        return Bitboard.of(openable_mask()[self.level.tiles])

    @cached_property
    def skeleton(self) -> Skeleton:
        """The articulation points of the shape."""
        return skeleton_of(self.shape, self.level.start)

    @cached_property
    def floor(self) -> float:
        """Share of walkable tiles."""
        return self.shape.tiles / self.level.tiles.size

    @property
    def rooms(self) -> int:
        """Number of rooms."""
        return len(self.level.rooms)

    @cached_property
    def path(self) -> int:
        """Steps from start to exit, in 8 directions; 0 without an exit."""
        if not self.level.has_exit:
            return 0
        walkable = terrain().walkable[self.level.tiles]
        start, end = self.level.start, self.level.exit
        if walkable.size > MANY:
            return int(distances(walkable, *start)[end.y, end.x])
        return Bitboard.of(walkable).steps(start, end)

    @property
    def detour(self) -> float:
        """The path divided by the steps with nothing in the way."""
        (x1, y1), (x2, y2) = self.level.start, self.level.exit
        return self.path / max(1, abs(x2 - x1), abs(y2 - y1))

    @cached_property
    def loops(self) -> int:
        """Number of independent loops."""
        return self.shape.loops(regions(self.shape.field(self.shape.bits))[1])

    @cached_property
    def dead_ends(self) -> int:
        """Walkable tiles with one walkable neighbour."""
        return self.shape.dead_ends().bit_count()

    @property
    def chokepoints(self) -> int:
        """Number of articulation points: tiles without which the level falls apart."""
        return self.skeleton.chokepoints

    @property
    def largest_cut(self) -> int:
        """Most tiles behind one of them."""
        return self.skeleton.largest_cut

    @cached_property
    def openness(self) -> float:
        """Mean steps to the nearest wall."""
        return self.shape.openness()

    @cached_property
    def room_scale(self) -> float:
        """Coefficient of variation of room areas."""
        return room_scale(self.level.rooms)


def measure(level: Level) -> Metrics:
    """Return the metrics of ``level``."""
    return LazyMetrics(level).all()


def room_scale(rooms: tuple[RectangularRoom, ...]) -> float:
    """Return the coefficient of variation of the rooms' areas."""
    if len(rooms) < 2:
        return 0.0
    areas = np.array([room.area for room in rooms], np.float64)
    return float(areas.std() / areas.mean())


TILES, SIDES = 80 * 45, 80 + 45
"""Tiles, and width plus height, of the level size that `TYPICAL` holds for."""
TYPICAL = {
    "floor": 0.47,
    "rooms": 12,
    "path": 80,
    "detour": 0.43,
    "loops": 20,
    "dead_ends": 4,
    "chokepoints": 53,
    "largest_cut": 1160,
    "openness": 0.54,
    "room_scale": 0.24,
}
"""Medians over all generators (tests/benchmarks/search.py typical); for metrics never
below 1, the part above 1."""
FROM_ONE = frozenset({"detour", "openness"})
BY_TILES = frozenset({"rooms", "loops", "dead_ends", "chokepoints", "largest_cut"})
"""Metrics that grow with the number of tiles; only ``path`` grows with the sides."""
PATH_METRICS = ("path", "detour")
"""Metrics that need an exit."""


class RelativeMetric(NamedTuple):
    """A metric with its formatted value and a position from 0 to 1.

    1/2 is the median over all generators for a level of that size.
    """

    name: str
    value: str
    position: float


def position(name: str, value: float, width: int, height: int) -> float:
    """Return where a metric stands from 0 to 1, with 1/2 at the typical value for the size."""
    by_size = width * height / TILES if name in BY_TILES else 1.0
    scale = (width + height) / SIDES if name == "path" else by_size
    above = max(0.0, value - 1 if name in FROM_ONE else value)
    return above / (above + TYPICAL[name] * scale)


def relative_metrics(level: Level) -> list[RelativeMetric]:
    """Return the metrics of ``level`` in order; without an exit, without `PATH_METRICS`."""
    height, width = level.tiles.shape
    found = []
    metrics = measure(level)
    for name in TYPICAL:
        if name in PATH_METRICS and not level.has_exit:
            continue
        value = getattr(metrics, name)
        place = position(name, value, width, height)
        found.append(RelativeMetric(name.replace("_", " "), format_metric(name, value), place))
    return found


def format_metric(name: str, value: float) -> str:
    """Format a metric for people."""
    if name == "floor":
        return f"{value:.0%}"
    return f"{value:.2f}" if isinstance(value, float) else f"{value:,}".replace(",", " ")
