"""Metrics of a finished level: floor share, path length, loops, dead ends, chokepoints ..."""

import math
from functools import cache, cached_property
from typing import Annotated, Literal

import msgspec
import numpy as np
import scipy
from msgspec import Meta
from numpy.typing import NDArray

from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import DataError, read_entries
from entities.light_levels import light_levels
from entities.terrain import LOCK_TILES, OPENERS, Tile, openable_mask, terrain, tile_mask
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.chokepoints import Structure
from procgen.analysis.distances import SQUARE, distances, regions
from procgen.analysis.key_walk import foreshadowed_goals, key_distance, key_walk
from procgen.blueprint import STANDARD_AREA
from procgen.level import Level
from procgen.level_code import FROM_FILE
from procgen.level_light import glow_of

ISLAND = 9
"""A loop leads around an island of at least this many tiles; smaller islands are pillars."""
WET = [Tile.WATER, Tile.SHALLOWS, Tile.REEDS]
MANY = 1 << 17
"""Above this many tiles, a breadth-first distance map is faster than flood fill on a bitboard."""


class Metrics(msgspec.Struct, frozen=True):
    """The metrics of a level, defined in `LazyMetrics`; every door is open except for ``path``."""

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
    pillars: int
    biggest_room: int
    cycles: int
    key_distance: int
    backtracking: float
    foreshadowed_goals: int
    water: float
    lava: float
    bridges: int
    doors: int
    locks: int
    treasure: int
    creatures: int
    darkness: float


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
    def structure(self) -> Structure:
        """The articulation points of the shape."""
        return Structure(self.shape.mask, self.level.start)

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
        """Steps from start to exit, in 8 directions; 0 without an exit, 2^31 - 1 without a way.

        Locks count as open in levels with a mission, and in levels from files, where they may be on
        the path too. In all others no lock is on the path.
        """
        if not self.level.has_exit:
            return 0
        walkable = terrain().walkable[self.level.tiles]
        if self.level.mission or self.level.code.recipe == FROM_FILE:
            walkable = walkable | tile_mask(LOCK_TILES)[self.level.tiles]
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
        """Number of independent loops, around islands of at least `ISLAND` tiles."""
        all_loops = self.shape.loops(regions(self.shape.field(self.shape.bits))[1])
        return all_loops - self.pillars

    @cached_property
    def pillars(self) -> int:
        """Number of islands of fewer than `ISLAND` tiles: pillars, statues, small ponds."""
        labels, _ = scipy.ndimage.label(~openable_mask()[self.level.tiles], SQUARE)
        sizes = np.bincount(labels.ravel())
        sizes[0] = ISLAND  # Open tiles.
        for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
            sizes[edge] = ISLAND
        return int((sizes < ISLAND).sum())

    @cached_property
    def dead_ends(self) -> int:
        """Walkable tiles with one walkable neighbour."""
        return self.shape.dead_ends().bit_count()

    @property
    def chokepoints(self) -> int:
        """Number of articulation points of the region of the start: tiles that would part it."""
        return int(np.count_nonzero(self.structure.cuts))

    @property
    def largest_cut(self) -> int:
        """Most tiles that one chokepoint cuts off from the start."""
        return self.structure.largest_cut

    @cached_property
    def openness(self) -> float:
        """Mean over walkable tiles of the steps (8 directions) to a closed one; -1 without any."""
        return self.shape.openness()

    @cached_property
    def room_scale(self) -> float:
        """Standard deviation of room areas over their mean; 0 for fewer than two rooms."""
        areas = [room.area for room in self.level.rooms]
        # In whole numbers: the last digit of a mean of floats differs between machines.
        spread = len(areas) * sum(area * area for area in areas) - sum(areas) ** 2
        return math.sqrt(spread) / sum(areas) if areas else 0.0

    @property
    def biggest_room(self) -> int:
        """Tiles of the largest room."""
        return max((room.area for room in self.level.rooms), default=0)

    @property
    def cycles(self) -> int:
        """Number of cycles of the mission."""
        return len(self.level.mission.cycles) if self.level.mission else 0

    @cached_property
    def key_distance(self) -> int:
        """Most steps from a lock to the nearest key or mechanism for it; 0 without locks."""
        return key_distance(self.level.tiles) if self.locks else 0

    @cached_property
    def backtracking(self) -> float:
        """Share of steps onto tiles walked before, on the walk through all locks to the exit."""
        if not (self.locks and self.level.has_exit):
            return 0.0
        steps, again = key_walk(self.level.tiles, self.level.start, self.level.exit)
        return again / max(1, steps)

    @cached_property
    def foreshadowed_goals(self) -> int:
        """Number of keys, mechanisms and exits that are seen long before they are reached."""
        goals = [(x, y) for y, x in np.argwhere(tile_mask(OPENERS)[self.level.tiles]).tolist()]
        goals += [(self.level.exit.x, self.level.exit.y)] if self.level.has_exit else []
        return foreshadowed_goals(self.level.tiles, self.level.start, goals)

    @cached_property
    def _counts(self) -> NDArray[np.intp]:
        return np.bincount(self.level.tiles.ravel(), minlength=256)

    @property
    def water(self) -> float:
        """Share of all tiles that is water, deep or shallow."""
        return float(self._counts[WET].sum()) / self.level.tiles.size

    @property
    def lava(self) -> float:
        """Share of all tiles that is lava."""
        return float(self._counts[Tile.LAVA]) / self.level.tiles.size

    @cached_property
    def bridges(self) -> int:
        """Number of bridges."""
        return regions(self.level.tiles == Tile.BRIDGE)[1] if self._counts[Tile.BRIDGE] else 0

    @property
    def doors(self) -> int:
        """Number of doors, secret and locked ones included."""
        return int(self._counts[[Tile.DOOR, Tile.SECRET_DOOR, *LOCK_TILES]].sum())

    @property
    def locks(self) -> int:
        """Number of locked doors and other locks."""
        return int(self._counts[list(LOCK_TILES)].sum())

    @property
    def treasure(self) -> int:
        """Number of heaps of gold."""
        return int(self._counts[Tile.TREASURE])

    @property
    def creatures(self) -> int:
        """Number of creatures."""
        return len(self.level.spawns)

    @cached_property
    def darkness(self) -> float:
        """Share of walkable tiles without light; 0 unless the level is dark."""
        light = light_levels().get(self.level.light)
        if light is None or light.sight >= creature_kinds()[HERO].sight:
            return 0.0
        walkable = terrain().walkable[self.level.tiles]
        dark = walkable & ~glow_of(self.level.tiles)
        return float(dark.sum()) / max(1, int(walkable.sum()))


def measure(level: Level) -> Metrics:
    """Return the metrics of ``level``."""
    return LazyMetrics(level).all()


SIDES = 80 + 45
"""Width plus height of a level of `STANDARD_AREA`, the size for which typical values hold."""


class MetricScale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The typical value of a metric, and how it is shown; data/metrics.toml explains the fields."""

    typical: Annotated[float, Meta(gt=0)]
    least: Literal[0, 1] = 0
    grows_with: Literal["nothing", "tiles", "sides"] = "nothing"
    share: bool = False

    def typical_in(self, width: int, height: int) -> float:
        """Return the typical value in levels of this size, as the part above ``least``."""
        factors = {"tiles": width * height / STANDARD_AREA, "sides": (width + height) / SIDES}
        return self.typical * factors.get(self.grows_with, 1.0)


@cache
def metric_scales() -> dict[str, MetricScale]:
    """Return the scale of every metric; raise `DataError` unless they are those of `Metrics`."""
    scales = read_entries("metrics.toml", MetricScale)
    if tuple(scales) != Metrics.__struct_fields__:
        odd = min({*scales} ^ {*Metrics.__struct_fields__}, default="the order")
        raise DataError(f"data/metrics.toml: {odd}: not as in `Metrics`")
    return scales


def is_share(name: str) -> bool:
    """Return True if ``name`` is a metric from 0 to 1 that is shown as a percentage."""
    return name in metric_scales() and metric_scales()[name].share


COUNT_METRICS = frozenset(name for name, kind in Metrics.__annotations__.items() if kind is int)
"""The metrics that are counts."""
SHAPE = slice(0, 10)
"""The metrics by which levels are compared: the first ten, which describe the shape alone."""
PATH_METRICS = ("path", "detour")
"""Metrics that need an exit."""
ROOM_METRICS = ("rooms", "room_scale", "biggest_room")
"""Metrics that need rectangles of rooms, which a level drawn as text has not."""


def position(name: str, value: float, width: int, height: int) -> float:
    """Return where a metric stands from 0 to 1, with 1/2 at the typical value for the size."""
    scale = metric_scales()[name]
    above = max(0.0, value - scale.least)
    return above / (above + scale.typical_in(width, height))


def relative_metrics(level: Level) -> list[tuple[str, str, float]]:
    """Return name, formatted value and `position` of the metrics of ``level``, in order.

    Without an exit, `PATH_METRICS` are left out.
    """
    size = level.tiles.shape[::-1]
    return [
        (name.replace("_", " "), format_metric(name, x), position(name, x, *size))
        for name, x in msgspec.structs.asdict(measure(level)).items()
        if level.has_exit or name not in PATH_METRICS
    ]


def format_metric(name: str, value: float) -> str:
    """Return the text of a metric, or of a mean or median of one: a count may end in a half."""
    if is_share(name):
        return f"{value:.0%}"
    return f"{value:,.1f}".removesuffix(".0") if name in COUNT_METRICS else f"{value:.2f}"
